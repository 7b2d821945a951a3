"""The built-in language model as the engine uses it: what it has read ahead it need not read again."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from s2s_desktop.engine.language_model import BuiltinLanguageModel
from s2s_desktop.llm.builtin.server import BuiltinServer
from s2s_desktop.llm.events import ReplyFinished
from s2s_desktop.llm.http.negotiation import Quirks
from s2s_desktop.llm.items import Item, SystemMessage, UserMessage
from s2s_desktop.settings.schema import Profile

BEGINNING = "Tell me in a few words what the capital of France is called and"
QUESTION = f"{BEGINNING} why."


def conversation(question: str) -> list[Item]:
    return [SystemMessage("Be brief."), UserMessage.of(question)]


def tokens_read(log: str) -> list[int]:
    """Return how many tokens llama.cpp read for each request, from its log."""
    return [int(found) for found in re.findall(r"prompt eval time =.*?/\s*(\d+) tokens", log)]


@pytest.mark.models
async def test_what_was_read_ahead_is_not_read_again(models_dir: Path, tmp_path: Path) -> None:
    file = models_dir / "smollm2-135m" / "SmolLM2-135M-Instruct.Q4_1.gguf"
    server = BuiltinServer(file, tmp_path / "llm.log")
    model = BuiltinLanguageModel(server, Profile(name="trial", max_output_tokens=3), {}, Quirks())
    try:
        await model.read_ahead(conversation(BEGINNING))  # nothing runs yet, and nothing is started for it
        assert server.pid is None

        backend = await model.backend()
        await model.read_ahead(conversation(BEGINNING))
        finished = [event async for event in backend.reply(conversation(QUESTION))][-1]

        assert isinstance(finished, ReplyFinished)
        assert finished.error is None
    finally:
        await model.close()
    ahead, then = tokens_read((tmp_path / "llm.log").read_text())
    assert ahead > len(BEGINNING.split()) > then
