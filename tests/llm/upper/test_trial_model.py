"""The real trial model with its examples: simple questions get short, right answers."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import pytest
import pytest_asyncio

from s2s_desktop.llm.backend import HttpBackend
from s2s_desktop.llm.builtin.server import REQUEST_HEADERS, BuiltinServer
from s2s_desktop.llm.config import BackendConfig
from s2s_desktop.llm.events import AssistantMessage, ReplyFinished, Usage
from s2s_desktop.llm.history.history import History
from s2s_desktop.llm.items import UserMessage
from s2s_desktop.llm.prompts import (
    TRIAL_MODEL_EXTRA_BODY,
    TRIAL_MODEL_OPTIONS,
    TRIAL_MODEL_PRIMING,
    TRIAL_MODEL_PROMPT,
)
from s2s_desktop.llm.registry import select_backend
from s2s_desktop.settings.schema import Profile

pytestmark = pytest.mark.models


@dataclass
class Answer:
    text: str
    input_tokens: int


@dataclass
class Assistant:
    backend: HttpBackend

    async def ask(self, question: str, system_prompt: str = TRIAL_MODEL_PROMPT) -> Answer:
        """Ask one question in a conversation of its own."""
        history = History(priming=TRIAL_MODEL_PRIMING)
        history.begin_turn(UserMessage.of(question))
        text, tokens = "", 0
        async for event in self.backend.reply(history.items(system_prompt)):
            match event:
                case AssistantMessage(content):
                    text = content
                case Usage(input_tokens):
                    tokens = input_tokens
                case ReplyFinished():
                    assert event.error is None
        return Answer(text, tokens)


@pytest_asyncio.fixture
async def assistant(models_dir: Path, tmp_path: Path) -> AsyncIterator[Assistant]:
    model = models_dir / "smollm2-135m" / "SmolLM2-135M-Instruct.Q4_1.gguf"
    server = BuiltinServer(model, tmp_path / "llm.log")
    await server.ensure_running()
    profile = Profile(name="trial").model_copy(update=dict(TRIAL_MODEL_OPTIONS))
    config = BackendConfig(
        base_url=server.base_url,
        api_key=server.api_key,
        model="smollm2-135m",
        headers=REQUEST_HEADERS,
        temperature=profile.temperature,
        max_output_tokens=profile.max_output_tokens,
        extra_body=TRIAL_MODEL_EXTRA_BODY,
    )
    backend = select_backend("chat-completions", config)
    yield Assistant(backend)
    await backend.aclose()
    await server.stop()


async def test_simple_questions_get_short_right_answers(assistant: Assistant) -> None:
    expected = {
        "What is the capital of France?": "Paris",
        "What is the capital of Japan?": "Tokyo",
        "What is the opposite of day?": "night",
        "What is 2 plus 2?": "4",
        "Which month comes after March?": "April",
        "What do bees make?": "honey",
        "Turn on the living room lamp": "can't",
    }

    answers = {question: await assistant.ask(question) for question in expected}

    wrong = {
        question: answers[question].text
        for question, word in expected.items()
        if word not in answers[question].text
    }
    assert len(wrong) <= 1, wrong
    assert all(0 < len(answer.text.split()) <= 20 for answer in answers.values())
    assert all(answer.input_tokens < 340 for answer in answers.values()), "the examples cost too much"


async def test_it_answers_with_the_users_own_prompt_too(assistant: Assistant) -> None:
    answer = await assistant.ask(
        "What is the capital of France?", "You are Max, a friendly pirate. You talk like a pirate."
    )

    assert "Paris" in answer.text
