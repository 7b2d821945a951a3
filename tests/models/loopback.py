"""A real HTTP server on loopback whose answers can be scripted."""

from __future__ import annotations

import hashlib
import re
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Self


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


@dataclass
class Asked:
    """A request that came in."""

    path: str
    headers: dict[str, str]


Behavior = Callable[["Handler", bytes], None]


@dataclass
class Server:
    """Serves bytes by path, with ranges and ETags; `behave` scripts the next answers for a path."""

    files: dict[str, bytes] = field(default_factory=dict)
    types: dict[str, str] = field(default_factory=dict)
    asked: list[Asked] = field(default_factory=list)
    sent_bytes: int = 0
    _scripts: dict[str, list[Behavior]] = field(default_factory=dict)

    def __enter__(self) -> Self:
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._http.daemon_threads = True
        self._http.owner = self  # type: ignore[attr-defined]
        self.host = f"127.0.0.1:{self._http.server_port}"
        self.url = f"http://{self.host}"
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.01,))
        self._thread.start()
        return self

    def __exit__(self, *_exc: object) -> None:
        self._http.shutdown()
        self._thread.join()
        self._http.server_close()

    def behave(self, path: str, *behaviors: Behavior) -> None:
        self._scripts.setdefault(path, []).extend(behaviors)

    def next_behavior(self, path: str) -> Behavior:
        script = self._scripts.get(path)
        return script.pop(0) if script else serve

    def asked_for(self, path: str) -> list[Asked]:
        return [request for request in self.asked if request.path == path]


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    @property
    def owner(self) -> Server:
        return self.server.owner  # type: ignore[attr-defined,no-any-return]

    def do_GET(self) -> None:
        self.owner.asked.append(
            Asked(self.path, {name.lower(): value for name, value in self.headers.items()})
        )
        behavior = self.owner.next_behavior(self.path)
        body = self.owner.files.get(self.path)
        if body is None and behavior is serve:
            answer(404)(self, b"")
            return
        try:
            behavior(self, body or b"")
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True

    def begin(self, status: int, length: int, **headers: str) -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(length))
        self.send_header("Content-Type", self.owner.types.get(self.path, "application/octet-stream"))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()

    def send(self, data: bytes) -> None:
        self.wfile.write(data)
        self.owner.sent_bytes += len(data)

    def log_message(self, *_args: object) -> None:
        pass


def serve(handler: Handler, body: bytes) -> None:
    """What a good server does."""
    etag = f'"{sha256(body)[:16]}"'
    wanted = re.fullmatch(r"bytes=(\d+)-", handler.headers.get("Range", ""))
    if wanted is None or handler.headers.get("If-Range", etag) != etag:
        handler.begin(200, len(body), ETag=etag)
        handler.send(body)
        return
    start = int(wanted[1])
    if start >= len(body):
        handler.begin(416, 0, Content_Range=f"bytes */{len(body)}")
        return
    handler.begin(
        206, len(body) - start, ETag=etag, Content_Range=f"bytes {start}-{len(body) - 1}/{len(body)}"
    )
    handler.send(body[start:])


def answer(status: int, **headers: str) -> Behavior:
    return lambda handler, _body: handler.begin(status, 0, **headers)


def redirect(url: str) -> Behavior:
    return answer(302, Location=url)


def ignore_range(handler: Handler, body: bytes) -> None:
    handler.begin(200, len(body))
    handler.send(body)


def serve_instead(other: bytes) -> Behavior:
    return lambda handler, _body: serve(handler, other)


def send_more(handler: Handler, body: bytes) -> None:
    """Say no length, and send more than there should be."""
    handler.send_response(200)
    handler.send_header("Connection", "close")
    handler.end_headers()
    handler.send(body + b"more")
    handler.close_connection = True


def wrong_range(handler: Handler, body: bytes) -> None:
    handler.begin(206, len(body), Content_Range=f"bytes 0-{len(body) - 1}/{len(body)}")
    handler.send(body)


def cut_at(share: float, *, of_rest: bool = True) -> Behavior:
    """Promise everything, send a share of it, and hang up."""

    def behavior(handler: Handler, body: bytes) -> None:
        wanted = re.fullmatch(r"bytes=(\d+)-", handler.headers.get("Range", ""))
        start = int(wanted[1]) if wanted and of_rest else 0
        rest = body[start:]
        if start:
            span = f"bytes {start}-{len(body) - 1}/{len(body)}"
            handler.begin(206, len(rest), ETag='"one"', Content_Range=span)
        else:
            handler.begin(200, len(rest), ETag='"one"')
        handler.send(rest[: int(len(rest) * share)])
        handler.close_connection = True

    return behavior


class HoldAtHalf:
    """Sends half, says so, and waits until it may go on."""

    def __init__(self) -> None:
        self.half_sent = threading.Event()
        self.go_on = threading.Event()

    def __call__(self, handler: Handler, body: bytes) -> None:
        handler.begin(200, len(body), ETag=f'"{sha256(body)[:16]}"')
        half = len(body) // 2
        handler.send(body[:half])
        self.half_sent.set()
        self.go_on.wait(60)
        handler.send(body[half:])


class Silent:
    """Takes the request and never answers."""

    def __init__(self) -> None:
        self.release = threading.Event()

    def __call__(self, handler: Handler, _body: bytes) -> None:
        self.release.wait(60)
        handler.close_connection = True
