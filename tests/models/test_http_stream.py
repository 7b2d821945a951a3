"""How long each wait may take."""

from __future__ import annotations

import threading
from types import SimpleNamespace

import httpx2
import pytest

from models.loopback import Behavior, Handler, Server, redirect, serve
from s2s_desktop.models import http_stream
from s2s_desktop.models.http_stream import HttpStream, Limits, StalledError
from s2s_desktop.models.progress import CancelToken

LIMITS = Limits(step_s=5.0, stall_s=20.0)


class Clock:
    """A clock that stands still until somebody moves it."""

    def __init__(self) -> None:
        self._now = 0.0
        self._read = threading.Event()

    def monotonic(self) -> float:
        self._read.set()
        return self._now

    def pass_by(self, seconds: float) -> None:
        """Move on, and wait until the reader has looked at the clock again."""
        self._now += seconds
        for _ in range(2):
            self._read.clear()
            self._read.wait(10)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(http_stream, "time", SimpleNamespace(monotonic=clock.monotonic))
    return clock


def after(seconds: float, clock: Clock, then: Behavior) -> Behavior:
    def behavior(handler: Handler, body: bytes) -> None:
        clock.pass_by(seconds)
        then(handler, body)

    return behavior


def read(url: str) -> bytes:
    with (
        httpx2.Client(follow_redirects=True) as client,
        HttpStream(client, url, {}, LIMITS, CancelToken()) as stream,
    ):
        return b"".join(stream)


def test_each_redirect_may_take_its_time(clock: Clock) -> None:
    with Server() as server:
        server.files = {"/here": b"", "/there": b"found"}
        server.behave("/here", after(4, clock, redirect("/there")))
        server.behave("/there", after(4, clock, serve))
        assert read(f"{server.url}/here") == b"found"


def test_an_answer_that_takes_too_long_is_given_up(clock: Clock) -> None:
    with Server() as server:
        server.files = {"/here": b"too late"}
        # Twice: the first may pass before the last step of connecting has been noticed.
        server.behave("/here", after(6, clock, after(6, clock, serve)))
        with pytest.raises(StalledError, match="nothing came for 5 s"):
            read(f"{server.url}/here")


def test_a_slow_body_is_read_to_its_end(clock: Clock) -> None:
    def slowly(handler: Handler, body: bytes) -> None:
        handler.begin(200, len(body))
        for byte in body:
            clock.pass_by(15)
            handler.send(bytes([byte]))

    with Server() as server:
        server.files = {"/here": b"slow"}
        server.behave("/here", slowly)
        assert read(f"{server.url}/here") == b"slow"
