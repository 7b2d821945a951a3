"""Asks a server which models it has, whatever the shape of its answer."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from s2s_desktop.errors import AssistantError, ErrorKind
from s2s_desktop.llm.config import BackendConfig, BackendName
from s2s_desktop.llm.errors import failure_of
from s2s_desktop.llm.http.credentials import clean_api_key
from s2s_desktop.llm.http.endpoint import Endpoint, normalize_base_url
from s2s_desktop.llm.http.error_bodies import error_in, words_of
from s2s_desktop.llm.http.failure import Peer
from s2s_desktop.llm.http.proxies import find_proxy
from s2s_desktop.llm.http.server_errors import redirected, refused
from s2s_desktop.llm.redaction import guard_http_logs, remember_secrets

if TYPE_CHECKING:
    import httpx2

_READ_TIMEOUT_S = 15.0
_MAX_BYTES = 10_000_000
"""The longest list known has 0.6 MB (OpenRouter, 400 models with descriptions)."""

_LIST_KEYS = ("data", "models", "result", "items")
_NAME_KEYS = ("id", "model", "name", "key")


@dataclass(frozen=True, slots=True)
class ModelList:
    """The models of a server.

    Attributes:
        names: Sorted; empty when they are not known.
        problem: Why they are not known, a sentence; "" otherwise.
        kind: The kind of that problem.
        status: The HTTP status of the answer; None when none came.
    """

    names: tuple[str, ...] = ()
    problem: str = ""
    kind: ErrorKind | None = None
    status: int | None = None


async def list_models(config: BackendConfig, backend: BackendName) -> ModelList:
    """Return the models behind an endpoint. Never raises.

    Args:
        config: The endpoint; its model may be empty.
        backend: Its protocol, which only matters for messages.
    """
    peer: Peer | None = None
    try:
        endpoint = normalize_base_url(config.base_url, backend)
        key = clean_api_key(config.api_key)
        peer = _peer(endpoint, config, backend, has_key=bool(key))
        async with asyncio.timeout(config.timeouts.connect + _READ_TIMEOUT_S):
            return await _ask(peer, config, key)
    except TimeoutError:
        return ModelList(problem=f"{endpoint.host} sent no list of models in time.", kind=ErrorKind.SERVER)
    except Exception as error:  # everything else becomes a sentence; `failure_of` logs what nobody foresaw
        failure = failure_of(error, peer).error
        return ModelList(problem=failure.message, kind=failure.kind)


def parse_models(value: object) -> tuple[str, ...]:
    """Return the names in the JSON of a model list.

    Known shapes: `{"data": [{"id"}]}` (OpenAI), `{"models": [{"name", "model"}]}` (Ollama), a list of objects
    (Together) or of strings, and an object of models by name.
    """
    entries: object
    if isinstance(value, dict):
        entries = next((value[key] for key in _LIST_KEYS if isinstance(value.get(key), list | dict)), [])
    else:
        entries = value
    if isinstance(entries, dict):
        entries = list(entries)
    names = {_name(entry) for entry in entries} if isinstance(entries, list) else set()
    return tuple(sorted(names - {""}, key=str.casefold))


async def _ask(peer: Peer, config: BackendConfig, key: str) -> ModelList:
    endpoint = peer.endpoint
    headers = {"Accept": "application/json", **config.headers}
    if key:
        bearer = endpoint.key_header == "Authorization"
        headers = {endpoint.key_header: f"Bearer {key}" if bearer else key, **headers}
    query = {**dict(endpoint.query), **config.query}
    remember_secrets(key, headers, query)
    client = await asyncio.to_thread(_client, peer)  # loads certificates
    async with (
        client,
        client.stream("GET", f"{endpoint.base_url}/models", params=query, headers=headers) as response,
    ):
        body = await _read(response)
        return _read_answer(response.status_code, dict(response.headers), body, peer)


def _client(peer: Peer) -> httpx2.AsyncClient:
    import httpx2

    guard_http_logs()
    return httpx2.AsyncClient(
        verify=httpx2.create_ssl_context(),
        trust_env=False,  # one proxy at most, decided by llm/http/proxies.py
        proxy=peer.proxy.url if peer.proxy else None,
        timeout=httpx2.Timeout(_READ_TIMEOUT_S, connect=peer.connect_timeout),
    )


async def _read(response: httpx2.Response) -> str:
    pieces: list[bytes] = []
    async for piece in response.aiter_bytes():
        pieces.append(piece)
        if sum(map(len, pieces)) > _MAX_BYTES:
            raise AssistantError(ErrorKind.MALFORMED, "The list of models is too long to be one.")
    return b"".join(pieces).decode("utf-8", errors="replace")


def _read_answer(status: int, headers: dict[str, str], body: str, peer: Peer) -> ModelList:
    if 300 <= status < 400:
        error = redirected(headers.get("location", ""), peer).error
        return ModelList(problem=error.message, kind=error.kind, status=status)
    if status >= 400:
        error = refused(words_of(body), peer, status, headers, body).error
        return ModelList(problem=error.message, kind=error.kind, status=status)
    host = peer.endpoint.host
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        problem = f"{host} answers, but not with a list of models. Check the path of the base URL."
        return ModelList(problem=problem, kind=ErrorKind.NOT_FOUND, status=status)
    names = parse_models(value)
    if names:
        return ModelList(names, status=status)
    words = error_in(value) if isinstance(value, dict) else None
    if words is not None:
        error = refused(words, peer, status, headers, body).error
        return ModelList(problem=error.message, kind=error.kind, status=status)
    return ModelList(problem=f"{host} has no models to offer.", status=status)


def _peer(endpoint: Endpoint, config: BackendConfig, backend: BackendName, has_key: bool) -> Peer:
    scheme = endpoint.base_url.partition(":")[0]
    return Peer(
        endpoint=endpoint,
        backend=backend,
        model=config.model.strip(),
        has_key=has_key,
        proxy=None if endpoint.is_local else find_proxy(scheme, endpoint.hostname),
        connect_timeout=config.timeouts.connect,
    )


def _name(entry: object) -> str:
    if isinstance(entry, str):
        return entry.strip()
    if not isinstance(entry, dict):
        return ""
    return next((entry[key].strip() for key in _NAME_KEYS if isinstance(entry.get(key), str)), "")


def closest(wanted: str, names: Iterable[str]) -> str | None:
    """Return the listed model that a name means, None when none does.

    `llama3.2` is `llama3.2:latest` (Ollama), `org/name:provider` is `org/name` (Hugging Face), and `x` is
    `models/x` (Gemini).
    """
    wanted = wanted.strip()
    for name in names:
        if wanted in (name, name.removesuffix(":latest"), name.removeprefix("models/")):
            return name
        if wanted.partition(":")[0] == name:
            return name
    return None
