"""Finding the chat template of a model file, and adding tools to those that know none."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from s2s_desktop.llm.builtin.template import read_chat_template, with_tools

CHATML = "{% for m in messages %}<|im_start|>{{ m.role }}{% endfor %}"


def _entry(key: bytes, kind: int, value: bytes) -> bytes:
    return struct.pack("<Q", len(key)) + key + struct.pack("<I", kind) + value


def _string(text: bytes) -> bytes:
    return struct.pack("<Q", len(text)) + text


def _gguf(tmp_path: Path, *entries: bytes) -> Path:
    file = tmp_path / "model.gguf"
    file.write_bytes(b"GGUF" + struct.pack("<IQQ", 3, 0, len(entries)) + b"".join(entries))
    return file


def test_reads_the_template_among_other_entries(tmp_path: Path) -> None:
    file = _gguf(
        tmp_path,
        _entry(b"general.architecture", 8, _string(b"llama")),
        _entry(b"tokenizer.chat_template", 8, _string("<|im_start|>é".encode())),
        _entry(b"general.file_type", 4, struct.pack("<I", 3)),
    )
    assert read_chat_template(file) == "<|im_start|>é"


@pytest.mark.parametrize(
    "entry",
    [
        _entry(b"general.architecture", 8, _string(b"llama")),
        _entry(b"tokenizer.chat_template", 4, struct.pack("<I", 3) + bytes(8)),
        _entry(b"tokenizer.chat_template", 8, b""),
    ],
    ids=["none", "a number", "cut off"],
)
def test_a_file_without_a_template_has_an_empty_one(tmp_path: Path, entry: bytes) -> None:
    assert read_chat_template(_gguf(tmp_path, entry)) == ""


@pytest.mark.models
def test_reads_the_template_of_the_trial_model(model_file: Path) -> None:
    assert "<|im_start|>" in read_chat_template(model_file)


def test_adds_tools_in_front_and_keeps_the_rest() -> None:
    extended = with_tools(CHATML)
    assert "<tool_call>" in extended
    assert CHATML in extended


@pytest.mark.parametrize(
    "template", ["", "[INST] {{ messages[0].content }} [/INST]", CHATML + "{% if tools %}"]
)
def test_leaves_templates_alone_that_know_tools_or_another_notation(template: str) -> None:
    assert with_tools(template) == ""
