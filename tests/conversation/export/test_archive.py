"""Exports of all conversations: complete or not there, with names that every system takes."""

from __future__ import annotations

import zipfile
from datetime import UTC
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conversation.export.kit import example, says
from s2s_desktop.conversation.export.archive import export_all
from s2s_desktop.conversation.export.file_names import safe_name, unique_name
from s2s_desktop.conversation.export.formats import ExportFormat
from s2s_desktop.conversation.export.json_document import import_json
from s2s_desktop.errors import AssistantError

CONVERSATIONS = [
    example(),
    says("Hi", title="../../etc/passwd"),
    says("Hi", title="Same"),
    says("Hi", title="SAME"),
    says("Hi", title=""),
]
NAMES = [
    "2023-11-14 Conversation.md",
    "2023-11-14 SAME (2).md",
    "2023-11-14 Same.md",
    "2023-11-14 Six times seven.md",
    "2023-11-14 etc passwd.md",
]


def test_an_archive_holds_a_file_for_each_conversation(tmp_path: Path) -> None:
    target = tmp_path / "new folder" / "all.zip"
    assert export_all(CONVERSATIONS, ExportFormat.MARKDOWN, target, UTC) == 5
    with zipfile.ZipFile(target) as archive:
        assert sorted(archive.namelist()) == NAMES
        assert archive.read(NAMES[3]).decode().startswith("# Six times seven")


def test_a_folder_holds_the_same_files(tmp_path: Path) -> None:
    assert export_all(CONVERSATIONS, ExportFormat.MARKDOWN, tmp_path / "all", UTC) == 5
    assert sorted(path.name for path in (tmp_path / "all").iterdir()) == NAMES
    assert not (tmp_path / "etc").exists()


def test_one_json_document_can_be_imported(tmp_path: Path) -> None:
    target = tmp_path / "all.json"
    assert export_all(iter(CONVERSATIONS), ExportFormat.JSON, target) == 5
    assert import_json(target.read_bytes()) == tuple(CONVERSATIONS)


def test_conversations_without_speech_are_left_out_of_subtitles(tmp_path: Path) -> None:
    assert export_all(CONVERSATIONS, ExportFormat.SRT, tmp_path / "all.zip") == 1


@pytest.mark.parametrize("name", ["all.zip", "all.json", "all"])
def test_nothing_to_export_is_said_and_leaves_no_file(tmp_path: Path, name: str) -> None:
    export_format = ExportFormat.JSON if name.endswith("json") else ExportFormat.VTT
    conversations = [] if name.endswith("json") else [says("Typed")]
    with pytest.raises(AssistantError, match="no conversation that could be exported"):
        export_all(conversations, export_format, tmp_path / name)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["all.zip", "all.json"])
def test_an_export_that_fails_leaves_the_old_file(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("old")
    export_format = ExportFormat.JSON if name.endswith("json") else ExportFormat.TEXT

    def conversations():
        yield example()
        raise OSError(28, "No space left on device")

    with pytest.raises(AssistantError, match="No space left on device"):
        export_all(conversations(), export_format, tmp_path / name)
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [(name, "old")]


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Plans: a/b\\c?", "Plans a b c"),
        ("CON", "CON_"),
        ("com1.txt", "com1.txt_"),
        ("..", "fallback"),
        ("--help", "help"),
        ("a\x00b\u202ec", "a b c"),
        ("trailing. . ", "trailing"),
        ("日本語の名前", "日本語の名前"),
    ],
)
def test_a_title_becomes_a_file_name(title: str, name: str) -> None:
    assert safe_name(title, "fallback") == name


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=200))
def test_any_title_becomes_a_name_that_every_system_takes(title: str) -> None:
    name = safe_name(title, "fallback")
    assert 0 < len(name.encode()) <= 130
    assert not set('<>:"/\\|?*\0\n') & set(name)
    assert name == name.strip(" .")
    assert Path(name).name == name


def test_names_that_differ_in_case_only_are_told_apart() -> None:
    assert unique_name("Same", {"same", "same (2)"}) == "Same (3)"
