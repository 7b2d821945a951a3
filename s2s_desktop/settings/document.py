"""The settings as a TOML document: reads what can be read, changes nothing that need not change."""

from __future__ import annotations

import re
import tomllib
from collections.abc import MutableMapping, Sequence

import tomlkit
from pydantic import BaseModel
from pydantic.fields import FieldInfo
from tomlkit.exceptions import TOMLKitError
from tomlkit.items import AoT

from s2s_desktop.settings.schema import BUILT_IN, Persona, Profile, Settings

_Table = MutableMapping[str, object]

_MAX_BYTES = 1_000_000
_MAX_SALVAGED = 64_000
_MAX_TRIES = 1000


_HEADER = "Settings of S2S Desktop. What is not here has its default value."


class UnusableDocumentError(Exception):
    """The file as a whole is no TOML; the message ends the sentence "The settings file …"."""


def new() -> tomlkit.TOMLDocument:
    """Return a document without settings. It is not empty, because an empty file is a damaged one."""
    document = tomlkit.document()
    document.add(tomlkit.comment(_HEADER))
    return document


def parse(raw: bytes) -> tomlkit.TOMLDocument:
    """Return the document in the bytes of a file.

    Raises:
        UnusableDocumentError: They are no TOML.
    """
    if not raw.strip():
        raise UnusableDocumentError("was empty")
    if len(raw) > _MAX_BYTES:
        raise UnusableDocumentError("was far too large")
    try:
        text = raw.decode("utf-8-sig")
        tomllib.loads(text)
        return tomlkit.parse(text)
    except UnicodeDecodeError:
        raise UnusableDocumentError("was not text") from None
    except (tomllib.TOMLDecodeError, TOMLKitError, RecursionError) as error:
        raise UnusableDocumentError(f"was damaged ({error})") from None


def salvage(raw: bytes) -> tomlkit.TOMLDocument:
    """Return what stands in front of the damage.

    Lines behind it are not trusted: without their table header they would land in another table.
    """
    lines = raw[:_MAX_SALVAGED].decode("utf-8-sig", errors="replace").splitlines(keepends=True)
    for _ in range(_MAX_TRIES):
        try:
            return parse("".join(lines).encode())
        except UnusableDocumentError as error:
            line = re.search(r"at line (\d+)", str(error))
            bad = int(line[1]) if line else len(lines)
            lines = lines[: max(0, min(bad, len(lines)) - 1)]
        if not lines:
            break
    return new()


def update(document: tomlkit.TOMLDocument, settings: Settings) -> None:
    """Write settings into a document.

    A value is written when the document has its key already or when it is not the default; so a file stays
    short, and a better default of a later version reaches those who never changed it.
    """
    document["schema_version"] = settings.schema_version
    if any(profile.is_temporary for profile in settings.profiles):
        settings = _without_temporary(settings, str(document.get("profile", BUILT_IN)))
    _update_table(document, settings)


def _without_temporary(settings: Settings, chosen: str) -> Settings:
    """Return the settings without profiles of the command line, and with the profile the file has chosen."""
    settings = settings.model_copy(deep=True)
    settings.profiles = [profile for profile in settings.profiles if not profile.is_temporary]
    if all(profile.name != settings.profile for profile in settings.profiles):
        settings.profile = chosen
    return settings


def _update_table(table: _Table, section: BaseModel) -> None:
    for key, value in section:
        field = type(section).model_fields.get(key)
        if isinstance(value, BaseModel):
            _update_section(table, key, value)
        elif isinstance(value, list) and any(isinstance(each, Profile | Persona) for each in value):
            _update_named(table, key, value, field)
        elif value is None:
            table.pop(key, None)
        elif key in table:
            if not _same(table[key], value):
                table[key] = value
        elif field is None or value != _default(field):
            table[key] = value


def _update_section(table: _Table, key: str, section: BaseModel) -> None:
    sub = table.get(key)
    if isinstance(sub, MutableMapping):
        _update_table(sub, section)
        return
    sub = tomlkit.table()
    _update_table(sub, section)
    if sub:
        table[key] = sub


def _update_named(
    table: _Table, key: str, sections: Sequence[Profile | Persona], field: FieldInfo | None
) -> None:
    """Write a list of sections as `[[key]]`. Each keeps its table, with its comments, by its name."""
    old = table.get(key)
    if not isinstance(old, list) and field is not None and sections == _default(field):
        return
    by_name = {entry.get("name"): entry for entry in old} if isinstance(old, list) else {}
    entries = []
    for section in sections:
        entry = by_name.get(section.name)
        if entry is None:
            entry = tomlkit.table()
            entry["name"] = section.name
        _update_table(entry, section)
        entries.append(entry)
    if (
        isinstance(old, AoT)
        and len(old) == len(entries)
        and all(a is b for a, b in zip(old, entries, strict=True))
    ):
        return
    array = tomlkit.aot()
    for entry in entries:
        array.append(entry)
    table[key] = array


def _same(item: object, value: object) -> bool:
    plain = item.unwrap() if hasattr(item, "unwrap") else item
    return plain == value and isinstance(plain, bool) == isinstance(value, bool)


def _default(field: FieldInfo) -> object:
    return field.get_default(call_default_factory=True)
