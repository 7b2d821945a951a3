"""Fields that a server refuses are given up once, and never asked for again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from llm.fake_provider import FakeProvider, Reply, Request
from llm.streams import chat_reply, response_event, response_reply
from llm.wire_kit import HELLO, collect, end_of, error_of, text_of
from s2s_desktop.errors import ErrorKind
from s2s_desktop.llm.config import ToolSpec
from s2s_desktop.llm.http.negotiation import Quirks
from s2s_desktop.llm.items import AudioPart, UserMessage

REPLIES = {"responses-api": response_reply("Hi"), "chat-completions": chat_reply("Hi")}
CLOCK = ToolSpec("time", "Tells the time.", {"type": "object", "properties": {}})


def says(message: str, status: int = 400, **error: object) -> Reply:
    body = {"error": {"message": message, **error}}
    return Reply(json.dumps(body).encode(), status=status, content_type="application/json")


def refuse(provider: FakeProvider, name: str, field: str, refusal: Reply) -> None:
    """Refuse every request that holds `field`."""
    provider.answer(lambda request: refusal if field in request.json() else Reply(REPLIES[name]))


def bodies(provider: FakeProvider) -> list[dict[str, Any]]:
    return [request.json() for request in provider.requests]


MISTRAL = Reply(
    b'{"object":"error","message":"stream_options: extra inputs are not permitted"}',
    status=422,
    content_type="application/json",
)
FASTAPI = Reply(
    b'{"detail":[{"type":"extra_forbidden","loc":["body","store"],"msg":"Extra inputs are not permitted"}]}',
    status=422,
    content_type="application/json",
)


@pytest.mark.parametrize(
    ("name", "options", "field", "refusal", "notice"),
    [
        ("chat-completions", {}, "stream_options", MISTRAL, ""),
        ("responses-api", {}, "store", FASTAPI, ""),
        ("responses-api", {}, "store", says("Unknown parameter: 'store'.", param="store"), ""),
        (
            "chat-completions",
            {"disable_thinking": True},
            "chat_template_kwargs",
            says("property 'chat_template_kwargs' is unsupported"),
            "",
        ),
        (
            "responses-api",
            {"disable_thinking": True},
            "chat_template_kwargs",
            says("Unrecognized request argument supplied: chat_template_kwargs"),
            "",
        ),
        (
            "responses-api",
            {"reasoning_effort": "none"},
            "reasoning",
            says("Unsupported parameter: 'reasoning.effort'", param="reasoning.effort"),
            "the reasoning effort",
        ),
        (
            "chat-completions",
            {"reasoning_effort": "none"},
            "reasoning_effort",
            says("Unrecognized request argument supplied: reasoning_effort"),
            "the reasoning effort",
        ),
        (
            "chat-completions",
            {"temperature": 0.2},
            "temperature",
            says("Unsupported value: 'temperature' does not support 0.2", param="temperature"),
            "the temperature",
        ),
        (
            "responses-api",
            {"max_output_tokens": 9},
            "max_output_tokens",
            says("Unsupported parameter: max_output_tokens"),
            "the length limit",
        ),
        ("chat-completions", {}, "tools", says("registry/gemma does not support tools"), "tools"),
        (
            "chat-completions",
            {},
            "tools",
            says('"auto" tool choice requires --enable-auto-tool-choice'),
            "tools",
        ),
        ("chat-completions", {}, "stream", says("This model cannot stream", param="stream"), ""),
        ("responses-api", {}, "stream", says("Verify to stream", param="stream"), ""),
    ],
)
async def test_a_refused_field_is_left_out_and_stays_out(
    make_backend,
    provider: FakeProvider,
    name: str,
    options: dict[str, Any],
    field: str,
    refusal: Reply,
    notice: str,
) -> None:
    refuse(provider, name, field, refusal)
    quirks = Quirks()
    first = await collect(make_backend(name, quirks=quirks, **options), tools=(CLOCK,))
    second = await collect(make_backend(name, quirks=quirks, **options), tools=(CLOCK,))

    assert text_of(first) == text_of(second) == "Hi"
    sent, resent, later = bodies(provider)
    dropped = {field, "tool_choice"} if field == "tools" else {field}
    dropped |= {"stream_options"} if field == "stream" else set()
    assert resent == {key: value for key, value in sent.items() if key not in dropped}
    assert later == resent
    assert (notice in end_of(first).notice) if notice else (end_of(first).notice == "")
    assert end_of(second).notice == "", "the user is told once"


async def test_max_tokens_gets_its_new_name(make_backend, provider: FakeProvider) -> None:
    message = "Unsupported parameter: 'max_tokens' is not supported. Use 'max_completion_tokens' instead."
    refuse(provider, "chat-completions", "max_tokens", says(message, param="max_tokens"))
    events = await collect(make_backend("chat-completions", max_output_tokens=50))

    assert bodies(provider)[1]["max_completion_tokens"] == 50
    assert "max_tokens" not in bodies(provider)[1]
    assert end_of(events).notice == ""


async def test_an_effort_of_none_becomes_the_least_that_the_server_names(
    make_backend, provider: FakeProvider, monkeypatch
) -> None:
    monkeypatch.setattr("s2s_desktop.llm.backend.HttpBackend._draft", as_openai)
    message = "Unsupported value: 'none'. Supported values are: 'low', 'medium', 'minimal'."
    provider.answer(
        lambda request: (
            says(message, param="reasoning.effort")
            if request.json()["reasoning"] == {"effort": "none"}
            else Reply(REPLIES["responses-api"])
        )
    )
    await collect(make_backend("responses-api", disable_thinking=True))

    assert bodies(provider)[1]["reasoning"] == {"effort": "minimal"}


def as_openai(self: Any, items: Any, tools: Any) -> Any:
    """Draft the request that OpenAI's own service gets, for the provider on this computer."""
    from dataclasses import replace

    from s2s_desktop.llm.http.negotiation import RequestDraft

    endpoint = replace(self._client.peer.endpoint, is_openai=True)
    return RequestDraft(*self._request(items, tools, endpoint))


async def test_several_refused_fields_are_given_up_one_by_one(make_backend, provider: FakeProvider) -> None:
    def answer(request: Request) -> Reply:
        for field in ("stream_options", "chat_template_kwargs"):
            if field in request.json():
                return says(f"unknown field {field}")
        return Reply(REPLIES["chat-completions"])

    provider.answer(answer)
    events = await collect(make_backend("chat-completions", disable_thinking=True))

    assert text_of(events) == "Hi"
    assert len(provider.requests) == 3


async def test_the_field_in_param_counts_even_if_the_message_lists_others(
    make_backend, provider: FakeProvider
) -> None:
    message = "Unknown parameter. Known ones are stream_options, temperature, tools."
    refuse(provider, "chat-completions", "temperature", says(message, param="temperature"))
    await collect(make_backend("chat-completions", temperature=0.5))

    assert "stream_options" in bodies(provider)[1]
    assert "temperature" not in bodies(provider)[1]


async def test_a_server_that_refuses_everything_is_asked_a_bounded_number_of_times(
    make_backend, provider: FakeProvider, backend_name: str
) -> None:
    names = "store stream_options chat_template_kwargs tools tool_choice temperature max_tokens stream"
    provider.script(says(f"bad fields: {names}", param="stream"), repeat=True)
    events = await collect(make_backend(backend_name, disable_thinking=True, temperature=1.0), tools=(CLOCK,))

    error_of(events, ErrorKind.BAD_REQUEST)
    assert len(provider.requests) <= 9


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "messages: field required"),
        ({}, "chat_template_kwargs is unknown"),
        ({"extra_body": {"stream_options": {"include_usage": False}}}, "stream_options is unknown"),
        ({"extra_body": {"top_k": 3}}, "top_k is unknown"),
    ],
)
async def test_what_the_program_did_not_add_is_not_taken_out(
    make_backend, provider: FakeProvider, options: dict[str, Any], message: str
) -> None:
    provider.script(says(message), repeat=True)
    error = error_of(await collect(make_backend("chat-completions", **options)), ErrorKind.BAD_REQUEST)

    assert message in error.message
    assert len(provider.requests) == 1


async def test_a_conversation_that_is_too_long_is_no_reason_to_give_up_a_field(
    make_backend, provider: FakeProvider
) -> None:
    provider.script(says("maximum context length is 4096 tokens; reduce max_tokens"), repeat=True)
    events = await collect(make_backend("chat-completions", max_output_tokens=50))

    error_of(events, ErrorKind.CONTEXT_WINDOW)
    assert len(provider.requests) == 1


async def test_a_refusal_inside_the_stream_counts_too(make_backend, provider: FakeProvider) -> None:
    error = {"code": "invalid_request_error", "message": "store is not supported"}
    failed = response_event("failed", response={"status": "failed", "error": error})
    refuse(provider, "responses-api", "store", Reply(failed))

    assert text_of(await collect(make_backend("responses-api"))) == "Hi"
    assert len(provider.requests) == 2


async def test_nothing_is_learned_from_a_request_that_never_succeeds(
    make_backend, provider: FakeProvider
) -> None:
    provider.script(says("the store is closed today"), repeat=True)
    quirks = Quirks()
    for _ in range(2):
        error_of(await collect(make_backend("responses-api", quirks=quirks)), ErrorKind.BAD_REQUEST)

    assert ["store" in body for body in bodies(provider)] == [True, False, True, False]


async def test_models_and_backends_are_told_apart(make_backend, provider: FakeProvider) -> None:
    refuse(provider, "chat-completions", "stream_options", MISTRAL)
    quirks = Quirks()
    await collect(make_backend("chat-completions", quirks=quirks))
    await collect(make_backend("chat-completions", quirks=quirks, model="other"))

    assert ["stream_options" in body for body in bodies(provider)] == [True, False, True, False]


async def test_what_was_learned_outlives_the_session(
    make_backend, provider: FakeProvider, tmp_path: Path
) -> None:
    refuse(provider, "chat-completions", "tools", says("tools are not supported"))
    path = tmp_path / "deep" / "quirks.json"
    for _ in range(2):
        events = await collect(make_backend("chat-completions", quirks=Quirks(path)), tools=(CLOCK,))
        assert "tools" in end_of(events).notice, "told once a session"

    assert ["tools" in body for body in bodies(provider)] == [True, False, False]
    assert [entry.name for entry in path.parent.iterdir()] == ["quirks.json"]


@pytest.mark.parametrize("text", ["", "{", "[]", "\0" * 20, '{"a": 1, "b": {"c": 2}}', "\udcff"])
async def test_a_damaged_file_counts_as_empty(
    make_backend, provider: FakeProvider, tmp_path: Path, text: str
) -> None:
    path = tmp_path / "quirks.json"
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    refuse(provider, "chat-completions", "stream_options", MISTRAL)

    assert text_of(await collect(make_backend("chat-completions", quirks=Quirks(path)))) == "Hi"
    known = json.loads(path.read_text(encoding="utf-8"))
    assert {"stream_options": ""} in known.values()


async def test_a_file_that_cannot_be_written_costs_nothing_but_memory(
    make_backend, provider: FakeProvider, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    refuse(provider, "chat-completions", "stream_options", MISTRAL)
    quirks = Quirks(tmp_path / "file" / "quirks.json")
    for _ in range(2):
        assert text_of(await collect(make_backend("chat-completions", quirks=quirks))) == "Hi"

    assert len(provider.requests) == 3


async def test_the_temperature_of_a_request_with_speech_is_nobodys_choice(
    make_backend, provider: FakeProvider
) -> None:
    refuse(provider, "chat-completions", "temperature", says("temperature is not supported"))
    speech = (UserMessage((AudioPart(b"RIFF"),)),)

    assert end_of(await collect(make_backend("chat-completions"), speech)).notice == ""


async def test_a_template_that_opens_the_think_block_is_learned(make_backend, provider: FakeProvider) -> None:
    provider.script(Reply(chat_reply("He greets", " me.</think>", "Hello", "!")), repeat=True)
    quirks = Quirks()
    first = await collect(make_backend("chat-completions", quirks=quirks))
    second = await collect(make_backend("chat-completions", quirks=quirks))

    assert text_of(first) == "He greetsHello!", "nobody could know before the closing tag came"
    assert text_of(second) == "Hello!"

    provider.script(Reply(chat_reply("No", " thoughts.")), repeat=True)
    third = await collect(make_backend("chat-completions", quirks=quirks))
    fourth = await collect(make_backend("chat-completions", quirks=quirks), HELLO)

    assert text_of(third) == "No thoughts."
    assert len([e for e in third if type(e).__name__ == "TextDelta"]) == 1, "held back to the end"
    assert len([e for e in fourth if type(e).__name__ == "TextDelta"]) == 2, "and forgotten again"
