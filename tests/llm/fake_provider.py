"""A provider that does what a test tells it, on a real socket and down to the byte.

    with FakeProvider() as provider:
        provider.script(Reply(b"data: [DONE]\\n\\n"), repeat=True)
        ... point a client at provider.base_url ...
        provider.requests[0].json()

It runs on threads of its own, so it serves any kind of client: coroutines, the Qt loop, other processes.
"""

from __future__ import annotations

import json
import select
import socket
import ssl
import struct
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

LIMIT = 10.0
"""Seconds after which a wait for something that must happen has failed."""


@dataclass(frozen=True)
class Stall:
    """Send nothing more and wait until the client hangs up or the provider closes."""


@dataclass(frozen=True)
class Drop:
    """Reset the connection."""


@dataclass(frozen=True)
class WaitFor:
    """Wait for an event of the test before going on."""

    event: threading.Event


@dataclass(frozen=True)
class Set:
    """Tell the test that this point was reached."""

    event: threading.Event


@dataclass(frozen=True)
class Forever:
    """Send the same bytes until the client hangs up."""

    chunk: bytes


Step = bytes | Stall | Drop | WaitFor | Set | Forever


@dataclass(frozen=True)
class Reply:
    """One response.

    Attributes:
        steps: Its body, or the body in steps.
        status: HTTP status.
        content_type: "" sends none.
        headers: Further headers.
        mode: `chunked`, `length` (Content-Length) or `close` (ends with the connection).
        slice: Bytes per write, 0 for all of a step at once.
        before: What happens before the status line.
    """

    steps: bytes | Sequence[Step] = b""
    status: int = 200
    content_type: str = "text/event-stream"
    headers: dict[str, str] = field(default_factory=dict)
    mode: str = "chunked"
    slice: int = 0
    before: Sequence[Step] = ()


@dataclass
class Request:
    """One request as it came in.

    Attributes:
        method: POST, GET and so on.
        target: Path and query.
        headers: With names in lower case.
        body: The whole body.
        disconnected: Set when the client hung up before the reply was finished.
        disconnected_at: When, on the monotonic clock.
    """

    method: str
    target: str
    headers: dict[str, str]
    body: bytes
    connection: int = 0
    disconnected: threading.Event = field(default_factory=threading.Event)
    disconnected_at: float = 0.0

    def json(self) -> dict[str, object]:
        """Return the body as a JSON object."""
        value = json.loads(self.body)
        assert isinstance(value, dict)
        return value


_TLS_HANDSHAKE = b"\x16"

Script = Callable[[Request], Reply]


class _HungUp(Exception):
    pass


class FakeProvider:
    """A scriptable HTTP/1.1 server on loopback.

    Args:
        tls: Speak TLS with this context.
        hostname: The host in `base_url`.
    """

    def __init__(self, tls: ssl.SSLContext | None = None, hostname: str = "127.0.0.1") -> None:
        self.requests: list[Request] = []
        self.connections = 0
        self._tls = tls
        self._script: Script = lambda request: Reply(b'{"error":"no script"}', status=500)
        self._lock = threading.Condition()
        self._closing = threading.Event()
        self._threads: list[threading.Thread] = []
        self._sockets: list[socket.socket] = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self.base_url = f"{'https' if tls else 'http'}://{hostname}:{self.port}/v1"
        self._start(self._accept, "provider")

    def script(self, *replies: Reply, repeat: bool = False) -> None:
        """Answer the requests that follow with these replies in turn.

        Args:
            replies: The replies.
            repeat: Go on with the last one; otherwise a request too many gets status 500.
        """
        waiting = list(replies)

        def next_reply(request: Request) -> Reply:
            if len(waiting) == 1 and repeat:
                return waiting[0]
            return waiting.pop(0) if waiting else Reply(b'{"error":"one request too many"}', status=500)

        self._script = next_reply

    def answer(self, script: Script) -> None:
        """Answer every request that follows by calling `script`."""
        self._script = script

    def wait_for_request(self, number: int = 0) -> Request:
        """Return a request, waiting until it has come in."""
        with self._lock:
            assert self._lock.wait_for(lambda: len(self.requests) > number, LIMIT), "no such request came in"
            return self.requests[number]

    def wait_for_disconnect(self, number: int = 0) -> Request:
        """Return a request whose client hung up, waiting until it has."""
        request = self.wait_for_request(number)
        assert request.disconnected.wait(LIMIT), "the client stayed connected"
        return request

    def hang_up(self) -> None:
        """Close every connection, as servers do with idle ones."""
        with self._lock:
            sockets, self._sockets = self._sockets, []
        for connection in sockets:
            _shut(connection)

    def close(self) -> None:
        """Hang up and stop. Idempotent."""
        if self._closing.is_set():
            return
        self._closing.set()
        socket.create_connection(("127.0.0.1", self.port)).close()  # Wakes the thread that accepts.
        self.hang_up()
        for thread in self._threads:
            thread.join(LIMIT)

    def __enter__(self) -> FakeProvider:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _start(self, work: Callable[[], None], name: str) -> None:
        thread = threading.Thread(target=work, name=name, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _accept(self) -> None:
        while True:
            raw, _ = self._listener.accept()
            if self._closing.is_set():
                raw.close()
                self._listener.close()
                return
            raw.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            with self._lock:
                self.connections += 1
                number = self.connections
                self._sockets.append(raw)
            self._start(lambda raw=raw, number=number: self._serve(raw, number), f"connection {number}")

    def _serve(self, raw: socket.socket, number: int) -> None:
        connection = raw
        try:
            if self._tls is not None:
                connection = self._tls.wrap_socket(raw, server_side=True)
                with self._lock:
                    self._sockets.append(connection)
            elif raw.recv(1, socket.MSG_PEEK) == _TLS_HANDSHAKE:
                raw.sendall(b"HTTP/1.1 400 This is no TLS server\r\n\r\n")
                return
            reader = connection.makefile("rb")
            while (request := _read_request(reader, number)) is not None:
                reply = self._script(request)
                with self._lock:
                    self.requests.append(request)
                    self._lock.notify_all()
                try:
                    self._send(connection, reply)
                except (_HungUp, OSError):
                    request.disconnected_at = time.monotonic()
                    request.disconnected.set()
                    return
                if reply.mode == "close":
                    return
        except (OSError, ValueError):
            return
        finally:
            _shut(connection)
            connection.close()

    def _send(self, connection: socket.socket, reply: Reply) -> None:
        for step in reply.before:
            self._do(connection, step, lambda data: data, 0)
        steps = [reply.steps] if isinstance(reply.steps, bytes) else list(reply.steps)
        head = [f"HTTP/1.1 {reply.status} Scripted"]
        if reply.content_type:
            head.append(f"Content-Type: {reply.content_type}")
        if reply.mode == "chunked":
            head.append("Transfer-Encoding: chunked")
        elif reply.mode == "length":
            length = sum(len(step) for step in steps if isinstance(step, bytes))
            head.append(f"Content-Length: {length}")
        else:
            head.append("Connection: close")
        head += [f"{name}: {value}" for name, value in reply.headers.items()]
        connection.sendall(("\r\n".join(head) + "\r\n\r\n").encode("latin-1"))
        frame = _chunk if reply.mode == "chunked" else _plain
        for step in steps:
            self._do(connection, step, frame, reply.slice)
        if reply.mode == "chunked":
            connection.sendall(b"0\r\n\r\n")

    def _do(
        self, connection: socket.socket, step: Step, frame: Callable[[bytes], bytes], slice_size: int
    ) -> None:
        if isinstance(step, bytes):
            size = slice_size or len(step)
            for start in range(0, len(step), max(size, 1)):
                connection.sendall(frame(step[start : start + size]))
        elif isinstance(step, Forever):
            while True:
                connection.sendall(frame(step.chunk))
        elif isinstance(step, Stall):
            self._wait(connection, self._closing)
            raise _HungUp
        elif isinstance(step, WaitFor):
            self._wait(connection, step.event)
        elif isinstance(step, Set):
            step.event.set()
        else:
            # With a linger time of 0 closing sends a reset.
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            connection.close()
            raise _HungUp

    def _wait(self, connection: socket.socket, event: threading.Event) -> None:
        """Wait for an event, and notice when the client hangs up meanwhile."""
        while not event.is_set() and not self._closing.is_set():
            readable, _, _ = select.select([connection], [], [], 0.01)
            if readable:
                try:
                    gone = connection.recv(1) == b""
                except OSError:
                    gone = True
                if gone:
                    raise _HungUp


def _read_request(reader: object, number: int) -> Request | None:
    line = reader.readline()  # type: ignore[attr-defined]
    if not line.strip():
        return None
    method, target, _ = line.decode("latin-1").split(" ", 2)
    headers: dict[str, str] = {}
    while line := reader.readline().decode("latin-1").strip():  # type: ignore[attr-defined]
        name, _, value = line.partition(":")
        headers[name.lower()] = value.strip()
    body = reader.read(int(headers.get("content-length", "0")))  # type: ignore[attr-defined]
    return Request(method, target, headers, body, number)


def _chunk(data: bytes) -> bytes:
    return f"{len(data):x}\r\n".encode() + data + b"\r\n" if data else b""


def _plain(data: bytes) -> bytes:
    return data


def _shut(connection: socket.socket) -> None:
    try:
        connection.shutdown(socket.SHUT_RDWR)
    except OSError:
        return
