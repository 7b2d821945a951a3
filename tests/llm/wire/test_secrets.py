"""A key goes to its server and nowhere else."""

from __future__ import annotations

import logging

import pytest

from llm.fake_provider import Drop, FakeProvider, Reply
from llm.streams import chat_reply, response_reply
from llm.wire_kit import collect, end_of
from s2s_desktop.llm.redaction import REDACTED, RedactingFilter, redact, remember_secrets

CANARY = "canary-7f3a91c2"
REPLIES = {"responses-api": response_reply("Hi"), "chat-completions": chat_reply("Hi")}


@pytest.fixture
def everything_logged(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> pytest.LogCaptureFixture:
    monkeypatch.setenv("OPENAI_LOG", "debug")
    caplog.set_level(logging.DEBUG)
    for name in ("openai", "httpx2", "httpcore2"):
        caplog.set_level(logging.DEBUG, logger=name)
    return caplog


@pytest.mark.parametrize(
    "reply",
    [
        Reply(REPLIES["chat-completions"] + REPLIES["responses-api"]),
        Reply(f'{{"error":{{"message":"wrong key {CANARY}"}}}}'.encode(), status=401),
        Reply(f"your headers: Authorization: Bearer {CANARY}".encode(), status=400),
        Reply(
            b"",
            status=307,
            headers={"Location": f"https://x.example/?key={CANARY}", "Set-Cookie": f"a={CANARY}"},
        ),
        Reply(before=[Drop()]),
        Reply(f"<html><title>{CANARY}</title></html>".encode()),
    ],
    ids=["success", "401", "echo", "redirect", "drop", "page"],
)
async def test_a_key_is_in_no_log_no_error_and_no_repr(
    make_backend,
    provider: FakeProvider,
    backend_name: str,
    reply: Reply,
    everything_logged: pytest.LogCaptureFixture,
) -> None:
    provider.script(reply, repeat=True)
    backend = make_backend(
        backend_name,
        api_key=CANARY,
        headers={"X-Api-Key": CANARY},
        query={"token": CANARY, "sig": CANARY},
    )
    events = await collect(backend)
    end = end_of(events)

    shown = [repr(events), repr(backend), repr(backend.config), everything_logged.text]
    if end.error is not None:
        shown += [repr(end.error), str(end.error), end.error.message, end.error.details]
    shown += [record.getMessage() for record in everything_logged.records]
    shown += [repr(record.args) for record in everything_logged.records]
    assert CANARY in provider.requests[0].headers["authorization"]
    assert CANARY not in "\n".join(shown)
    assert any(record.name.startswith("httpcore2") for record in everything_logged.records)


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("Authorization: Bearer abcdefgh12345678", f"Authorization: {REDACTED}"),
        ("{'Authorization': 'Bearer abc'}", f"{{'Authorization': '{REDACTED}'}}"),
        ("(b'api-key', b'abc')", f"(b'api-key', b'{REDACTED}')"),
        ('"api_key": "abc", "x": 1', f'"api_key": "{REDACTED}", "x": 1'),
        ("GET /v1?key=abc&x=1", f"GET /v1?key={REDACTED}&x=1"),
        ("http://me:secret@proxy:8080/", f"http://{REDACTED}proxy:8080/"),
        ("the key sk-abcdefghijkl is wrong", f"the key {REDACTED} is wrong"),
        ("hf_abcdefghijkl", REDACTED),
        ("AIzaabcdefghijklmnopqrstuvwx", REDACTED),
        ("a risk-averse plan, authorization, please", "a risk-averse plan, authorization, please"),
        ("The api key is missing.", "The api key is missing."),
    ],
)
def test_what_looks_like_a_key_is_removed(text: str, clean: str) -> None:
    assert redact(text) == clean


def test_remembered_keys_are_removed_wherever_they_stand() -> None:
    remember_secrets("plain-looking-words", {"X-Auth": "Bearer other-words", "X-Title": "my title"})

    assert redact("(plain-looking-words) other-words my title") == f"({REDACTED}) {REDACTED} my title"


def test_short_placeholders_are_not_torn_out_of_words() -> None:
    remember_secrets("x")

    assert redact("text") == "text"


def test_the_filter_cleans_messages_arguments_and_tracebacks(caplog: pytest.LogCaptureFixture) -> None:
    remember_secrets(CANARY)
    logger = logging.getLogger("test.redaction")
    logger.addFilter(RedactingFilter())
    try:
        raise ValueError(f"the key is {CANARY}")
    except ValueError:
        logger.exception("with %s and %s", CANARY, 3)

    assert CANARY not in caplog.text
    assert f"with {REDACTED} and 3" in caplog.text
    assert "ValueError" in caplog.text
