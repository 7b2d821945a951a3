"""The exact request bodies and headers of both backends."""

from __future__ import annotations

from typing import Any

import httpx2
import pytest

from llm.fake_provider import FakeProvider, Reply
from llm.streams import chat_reply, response_reply
from llm.wire_kit import HELLO, collect, end_of, error_of
from s2s_desktop.errors import ErrorKind
from s2s_desktop.llm.config import BackendConfig, ToolSpec
from s2s_desktop.llm.events import AssistantMessage, ToolCall
from s2s_desktop.llm.items import (
    AssistantText,
    AudioPart,
    Item,
    SystemMessage,
    TextPart,
    ToolOutput,
    UserMessage,
)
from s2s_desktop.llm.registry import select_backend

REPLIES = {"responses-api": response_reply("Hi"), "chat-completions": chat_reply("Hi")}
SCHEMA = {"type": "object", "properties": {"zone": {"type": "string"}}}
CLOCK = ToolSpec("time", "Tells the time.", SCHEMA)
CONVERSATION: tuple[Item, ...] = (
    SystemMessage("Be short."),
    UserMessage.of("What time is it?"),
    ToolCall("call_1", "time", '{"zone":"UTC"}'),
    ToolOutput("call_1", "12:00"),
    AssistantText("Noon."),
    UserMessage.of("Thanks"),
)
TEMPLATE = {"chat_template_kwargs": {"enable_thinking": False}}


@pytest.fixture
async def sent(make_backend, provider: FakeProvider):
    """Send one request and return it."""

    async def send(
        name: str, items: tuple[Item, ...] = HELLO, tools: tuple[ToolSpec, ...] = (), **options: Any
    ):
        provider.script(Reply(REPLIES[name]))
        events = await collect(make_backend(name, **options), items, tools)
        assert end_of(events).error is None
        return provider.requests[-1]

    return send


async def test_a_responses_request(sent) -> None:
    request = await sent("responses-api", CONVERSATION, (CLOCK,))

    assert (request.method, request.target) == ("POST", "/v1/responses")
    assert request.json() == {
        "model": "demo",
        "input": [
            {"type": "message", "role": "system", "content": [{"type": "input_text", "text": "Be short."}]},
            {
                "type": "message",
                "role": "user",
                "content": [{"type": "input_text", "text": "What time is it?"}],
            },
            {"type": "function_call", "call_id": "call_1", "name": "time", "arguments": '{"zone":"UTC"}'},
            {"type": "function_call_output", "call_id": "call_1", "output": "12:00"},
            {
                "type": "message",
                "role": "assistant",
                "content": [{"type": "output_text", "text": "Noon.", "annotations": []}],
            },
            {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Thanks"}]},
        ],
        "stream": True,
        "store": False,
        "tools": [
            {"type": "function", "name": "time", "description": "Tells the time.", "parameters": SCHEMA}
        ],
        "tool_choice": "auto",
    }


async def test_a_chat_request(sent) -> None:
    request = await sent("chat-completions", CONVERSATION, (CLOCK,))

    assert (request.method, request.target) == ("POST", "/v1/chat/completions")
    body = request.json()
    assert [message["role"] for message in body.pop("messages")] == [
        "system",
        "user",
        "assistant",
        "tool",
        "assistant",
        "user",
    ]
    function = {"name": "time", "description": "Tells the time.", "parameters": SCHEMA}
    assert body == {
        "model": "demo",
        "stream": True,
        "stream_options": {"include_usage": True},
        "tools": [{"type": "function", "function": function}],
        "tool_choice": "auto",
    }


@pytest.mark.parametrize(
    ("name", "options", "added", "absent"),
    [
        ("responses-api", {}, {"store": False, "stream": True}, ["tools", "tool_choice", "reasoning"]),
        ("chat-completions", {}, {"stream": True}, ["tools", "tool_choice", "store", "max_tokens"]),
        ("responses-api", {"stream": False}, {}, ["stream", "stream_options"]),
        ("chat-completions", {"stream": False}, {}, ["stream", "stream_options"]),
        ("responses-api", {"reasoning_effort": "low"}, {"reasoning": {"effort": "low"}}, list(TEMPLATE)),
        ("chat-completions", {"reasoning_effort": "low"}, {"reasoning_effort": "low"}, list(TEMPLATE)),
        ("responses-api", {"disable_thinking": True}, TEMPLATE, ["reasoning"]),
        ("chat-completions", {"disable_thinking": True}, TEMPLATE, ["reasoning_effort"]),
        (
            "chat-completions",
            {"disable_thinking": True, "reasoning_effort": "none"},
            {"reasoning_effort": "none"},
            list(TEMPLATE),
        ),
        (
            "responses-api",
            {"temperature": 0.0, "max_output_tokens": 9},
            {"temperature": 0.0, "max_output_tokens": 9},
            [],
        ),
        (
            "chat-completions",
            {"temperature": 0.0, "max_output_tokens": 9},
            {"temperature": 0.0, "max_tokens": 9},
            [],
        ),
        ("responses-api", {"extra_body": {"store": True, "top_k": 1}}, {"store": True, "top_k": 1}, []),
        ("chat-completions", {"extra_body": {"stream_options": None}}, {}, ["stream_options"]),
    ],
)
async def test_options_and_what_they_leave_out(
    sent, name: str, options: dict[str, Any], added: dict[str, Any], absent: list[str]
) -> None:
    body = (await sent(name, **options)).json()

    assert added.items() <= body.items()
    assert not set(absent) & set(body)


@pytest.mark.parametrize(
    ("name", "field"),
    [
        ("responses-api", {"reasoning": {"effort": "none"}}),
        ("chat-completions", {"reasoning_effort": "none"}),
    ],
)
async def test_openai_itself_is_asked_not_to_think_by_effort(name: str, field: dict[str, Any]) -> None:
    bodies: list[bytes] = []

    def answer(request: httpx2.Request) -> httpx2.Response:
        bodies.append(request.content)
        return httpx2.Response(200, content=REPLIES[name])

    config = BackendConfig(model="gpt", api_key="sk-canary-0000", disable_thinking=True)
    async with httpx2.AsyncClient(transport=httpx2.MockTransport(answer)) as client:
        await collect(select_backend(name, config, http_client=client))

    body = httpx2.Response(200, content=bodies[0]).json()
    assert field.items() <= body.items()
    assert "chat_template_kwargs" not in body


@pytest.mark.parametrize("content_type", ["input_audio", "audio_url"])
async def test_a_request_with_speech_has_limits_of_its_own(sent, content_type: str) -> None:
    speech = UserMessage((TextPart("Answer this."), AudioPart(b"RIFFxxxx")))
    body = (
        await sent(
            "chat-completions",
            (speech,),
            audio_content_type=content_type,
            audio_max_tokens=111,
            audio_temperature=0.5,
            temperature=1.0,
            max_output_tokens=999,
        )
    ).json()

    assert body["max_tokens"] == 111
    assert body["temperature"] == 0.5
    assert body["messages"][0]["content"][1]["type"] == content_type


async def test_a_key_is_sent_as_a_bearer(sent, backend_name: str) -> None:
    request = await sent(backend_name, api_key=" sk-test-key\n")

    assert request.headers["authorization"] == "Bearer sk-test-key"


async def test_without_a_key_there_is_no_authorization(sent, backend_name: str, monkeypatch) -> None:
    for variable in ("OPENAI_API_KEY", "OPENAI_ADMIN_KEY", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID"):
        monkeypatch.setenv(variable, "from-the-environment")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:1/v1")
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", "X-Env: from-the-environment\nAuthorization: Bearer x")
    request = await sent(backend_name)

    assert "authorization" not in request.headers
    assert "from-the-environment" not in str(request.headers)


async def test_headers_and_query_of_the_profile_are_sent(
    sent, provider: FakeProvider, backend_name: str
) -> None:
    request = await sent(
        backend_name,
        base_url=f"{provider.base_url}?api-version=1",
        headers={"X-Title": "S2S", "Authorization": "Basic abc", "User-Agent": "mine"},
        query={"tenant": "a b"},
    )

    assert request.target.endswith("?api-version=1&tenant=a%20b") or request.target.endswith(
        "?api-version=1&tenant=a+b"
    )
    assert request.headers["x-title"] == "S2S"
    assert request.headers["authorization"] == "Basic abc"
    assert request.headers["user-agent"] == "mine"


async def test_azure_gets_its_own_key_header(backend_name: str) -> None:
    seen: list[httpx2.Request] = []

    def answer(request: httpx2.Request) -> httpx2.Response:
        seen.append(request)
        return httpx2.Response(200, content=REPLIES[backend_name])

    config = BackendConfig(
        base_url="https://me.openai.azure.com/?api-version=preview", model="gpt", api_key="azure-canary"
    )
    async with httpx2.AsyncClient(transport=httpx2.MockTransport(answer)) as client:
        await collect(select_backend(backend_name, config, http_client=client))

    assert seen[0].headers["api-key"] == "azure-canary"
    assert "authorization" not in seen[0].headers
    assert seen[0].url.params["api-version"] == "preview"


async def test_backends_share_a_config_and_a_given_client_is_used_and_left_open(
    provider: FakeProvider, backend_name: str
) -> None:
    provider.script(Reply(REPLIES[backend_name]), repeat=True)
    config = BackendConfig(base_url=provider.base_url, model="demo")
    async with httpx2.AsyncClient(headers={"X-Mine": "yes"}, trust_env=False) as client:
        one = select_backend(backend_name, config, http_client=client)
        two = select_backend(backend_name, config, http_client=client)
        first = await collect(one)
        await one.aclose()
        second = await collect(two)
        await two.aclose()
        assert not client.is_closed

    assert AssistantMessage("Hi") in first
    assert first == second
    assert [request.headers["x-mine"] for request in provider.requests] == ["yes", "yes"]


async def test_a_conversation_keeps_one_connection(
    make_backend, provider: FakeProvider, backend_name: str
) -> None:
    provider.script(Reply(REPLIES[backend_name]), repeat=True)
    backend = make_backend(backend_name)
    for _ in range(3):
        async for event in backend.reply(HELLO):
            if end_of_reply(event):
                break

    assert len(provider.requests) == 3
    assert provider.connections == 1


def end_of_reply(event: object) -> bool:
    return type(event).__name__ == "ReplyFinished"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"model": " "}, "No model"),
        ({"base_url": "htp://x/v1"}, "htp://"),
        ({"api_key": "sk-\u2014test"}, "Character 4"),
        ({"headers": {"X-Title": "naïve"}}, "X-Title"),
        ({"headers": {"X Title": "a"}}, "X Title"),
    ],
)
async def test_a_profile_that_cannot_be_used_is_explained(
    make_backend, provider: FakeProvider, backend_name: str, options: dict[str, Any], words: str
) -> None:
    error = error_of(await collect(make_backend(backend_name, **options)), ErrorKind.BAD_REQUEST)

    assert words in error.message
    assert provider.requests == []


async def test_nothing_to_answer_asks_nobody(make_backend, provider: FakeProvider, backend_name: str) -> None:
    error_of(await collect(make_backend(backend_name), ()), ErrorKind.BAD_REQUEST)

    assert provider.requests == []


async def test_a_closed_backend_says_so(make_backend, backend_name: str) -> None:
    backend = make_backend(backend_name)
    await backend.aclose()
    await backend.aclose()

    assert end_of(await collect(backend)).error is not None
