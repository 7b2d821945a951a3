"""From the address of a speech server to something that can be asked."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from s2s_desktop.errors import AssistantError, ErrorKind
from s2s_desktop.llm.http.credentials import clean_api_key
from s2s_desktop.llm.http.endpoint import Endpoint, normalize_base_url
from s2s_desktop.llm.http.failure import Peer
from s2s_desktop.llm.http.proxies import find_proxy
from s2s_desktop.llm.redaction import guard_http_logs, remember_secrets
from s2s_desktop.speech_server.http_client import open_http_client
from s2s_desktop.speech_server.line import Line

if TYPE_CHECKING:
    import httpx2

    from s2s_desktop.speech_server.sdk import SpeechSdk

_AUDIO_PATH = re.compile(r"/audio/(transcriptions|translations|speech)/?(?=$|\?)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ServerAddress:
    """A speech server as the settings name it.

    Attributes:
        base_url: As the user wrote it.
        model: What the server calls the model.
        api_key: "" for servers that need none.
        connect_timeout_s: Name look-up, TCP and TLS.
        answer_timeout_s: For the first byte of an answer, and between two reads of it.
    """

    base_url: str = field(repr=False)
    model: str
    api_key: str = field(repr=False)
    connect_timeout_s: float
    answer_timeout_s: float


@dataclass(frozen=True, slots=True)
class Connection:
    """What requests need."""

    peer: Peer
    http: httpx2.Client
    sdk: SpeechSdk


def speech_endpoint(base_url: str) -> Endpoint:
    """Return the endpoint that a typed base URL means; the path of an audio endpoint is taken off.

    Its `host` is what a key is kept under. `final_url` belongs to language models and means nothing here.

    Args:
        base_url: By the rules of `normalize_base_url`; "" is OpenAI.

    Raises:
        AssistantError: BAD_REQUEST; the URL cannot be meant.
    """
    return normalize_base_url(_AUDIO_PATH.sub("", base_url.strip()), "chat-completions")


def open_connection(address: ServerAddress, line: Line) -> Connection:
    """Import and set up what requests need; asks nobody.

    Args:
        address: The server.
        line: Is told about the connection.

    Raises:
        AssistantError: The base URL, the key, the model or the proxy cannot be used.
    """
    import httpx2

    from s2s_desktop.speech_server.sdk import SpeechSdk

    endpoint, key = speech_endpoint(address.base_url), clean_api_key(address.api_key)
    if not address.model:
        raise AssistantError(
            ErrorKind.BAD_REQUEST, "No model is named. Enter its name in the settings of the speech server."
        )
    guard_http_logs()
    query = dict(endpoint.query)
    remember_secrets(key, query)
    scheme = endpoint.base_url.partition(":")[0]
    peer = Peer(
        endpoint=endpoint,
        backend="chat-completions",
        model=address.model,
        has_key=bool(key),
        proxy=None if endpoint.is_local else find_proxy(scheme, endpoint.hostname),
        connect_timeout=address.connect_timeout_s,
    )
    timeout = httpx2.Timeout(address.answer_timeout_s, connect=address.connect_timeout_s, pool=5.0)
    http = open_http_client(endpoint.base_url, peer.proxy, timeout, line)
    bearer = key if endpoint.key_header == "Authorization" else ""
    sdk = SpeechSdk(
        base_url=endpoint.base_url,
        api_key=bearer,
        headers={endpoint.key_header: key} if key and not bearer else {},
        query=query,
        http_client=http,
        timeout=timeout,
    )
    return Connection(peer, http, sdk)
