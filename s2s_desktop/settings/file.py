"""The settings file: read whatever is there, write without losing anything."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, MutableMapping, MutableSequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import tomlkit
from pydantic import ValidationError

from s2s_desktop.errors import AssistantError, ErrorKind
from s2s_desktop.settings import document
from s2s_desktop.settings.atomic import write_atomically
from s2s_desktop.settings.schema import SCHEMA_VERSION, Settings

_log = logging.getLogger(__name__)

Migration = Callable[[MutableMapping[str, object]], None]

MIGRATIONS: Mapping[int, Migration] = {}
"""What brings a document of version n to version n + 1, by n."""


@dataclass(frozen=True, slots=True)
class Loaded:
    """The settings and what the user should know about them.

    Attributes:
        settings: Always usable.
        notices: Sentences, each said once: what was wrong is set aside and the file is mended.
    """

    settings: Settings
    notices: tuple[str, ...] = ()


def load(path: Path) -> Loaded:
    """Read the settings.

    Nothing about the file can make this fail. What cannot be used gets its default value, alone where it can
    be told apart; then the file is kept as a dated copy beside the mended one.
    """
    try:
        raw = path.read_bytes()
    except FileNotFoundError:
        return Loaded(Settings())
    except OSError as error:
        return Loaded(
            Settings(), (f"The settings in {path} cannot be read ({_reason(error)}); defaults are used.",)
        )
    problems: list[str] = []
    try:
        doc = document.parse(raw)
    except document.UnusableDocumentError as error:
        doc = document.salvage(raw)
        problems.append(f"The settings file {error}; what could not be read has its default value.")
    notices = _migrate(doc)
    settings, bad = _validate(doc)
    problems += [f"The setting {name} was not usable and has its default value again." for name in bad]
    if problems:
        problems.append(_mend(path, raw, doc))
    if settings.active_profile().name != settings.profile:
        problems.append(
            f"There is no profile {settings.profile!r}; {settings.active_profile().name} is used."
        )
    return Loaded(settings, (*problems, *notices))


def save(path: Path, settings: Settings) -> None:
    """Write the settings. Comments, the order and unknown keys of the file stay as they are.

    Raises:
        AssistantError: INTERNAL; the file cannot be written. The old one is untouched.
    """
    try:
        doc = _document_to_change(path)
        document.update(doc, settings)
        write_atomically(path, tomlkit.dumps(doc))
    except OSError as error:
        raise AssistantError(
            ErrorKind.INTERNAL,
            f"The settings could not be saved in {path.parent} ({_reason(error)}). They hold until the app "
            "closes; make the folder writable, then save again.",
            str(error),
        ) from error


def _document_to_change(path: Path) -> tomlkit.TOMLDocument:
    raw = path.read_bytes() if path.exists() else b""
    try:
        return document.parse(raw)
    except document.UnusableDocumentError:
        if raw.strip():
            _copy_aside(path, raw)
            return document.salvage(raw)
    return document.new()


def _migrate(doc: tomlkit.TOMLDocument) -> list[str]:
    """Bring a document of an older version to this one; say so when it is from a newer one."""
    version = doc.get("schema_version", SCHEMA_VERSION)
    if not isinstance(version, int) or isinstance(version, bool):
        return []
    if version > SCHEMA_VERSION:
        return [
            "The settings were written by a newer version of S2S Desktop; what this version does not know "
            "is left as it is."
        ]
    for number in range(max(version, 0), SCHEMA_VERSION):
        if number in MIGRATIONS:
            MIGRATIONS[number](doc)
        doc["schema_version"] = number + 1
    return []


def _validate(doc: tomlkit.TOMLDocument) -> tuple[Settings, list[str]]:
    """Return the settings and the names of the bad values, which are taken out of the document."""
    bad: list[str] = []
    while True:
        try:
            return Settings.model_validate(doc.unwrap()), bad
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            bad.append(_remove(doc, first["loc"]))


def _remove(doc: tomlkit.TOMLDocument, location: tuple[int | str, ...]) -> str:
    """Remove the innermost value on the way to `location` and return its name.

    A location may lead beyond what is there: to a key that a profile lacks, or to a name of pydantic's own.
    """
    holder: MutableMapping[str, object] | MutableSequence[object] = doc
    steps: list[tuple[MutableMapping[str, object] | MutableSequence[object], int | str]] = []
    for step in location:
        try:
            inner = holder[step]  # type: ignore[index]
        except (KeyError, IndexError, TypeError):
            break
        steps.append((holder, step))
        if not isinstance(inner, MutableMapping | MutableSequence):
            break
        holder = inner
    last, key = steps[-1]
    del last[key]  # type: ignore[arg-type]
    return ".".join(str(step + 1 if isinstance(step, int) else step) for _, step in steps)


def _mend(path: Path, raw: bytes, doc: tomlkit.TOMLDocument) -> str:
    """Keep a copy of the file, write the mended document, and return a sentence about it."""
    try:
        copy = _copy_aside(path, raw)
        text = tomlkit.dumps(doc)
        write_atomically(path, text if text.strip() else tomlkit.dumps(document.new()))
    except OSError as error:
        return f"The file could not be mended ({_reason(error)})."
    return f"The file as it was is kept as {copy.name}."


def _copy_aside(path: Path, raw: bytes) -> Path:
    stamp = datetime.now().astimezone().strftime("%Y%m%d-%H%M%S")
    copy = path.with_name(f"{path.stem}.broken-{stamp}{path.suffix}")
    number = 1
    while copy.exists():
        number += 1
        copy = path.with_name(f"{path.stem}.broken-{stamp}-{number}{path.suffix}")
    write_atomically(copy, raw)
    return copy


def _reason(error: OSError) -> str:
    return error.strerror or type(error).__name__
