"""What the user is told when a server says no."""

from __future__ import annotations

import json

import httpx2
import pytest

from llm.fake_provider import FakeProvider, Forever, Reply, Stall
from llm.streams import chat_reply, response_reply
from llm.wire_kit import collect, end_of, error_of, text_of
from s2s_desktop.errors import ErrorKind
from s2s_desktop.llm.http.error_bodies import ServerWords, words_of

REPLIES = {"responses-api": response_reply("Hi"), "chat-completions": chat_reply("Hi")}


def failing(status: int, body: object, **headers: str) -> Reply:
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    return Reply(raw, status=status, content_type="application/json", headers=headers, mode="length")


@pytest.mark.parametrize(
    ("status", "body", "kind", "said"),
    [
        (400, {"error": {"message": "bad thing"}}, ErrorKind.BAD_REQUEST, "bad thing"),
        (401, {"error": {"message": "who are you"}}, ErrorKind.AUTH, "who are you"),
        (400, {"error": {"message": "API key not valid."}}, ErrorKind.AUTH, "not valid"),
        (402, {"error": {"message": "pay first"}}, ErrorKind.QUOTA, "pay first"),
        (403, {"error": "not yours"}, ErrorKind.PERMISSION, "not yours"),
        (404, b"404 page not found", ErrorKind.NOT_FOUND, "page not found"),
        (404, {"error": {"message": "model 'demo' not found"}}, ErrorKind.NOT_FOUND, "no model demo"),
        (405, {"detail": "Method Not Allowed"}, ErrorKind.NOT_FOUND, "Method Not Allowed"),
        (413, b"", ErrorKind.CONTEXT_WINDOW, "too long"),
        (
            400,
            {"error": {"code": "context_length_exceeded", "message": "You sent too much"}},
            ErrorKind.CONTEXT_WINDOW,
            "You sent too much",
        ),
        (
            400,
            {"error": {"code": "content_filter", "message": "policy"}},
            ErrorKind.CONTENT_FILTER,
            "policy",
        ),
        (
            429,
            {"error": {"code": "insufficient_quota", "message": "You exceeded your current quota"}},
            ErrorKind.QUOTA,
            "no credit",
        ),
        (429, {"error": {"message": "slow down"}}, ErrorKind.RATE_LIMIT, "slow down"),
        (500, {"error": {"message": "oops"}}, ErrorKind.SERVER, "oops"),
        (
            502,
            b"<html><head><title>502 Bad Gateway</title></head></html>",
            ErrorKind.SERVER,
            "502 Bad Gateway",
        ),
        (503, b"", ErrorKind.SERVER, "status 503"),
        (529, {"type": "error", "error": {"type": "overloaded_error"}}, ErrorKind.SERVER, "status 529"),
        (418, {"title": "Teapot"}, ErrorKind.BAD_REQUEST, "Teapot"),
    ],
)
async def test_a_status_becomes_a_sentence(
    make_backend,
    provider: FakeProvider,
    backend_name: str,
    status: int,
    body: object,
    kind: ErrorKind,
    said: str,
) -> None:
    provider.script(failing(status, body), repeat=True)
    error = error_of(await collect(make_backend(backend_name, api_key="sk-canary-1234", max_retries=0)), kind)

    assert said in error.message
    assert "sk-canary" not in f"{error!r} {error.message} {error.details}"
    assert str(status) in error.details
    assert "127.0.0.1" in error.message or kind is ErrorKind.CONTEXT_WINDOW


@pytest.mark.parametrize(
    ("name", "other"), [("responses-api", "chat-completions"), ("chat-completions", "responses-api")]
)
@pytest.mark.parametrize("status", [404, 405])
async def test_a_missing_api_offers_the_other_backend(
    make_backend, provider: FakeProvider, name: str, other: str, status: int
) -> None:
    provider.script(failing(status, b"no such page here"))
    error = error_of(await collect(make_backend(name)), ErrorKind.NOT_FOUND)

    assert f"switch the backend of this profile to {other}" in error.message
    assert provider.base_url in error.message
    assert "no such page here" in error.details


async def test_a_model_of_the_other_api_offers_the_other_backend(
    make_backend, provider: FakeProvider
) -> None:
    message = "This model is only supported in v1/responses and not in v1/chat/completions."
    provider.script(failing(404, {"error": {"message": message, "param": "model"}}))
    error = error_of(await collect(make_backend("chat-completions")), ErrorKind.NOT_FOUND)

    assert "responses-api: switch the backend" in error.message


async def test_a_missing_key_and_a_wrong_key_are_told_apart(
    make_backend, provider: FakeProvider, backend_name: str
) -> None:
    provider.script(failing(401, b""), repeat=True)
    without = error_of(await collect(make_backend(backend_name)), ErrorKind.AUTH)
    wrong = error_of(await collect(make_backend(backend_name, api_key="x")), ErrorKind.AUTH)

    assert "needs an API key" in without.message
    assert "refused the API key" in wrong.message


async def test_a_wrong_path_answered_with_200(make_backend, provider: FakeProvider) -> None:
    body = {"error": "Unexpected endpoint or method. (POST /v1/responses)"}
    provider.script(failing(200, body))
    error = error_of(await collect(make_backend("responses-api")), ErrorKind.NOT_FOUND)

    assert "chat-completions" in error.message
    assert "Unexpected endpoint" in error.message


@pytest.mark.parametrize("location", ["https://other.example/v1/x?key=canary", "/elsewhere", ""])
@pytest.mark.parametrize("status", [301, 302, 307, 308])
async def test_a_redirect_is_named_and_not_followed(
    make_backend, provider: FakeProvider, backend_name: str, status: int, location: str
) -> None:
    headers = {"Location": location} if location else {}
    provider.script(Reply(b"", status=status, headers=headers, mode="length"))
    error = error_of(await collect(make_backend(backend_name, api_key="sk-canary-1")), ErrorKind.NOT_FOUND)

    assert location.split("?")[0] in error.message
    assert "canary" not in f"{error.message} {error.details}"
    assert len(provider.requests) == 1


async def test_a_given_client_that_follows_redirects_does_not(
    make_backend, provider: FakeProvider, backend_name: str
) -> None:
    with FakeProvider() as other:
        other.script(Reply(REPLIES[backend_name]))
        provider.script(Reply(b"", status=307, headers={"Location": other.base_url}, mode="length"))
        async with httpx2.AsyncClient(follow_redirects=True, trust_env=False) as client:
            backend = make_backend(backend_name, api_key="sk-canary-1", http_client=client)
            error_of(await collect(backend), ErrorKind.NOT_FOUND)

    assert other.requests == []


async def test_the_words_of_a_server_are_short_and_on_one_line(
    make_backend, provider: FakeProvider, backend_name: str
) -> None:
    provider.script(failing(400, {"error": {"message": "first\n\u0000second " + "x" * 5_000}}))
    error = error_of(await collect(make_backend(backend_name)), ErrorKind.BAD_REQUEST)

    assert "first second xxx" in error.message
    assert len(error.message) < 500
    assert len(error.details) <= 4_000


@pytest.mark.parametrize("body", [[b"x" * 65_536 * 160], [Forever(b"x" * 65_536)]], ids=["10 MB", "endless"])
@pytest.mark.parametrize("mode", ["chunked", "close"])
async def test_a_huge_error_body_is_read_to_a_limit(
    make_backend, provider: FakeProvider, backend_name: str, body: list[object], mode: str
) -> None:
    provider.script(Reply(body, status=400, content_type="text/plain", mode=mode))  # type: ignore[arg-type]
    error = error_of(await collect(make_backend(backend_name)), ErrorKind.BAD_REQUEST)

    assert len(error.details) <= 4_000
    provider.wait_for_disconnect()


async def test_an_error_whose_body_never_comes_is_still_told(
    make_backend, provider: FakeProvider, backend_name: str
) -> None:
    provider.script(Reply([b"no", Stall()], status=403, content_type="text/plain"))
    error = error_of(await collect(make_backend(backend_name)), ErrorKind.PERMISSION)

    assert "“no”" in error.message


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"error": {"message": "m", "code": "c", "param": "p"}}, ServerWords("m", "c", "p")),
        ({"error": {"message": "m", "code": 400, "type": "t"}}, ServerWords("m", "t", "", 400)),
        ({"error": {"message": "m", "code": None, "type": "t"}}, ServerWords("m", "t")),
        ({"error": "m"}, ServerWords("m")),
        ({"error": "e", "message": "m", "statusCode": 400}, ServerWords("e: m", "", "", 400)),
        (
            [{"error": {"code": 400, "message": "m", "status": "INVALID"}}],
            ServerWords("m", "INVALID", "", 400),
        ),
        ({"object": "error", "message": "m", "type": "t", "code": 400}, ServerWords("m", "t", "", 400)),
        ({"type": "error", "code": "c", "message": "m", "param": None}, ServerWords("m", "c")),
        ({"detail": "m"}, ServerWords("m")),
        ({"detail": [{"loc": ["body", "x"], "msg": "m"}]}, ServerWords("body.x: m", "", "body.x")),
        ({"errors": ["a", {"message": "b"}]}, ServerWords("a; b")),
        ({"message": "m"}, ServerWords("m")),
        ({"title": "t", "status": 403}, ServerWords("t", "403", "", 403)),
        ({"fault": {"faultstring": "m"}}, ServerWords("m")),
        (
            {"error": {"message": "m", "code": 429, "metadata": {"raw": '{"error":{"message":"inner"}}'}}},
            ServerWords("m: inner", "429", "", 429),
        ),
        ('{"error":{"message":"m"}}', ServerWords("m")),
        ("plain words", ServerWords("plain words")),
        ("<html><body><h1>Not <b>here</b></h1></body>", ServerWords("Not here")),
        ("a < b", ServerWords("a < b")),
        ({}, ServerWords()),
        ([], ServerWords()),
        (None, ServerWords()),
        (7, ServerWords("7")),
        ({"error": {"error": {"error": {"error": {"error": {"message": "too deep"}}}}}}, ServerWords()),
    ],
)
def test_the_shapes_of_error_bodies(body: object, words: ServerWords) -> None:
    found = words_of(body)

    assert (found.message, found.param, found.status) == (words.message, words.param, words.status)
    assert found.code == words.code or words.code.isdigit()


async def test_a_message_about_the_key_does_not_repeat_it(
    make_backend, provider: FakeProvider, backend_name: str
) -> None:
    key = "canary-secret-key-without-a-prefix"
    provider.script(failing(401, {"error": {"message": f"Incorrect API key provided: {key}."}}))
    events = await collect(make_backend(backend_name, api_key=key))
    error = error_of(events, ErrorKind.AUTH)

    assert "Incorrect API key provided" in error.message
    assert "canary" not in f"{error.message} {error.details}"


async def test_the_next_turn_works_after_every_failure(
    make_backend, provider: FakeProvider, backend_name: str
) -> None:
    backend = make_backend(backend_name, max_retries=0)
    for status in (401, 404, 429, 500, 502):
        provider.script(failing(status, b"<html>no</html>"))
        assert end_of(await collect(backend)).error is not None
        provider.script(Reply(REPLIES[backend_name]))
        assert text_of(await collect(backend)) == "Hi"
