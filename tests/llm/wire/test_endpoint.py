"""From what people type to the URL that is called."""

from __future__ import annotations

import httpx2
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from s2s_desktop.errors import AssistantError, ErrorKind
from s2s_desktop.llm.config import BACKENDS, BackendName
from s2s_desktop.llm.http.endpoint import API_PATHS, normalize_base_url
from s2s_desktop.llm.http.hosts import is_local_host

LOCAL = "http://127.0.0.1:8000/v1"

TABLE = [
    # What is typed, and the base URL that is meant.
    ("", "https://api.openai.com/v1"),
    ("   ", "https://api.openai.com/v1"),
    ("https://api.openai.com", "https://api.openai.com/v1"),
    ("https://api.openai.com/", "https://api.openai.com/v1"),
    ("https://api.openai.com/v1", "https://api.openai.com/v1"),
    ("https://api.openai.com/v1/", "https://api.openai.com/v1"),
    ("HTTPS://API.OpenAI.com/v1", "https://api.openai.com/v1"),
    ("api.openai.com", "https://api.openai.com/v1"),
    ("api.openai.com/v1", "https://api.openai.com/v1"),
    ("//api.openai.com/v1", "https://api.openai.com/v1"),
    ("https:api.openai.com/v1", "https://api.openai.com/v1"),
    ("https:/api.openai.com/v1", "https://api.openai.com/v1"),
    ("https//api.openai.com/v1", "https://api.openai.com/v1"),
    ("https://https://api.openai.com/v1", "https://api.openai.com/v1"),
    ("https://api.openai.com:443/v1", "https://api.openai.com/v1"),
    ("https://api.openai.com/v1/v1", "https://api.openai.com/v1"),
    ("https://api.openai.com//v1//", "https://api.openai.com/v1"),
    ("https://api.openai.com/v1#top", "https://api.openai.com/v1"),
    ("https:\\\\api.openai.com\\v1", "https://api.openai.com/v1"),
    ("<https://api.openai.com/v1>", "https://api.openai.com/v1"),
    ("“https://api.openai.com/v1”", "https://api.openai.com/v1"),
    ("`https://api.openai.com/v1`", "https://api.openai.com/v1"),
    ("https://api.openai.com/v1\u200b", "https://api.openai.com/v1"),
    ("https://api.openai.com/v1/responses", "https://api.openai.com/v1"),
    ("https://api.openai.com/v1/RESPONSES/", "https://api.openai.com/v1"),
    ("https://api.openai.com/v1/chat/completions", "https://api.openai.com/v1"),
    ("https://api.openai.com/v1/Chat/Completions?x=1", "https://api.openai.com/v1"),
    ("https://api.openai.com/v1/completions", "https://api.openai.com/v1"),
    ("https://api.openai.com/v1/models", "https://api.openai.com/v1"),
    ("https://api.openai.com/chat/completions", "https://api.openai.com/v1"),
    ("https://api.openai.com/v1/responses/responses", "https://api.openai.com/v1/responses"),
    ("http://127.0.0.1:8000", LOCAL),
    (LOCAL, LOCAL),
    (f"{LOCAL}/", LOCAL),
    (f"{LOCAL}/chat/completions", LOCAL),
    (f" {LOCAL} ", LOCAL),
    ("127.0.0.1:8000/v1", LOCAL),
    ("http:127.0.0.1:8000/v1", LOCAL),
    ("http:8000", "http://http:8000/v1"),
    ("0.0.0.0:8000", LOCAL),
    ("localhost:8000", "http://localhost:8000/v1"),
    ("localhost", "http://localhost/v1"),
    ("LOCALHOST:8000/", "http://localhost:8000/v1"),
    ("http://localhost:80", "http://localhost/v1"),
    ("localhost:11434", "http://localhost:11434/v1"),
    ("http://localhost:11434/api", "http://localhost:11434/v1"),
    ("http://localhost:11434/api/chat", "http://localhost:11434/v1"),
    ("http://localhost:1234/v1/models", "http://localhost:1234/v1"),
    ("192.168.1.20:8080", "http://192.168.1.20:8080/v1"),
    ("10.0.0.5/v1", "http://10.0.0.5/v1"),
    ("mybox.local:8000", "http://mybox.local:8000/v1"),
    ("nas:11434", "http://nas:11434/v1"),
    ("host.docker.internal:8000", "http://host.docker.internal:8000/v1"),
    ("[::1]:8000", "http://[::1]:8000/v1"),
    ("::1", "http://[::1]/v1"),
    ("http://[fe80::1]:8000/v1", "http://[fe80::1]:8000/v1"),
    ("8.8.8.8:8000", "https://8.8.8.8:8000/v1"),
    ("https://router.huggingface.co/v1", "https://router.huggingface.co/v1"),
    ("https://router.huggingface.co", "https://router.huggingface.co/v1"),
    ("https://openrouter.ai/api/v1", "https://openrouter.ai/api/v1"),
    ("https://openrouter.ai", "https://openrouter.ai/api/v1"),
    ("openrouter.ai/api/v1/chat/completions", "https://openrouter.ai/api/v1"),
    ("https://api.groq.com/openai/v1", "https://api.groq.com/openai/v1"),
    ("https://api.groq.com", "https://api.groq.com/openai/v1"),
    (
        "https://generativelanguage.googleapis.com/v1beta/openai/",
        "https://generativelanguage.googleapis.com/v1beta/openai",
    ),
    ("https://api.fireworks.ai/inference/v1", "https://api.fireworks.ai/inference/v1"),
    ("https://api.mistral.ai", "https://api.mistral.ai/v1"),
    ("https://me.openai.azure.com", "https://me.openai.azure.com/openai/v1"),
    ("https://me.openai.azure.com/openai/v1/", "https://me.openai.azure.com/openai/v1"),
    (
        "https://me.openai.azure.com/openai/deployments/gpt/chat/completions?api-version=2024-10-21",
        "https://me.openai.azure.com/openai/deployments/gpt",
    ),
    ("https://gateway.example/team a/v1", "https://gateway.example/team%20a/v1"),
    ("https://gateway.example/llm", "https://gateway.example/llm"),
    ("bücher.example", "https://bücher.example/v1"),
]


@pytest.mark.parametrize(("typed", "base_url"), TABLE)
def test_the_base_url_that_is_meant(typed: str, base_url: str) -> None:
    for backend in BACKENDS:
        endpoint = normalize_base_url(typed, backend)
        assert endpoint.base_url == base_url
        assert endpoint.final_url.startswith(f"{base_url}{API_PATHS[backend]}")


@pytest.mark.parametrize(("typed", "base_url"), TABLE)
def test_a_normal_base_url_is_left_as_it_is(typed: str, base_url: str) -> None:
    if base_url.endswith("/responses"):
        return
    assert normalize_base_url(base_url, "chat-completions").base_url == base_url


@settings(deadline=None)
@given(st.text(max_size=60) | st.from_regex(r"(https?://)?[a-z0-9.:/@?#\[\]-]{0,40}", fullmatch=True))
def test_every_text_is_a_base_url_or_is_explained(text: str) -> None:
    try:
        endpoint = normalize_base_url(text, "responses-api")
    except AssistantError:
        return
    assert endpoint.base_url.startswith(("http://", "https://"))
    assert not endpoint.base_url.endswith("/")
    assert endpoint.hostname
    httpx2.URL(endpoint.final_url)


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("htp://x/v1", "htp://"),
        ("ftp://127.0.0.1/v1", "ftp://"),
        ("ws://127.0.0.1:8000", "ws://"),
        ("file:///etc/passwd", "file://"),
        ("https://", "no host"),
        ("http:///v1", "no host"),
        ("https://?x=1", "no host"),
        ("http://127.0.0.1:99999/v1", "not valid"),
        ("http://127.0.0.1:port/v1", "not valid"),
        ("http://[::1/v1", "not valid"),
        ("my server/v1", "not valid"),
        ("https://api..openai.com/v1", "not valid"),
        ("https://me:secret@api.openai.com/v1", "user name or password"),
        ("https://sk-canary@api.openai.com/v1", "user name or password"),
    ],
)
def test_what_cannot_be_meant_is_explained(typed: str, words: str) -> None:
    with pytest.raises(AssistantError, match=words) as caught:
        normalize_base_url(typed, "responses-api")

    assert caught.value.kind is ErrorKind.BAD_REQUEST
    assert "secret" not in f"{caught.value.message} {caught.value.details}"
    assert "canary" not in f"{caught.value.message} {caught.value.details}"


def test_the_query_is_kept_apart() -> None:
    endpoint = normalize_base_url(
        "https://me.openai.azure.com/openai/v1?api-version=preview&x=", "responses-api"
    )

    assert endpoint.query == (("api-version", "preview"), ("x", ""))
    assert endpoint.final_url == "https://me.openai.azure.com/openai/v1/responses?api-version=preview&x="


@pytest.mark.parametrize(
    ("typed", "header"),
    [
        ("https://me.openai.azure.com", "api-key"),
        ("https://me.services.ai.azure.com", "api-key"),
        ("https://azure.com.evil.example", "Authorization"),
        ("https://api.openai.com", "Authorization"),
    ],
)
def test_the_header_that_carries_the_key(typed: str, header: str) -> None:
    assert normalize_base_url(typed, "responses-api").key_header == header


@pytest.mark.parametrize(
    ("typed", "backend", "other"),
    [
        ("https://x.example/v1/chat/completions", "responses-api", "chat-completions"),
        ("https://x.example/v1/responses", "chat-completions", "responses-api"),
        ("https://x.example/v1/responses", "responses-api", None),
        ("https://x.example/v1/models", "responses-api", None),
    ],
)
def test_a_path_of_the_other_backend_is_noticed(
    typed: str, backend: BackendName, other: BackendName | None
) -> None:
    endpoint = normalize_base_url(typed, backend)

    assert endpoint.suggested_backend == other
    assert bool(endpoint.warning) is (other is not None)
    assert (other or "") in endpoint.warning


@pytest.mark.parametrize(
    ("typed", "suggestion"),
    [
        ("https://api-inference.huggingface.co/models/meta-llama/X", "https://router.huggingface.co/v1"),
        ("https://huggingface.co/meta-llama/X", "https://router.huggingface.co/v1"),
        ("https://platform.openai.com/api-keys", "https://api.openai.com/v1"),
        ("https://www.openai.com", "https://api.openai.com/v1"),
        ("https://openrouter.ai/v1", "https://openrouter.ai/api/v1"),
        ("https://api.groq.com/v1", "https://api.groq.com/openai/v1"),
        ("https://api.openai.com/v1", ""),
    ],
)
def test_the_address_of_a_web_site_is_noticed(typed: str, suggestion: str) -> None:
    endpoint = normalize_base_url(typed, "chat-completions")

    assert endpoint.suggestion == suggestion
    assert suggestion in endpoint.warning


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("http://api.openai.com/v1", "unencrypted"),
        ("http://0.0.0.0:8000", "127.0.0.1"),
        ("http://127.0.0.1:8000", ""),
        ("http://192.168.0.2:8000", ""),
        ("https://x.example/v1", ""),
    ],
)
def test_warnings(typed: str, words: str) -> None:
    warning = normalize_base_url(typed, "responses-api").warning

    assert (words in warning) if words else (warning == "")


@pytest.mark.parametrize(
    ("hostname", "local"),
    [
        ("localhost", True),
        ("app.localhost", True),
        ("127.0.0.1", True),
        ("127.9.9.9", True),
        ("::1", True),
        ("10.1.2.3", True),
        ("172.16.0.1", True),
        ("172.32.0.1", False),
        ("192.168.1.1", True),
        ("169.254.1.1", True),
        ("100.64.0.1", True),
        ("100.128.0.1", False),
        ("fe80::1", True),
        ("fe80::1%eth0", True),
        ("fd00::1", True),
        ("2606:4700::1", False),
        ("8.8.8.8", False),
        ("box.local", True),
        ("box.local.", True),
        ("BOX.LAN", True),
        ("nas", True),
        ("api.openai.com", False),
        ("localhost.example.com", False),
        ("local.example", False),
    ],
)
def test_local_hosts(hostname: str, local: bool) -> None:
    assert is_local_host(hostname) is local
