"""Model lists in every shape that servers have for them, over a real socket."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from llm.fake_provider import FakeProvider, Reply
from s2s_desktop.errors import ErrorKind
from s2s_desktop.llm.config import BackendConfig
from s2s_desktop.llm.model_list import closest, list_models, parse_models

KEY = "sk-canary-1234567890"


def answer(value: object, status: int = 200) -> Reply:
    return Reply(json.dumps(value).encode(), status=status, content_type="application/json", mode="length")


@pytest.mark.parametrize(
    "value",
    [
        {"object": "list", "data": [{"id": "b"}, {"id": "a"}]},
        {"models": [{"name": "a", "model": "a"}, {"name": "b"}]},
        {"data": [{"id": "a"}, {"id": "b"}, {"id": "b"}, {"id": None}, {}, 7, None], "models": []},
        [{"id": "a", "type": "chat"}, {"id": "b"}],
        ["b", "a", " "],
        {"models": {"a": {}, "b": {}}},
    ],
)
def test_known_shapes(value: object) -> None:
    assert parse_models(value) == ("a", "b")


@pytest.mark.parametrize("value", [None, {}, [], "a", 7, {"data": None}, {"data": "a"}, {"error": "no"}])
def test_anything_else_holds_no_models(value: object) -> None:
    assert parse_models(value) == ()


async def test_the_list_is_asked_for_with_key_headers_and_query(
    provider: FakeProvider, config: BackendConfig
) -> None:
    provider.script(answer({"data": [{"id": "m"}]}))
    config = replace(config, api_key=KEY, headers={"X-Title": "t"}, query={"api-version": "1"}, model="")

    models = await list_models(config, "chat-completions")

    assert models.names == ("m",)
    assert (models.problem, models.kind, models.status) == ("", None, 200)
    request = provider.requests[0]
    assert (request.method, request.target) == ("GET", "/v1/models?api-version=1")
    assert request.headers["authorization"] == f"Bearer {KEY}"
    assert request.headers["x-title"] == "t"


async def test_without_a_key_no_authorization_is_sent(provider: FakeProvider, config: BackendConfig) -> None:
    provider.script(answer({"data": []}))

    models = await list_models(config, "responses-api")

    assert "authorization" not in provider.requests[0].headers
    assert models.names == ()
    assert "no models" in models.problem


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        (answer({"error": {"message": "bad key"}}, 401), ErrorKind.AUTH),
        (answer({"detail": "Not Found"}, 404), ErrorKind.NOT_FOUND),
        (Reply(b"<html><title>Bad gateway</title>", status=502, content_type="text/html"), ErrorKind.SERVER),
        (Reply(b"<html>welcome", content_type="text/html"), ErrorKind.NOT_FOUND),
        (Reply(b"\xff\xfe", content_type=""), ErrorKind.NOT_FOUND),
        (Reply(status=302, headers={"Location": "https://elsewhere.example/v1"}), ErrorKind.NOT_FOUND),
    ],
    ids=["wrong key", "no such path", "gateway", "web page", "no text", "redirect"],
)
async def test_a_failure_is_an_empty_list_and_a_sentence(
    provider: FakeProvider, config: BackendConfig, reply: Reply, kind: ErrorKind
) -> None:
    provider.script(reply)

    models = await list_models(replace(config, api_key=KEY), "chat-completions")

    assert models.names == ()
    assert models.kind is kind
    assert models.problem.endswith((".", "”"))
    assert KEY not in repr(models)


async def test_an_error_body_with_status_200_is_a_failure(
    provider: FakeProvider, config: BackendConfig
) -> None:
    provider.script(answer({"error": "Unexpected endpoint or method. (GET /v1/models)"}))

    models = await list_models(config, "chat-completions")

    assert models.kind is not None
    assert "Unexpected endpoint" in models.problem


async def test_a_server_that_is_not_there(config: BackendConfig, provider: FakeProvider) -> None:
    provider.close()

    models = await list_models(config, "chat-completions")

    assert models.status is None
    assert models.kind is ErrorKind.CONNECTION


@pytest.mark.parametrize("base_url", ["htp://x", "http://", "http://user:pw@host/v1"])
async def test_a_base_url_that_cannot_be_meant(base_url: str) -> None:
    models = await list_models(BackendConfig(base_url=base_url), "chat-completions")

    assert models.kind is ErrorKind.BAD_REQUEST
    assert models.status is None


@pytest.mark.parametrize(
    ("wanted", "names", "found"),
    [
        ("m", ["m"], "m"),
        ("llama3.2", ["llama3.2:latest"], "llama3.2:latest"),
        ("org/m:groq", ["org/m"], "org/m"),
        ("gemini", ["models/gemini"], "models/gemini"),
        (" m ", ["m"], "m"),
        ("n", ["m"], None),
        ("m", [], None),
    ],
)
def test_a_name_may_be_written_in_several_ways(wanted: str, names: list[str], found: str | None) -> None:
    assert closest(wanted, names) == found
