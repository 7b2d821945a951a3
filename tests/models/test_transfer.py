"""One file over real sockets: resume, retries, and never a wrong byte."""

from __future__ import annotations

from pathlib import Path

from models.loopback import Server, answer, cut_at, ignore_range, redirect, serve_instead, wrong_range
from models.small import CHANGED, CONFIG, WEIGHTS, WEIGHTS_URL, Recorder
from s2s_desktop.models.progress import DownloadProgress
from s2s_desktop.models.records import ModelStatus
from s2s_desktop.models.store import ModelStore


def keep_partial(work: Path, data: bytes) -> None:
    work.mkdir(parents=True)
    (work / "weights.bin.partial").write_bytes(data)


class TestFromTheHub:
    def test_brings_every_file_and_leaves_nothing_else(
        self, hub: Server, store: ModelStore, recorder: Recorder, work: Path
    ) -> None:
        store.ensure(["small"], recorder)

        assert store.file("small", "weights.bin").read_bytes() == WEIGHTS
        assert store.file("small", "config.json").read_bytes() == CONFIG
        assert store.status("small") is ModelStatus.PRESENT
        assert not work.exists()
        total = len(WEIGHTS) + len(CONFIG)
        assert recorder.reports[-1] == DownloadProgress(
            "small", "Small model", total, total, "the Hugging Face Hub"
        )
        assert recorder.notes == []

    def test_goes_on_where_a_cut_connection_ended(self, hub: Server, store: ModelStore) -> None:
        hub.behave(WEIGHTS_URL, cut_at(0.5), cut_at(0.5))
        store.ensure(["small"])

        assert store.file("small", "weights.bin").read_bytes() == WEIGHTS
        ranges = [request.headers.get("range") for request in hub.asked_for(WEIGHTS_URL)]
        assert ranges == [None, "bytes=1500000-", "bytes=2250000-"]

    def test_uses_a_partial_file_of_an_earlier_run(self, hub: Server, store: ModelStore, work: Path) -> None:
        keep_partial(work, WEIGHTS[:1_000_000])
        assert store.status("small") is ModelStatus.PARTIAL
        store.ensure(["small"])

        assert store.file("small", "weights.bin").read_bytes() == WEIGHTS
        assert [request.headers["range"] for request in hub.asked_for(WEIGHTS_URL)] == ["bytes=1000000-"]

    def test_starts_again_when_the_server_ignores_the_range(
        self, hub: Server, store: ModelStore, work: Path
    ) -> None:
        keep_partial(work, WEIGHTS[:1_000_000])
        hub.behave(WEIGHTS_URL, ignore_range)
        store.ensure(["small"])
        assert store.file("small", "weights.bin").read_bytes() == WEIGHTS

    def test_starts_again_when_the_server_sends_another_range(
        self, hub: Server, store: ModelStore, work: Path
    ) -> None:
        keep_partial(work, WEIGHTS[:1_000_000])
        hub.behave(WEIGHTS_URL, wrong_range)
        store.ensure(["small"])
        assert store.file("small", "weights.bin").read_bytes() == WEIGHTS

    def test_starts_again_when_the_range_is_not_satisfiable(
        self, hub: Server, store: ModelStore, work: Path
    ) -> None:
        keep_partial(work, WEIGHTS[:1_000_000])
        hub.behave(WEIGHTS_URL, answer(416))
        store.ensure(["small"])
        assert store.file("small", "weights.bin").read_bytes() == WEIGHTS

    def test_starts_again_when_the_file_changed_on_the_server(self, hub: Server, store: ModelStore) -> None:
        hub.files[WEIGHTS_URL] = CHANGED
        hub.behave(WEIGHTS_URL, cut_at(0.5), serve_instead(WEIGHTS))
        store.ensure(["small"])

        second = hub.asked_for(WEIGHTS_URL)[1]
        assert second.headers["if-range"] == '"one"'
        assert store.file("small", "weights.bin").read_bytes() == WEIGHTS
        assert len(hub.asked_for(WEIGHTS_URL)) == 2

    def test_drops_a_partial_file_that_is_too_long(self, hub: Server, store: ModelStore, work: Path) -> None:
        keep_partial(work, WEIGHTS + b"more")
        store.ensure(["small"])
        assert store.file("small", "weights.bin").read_bytes() == WEIGHTS
        assert "range" not in hub.asked_for(WEIGHTS_URL)[0].headers

    def test_asks_for_nothing_when_only_the_check_was_missing(
        self, hub: Server, store: ModelStore, work: Path
    ) -> None:
        keep_partial(work, WEIGHTS)
        store.ensure(["small"])
        assert hub.asked_for(WEIGHTS_URL) == []
        assert store.status("small") is ModelStatus.PRESENT

    def test_fetches_again_what_arrived_damaged(self, hub: Server, store: ModelStore) -> None:
        hub.behave(WEIGHTS_URL, serve_instead(CHANGED))
        store.ensure(["small"])
        assert store.file("small", "weights.bin").read_bytes() == WEIGHTS

    def test_fetches_again_when_the_partial_file_was_damaged(
        self, hub: Server, store: ModelStore, work: Path
    ) -> None:
        keep_partial(work, CHANGED[:1_000_000])
        store.ensure(["small"])
        assert store.file("small", "weights.bin").read_bytes() == WEIGHTS

    def test_tries_again_when_the_server_is_busy(self, hub: Server, store: ModelStore) -> None:
        hub.behave(WEIGHTS_URL, answer(503), answer(429))
        store.ensure(["small"])
        assert len(hub.asked_for(WEIGHTS_URL)) == 3

    def test_follows_redirects(self, hub: Server, store: ModelStore) -> None:
        with Server() as far:
            far.files["/blob"] = WEIGHTS
            hub.behave(WEIGHTS_URL, redirect(f"{far.url}/blob"))
            store.ensure(["small"])
        assert store.file("small", "weights.bin").read_bytes() == WEIGHTS


def test_the_server_of_these_tests_honors_ranges(hub: Server) -> None:
    """Guards the tests above: the server honors ranges, so that a resumed download is a real one."""
    import httpx2

    response = httpx2.get(f"{hub.url}{WEIGHTS_URL}", headers={"Range": "bytes=10-"})
    assert (response.status_code, response.content) == (206, WEIGHTS[10:])
