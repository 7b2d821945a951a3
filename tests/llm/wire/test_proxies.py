"""Proxies of the environment help where they can and do no harm elsewhere."""

from __future__ import annotations

import pytest

from llm.fake_provider import FakeProvider, Reply, Request
from llm.streams import chat_reply, response_reply
from llm.wire_kit import collect, error_of, text_of
from s2s_desktop.errors import ErrorKind
from s2s_desktop.llm.http.proxies import find_proxy

REPLIES = {"responses-api": response_reply("Hi"), "chat-completions": chat_reply("Hi")}
VARIABLES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY")


@pytest.fixture(autouse=True)
def no_proxies(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("ALL_PROXY", "socks://127.0.0.1:1"),
        ("ALL_PROXY", "socks5://127.0.0.1:1"),
        ("HTTP_PROXY", "http://127.0.0.1:1"),
        ("HTTP_PROXY", "nonsense://"),
        ("all_proxy", "http://[broken"),
    ],
)
async def test_a_local_server_is_reached_without_a_proxy(
    make_backend, provider: FakeProvider, monkeypatch, backend_name: str, variable: str, value: str
) -> None:
    monkeypatch.setenv(variable, value)
    provider.script(Reply(REPLIES[backend_name]))

    assert text_of(await collect(make_backend(backend_name))) == "Hi"


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("ALL_PROXY", "socks://127.0.0.1:1"),
        ("ALL_PROXY", "socks5://127.0.0.1:1"),
        ("all_proxy", "http://[broken"),
        ("HTTP_PROXY", "http://127.0.0.1:1"),
        ("HTTP_PROXY", "http://me:canary@127.0.0.1:1"),
        ("http_proxy", "127.0.0.1:1"),
    ],
)
async def test_a_broken_proxy_is_named_by_its_variable(
    make_backend, monkeypatch, backend_name: str, variable: str, value: str
) -> None:
    monkeypatch.setenv(variable, value)
    events = await collect(make_backend(backend_name, "http://model.example/v1"))
    error = error_of(events, ErrorKind.CONNECTION)

    assert variable in error.message
    assert "canary" not in f"{error.message} {error.details}"


async def test_a_proxy_carries_requests_to_other_networks(
    make_backend, provider: FakeProvider, monkeypatch, backend_name: str
) -> None:
    monkeypatch.setenv("HTTP_PROXY", f"http://127.0.0.1:{provider.port}")
    provider.script(Reply(REPLIES[backend_name]))

    assert (
        text_of(await collect(make_backend(backend_name, "http://model.example/v1", api_key="k" * 9))) == "Hi"
    )
    assert provider.requests[0].target.startswith("http://model.example/v1/")


async def test_a_proxy_that_refuses(
    make_backend, provider: FakeProvider, monkeypatch, backend_name: str
) -> None:
    def refuse(request: Request) -> Reply:
        return Reply(b"", status=403, mode="length")

    provider.answer(refuse)
    monkeypatch.setenv("HTTPS_PROXY", f"http://127.0.0.1:{provider.port}")
    events = await collect(make_backend(backend_name, "https://model.example/v1", max_retries=0))

    assert "HTTPS_PROXY" in error_of(events, ErrorKind.CONNECTION).message
    assert provider.requests[0].method == "CONNECT"


@pytest.mark.parametrize(
    ("settings", "scheme", "source"),
    [
        ({}, "https", None),
        ({"HTTP_PROXY": "http://p:1"}, "https", None),
        ({"HTTP_PROXY": "http://p:1"}, "http", "HTTP_PROXY"),
        ({"https_proxy": "p:1"}, "https", "https_proxy"),
        ({"ALL_PROXY": "http://p:1"}, "https", "ALL_PROXY"),
        ({"ALL_PROXY": "http://p:1", "HTTPS_PROXY": "http://q:1"}, "https", "HTTPS_PROXY"),
        ({"HTTPS_PROXY": "http://p:1", "NO_PROXY": "model.example"}, "https", None),
        ({"HTTPS_PROXY": "http://p:1", "NO_PROXY": ".example"}, "https", None),
        ({"HTTPS_PROXY": "http://p:1", "NO_PROXY": "*"}, "https", None),
        ({"HTTPS_PROXY": "http://p:1", "NO_PROXY": "other.example"}, "https", "HTTPS_PROXY"),
    ],
)
def test_which_variable_counts(
    monkeypatch: pytest.MonkeyPatch, settings: dict[str, str], scheme: str, source: str | None
) -> None:
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    proxy = find_proxy(scheme, "model.example")

    assert (proxy.source if proxy else None) == source
    if proxy is not None:
        assert proxy.url.startswith("http://")
        assert proxy.url not in repr(proxy)
