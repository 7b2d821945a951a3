"""What the model made of a prompt is kept for the next start, and used only where it belongs."""

from __future__ import annotations

from pathlib import Path

import pytest

from llm.builtin_kit import ask
from s2s_desktop.llm.builtin.prompt_file import PromptFile
from s2s_desktop.llm.builtin.prompt_memory import PromptMemory
from s2s_desktop.llm.builtin.server import BuiltinServer


@pytest.fixture
def some_model(tmp_path: Path) -> Path:
    file = tmp_path / "model.gguf"
    file.write_bytes(b"weights")
    return file


def _keep(file: PromptFile, folder: Path, content: bytes) -> str:
    draft = file.draft()
    (folder / draft).write_bytes(content)
    file.keep(draft)
    return file.intact()


def test_what_was_kept_is_found_by_another_process_with_the_same_prompt(
    tmp_path: Path, some_model: Path
) -> None:
    folder = tmp_path / "prompt"
    name = _keep(PromptFile(folder, some_model, "Be brief."), folder, b"memory")

    assert name
    assert PromptFile(folder, some_model, "Be brief.").intact() == name
    assert (folder / name).read_bytes() == b"memory"


def test_another_prompt_or_another_model_finds_nothing(tmp_path: Path, some_model: Path) -> None:
    folder = tmp_path / "prompt"
    _keep(PromptFile(folder, some_model, "Be brief."), folder, b"memory")

    assert PromptFile(folder, some_model, "Be long.").intact() == ""
    some_model.write_bytes(b"other weights")
    assert PromptFile(folder, some_model, "Be brief.").intact() == ""


def test_a_damaged_file_is_not_used(tmp_path: Path, some_model: Path) -> None:
    folder = tmp_path / "prompt"
    file = PromptFile(folder, some_model, "Be brief.")
    name = _keep(file, folder, b"memory")

    (folder / name).write_bytes(b"memorx")

    assert file.intact() == ""


def test_only_the_file_kept_last_takes_room(tmp_path: Path, some_model: Path) -> None:
    folder = tmp_path / "prompt"
    _keep(PromptFile(folder, some_model, "Be brief."), folder, b"memory")
    (folder / PromptFile(folder, some_model, "Be brief.").draft()).write_bytes(b"left by a crash")
    name = _keep(PromptFile(folder, some_model, "Be long."), folder, b"memory")

    assert [file.name for file in folder.iterdir()] == [name]


@pytest.mark.models
async def test_the_next_server_has_read_the_prompt_already(
    model_file: Path, log_file: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "prompt"
    first = BuiltinServer(model_file, log_file, prompt_folder=folder)
    try:
        await first.start()
        assert not await PromptMemory(first, "a prompt").recall()
        answer = await ask(first)
        await PromptMemory(first, "a prompt").remember()
    finally:
        await first.stop()

    second = BuiltinServer(model_file, log_file, prompt_folder=folder)
    try:
        await second.start()
        assert not await PromptMemory(second, "another prompt").recall()
        assert await PromptMemory(second, "a prompt").recall()
        assert await ask(second) == answer
    finally:
        await second.stop()
