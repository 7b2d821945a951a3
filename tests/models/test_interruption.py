"""Killed, cancelled, or started twice: nothing is lost and nothing is corrupted."""

from __future__ import annotations

import asyncio
import subprocess
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from models.loopback import HoldAtHalf, Server
from models.small import WEIGHTS, WEIGHTS_URL
from s2s_desktop.errors import AssistantError
from s2s_desktop.models.progress import CancelToken, DownloadCancelledError
from s2s_desktop.models.records import FileState, ModelStatus
from s2s_desktop.models.store import ModelStore


def eventually(condition: Callable[[], bool]) -> None:
    """Wait for something another thread or process does."""
    deadline = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < deadline, "it did not happen"
        threading.Event().wait(0.005)


def bytes_there(partial: Path) -> int:
    return partial.stat().st_size if partial.exists() else 0


class TestStopping:
    def test_killed_at_half_it_resumes(
        self,
        hub: Server,
        store: ModelStore,
        work: Path,
        start_child: Callable[[], subprocess.Popen[str]],
    ) -> None:
        hold = HoldAtHalf()
        hub.behave(WEIGHTS_URL, hold)
        child = start_child()
        half = len(WEIGHTS) // 2
        eventually(lambda: bytes_there(work / "weights.bin.partial") == half)
        child.kill()
        child.wait(30)
        hold.go_on.set()

        assert store.status("small") is ModelStatus.PARTIAL
        store.ensure(["small"])
        assert store.file("small", "weights.bin").read_bytes() == WEIGHTS
        assert hub.asked_for(WEIGHTS_URL)[1].headers["range"] == f"bytes={half}-"

    def test_cancelled_it_ends_at_once_and_keeps_what_came(
        self, hub: Server, store: ModelStore, work: Path
    ) -> None:
        hold = HoldAtHalf()
        hub.behave(WEIGHTS_URL, hold)
        cancel = CancelToken()
        half = len(WEIGHTS) // 2

        def cancel_at_half() -> None:
            eventually(lambda: bytes_there(work / "weights.bin.partial") == half)
            cancel.set()

        watcher = threading.Thread(target=cancel_at_half)
        watcher.start()
        with pytest.raises(DownloadCancelledError):
            store.ensure(["small"], cancel=cancel)
        watcher.join()
        assert not hold.go_on.is_set(), "the server was still holding the other half"
        hold.go_on.set()

        store.ensure(["small"])
        assert hub.asked_for(WEIGHTS_URL)[1].headers["range"] == f"bytes={half}-"

    async def test_cancelling_the_task_ends_the_download(
        self, hub: Server, store: ModelStore, work: Path
    ) -> None:
        hold = HoldAtHalf()
        hub.behave(WEIGHTS_URL, hold)
        task = asyncio.create_task(store.ensure_async(["small"]))
        await asyncio.to_thread(eventually, lambda: bytes_there(work / "weights.bin.partial") > 0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        hold.go_on.set()
        assert store.status("small") is ModelStatus.PARTIAL

    async def test_progress_comes_on_the_event_loop(self, hub: Server, store: ModelStore) -> None:
        threads: list[threading.Thread] = []
        await store.ensure_async(["small"], lambda _progress: threads.append(threading.current_thread()))
        await asyncio.sleep(0)
        assert set(threads) == {threading.current_thread()}
        assert store.status("small") is ModelStatus.PRESENT

    async def test_an_error_comes_out_of_the_task(self, store: ModelStore) -> None:
        with pytest.raises(AssistantError, match="no model called"):
            await store.ensure_async(["unknown"])

    def test_two_processes_share_one_download(
        self, hub: Server, store: ModelStore, start_child: Callable[[], subprocess.Popen[str]]
    ) -> None:
        hold = HoldAtHalf()
        hub.behave(WEIGHTS_URL, hold)
        first = start_child()
        assert hold.half_sent.wait(30)
        second = start_child()
        assert second.stdout is not None
        assert second.stdout.readline() == (
            "Another S2S Desktop is downloading this model; waiting for it.\n"
        )
        with pytest.raises(AssistantError, match="is being downloaded"):
            store.remove("small")
        hold.go_on.set()
        assert [first.wait(30), second.wait(30)] == [0, 0]

        assert len(hub.asked_for(WEIGHTS_URL)) == 1
        assert [check.state for check in store.verify(["small"])] == [FileState.INTACT] * 2

    def test_waiting_for_another_process_can_be_cancelled(
        self, hub: Server, store: ModelStore, start_child: Callable[[], subprocess.Popen[str]]
    ) -> None:
        hold = HoldAtHalf()
        hub.behave(WEIGHTS_URL, hold)
        start_child()
        assert hold.half_sent.wait(30)
        cancel = CancelToken()
        with pytest.raises(DownloadCancelledError):
            store.ensure(["small"], lambda _progress: cancel.set(), cancel)
        hold.go_on.set()
