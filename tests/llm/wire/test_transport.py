"""Networks that break, lie or lead astray."""

from __future__ import annotations

import datetime
import gzip
import ipaddress
import json
import socket
import ssl
from collections.abc import Iterator
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from llm.fake_provider import Drop, FakeProvider, Forever, Reply
from llm.streams import DONE, chat_delta, chat_reply, chat_text, response_event, response_reply
from llm.wire_kit import collect, end_of, error_of, text_of
from s2s_desktop.errors import ErrorKind
from s2s_desktop.llm.events import FinishReason
from s2s_desktop.llm.stream.reply_builder import MAX_REPLY_CHARACTERS

REPLIES = {"responses-api": response_reply("Hi"), "chat-completions": chat_reply("Hi")}
BEGUN = {
    "responses-api": response_event("output_text.delta", item_id="a", delta="Hel"),
    "chat-completions": chat_text("Hel"),
}


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


async def test_a_server_that_is_not_running(make_backend, naps, backend_name: str) -> None:
    port = free_port()
    events = await collect(make_backend(backend_name, f"http://127.0.0.1:{port}/v1"))
    error = error_of(events, ErrorKind.CONNECTION)

    assert f"Nothing answers at 127.0.0.1:{port}" in error.message
    assert naps.seconds == [], "the user is told at once"


async def test_a_host_that_does_not_exist(make_backend, naps, backend_name: str) -> None:
    events = await collect(make_backend(backend_name, "http://no-such-host.invalid/v1"))
    error = error_of(events, ErrorKind.DNS)

    assert "no-such-host.invalid" in error.message
    assert naps.seconds == []


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate for 127.0.0.1 that nobody but its owner trusts, with its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "127.0.0.1")])
    now = datetime.datetime.now(datetime.UTC)
    signed = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(
            x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), False
        )
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), True)
        .sign(key, hashes.SHA256())
    )
    path = tmp_path_factory.mktemp("tls") / "server.pem"
    path.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
        + signed.public_bytes(serialization.Encoding.PEM)
    )
    return path


@pytest.fixture
def secure_provider(certificate: Path) -> Iterator[FakeProvider]:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    with FakeProvider(tls=context) as provider:
        yield provider


async def test_a_certificate_that_nobody_trusts(
    make_backend, secure_provider: FakeProvider, backend_name: str
) -> None:
    error = error_of(await collect(make_backend(backend_name, secure_provider.base_url)), ErrorKind.TLS)

    assert "is not trusted" in error.message
    assert secure_provider.requests == []


async def test_a_certificate_that_the_system_trusts(
    make_backend, secure_provider: FakeProvider, certificate: Path, monkeypatch, backend_name: str
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    secure_provider.script(Reply(REPLIES[backend_name]))

    assert text_of(await collect(make_backend(backend_name, secure_provider.base_url))) == "Hi"


async def test_certificates_that_cannot_be_read(make_backend, monkeypatch, backend_name: str) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", "/no/such/file")
    error = error_of(await collect(make_backend(backend_name, "https://127.0.0.1:1/v1")), ErrorKind.TLS)

    assert "SSL_CERT_FILE" in error.message


async def test_https_spoken_to_a_plain_server(
    make_backend, provider: FakeProvider, backend_name: str
) -> None:
    url = provider.base_url.replace("http://", "https://")
    error = error_of(await collect(make_backend(backend_name, url, max_retries=0)), ErrorKind.TLS)

    assert "http://" in error.message


async def test_plain_http_spoken_to_a_secure_server(
    make_backend, secure_provider: FakeProvider, backend_name: str
) -> None:
    url = secure_provider.base_url.replace("https://", "http://")
    events = await collect(make_backend(backend_name, url, max_retries=0))

    error_of(events, ErrorKind.CONNECTION)


@pytest.mark.parametrize("mode", ["chunked", "length", "close"])
async def test_every_way_to_frame_a_body(
    make_backend, provider: FakeProvider, backend_name: str, mode: str
) -> None:
    provider.script(Reply(REPLIES[backend_name], mode=mode, slice=5))

    assert text_of(await collect(make_backend(backend_name))) == "Hi"


async def test_a_compressed_stream(make_backend, provider: FakeProvider, backend_name: str) -> None:
    body = gzip.compress(REPLIES[backend_name])
    provider.script(Reply(body, headers={"Content-Encoding": "gzip"}, slice=9))

    assert text_of(await collect(make_backend(backend_name))) == "Hi"
    assert provider.requests[0].headers["accept-encoding"] == "identity"


async def test_a_stream_that_is_compressed_badly(
    make_backend, provider: FakeProvider, backend_name: str
) -> None:
    provider.script(Reply(REPLIES[backend_name], headers={"Content-Encoding": "gzip"}))

    error_of(await collect(make_backend(backend_name)), ErrorKind.MALFORMED)


@pytest.mark.parametrize("steps", [[], [Drop()]], ids=["end", "reset"])
@pytest.mark.parametrize("mode", ["chunked", "close"])
async def test_a_drop_in_the_middle_keeps_the_text_and_is_no_success(
    make_backend, provider: FakeProvider, backend_name: str, steps: list[object], mode: str
) -> None:
    provider.script(Reply([BEGUN[backend_name], *steps], mode=mode))  # type: ignore[list-item]
    events = await collect(make_backend(backend_name))

    assert text_of(events) == "Hel"
    error_of(events, ErrorKind.TRUNCATED)
    assert end_of(events).reason is FinishReason.TRUNCATED
    assert "ended early" in error_of(events, ErrorKind.TRUNCATED).message
    assert len(provider.requests) == 1


async def test_a_body_shorter_than_announced(make_backend, provider: FakeProvider, backend_name: str) -> None:
    body = BEGUN[backend_name]
    provider.script(Reply(body, mode="close", headers={"Content-Length": str(len(body) + 50)}))
    events = await collect(make_backend(backend_name))

    assert text_of(events) == "Hel"
    error_of(events, ErrorKind.TRUNCATED)


async def test_a_drop_behind_the_end_is_a_success(make_backend, provider: FakeProvider) -> None:
    provider.script(Reply([chat_text("Hi"), chat_delta({}, finish="stop"), Drop()]))

    assert end_of(await collect(make_backend("chat-completions"))).reason is FinishReason.STOP


async def test_nothing_at_all_is_no_success(make_backend, provider: FakeProvider, backend_name: str) -> None:
    provider.script(Reply(b""))

    error_of(await collect(make_backend(backend_name)), ErrorKind.TRUNCATED)


@pytest.mark.parametrize("content_type", ["text/event-stream", "application/json", ""])
async def test_a_document_instead_of_a_stream(
    make_backend, provider: FakeProvider, content_type: str
) -> None:
    document = {"choices": [{"message": {"content": "Hi"}, "finish_reason": "stop"}]}
    body = b" \n" * 2_000 + json.dumps(document).encode()
    provider.script(Reply(body, content_type=content_type, slice=100))

    assert text_of(await collect(make_backend("chat-completions"))) == "Hi"


async def test_a_stream_instead_of_a_document(
    make_backend, provider: FakeProvider, backend_name: str
) -> None:
    provider.script(Reply(REPLIES[backend_name], content_type="application/json"))

    assert text_of(await collect(make_backend(backend_name, stream=False))) == "Hi"


async def test_a_web_page_instead_of_a_reply(make_backend, provider: FakeProvider, backend_name: str) -> None:
    page = b"<!DOCTYPE html><html><head><title>Log in to &amp; enjoy</title></head><body>...</body></html>"
    provider.script(Reply(page, content_type="text/html"))
    error = error_of(await collect(make_backend(backend_name)), ErrorKind.MALFORMED)

    assert "“Log in to & enjoy”" in error.message
    assert "<!DOCTYPE" in error.details


@pytest.mark.parametrize(
    ("chunk", "kind"),
    [
        (b"x" * 65_536, ErrorKind.MALFORMED),
        (b"data: " + b"x" * 65_536, ErrorKind.MALFORMED),
        (b"<p>" + b"x" * 65_536, ErrorKind.MALFORMED),
        (b'{"x":' + b" " * 65_536, ErrorKind.MALFORMED),
    ],
)
async def test_an_endless_body_is_given_up(
    make_backend, provider: FakeProvider, backend_name: str, chunk: bytes, kind: ErrorKind
) -> None:
    provider.script(Reply([Forever(chunk)]))

    error_of(await collect(make_backend(backend_name)), kind)
    provider.wait_for_disconnect()


async def test_an_endless_reply_is_cut(make_backend, provider: FakeProvider) -> None:
    provider.script(Reply([Forever(chat_text("bla " * 250) * 10)]))
    events = await collect(make_backend("chat-completions"))

    assert end_of(events).reason is FinishReason.LENGTH
    assert MAX_REPLY_CHARACTERS < len(text_of(events)) < MAX_REPLY_CHARACTERS + 10_000
    provider.wait_for_disconnect()


async def test_an_endless_thought_is_cut(make_backend, provider: FakeProvider) -> None:
    provider.script(Reply([Forever(chat_delta({"reasoning": "hm " * 300}))]))

    error_of(await collect(make_backend("chat-completions")), ErrorKind.EMPTY)
    provider.wait_for_disconnect()


async def test_done_ends_a_reply_whose_connection_stays_open(
    make_backend, provider: FakeProvider, backend_name: str
) -> None:
    provider.script(Reply([REPLIES[backend_name], Forever(DONE)]))

    assert end_of(await collect(make_backend(backend_name))).reason is FinishReason.STOP
