"""The Hugging Face Hub: the cache of other programs is used, the token stays with the Hub."""

from __future__ import annotations

from pathlib import Path

import pytest

from models.loopback import Server, answer, redirect
from models.small import CHANGED, HUB_PATH, WEIGHTS, WEIGHTS_URL, Recorder
from s2s_desktop.models.store import ModelStore


def cache_file(tmp_path: Path, data: bytes) -> Path:
    repository = tmp_path / "hf-cache" / "models--someone--small"
    (repository / "refs").mkdir(parents=True)
    (repository / "refs" / "main").write_text("c" * 40)
    cached = repository / "snapshots" / ("c" * 40) / "weights.bin"
    cached.parent.mkdir(parents=True)
    cached.write_bytes(data)
    return cached


class TestCache:
    def test_takes_a_cached_file_of_other_programs(
        self, hub: Server, store: ModelStore, tmp_path: Path, recorder: Recorder
    ) -> None:
        cache_file(tmp_path, WEIGHTS)
        store.ensure(["small"], recorder)

        assert hub.asked_for(WEIGHTS_URL) == []
        assert store.file("small", "weights.bin").read_bytes() == WEIGHTS
        assert recorder.notes == ["Found in the Hugging Face cache."]

    def test_leaves_a_damaged_cached_file_alone(self, hub: Server, store: ModelStore, tmp_path: Path) -> None:
        cached = cache_file(tmp_path, CHANGED)
        store.ensure(["small"])

        assert store.file("small", "weights.bin").read_bytes() == WEIGHTS
        assert cached.read_bytes() == CHANGED


class TestToken:
    def test_the_hub_token_goes_to_the_hub_alone(
        self, hub: Server, index: Server, store: ModelStore, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("HF_TOKEN", "hf_canary")
        with Server() as storage:
            storage.files["/blob"] = WEIGHTS
            hub.behave(WEIGHTS_URL, redirect(f"{storage.url}/blob"))
            hub.behave(f"{HUB_PATH}/config.json", answer(404))
            store.ensure(["small"])

        assert hub.asked_for(WEIGHTS_URL)[0].headers["authorization"] == "Bearer hf_canary"
        for request in [*storage.asked, *index.asked]:
            assert "hf_canary" not in str(request.headers)
        assert storage.asked
        assert index.asked

    def test_a_token_that_cannot_be_one_is_not_sent(
        self, hub: Server, store: ModelStore, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("HF_TOKEN", "two words\nä")
        store.ensure(["small"])
        assert all("authorization" not in request.headers for request in hub.asked)
