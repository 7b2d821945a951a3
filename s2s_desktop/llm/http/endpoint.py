"""From what a user typed as base URL to the endpoint that is called: pure rules, no network."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from urllib.parse import SplitResult, parse_qsl, quote, unquote, urlencode, urlsplit

from s2s_desktop.errors import AssistantError, ErrorKind
from s2s_desktop.llm.config import BackendName
from s2s_desktop.llm.http import known_hosts
from s2s_desktop.llm.http.hosts import is_address, is_local_host

OPENAI_BASE_URL = "https://api.openai.com/v1"
API_PATHS: dict[BackendName, str] = {
    "responses-api": "/responses",
    "chat-completions": "/chat/completions",
}
"""What each backend appends to the base URL."""

_QUOTES = "\"'`“”‘’«»<>"
_INVISIBLE = "\u200b\u200c\u200d\u2060\ufeff\u00ad"
_SCHEME = re.compile(r"^([a-zA-Z][a-zA-Z0-9+.-]*)://")
_SCHEME_WITHOUT_SLASHES = re.compile(r"^(https?)(?::/?|//?)(?=[^/])(?!\d+(?:/|$))", re.IGNORECASE)
_TWICE = re.compile(r"^https?:/+(?=https?://)", re.IGNORECASE)
_API_SUFFIX = re.compile(r"/(responses|chat/completions|completions|models)$", re.IGNORECASE)
_HOST = re.compile(r"[a-z0-9_-]+(\.[a-z0-9_-]+)*\.?")


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where requests go.

    Attributes:
        base_url: Without a slash at the end; the SDK appends the path of the backend.
        query: Parameters of every request.
        final_url: The whole URL that is called, to be shown before saving.
        host: The host as it is shown, with a port unless it is the scheme's own.
        hostname: The host alone.
        is_local: On this computer or in its own network; such servers need no key and no proxy.
        is_openai: OpenAI's own service.
        key_header: The header that carries the key: `Authorization` (as a bearer) or `api-key`.
        warning: A sentence when something was changed or looks wrong, else "".
        suggestion: A base URL that is probably meant instead, else "".
        suggested_backend: The backend whose path the URL ended in, when it is the other one.
    """

    base_url: str
    query: tuple[tuple[str, str], ...]
    final_url: str
    host: str
    hostname: str
    is_local: bool
    is_openai: bool
    key_header: str = "Authorization"
    warning: str = ""
    suggestion: str = ""
    suggested_backend: BackendName | None = None


def normalize_base_url(text: str, backend: BackendName) -> Endpoint:
    """Return the endpoint that a typed base URL means.

    Trims spaces and quotation marks, adds a missing scheme (`http` for local hosts, `https` otherwise), moves
    the query aside, takes the path of an API call off, and appends `/v1` where there is no path. Paths of
    vendors such as `/openai/v1` stay.

    Args:
        text: The base URL as typed; "" is OpenAI.
        backend: The backend that will use it.

    Raises:
        AssistantError: BAD_REQUEST; the URL cannot be meant. The message says why.
    """
    cleaned = _clean(text)
    if not cleaned:
        cleaned = OPENAI_BASE_URL
    scheme, rest = _split_scheme(cleaned)
    parts = _split_host(f"{scheme or 'https'}://{rest}", text)
    hostname = parts.hostname or ""
    local = is_local_host(hostname)
    if not scheme:
        scheme = "http" if local else "https"
    warnings = []
    if hostname in ("0.0.0.0", "::"):  # noqa: S104 - typed by the user, replaced because Windows cannot reach it
        warnings.append(f"{hostname} is no address to call; 127.0.0.1 is used.")
        hostname = "127.0.0.1"
    if scheme == "http" and not local:
        warnings.append(
            "http:// sends the key and the conversation unencrypted; use https:// if the server has it."
        )
    path, suffix = _strip_path(parts.path)
    path = known_hosts.api_path(hostname, parts.port, path)
    host = _shown_host(scheme, hostname, parts.port)
    base_url = f"{scheme}://{host}{path}"
    query = tuple(parse_qsl(parts.query, keep_blank_values=True))
    shown_query = f"?{urlencode(query)}" if query else ""
    endpoint = Endpoint(
        base_url=base_url,
        query=query,
        final_url=f"{base_url}{API_PATHS[backend]}{shown_query}",
        host=host,
        hostname=hostname,
        is_local=local,
        is_openai=hostname == "api.openai.com",
        key_header=known_hosts.key_header(hostname),
        suggestion=known_hosts.suggestion(hostname, path),
    )
    if endpoint.suggestion:
        warnings.append(f"{host} is not where the API is; use {endpoint.suggestion} instead.")
    other = _other_backend(suffix, backend)
    if other:
        endpoint = replace(endpoint, suggested_backend=other)
        warnings.append(f"The URL ends in {suffix}, which belongs to the backend {other}; switch to it?")
    return replace(endpoint, warning=" ".join(warnings))


def _clean(text: str) -> str:
    invisible = dict.fromkeys(map(ord, _INVISIBLE))
    return text.translate(invisible).strip().strip(_QUOTES).strip().replace("\\", "/")


def _split_scheme(text: str) -> tuple[str, str]:
    """Return the scheme in lower case, "" when there is none, and what follows it."""
    text = _TWICE.sub("", text)
    text = _SCHEME_WITHOUT_SLASHES.sub(r"\1://", text) if not _SCHEME.match(text) else text
    match = _SCHEME.match(text)
    if not match:
        return "", text.lstrip("/")
    scheme = match[1].lower()
    if scheme not in ("http", "https"):
        raise _unusable(
            f"The base URL begins with {scheme}://. It must begin with https:// or http://.", text
        )
    return scheme, text[match.end() :].lstrip("/")


def _split_host(url: str, typed: str) -> SplitResult:
    bare_ipv6 = re.match(r"^(https?://)((?:[0-9a-fA-F]*:){2,}[0-9a-fA-F.]*)(/.*)?$", url)
    if bare_ipv6:
        url = f"{bare_ipv6[1]}[{bare_ipv6[2]}]{bare_ipv6[3] or ''}"
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise _unusable("The host or the port of the base URL is not valid.", typed) from None
    if parts.username is not None or parts.password is not None:
        raise AssistantError(
            ErrorKind.BAD_REQUEST,
            "The base URL holds a user name or password. Take it out, and enter a key in its own field.",
        )
    hostname = parts.hostname or ""
    if hostname in ("", "v1"):
        raise _unusable("The base URL has no host, such as api.openai.com or 127.0.0.1:8000.", typed)
    if port == 0 or not _is_host(hostname):
        raise _unusable("The host or the port of the base URL is not valid.", typed)
    return parts


def _is_host(hostname: str) -> bool:
    """Return whether a host can be looked up: an address, or a name that is ASCII or becomes so (IDNA)."""
    if ":" in hostname:
        return is_address(hostname)
    if not hostname.isascii():
        import idna

        try:
            hostname = idna.encode(hostname).decode()
        except idna.IDNAError:
            return False
    return _HOST.fullmatch(hostname) is not None


def _strip_path(path: str) -> tuple[str, str]:
    """Return the path without the path of an API call and without slashes at its end, and what was cut."""
    path = re.sub(r"/{2,}", "/", quote(unquote(path), safe="/:@!$&'()*+,;=~-._")).rstrip("/")
    match = _API_SUFFIX.search(path)
    suffix = match[0].lower() if match else ""
    if match:
        path = path[: match.start()].rstrip("/")
    return re.sub(r"(/v1)(/v1)+$", r"\1", path), suffix


def _other_backend(suffix: str, backend: BackendName) -> BackendName | None:
    return next((name for name, path in API_PATHS.items() if path == suffix and name != backend), None)


def _shown_host(scheme: str, hostname: str, port: int | None) -> str:
    host = f"[{hostname}]" if ":" in hostname else hostname
    own_port = {"http": 80, "https": 443}[scheme]
    return host if port in (None, own_port) else f"{host}:{port}"


def _unusable(why: str, typed: str) -> AssistantError:
    return AssistantError(ErrorKind.BAD_REQUEST, why, typed[:500])
