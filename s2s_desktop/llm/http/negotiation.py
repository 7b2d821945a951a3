"""Takes request fields out that a server does not know, one at a time, and remembers it.

No two servers take the same fields: Mistral answers 422 to `stream_options`, Cerebras 400 to
`chat_template_kwargs`, OpenAI 400 to `reasoning.effort` for models that do not think
(https://github.com/huggingface/speech-to-speech/issues/323).
"""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from s2s_desktop.llm.config import BackendName
from s2s_desktop.llm.http.error_bodies import ServerWords
from s2s_desktop.llm.stream.loose_json import as_object, parse_object

_log = logging.getLogger(__name__)

DROPPED = ""
"""The action of a field that is left out. Any other action is the name or the value used instead."""


@dataclass(frozen=True, slots=True)
class OptionalField:
    """A field of the request body that may be given up.

    Attributes:
        key: Its name in the body.
        words: How servers name it when they refuse it, besides `key`.
        chosen: What the user set, in words for a notice; "" when the program added the field by itself.
        renamed: The name under which newer servers know it, "" for none.
        values: Values to try instead, best first, if the server names them as allowed.
        by_param_only: Only the `param` of an error counts, because the name is an everyday word.
    """

    key: str
    words: tuple[str, ...] = ()
    chosen: str = ""
    renamed: str = ""
    values: tuple[str, ...] = ()
    by_param_only: bool = False

    def is_refused(self, words: ServerWords) -> bool:
        """Return whether the server complains about this field."""
        if self.by_param_only:
            return words.param == self.key
        return any(words.names(name) for name in (self.key, self.renamed, *self.words) if name)


@dataclass(frozen=True, slots=True)
class RequestDraft:
    """A request body and the fields of it that may be given up, the likeliest first."""

    body: Mapping[str, object]
    optional: Sequence[OptionalField]

    def body_for(self, quirks: Mapping[str, str]) -> dict[str, object]:
        """Return the body with the actions of `quirks` applied."""
        body = dict(self.body)
        for field in self.optional:
            action = quirks.get(field.key)
            if action is None or field.key not in body:
                continue
            value = body.pop(field.key)
            if action == field.renamed and action != DROPPED:
                body[action] = value
            elif action != DROPPED:
                body[field.key] = {"effort": action} if isinstance(value, dict) else action
            elif field.key == "tools":
                body.pop("tool_choice", None)
            elif field.key == "stream":
                body.pop("stream_options", None)
        return body

    def next_action(self, words: ServerWords, quirks: Mapping[str, str]) -> tuple[OptionalField, str] | None:
        """Return which field to change after a refusal, and how; None when nothing can be given up.

        Args:
            words: Why the server refused.
            quirks: The actions that were applied already.
        """
        # A message may list every field there is; `param` is the one that was refused.
        for complaint in (ServerWords(param=words.param), words):
            for field in self.optional:
                given_up = field.key not in self.body or quirks.get(field.key) == DROPPED
                if given_up or not field.is_refused(complaint):
                    continue
                if field.key in quirks:
                    return field, DROPPED
                value = next((value for value in field.values if words.names(value)), DROPPED)
                return field, field.renamed or value
        return None

    def notices(self, quirks: Mapping[str, str]) -> dict[str, str]:
        """Return a sentence for every field of the user's choice that `quirks` leave out, by its key."""
        return {
            field.key: f"The server does not take {field.chosen}; the reply came without it."
            for field in self.optional
            if field.chosen and field.key in self.body and quirks.get(field.key) == DROPPED
        }


STARTS_INSIDE_THOUGHT = "starts_inside_thought"
"""Name of the quirk of a model whose chat template opens the think block."""


class Quirks:
    """Remembers per base URL, model and backend what a server does not take.

    Args:
        path: A JSON file that keeps it beyond the session; None keeps it in memory. A missing or damaged file
            counts as empty.
    """

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self._known: dict[str, dict[str, str]] = _read(path) if path is not None else {}
        self._told: set[tuple[str, str]] = set()

    def known(self, key: str) -> dict[str, str]:
        """Return what is known of a server: the request field, and what to do about it.

        Args:
            key: From `quirks_key`.
        """
        return dict(self._known.get(key, {}))

    def learn(self, key: str, quirks: Mapping[str, str]) -> None:
        """Replace what is known of a server, and write the file if there is one."""
        if dict(quirks) == self._known.get(key, {}):
            return
        self._known[key] = dict(quirks)
        if self._path is not None:
            self._write(self._path)

    def is_told(self, key: str, name: str) -> bool:
        """Return whether the user was told in this session that a field is left out."""
        return (key, name) in self._told

    def note_told(self, key: str, names: Iterable[str]) -> None:
        """Note that the user was told about fields that are left out."""
        self._told |= {(key, name) for name in names}

    def _write(self, path: Path) -> None:
        """Write beside the file and rename, so that a crash leaves the old one whole."""
        temporary = path.with_name(path.name + ".new")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            temporary.write_text(json.dumps(self._known, indent=1, sort_keys=True), encoding="utf-8")
            os.replace(temporary, path)
        except OSError as error:
            _log.warning("could not remember what servers refuse in %s: %s", path, error)


def quirks_key(base_url: str, model: str, backend: BackendName) -> str:
    """Return the name under which the quirks of a model behind an endpoint are kept."""
    return f"{backend} {base_url} {model}"


def _read(path: Path) -> dict[str, dict[str, str]]:
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        _log.warning("could not read what servers refuse from %s: %s", path, error)
        return {}
    known: dict[str, dict[str, str]] = {}
    for key, value in as_object(parse_object(text)).items():
        quirks = {name: action for name, action in as_object(value).items() if isinstance(action, str)}
        known[key] = quirks
    return known
