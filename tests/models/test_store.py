"""What is on the disk: present, partial, damaged; found out cheaply, and by hashing."""

from __future__ import annotations

import dataclasses
import json
import os
import socket
import sys
from pathlib import Path

import pytest

from models.loopback import Server
from models.small import CONFIG, WEIGHTS, WEIGHTS_URL, Recorder, StoreMaker, small_model
from s2s_desktop.errors import AssistantError, ErrorKind
from s2s_desktop.models import folders
from s2s_desktop.models.records import FileState, ModelStatus
from s2s_desktop.models.store import ModelStore


def flip_a_byte(path: Path, at: int = 1000) -> None:
    with path.open("r+b") as file:
        file.seek(at)
        byte = file.read(1)[0]
        file.seek(at)
        file.write(bytes([byte ^ 0x40]))


def flip_unnoticed(path: Path) -> None:
    """What a rotting disk does: other bytes, the same size and time."""
    before = path.stat()
    flip_a_byte(path)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


@pytest.fixture
def hashed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Names of the files that are hashed."""
    names: list[str] = []
    hash_file = folders.sha256_of

    def watch(path: Path) -> str:
        names.append(path.name)
        return hash_file(path)

    monkeypatch.setattr(folders, "sha256_of", watch)
    return names


def put_by_hand(folder: Path) -> None:
    folder.mkdir(parents=True)
    (folder / "weights.bin").write_bytes(WEIGHTS)
    (folder / "config.json").write_bytes(CONFIG)


class TestStatus:
    def test_of_nothing(self, store: ModelStore, model_folder: Path) -> None:
        assert store.status("small") is ModelStatus.MISSING
        assert store.folder("small") == model_folder
        assert not model_folder.exists(), "looking makes no folders"

    def test_of_a_model_put_there_by_hand(
        self, store: ModelStore, model_folder: Path, hashed: list[str]
    ) -> None:
        put_by_hand(model_folder)
        assert store.status("small") is ModelStatus.PRESENT
        assert sorted(hashed) == ["config.json", "weights.bin"]

    def test_hashes_nothing_the_second_time(
        self, store: ModelStore, make_store: StoreMaker, model_folder: Path, hashed: list[str]
    ) -> None:
        put_by_hand(model_folder)
        store.ensure(["small"])
        hashed.clear()
        make_store().ensure(["small"])
        assert make_store().status("small") is ModelStatus.PRESENT
        assert hashed == []

    def test_of_some_files(self, store: ModelStore, model_folder: Path) -> None:
        put_by_hand(model_folder)
        (model_folder / "config.json").unlink()
        assert store.status("small") is ModelStatus.PARTIAL

    def test_of_a_file_that_is_too_short(self, store: ModelStore, model_folder: Path) -> None:
        put_by_hand(model_folder)
        (model_folder / "weights.bin").write_bytes(WEIGHTS[:-1])
        assert store.status("small") is ModelStatus.DAMAGED

    def test_of_a_file_that_was_touched_but_not_changed(
        self, store: ModelStore, model_folder: Path, hashed: list[str]
    ) -> None:
        put_by_hand(model_folder)
        store.status("small")
        hashed.clear()
        os.utime(model_folder / "weights.bin")
        assert store.status("small") is ModelStatus.PRESENT
        assert hashed == ["weights.bin"]

    @pytest.mark.parametrize("receipt", ["", "[]", '{"weights.bin": 1}', '{"weights.bin": {"size": 1}}'])
    def test_survives_a_damaged_receipt(self, store: ModelStore, model_folder: Path, receipt: str) -> None:
        put_by_hand(model_folder)
        (model_folder / ".verified.json").write_text(receipt)
        assert store.status("small") is ModelStatus.PRESENT

    def test_of_a_directory_in_the_place_of_a_file(self, store: ModelStore, model_folder: Path) -> None:
        (model_folder / "weights.bin").mkdir(parents=True)
        assert store.status("small") is ModelStatus.MISSING

    def test_of_an_unknown_model(self, store: ModelStore) -> None:
        with pytest.raises(
            AssistantError, match=r"There is no model called “nope”\. Known models: small\."
        ) as caught:
            store.status("nope")
        assert caught.value.kind is ErrorKind.MODEL_MISSING

    def test_a_new_version_in_the_catalog_is_fetched(
        self, hub: Server, store: ModelStore, make_store: StoreMaker
    ) -> None:
        store.ensure(["small"])
        newer = WEIGHTS[::-1]
        hub.files[WEIGHTS_URL] = newer
        updated = make_store(small_model(newer))
        assert updated.status("small") is ModelStatus.DAMAGED
        updated.ensure(["small"])
        assert updated.file("small", "weights.bin").read_bytes() == newer


class TestDamage:
    def test_a_flipped_byte_is_noticed_at_the_next_start_and_mended(
        self, hub: Server, store: ModelStore, make_store: StoreMaker, recorder: Recorder
    ) -> None:
        store.ensure(["small"])
        weights = store.file("small", "weights.bin")
        flip_a_byte(weights)

        later = make_store()
        assert later.status("small") is ModelStatus.DAMAGED
        later.ensure(["small"], recorder)
        assert weights.read_bytes() == WEIGHTS
        assert recorder.notes == ["weights.bin is damaged and is fetched again."]
        assert len(hub.asked_for(WEIGHTS_URL)) == 2
        assert len(hub.asked) == 3, "the intact file is not fetched again"

    def test_verify_names_the_damaged_file(self, hub: Server, store: ModelStore) -> None:
        store.ensure(["small"])
        flip_a_byte(store.file("small", "weights.bin"))
        found = {check.file: check.state for check in store.verify()}
        assert found == {"weights.bin": FileState.DAMAGED, "config.json": FileState.INTACT}

    def test_verify_sees_what_the_quick_look_cannot_and_the_next_start_mends_it(
        self, hub: Server, store: ModelStore, make_store: StoreMaker
    ) -> None:
        store.ensure(["small"])
        weights = store.file("small", "weights.bin")
        flip_unnoticed(weights)
        assert store.status("small") is ModelStatus.PRESENT, "documented: size and time are as before"

        assert [check.state for check in store.verify(["small"])] == [FileState.DAMAGED, FileState.INTACT]
        later = make_store()
        assert later.status("small") is ModelStatus.DAMAGED
        later.ensure(["small"])
        assert weights.read_bytes() == WEIGHTS

    def test_the_damaged_file_stays_until_there_is_a_better_one(
        self, hub: Server, store: ModelStore, no_hub: None, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("HF_ENDPOINT", hub.url)
        store.ensure(["small"])
        flip_a_byte(store.file("small", "weights.bin"))
        monkeypatch.setenv("HF_HUB_OFFLINE", "1")
        monkeypatch.setenv("PIP_INDEX_URL", f"{hub.url}/simple")
        with pytest.raises(AssistantError, match="could not be downloaded"):
            store.ensure(["small"])
        assert store.status("small") is ModelStatus.DAMAGED

    def test_verify_of_a_model_that_is_not_there(self, store: ModelStore) -> None:
        assert [check.state for check in store.verify(["small"])] == [FileState.MISSING] * 2
        assert store.verify() == ()


class TestRows:
    def test_can_be_written_as_json(self, store: ModelStore, model_folder: Path) -> None:
        rows = json.loads(json.dumps([dataclasses.asdict(row) for row in store.list()]))
        assert rows == [
            {
                "name": "small",
                "title": "Small model",
                "role": "stt",
                "license": "MIT",
                "summary": "For tests.",
                "size": len(WEIGHTS) + len(CONFIG),
                "default": True,
                "status": "missing",
                "folder": str(model_folder),
            }
        ]
        checks = json.loads(json.dumps([dataclasses.asdict(check) for check in store.verify(["small"])]))
        assert checks[0]["state"] == "missing"
        assert checks[0]["path"] == str(model_folder / "weights.bin")

    def test_a_file_that_is_not_there_is_named_with_the_remedy(self, store: ModelStore) -> None:
        with pytest.raises(AssistantError, match="s2s-desktop models get small"):
            store.file("small", "weights.bin")


class TestRemove:
    def test_deletes_the_files_and_says_how_much_it_freed(
        self, hub: Server, store: ModelStore, model_folder: Path
    ) -> None:
        store.ensure(["small"])
        freed = store.remove("small")
        assert freed >= len(WEIGHTS) + len(CONFIG)
        assert not model_folder.exists()
        assert store.status("small") is ModelStatus.MISSING

    def test_deletes_partial_files(self, store: ModelStore, work: Path) -> None:
        work.mkdir(parents=True)
        (work / "weights.bin.partial").write_bytes(b"half")
        store.remove("small")
        assert store.status("small") is ModelStatus.MISSING

    def test_keeps_what_is_not_ours(self, store: ModelStore, model_folder: Path) -> None:
        put_by_hand(model_folder)
        (model_folder / "notes.txt").write_text("mine")
        store.remove("small")
        assert [path.name for path in model_folder.iterdir()] == ["notes.txt"]

    def test_of_nothing_frees_nothing(self, store: ModelStore) -> None:
        assert store.remove("small") == 0


class TestSuppliedFolder:
    @pytest.fixture
    def supplied(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
        folder = tmp_path / "supplied"
        put_by_hand(folder / "small")
        monkeypatch.setenv("S2S_DESKTOP_MODELS", str(folder))
        return folder / "small"

    def test_is_used_and_not_written_to(
        self, supplied: Path, make_store: StoreMaker, hashed: list[str]
    ) -> None:
        store = make_store()
        store.ensure(["small"])
        assert store.file("small", "weights.bin") == supplied / "weights.bin"
        assert sorted(path.name for path in supplied.iterdir()) == ["config.json", "weights.bin"]

        hashed.clear()
        assert make_store().status("small") is ModelStatus.PRESENT
        assert hashed == [], "its receipt is kept with the state"

    def test_beside_the_frozen_program(
        self, tmp_path: Path, make_store: StoreMaker, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        put_by_hand(tmp_path / "app" / "models" / "small")
        monkeypatch.setattr(sys, "frozen", True, raising=False)
        monkeypatch.setattr(sys, "executable", str(tmp_path / "app" / "s2s-desktop"))
        assert make_store().folder("small") == tmp_path / "app" / "models" / "small"

    def test_that_is_damaged_is_not_used(
        self, hub: Server, supplied: Path, make_store: StoreMaker, model_folder: Path
    ) -> None:
        flip_a_byte(supplied / "weights.bin")
        store = make_store()
        assert store.status("small") is ModelStatus.MISSING
        store.ensure(["small"])
        assert store.folder("small") == model_folder

    def test_is_not_removed(self, supplied: Path, make_store: StoreMaker) -> None:
        with pytest.raises(AssistantError, match="came with the program"):
            make_store().remove("small")
        assert (supplied / "weights.bin").exists()


def test_nothing_touches_the_network_once_everything_is_there(
    hub: Server, store: ModelStore, make_store: StoreMaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.ensure(["small"])

    def refuse(*_arguments: object) -> None:
        raise AssertionError("a socket was connected")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    later = make_store()
    later.ensure(["small"])
    assert later.status("small") is ModelStatus.PRESENT
    assert later.list()[0].status is ModelStatus.PRESENT
    assert {check.state for check in later.verify()} == {FileState.INTACT}
