"""A speech server behind a real socket: what it is sent, and what its failures become."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator

import pytest

from llm.fake_provider import Drop, FakeProvider, Reply, Stall
from s2s_desktop.errors import AssistantError, ErrorKind
from s2s_desktop.speech_server.client import SpeechServerClient
from s2s_desktop.speech_server.connection import speech_endpoint
from speech_server.speech_kit import KEY, MODEL, form_fields, refusal, tone, transcript, voice


@pytest.fixture
def server() -> Iterator[FakeProvider]:
    with FakeProvider() as provider:
        yield provider


@pytest.fixture
def client(server: FakeProvider) -> Iterator[SpeechServerClient]:
    client = SpeechServerClient(server.base_url, MODEL, KEY, answer_timeout_s=5.0)
    yield client
    client.close()


def _transcribe(client: SpeechServerClient) -> object:
    return client.transcribe(b"RIFF", {"response_format": "verbose_json"}, {"response_format": "json"})[
        "text"
    ]


def _speak(client: SpeechServerClient) -> bytes:
    stream = client.speak({"input": "Hi.", "stream": True}, {"stream": None})
    return b"".join(iter(stream.read, None))


def test_a_recording_is_sent_as_a_form(server: FakeProvider, client: SpeechServerClient) -> None:
    server.script(transcript("Hello."))
    assert _transcribe(client) == "Hello."
    request = server.requests[0]
    assert (request.method, request.target) == ("POST", "/v1/audio/transcriptions")
    assert request.headers["authorization"] == f"Bearer {KEY}"
    assert request.headers["content-type"].startswith("multipart/form-data; boundary=")
    assert "openai" not in request.headers["user-agent"].lower()
    assert form_fields(request.body) == {
        "file": b"RIFF",
        "model": MODEL.encode(),
        "response_format": b"verbose_json",
    }


def test_a_text_is_sent_as_json(server: FakeProvider, client: SpeechServerClient) -> None:
    server.script(voice(tone(0.1)))
    assert _speak(client) == tone(0.1).tobytes()
    request = server.requests[0]
    assert (request.method, request.target) == ("POST", "/v1/audio/speech")
    assert request.headers["content-type"] == "application/json"
    assert request.json() == {"model": MODEL, "input": "Hi.", "stream": True}


def test_without_a_key_none_is_sent(server: FakeProvider, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-another-host-00000")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://192.0.2.1/v1")
    server.script(transcript("Hello."), voice(tone(0.1)))
    client = SpeechServerClient(server.base_url, MODEL)
    _transcribe(client)
    _speak(client)
    client.close()
    assert ["authorization" in request.headers for request in server.requests] == [False, False]


def test_one_connection_serves_many_turns(server: FakeProvider, client: SpeechServerClient) -> None:
    server.script(transcript("Hello."), repeat=True)
    assert [_transcribe(client) for _ in range(3)] == ["Hello."] * 3
    assert server.connections == 1
    server.hang_up()
    assert _transcribe(client) == "Hello.", "a connection that the server closed meanwhile is replaced"


@pytest.mark.parametrize("ask", [_transcribe, _speak])
@pytest.mark.parametrize(
    ("reply", "kind", "sentence"),
    [
        (refusal(401, "Incorrect API key provided"), ErrorKind.AUTH, "refused the API key"),
        (refusal(403, "no access"), ErrorKind.PERMISSION, "does not allow this"),
        (
            refusal(404, "The model `some-model` does not exist"),
            ErrorKind.NOT_FOUND,
            "with the model some-model",
        ),
        (refusal(400, "Unsupported model 'some-model'."), ErrorKind.NOT_FOUND, "with the model some-model"),
        (refusal(400, "Voice 'x' is not available"), ErrorKind.BAD_REQUEST, "Voice 'x' is not available"),
        (refusal(429, "insufficient_quota"), ErrorKind.QUOTA, "no credit left"),
        (refusal(501, "no audio here"), ErrorKind.NOT_FOUND, "does not offer"),
        (Reply(b"<html><title>Not here</title>", status=404), ErrorKind.NOT_FOUND, "Not here"),
        (
            Reply(status=307, headers={"Location": "http://192.0.2.1/x?key=1"}),
            ErrorKind.NOT_FOUND,
            "192.0.2.1/x",
        ),
        (Reply(b'{"error":"no voice"}', content_type="application/json"), ErrorKind.MALFORMED, "no voice"),
        (Reply(b"<html>Welcome", content_type="text/html"), ErrorKind.MALFORMED, "something else"),
    ],
    ids=lambda value: value.value if isinstance(value, ErrorKind) else "",
)
def test_a_refusal_is_a_sentence(
    server: FakeProvider,
    client: SpeechServerClient,
    ask: object,
    reply: Reply,
    kind: ErrorKind,
    sentence: str,
) -> None:
    server.script(reply)
    with pytest.raises(AssistantError) as failure:
        ask(client)  # type: ignore[operator]
    assert failure.value.kind is kind
    assert sentence in failure.value.message
    assert KEY not in failure.value.message + failure.value.details
    assert len(server.requests) == 1, "it is not asked again, and never another host"


def test_the_key_is_asked_for_where_there_is_none(server: FakeProvider) -> None:
    server.script(refusal(401, "no key"))
    client = SpeechServerClient(server.base_url, MODEL)
    with pytest.raises(AssistantError, match="needs an API key"):
        _transcribe(client)
    client.close()


def test_a_busy_server_is_asked_once_more(server: FakeProvider, client: SpeechServerClient) -> None:
    server.script(refusal(503, "loading"), transcript("Hello."))
    assert _transcribe(client) == "Hello."
    server.script(refusal(503, "loading"), repeat=True)
    with pytest.raises(AssistantError) as failure:
        _transcribe(client)
    assert failure.value.kind is ErrorKind.SERVER
    assert client.may_pass(failure.value)
    assert len(server.requests) == 4


def test_a_long_wait_is_not_waited_for(server: FakeProvider, client: SpeechServerClient) -> None:
    busy = refusal(429, "slow down")
    server.script(
        Reply(busy.steps, status=429, content_type="application/json", headers={"Retry-After": "3600"})
    )
    with pytest.raises(AssistantError) as failure:
        _transcribe(client)
    assert failure.value.kind is ErrorKind.RATE_LIMIT


def test_a_field_of_ours_that_is_refused_is_replaced_for_good(
    server: FakeProvider, client: SpeechServerClient
) -> None:
    no = refusal(400, "response_format 'verbose_json' is not compatible", param="response_format")
    server.script(no, transcript("Hello."), transcript("Bye."))
    assert (_transcribe(client), _transcribe(client)) == ("Hello.", "Bye.")
    sent = [form_fields(request.body)["response_format"] for request in server.requests]
    assert sent == [b"verbose_json", b"json", b"json"]


def test_a_field_of_ours_that_is_refused_is_left_out(
    server: FakeProvider, client: SpeechServerClient
) -> None:
    server.script(refusal(422, "stream: Extra inputs are not permitted"), voice(tone(0.1)))
    assert _speak(client)
    assert ["stream" in request.json() for request in server.requests] == [True, False]


def test_a_plain_text_answer_is_the_transcript(server: FakeProvider, client: SpeechServerClient) -> None:
    server.script(Reply(b"Hello there.\n", content_type="text/plain"))
    assert _transcribe(client) == "Hello there.\n"


@pytest.mark.parametrize("body", [b'{"text": "cut', b'{"words": []}', b"[1]", b'{"text": null}'])
def test_an_answer_without_a_transcript_is_none(
    server: FakeProvider, client: SpeechServerClient, body: bytes
) -> None:
    server.script(Reply(body, content_type="application/json"))
    with pytest.raises(AssistantError, match="something else") as failure:
        _transcribe(client)
    assert failure.value.kind is ErrorKind.MALFORMED


def test_a_server_that_is_not_running(server: FakeProvider) -> None:
    server.close()
    client = SpeechServerClient(server.base_url, MODEL)
    with pytest.raises(AssistantError, match="Nothing answers at") as failure:
        _transcribe(client)
    assert failure.value.kind is ErrorKind.CONNECTION
    assert client.may_pass(failure.value)
    client.close()


@pytest.mark.parametrize("ask", [_transcribe, _speak])
def test_a_server_that_never_answers(server: FakeProvider, ask: object) -> None:
    server.script(Reply(before=[Stall()]), repeat=True)
    client = SpeechServerClient(server.base_url, MODEL, answer_timeout_s=0.1)
    with pytest.raises(AssistantError, match=r"did not answer within 0\.1 seconds") as failure:
        ask(client)  # type: ignore[operator]
    assert failure.value.kind is ErrorKind.TIMEOUT_FIRST_TOKEN
    client.close()


@pytest.mark.parametrize(("end", "kind"), [(Drop(), ErrorKind.TRUNCATED), (Stall(), ErrorKind.TIMEOUT_IDLE)])
def test_a_voice_that_breaks_off(server: FakeProvider, end: Drop | Stall, kind: ErrorKind) -> None:
    server.script(Reply([tone(0.1).tobytes(), end], content_type="audio/pcm"))
    client = SpeechServerClient(server.base_url, MODEL, answer_timeout_s=0.3)
    stream = client.speak({"input": "Hi."}, {})
    with pytest.raises(AssistantError) as failure:
        list(iter(stream.read, None))
    assert failure.value.kind is kind
    assert stream.read() is None
    client.close()


def test_cancelling_from_another_thread_ends_a_request_at_once(
    server: FakeProvider, client: SpeechServerClient
) -> None:
    server.script(Reply(before=[Stall()]))
    caught: list[AssistantError] = []

    def ask() -> None:
        try:
            _transcribe(client)
        except AssistantError as error:
            caught.append(error)

    thread = threading.Thread(target=ask)
    thread.start()
    request = server.wait_for_request()
    client.cancel()
    thread.join(5.0)
    assert [error.message for error in caught] == ["The request was stopped."]
    assert request.disconnected.wait(5.0), "the server is not left working"
    server.script(transcript("Hello."))
    assert _transcribe(client) == "Hello.", "the next turn works"


def test_closing_from_another_thread_ends_a_read(server: FakeProvider, client: SpeechServerClient) -> None:
    server.script(Reply([tone(0.1).tobytes(), Stall()], content_type="audio/pcm"))
    stream = client.speak({"input": "Hi."}, {})
    assert stream.read()
    reading = threading.Event()
    read: list[bytes | None] = []

    def go_on() -> None:
        reading.set()
        read.append(stream.read())

    thread = threading.Thread(target=go_on)
    thread.start()
    assert reading.wait(5.0)
    stream.close()
    thread.join(5.0)
    assert read == [None]
    server.wait_for_disconnect()


def test_a_closed_client_says_so(client: SpeechServerClient) -> None:
    client.close()
    client.close()
    with pytest.raises(AssistantError, match="closed already"):
        _transcribe(client)


@pytest.mark.parametrize(
    ("base_url", "model", "key", "message"),
    [
        ("ftp://x", MODEL, "", "must begin with"),
        ("http://127.0.0.1:1", " ", "", "No model is named"),
        ("http://127.0.0.1:1", MODEL, "sk-\u200bx y", "of the API key"),
    ],
)
def test_what_cannot_be_used_is_said_before_anybody_is_asked(
    base_url: str, model: str, key: str, message: str
) -> None:
    with pytest.raises(AssistantError, match=message) as failure:
        SpeechServerClient(base_url, model, key).prepare()
    assert failure.value.kind is ErrorKind.BAD_REQUEST


@pytest.mark.parametrize(
    ("typed", "base_url", "query"),
    [
        ("", "https://api.openai.com/v1", ()),
        ("127.0.0.1:8000", "http://127.0.0.1:8000/v1", ()),
        ("http://box.local:8000/v1/audio/transcriptions", "http://box.local:8000/v1", ()),
        ("https://api.groq.com/openai/v1/audio/speech/", "https://api.groq.com/openai/v1", ()),
        (
            "https://me.openai.azure.com/openai/deployments/tts/audio/speech?api-version=2025-03-01-preview",
            "https://me.openai.azure.com/openai/deployments/tts",
            (("api-version", "2025-03-01-preview"),),
        ),
    ],
)
def test_base_urls(typed: str, base_url: str, query: tuple[tuple[str, str], ...]) -> None:
    endpoint = speech_endpoint(typed)
    assert (endpoint.base_url, endpoint.query) == (base_url, query)


def test_an_azure_key_goes_into_its_own_header() -> None:
    client = SpeechServerClient("https://me.openai.azure.com", MODEL, KEY)
    client.prepare()
    assert client._connection is not None
    sdk = client._connection.sdk
    assert sdk.default_headers["api-key"] == KEY
    assert "Authorization" in sdk.extra_headers
    client.close()


def test_the_key_is_in_no_log_and_no_repr(
    server: FakeProvider, client: SpeechServerClient, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    server.script(refusal(401, f"Incorrect API key provided: {KEY}"))
    with pytest.raises(AssistantError) as failure:
        _transcribe(client)
    assert KEY not in caplog.text + repr(client) + repr(client._connection) + failure.value.message
    assert KEY not in failure.value.details + repr(client._address)
