"""The collected streams of real servers, each with what must come of it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from llm.fake_provider import FakeProvider, Reply
from llm.wire_kit import collect, end_of, read_stream, text_of
from s2s_desktop.llm.events import FinishReason, LLMEvent, ToolCall, Usage
from s2s_desktop.llm.stream.reader import ReportedFailure

DATA = Path(__file__).resolve().parents[2] / "data" / "sse"
NAMES = sorted(path.stem for path in DATA.glob("*.json"))
BACKEND = {"chat": "chat-completions", "responses": "responses-api"}


@dataclass(frozen=True)
class Case:
    backend: str
    body: bytes
    expected: dict[str, Any]


def load(name: str) -> Case:
    expected = json.loads((DATA / f"{name}.json").read_text(encoding="utf-8"))
    return Case(BACKEND[expected["backend"]], (DATA / f"{name}.sse").read_bytes(), expected)


def test_all_of_them_are_here() -> None:
    assert len(NAMES) == 22


@pytest.mark.parametrize("slice_size", [0, 1, 7])
@pytest.mark.parametrize("name", NAMES)
async def test_a_recorded_stream(make_backend, provider: FakeProvider, name: str, slice_size: int) -> None:
    case = load(name)
    provider.script(Reply(case.body, slice=slice_size), repeat=True)

    events = await collect(make_backend(case.backend, max_retries=0))

    check(events, case.expected)


@pytest.mark.parametrize("name", NAMES)
@settings(deadline=None, max_examples=40)
@given(cuts=st.lists(st.integers(0, 10_000), max_size=30))
def test_the_same_events_however_a_stream_is_cut(name: str, cuts: list[int]) -> None:
    case = load(name)

    assert outcome(case, cuts) == outcome(case, [])


def outcome(case: Case, cuts: list[int]) -> list[LLMEvent] | str:
    try:
        return read_stream(case.backend, case.body, cuts)
    except ReportedFailure as failure:
        return failure.words.message


def check(events: list[LLMEvent], expected: dict[str, Any]) -> None:
    end = end_of(events)
    text = text_of(events)
    assert text == expected["expect_text"]
    calls = [(e.name, json.loads(e.arguments)) for e in events if isinstance(e, ToolCall)]
    assert calls == [(c["name"], json.loads(c["arguments"])) for c in expected["expect_tool_calls"]]
    if expected["expect_usage"] is not None:
        assert Usage(**expected["expect_usage"]) in events
    for forbidden in expected["must_not_be_spoken"]:
        assert forbidden not in text
    check_end(end.reason, end.error, end.notice, expected["expect_error"])


def check_end(reason: FinishReason, error: Any, notice: str, expected: str | None) -> None:
    if expected is None:
        assert error is None
        assert notice == ""
        assert reason in (FinishReason.STOP, FinishReason.TOOL_CALLS)
    elif expected == "kind:length":
        assert error is None
        assert "length limit" in notice
        assert reason is FinishReason.LENGTH
    elif expected.startswith("kind:"):
        assert error is not None
        assert error.kind == expected.removeprefix("kind:")
        assert reason is not FinishReason.STOP
    else:
        assert error is not None
        assert expected in error.message
        assert reason is FinishReason.ERROR


async def test_a_call_keeps_the_id_of_its_server(make_backend, provider: FakeProvider) -> None:
    provider.script(Reply(load("r05_text_call_text").body))

    events = await collect(make_backend("responses-api"))

    assert [event.call_id for event in events if isinstance(event, ToolCall)] == ["call_1"]
