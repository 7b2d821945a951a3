"""Many conversations at once: a ZIP archive, a folder, or one JSON document."""

from __future__ import annotations

import os
import tempfile
import zipfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import tzinfo
from pathlib import Path

from s2s_desktop.conversation.export.file_names import safe_name, unique_name
from s2s_desktop.conversation.export.formats import ExportFormat, export_conversation
from s2s_desktop.conversation.export.json_document import json_pieces
from s2s_desktop.conversation.export.wording import UNTITLED, day, title_of
from s2s_desktop.conversation.store.records import WholeConversation
from s2s_desktop.errors import AssistantError, ErrorKind
from s2s_desktop.settings.atomic import write_atomically


def export_all(
    wholes: Iterable[WholeConversation],
    export_format: ExportFormat,
    target: Path,
    timezone: tzinfo | None = None,
) -> int:
    """Write conversations. A file appears complete or not at all.

    Args:
        wholes: Read one by one, for example `Library.all_whole()`.
        export_format: As subtitles, conversations in which nothing was spoken are left out.
        target: A file that ends in `.json` gets one JSON document (which can be imported), one that ends in
            `.zip` an archive with a file for each conversation; anything else is a folder for those files.
        timezone: See `export_conversation`.

    Returns:
        How many conversations were written.

    Raises:
        AssistantError: BAD_REQUEST when there is none to write, INTERNAL when the target cannot be written.
    """
    ending = target.suffix.lower()
    try:
        if export_format is ExportFormat.JSON and ending == ".json":
            return _write_document(wholes, target)
        files = _files(wholes, export_format, timezone)
        return _write_archive(files, target) if ending == ".zip" else _write_folder(files, target)
    except OSError as error:
        raise AssistantError(
            ErrorKind.INTERNAL,
            f"The conversations could not be written to “{target}” ({error.strerror or error})."
            " Choose another place or make room there.",
            str(error),
        ) from error


def _write_document(wholes: Iterable[WholeConversation], target: Path) -> int:
    count = 0

    def counted() -> Iterator[WholeConversation]:
        nonlocal count
        for whole in wholes:
            count += 1
            yield whole

    with _appearing(target) as part:
        with part.open("w", encoding="utf-8") as file:
            file.writelines(json_pieces(counted()))
        _require(count)
    return count


def _write_archive(files: Iterable[tuple[str, str]], target: Path) -> int:
    count = 0
    with _appearing(target) as part:
        with zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, text in files:
                archive.writestr(name, text)
                count += 1
        _require(count)
    return count


def _write_folder(files: Iterable[tuple[str, str]], target: Path) -> int:
    count = 0
    for name, text in files:
        write_atomically(target / name, text, 0o644)
        count += 1
    _require(count)
    return count


def _files(
    wholes: Iterable[WholeConversation], export_format: ExportFormat, timezone: tzinfo | None
) -> Iterator[tuple[str, str]]:
    taken: set[str] = set()
    for whole in wholes:
        try:
            text = export_conversation(whole, export_format, timezone)
        except AssistantError as error:
            if error.kind is ErrorKind.BAD_REQUEST:
                continue
            raise
        date = day(whole.conversation.created_at, timezone)
        name = unique_name(f"{date} {safe_name(title_of(whole.conversation), UNTITLED)}", taken)
        taken.add(name.casefold())
        yield f"{name}.{export_format}", text


def _require(count: int) -> None:
    if not count:
        raise AssistantError(
            ErrorKind.BAD_REQUEST, "There is no conversation that could be exported like this."
        )


@contextmanager
def _appearing(target: Path) -> Iterator[Path]:
    """Give a file to write that takes its name when the block ends well and vanishes otherwise."""
    target.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.", suffix=".tmp")
    os.close(handle)
    part = Path(name)
    try:
        yield part
        part.chmod(0o644)
        os.replace(part, target)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
