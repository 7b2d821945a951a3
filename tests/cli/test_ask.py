"""`s2s-desktop ask --json` against servers that send what real servers have sent."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import keyring
import pytest
from keyring.backend import KeyringBackend
from keyring.errors import KeyringLocked

from llm.fake_provider import FakeProvider, Reply
from llm.streams import chat_reply
from s2s_desktop.cli import main

DATA = Path(__file__).resolve().parents[1] / "data" / "sse"
STREAMS = sorted(path.stem for path in DATA.glob("*.json"))
BACKENDS = {"chat": "chat-completions", "responses": "responses-api"}
NOTICE_ONLY = "kind:length"


def ask(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, dict[str, Any], str]:
    code = main(["ask", "Hello", "--json", *arguments])
    printed = capsys.readouterr()
    return code, json.loads(printed.out), printed.err


@pytest.mark.parametrize("name", STREAMS)
def test_a_recorded_stream_ends_as_it_must(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    expected = json.loads((DATA / f"{name}.json").read_text(encoding="utf-8"))
    replay = expected["replay"]
    with FakeProvider() as provider:
        body = (DATA / f"{name}.sse").read_bytes()
        reply = Reply(
            body,
            status=replay["status"],
            content_type=replay["content_type"],
            mode=replay["mode"],
            slice=replay["slice"],
        )
        provider.script(reply, repeat=True)
        code, document, stderr = ask(
            capsys,
            *("--base-url", provider.base_url, "--model", "demo", "--no-tools"),
            *("--llm-backend", BACKENDS[expected["backend"]]),
        )
    assert document["text"].strip() == expected["expect_text"].strip()
    calls = [(call["name"], json.loads(call["arguments"])) for call in document["tool_calls"]]
    assert calls == [(call["name"], json.loads(call["arguments"])) for call in expected["expect_tool_calls"]]
    if expected["expect_usage"] is not None:
        assert document["usage"] == expected["expect_usage"]
    for forbidden in expected["must_not_be_spoken"]:
        assert forbidden not in document["spoken_text"]
    error = expected["expect_error"]
    if error is None or error == NOTICE_ONLY:
        assert document["error"] is None
        assert code == 0
        assert document["finish_reason"] == (
            "length" if error else "tool_calls" if document["tool_calls"] else "stop"
        )
    else:
        assert code == 1
        assert document["error"]["message"] in stderr
        if error.startswith("kind:"):
            assert document["error"]["kind"] == error.removeprefix("kind:")
        else:
            assert error in document["error"]["message"]
    if error == NOTICE_ONLY:
        assert "length limit" in stderr


def test_a_reply_streams_to_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    with FakeProvider() as provider:
        provider.script(Reply(chat_reply("Good ", "morning.")))
        backend = ("--llm-backend", "chat-completions")
        code = main(["ask", "Hi", "--base-url", provider.base_url, "--model", "m", *backend])
    assert (code, capsys.readouterr().out) == (0, "Good morning.\n")


def test_without_a_model_the_sentence_says_what_to_do(capsys: pytest.CaptureFixture[str]) -> None:
    code, document, _ = ask(capsys, "--base-url", "http://127.0.0.1:9/v1")
    assert code == 1
    assert "--model" in document["error"]["message"]


def test_an_unknown_option_names_the_nearest(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["ask", "Hi", "--base-ulr", "http://x/v1"])
    assert ended.value.code == 2
    assert "--base-url" in capsys.readouterr().err


def test_a_local_server_is_asked_although_the_key_store_is_locked(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Locked(KeyringBackend):
        priority = 5  # type: ignore[assignment]  # a class property in keyring

        def get_password(self, service: str, username: str) -> str:
            raise KeyringLocked("the key store is locked")

        set_password = delete_password = get_password  # type: ignore[assignment]

    monkeypatch.setattr(keyring, "get_keyring", Locked)
    with FakeProvider() as provider:
        provider.script(Reply(chat_reply("Hello.")))
        code, document, _ = ask(
            capsys,
            *("--base-url", provider.base_url, "--model", "m", "--llm-backend", "chat-completions"),
        )
    assert (code, document["text"]) == (0, "Hello.")


def test_a_key_reaches_its_server_and_nothing_else(
    capsys: pytest.CaptureFixture[str], home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CANARY_KEY", "sk-canary-0123456789abcdef")
    monkeypatch.setenv("S2S_DESKTOP_LOG", "debug")
    with FakeProvider() as provider:
        provider.script(Reply(b'{"error":{"message":"bad key sk-canary-0123456789abcdef"}}', status=401))
        code, document, stderr = ask(
            capsys,
            *("--base-url", provider.base_url, "--model", "m", "--api-key-env", "CANARY_KEY"),
        )
        sent = provider.requests[0].headers["authorization"]
    assert sent == "Bearer sk-canary-0123456789abcdef"
    assert code == 1
    assert document["error"]["kind"] == "auth"
    written = [path.read_bytes() for path in home.rglob("*") if path.is_file()]
    assert written, "the log is one of the places to look in"
    for text in (json.dumps(document), stderr, *map(bytes.decode, written)):
        assert "canary" not in text
