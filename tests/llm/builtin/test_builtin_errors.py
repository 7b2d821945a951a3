"""A server that cannot start says why in one sentence, and what to do."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from s2s_desktop.errors import AssistantError, ErrorKind
from s2s_desktop.llm.builtin import process as builtin_process
from s2s_desktop.llm.builtin import server as builtin_server
from s2s_desktop.llm.builtin.child import child_command
from s2s_desktop.llm.builtin.errors import explain_failed_start, keeps_crashing
from s2s_desktop.llm.builtin.server import BuiltinServer, ServerState

if TYPE_CHECKING:
    from llm.builtin.conftest import StateWatch


def _copy_as_architecture(model_file: Path, file: Path, name: bytes) -> None:
    content = bytearray(model_file.read_bytes())
    at = content.index(b"llama", content.index(b"general.architecture"))
    content[at : at + 5] = name
    file.write_bytes(content)


async def _failure(server: BuiltinServer) -> AssistantError:
    with pytest.raises(AssistantError) as caught:
        await server.start()
    assert server.base_url == ""
    assert server.pid is None
    return caught.value


async def test_a_missing_file_is_named_before_anything_starts(
    tmp_path: Path, log_file: Path, states: StateWatch
) -> None:
    server = BuiltinServer(tmp_path / "Small-Model.gguf", log_file, on_state=states.note)
    error = await _failure(server)
    assert error.kind is ErrorKind.MODEL_MISSING
    assert "Small-Model is not on this computer" in error.message
    assert states.seen == []


@pytest.mark.parametrize("content", [b"", b"GG", b"<!doctype html>"])
async def test_a_file_of_another_kind_is_damaged(tmp_path: Path, log_file: Path, content: bytes) -> None:
    file = tmp_path / "model.gguf"
    file.write_bytes(content)
    error = await _failure(BuiltinServer(file, log_file))
    assert error.kind is ErrorKind.MODEL_MISSING
    assert "is damaged" in error.message


@pytest.mark.models
@pytest.mark.parametrize("size", [64, 1_000_000, 50_000_000])
async def test_a_cut_file_is_damaged_and_the_log_tells_where(
    model_file: Path, tmp_path: Path, log_file: Path, size: int, states: StateWatch
) -> None:
    file = tmp_path / "cut.gguf"
    with model_file.open("rb") as whole:
        file.write_bytes(whole.read(size))
    error = await _failure(BuiltinServer(file, log_file, on_state=states.note))
    assert error.kind is ErrorKind.MODEL_MISSING
    assert "is damaged" in error.message
    assert "error loading model" in error.details
    assert states.seen == [ServerState.STARTING, ServerState.CRASHED]


@pytest.mark.models
async def test_a_kind_of_model_that_llama_cpp_does_not_know_is_no_damage(
    model_file: Path, tmp_path: Path, log_file: Path
) -> None:
    file = tmp_path / "new-kind.gguf"
    _copy_as_architecture(model_file, file, b"alpac")
    error = await _failure(BuiltinServer(file, log_file))
    assert error.kind is ErrorKind.INTERNAL
    assert "does not know this kind" in error.message
    assert "unknown model architecture: 'alpac'" in error.details


@pytest.mark.models
@pytest.mark.skipif(sys.platform != "linux", reason="limits memory with ulimit")
@pytest.mark.parametrize("limit_kib", [200_000, 360_000, 440_000])
async def test_too_little_memory_is_called_so(
    model_file: Path, log_file: Path, monkeypatch: pytest.MonkeyPatch, limit_kib: int
) -> None:
    """The limits stop the reading of the file, a thread, and the model; they count the address space."""
    limited = ["sh", "-c", f'ulimit -v {limit_kib}; exec "$@"', "sh", *child_command()]
    monkeypatch.setattr(builtin_process, "child_command", lambda: limited)
    error = await _failure(BuiltinServer(model_file, log_file))
    assert error.kind is ErrorKind.INTERNAL
    assert "not enough memory" in error.message


@pytest.mark.models
async def test_a_load_that_takes_too_long_is_ended(
    model_file: Path, log_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(builtin_server, "START_LIMIT_S", 0.01)
    error = await _failure(BuiltinServer(model_file, log_file))
    assert "not ready after" in error.message


@pytest.mark.models
@pytest.mark.parametrize(
    ("command", "details"),
    [
        (["/nonexistent/program"], "FileNotFoundError"),
        ([sys.executable, "-c", "raise SystemExit(3)"], "ended with code 3"),
        ([sys.executable, "-c", "print('out of luck'); raise SystemExit(1)"], "out of luck"),
    ],
)
async def test_a_program_that_does_not_run_is_no_silence(
    model_file: Path, log_file: Path, monkeypatch: pytest.MonkeyPatch, command: list[str], details: str
) -> None:
    monkeypatch.setattr(builtin_process, "child_command", lambda: command)
    error = await _failure(BuiltinServer(model_file, log_file))
    assert error.kind is ErrorKind.INTERNAL
    assert "did not start" in error.message
    assert details in error.details


@pytest.mark.parametrize(
    ("error", "exit_code", "log", "sentence"),
    [
        ("ImportError: libgomp.so.1: cannot open shared object file", 1, "", "sudo apt install libgomp1"),
        ("ImportError: libc is too old", 1, "", "does not run on this computer"),
        ("", -4, "Fatal Python error: Illegal instruction", "does not run on this computer"),
        ("", 0xC000001D, "", "does not run on this computer"),
        ("", -9, "", "not enough memory"),
        ("", -6, "terminate called after throwing an instance of 'std::bad_alloc'", "not enough memory"),
        ("", -11, "", "did not start"),
    ],
)
def test_the_end_of_the_process_tells_what_to_do(error: str, exit_code: int, log: str, sentence: str) -> None:
    explained = explain_failed_start(Path("model.gguf"), error, exit_code, log)
    assert sentence in explained.message
    assert explained.details


def test_crashes_of_a_wrong_processor_are_called_so() -> None:
    assert "does not run on this computer" in keeps_crashing(Path("model.gguf"), -4, "").message
    assert "keeps stopping" in keeps_crashing(Path("model.gguf"), -11, "").message
