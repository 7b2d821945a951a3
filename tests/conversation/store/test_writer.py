"""The writing thread: who waits is served at once, also behind a failure."""

from __future__ import annotations

import threading
import time

import pytest

from s2s_desktop.conversation.store import writer as writer_module
from s2s_desktop.conversation.store.writer import Writer


def test_who_begins_to_wait_while_a_save_fails_does_not_wait_for_the_next_try(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(writer_module, "_RETRY_S", 3_600.0)
    saving, may_fail = threading.Event(), threading.Event()

    def save() -> float | None:
        if may_fail.is_set():
            return 0.0
        saving.set()
        assert may_fail.wait(10)
        return None

    writer = Writer(save, "test writer")
    writer.request(urgent=False)
    assert saving.wait(10)
    served: list[bool] = []
    waiter = threading.Thread(target=lambda: served.append(writer.flush(10)))
    waiter.start()
    while not writer._asked:
        time.sleep(0.001)
    may_fail.set()
    waiter.join(10)
    assert served == [True]
    writer.close(10)
