"""Full and read-only disks: one clear sentence, nothing half-written under a final name."""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from models.loopback import Server
from models.small import WEIGHTS, WEIGHTS_URL, StoreMaker
from s2s_desktop.errors import AssistantError, ErrorKind
from s2s_desktop.models import disk
from s2s_desktop.models.disk import in_words, put_in_place, require_space, storage_errors
from s2s_desktop.models.records import ModelStatus
from s2s_desktop.models.store import ModelStore

needs_mount = pytest.mark.skipif(
    sys.platform != "linux" or not hasattr(os, "geteuid") or os.geteuid() != 0,
    reason="mounting needs root on Linux",
)


class Mounts:
    """Mounts that are undone."""

    def __init__(self) -> None:
        self._targets: list[Path] = []

    def mount(self, target: Path, *arguments: str) -> None:
        done = subprocess.run(["mount", *arguments, str(target)], capture_output=True, text=True)
        if done.returncode != 0:
            pytest.skip(f"mounting is not possible here: {done.stderr}")
        self._targets.append(target)

    def undo(self) -> None:
        for target in reversed(self._targets):
            subprocess.run(["umount", str(target)], check=True)


@pytest.fixture
def mounts() -> Iterator[Mounts]:
    mounts = Mounts()
    yield mounts
    mounts.undo()


class TestFullDisk:
    def test_is_noticed_before_anything_is_asked(
        self, hub: Server, store: ModelStore, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(shutil, "disk_usage", lambda _folder: SimpleNamespace(free=5_000_000))
        with pytest.raises(AssistantError) as caught:
            store.ensure(["small"])
        assert caught.value.kind is ErrorKind.MODEL_MISSING
        assert caught.value.message.startswith(
            "There is not enough room on the disk: 70 MB are needed and 5 MB are free in "
        )
        assert "set S2S_DESKTOP_HOME to a folder on a larger disk" in caught.value.message
        assert hub.asked == []

    def test_is_no_hindrance_when_most_of_it_is_there_already(
        self, hub: Server, store: ModelStore, work: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        work.mkdir(parents=True)
        (work / "weights.bin.partial").write_bytes(WEIGHTS[:-1])
        spare = SimpleNamespace(free=disk.SPARE_BYTES + 100_000)
        monkeypatch.setattr(shutil, "disk_usage", lambda _folder: spare)
        store.ensure(["small"])
        assert store.status("small") is ModelStatus.PRESENT

    @needs_mount
    def test_that_fills_up_meanwhile_says_so_and_resumes(
        self,
        hub: Server,
        store: ModelStore,
        home: Path,
        work: Path,
        mounts: Mounts,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        home.mkdir()
        mounts.mount(home, "-t", "tmpfs", "-o", "size=2m", "tmpfs")
        monkeypatch.setattr(
            disk, "SPARE_BYTES", -(1 << 40)
        )  # the look before is passed: others fill the disk
        with pytest.raises(
            AssistantError, match=r"The disk that holds .*small is full\. Free some room"
        ) as caught:
            store.ensure(["small"])
        assert caught.value.kind is ErrorKind.MODEL_MISSING
        assert store.status("small") is ModelStatus.PARTIAL
        there = (work / "weights.bin.partial").stat().st_size
        assert 0 < there < len(WEIGHTS)

        subprocess.run(["mount", "-o", "remount,size=32m", str(home)], check=True)
        store.ensure(["small"])
        assert hub.asked_for(WEIGHTS_URL)[-1].headers["range"] == f"bytes={there}-"
        assert store.file("small", "weights.bin").read_bytes() == WEIGHTS

    def test_counts_folders_of_one_disk_together(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(shutil, "disk_usage", lambda _folder: SimpleNamespace(free=10**9))
        half = {tmp_path / "a": 600_000_000}
        require_space(half)
        with pytest.raises(AssistantError, match=r"1\.3 GB are needed and 1\.0 GB are free"):
            require_space({**half, tmp_path / "b" / "c": 600_000_000})


class TestReadOnlyDisk:
    @needs_mount
    def test_says_which_folder_and_what_to_do(
        self, hub: Server, store: ModelStore, home: Path, mounts: Mounts
    ) -> None:
        home.mkdir()
        mounts.mount(home, "--bind", str(home))
        subprocess.run(["mount", "-o", "remount,ro,bind", str(home)], check=True)
        with pytest.raises(AssistantError) as caught:
            store.ensure(["small"])
        assert caught.value.message.startswith(f"The folder {home}")
        assert "cannot be written (read-only file system)" in caught.value.message
        assert "set S2S_DESKTOP_HOME to a folder of your own" in caught.value.message

    @needs_mount
    def test_with_the_models_on_it_works(
        self, hub: Server, store: ModelStore, make_store: StoreMaker, home: Path, mounts: Mounts
    ) -> None:
        store.ensure(["small"])
        (store.folder("small") / ".verified.json").unlink()
        mounts.mount(home, "--bind", str(home))
        subprocess.run(["mount", "-o", "remount,ro,bind", str(home)], check=True)
        later = make_store()
        later.ensure(["small"])
        assert later.status("small") is ModelStatus.PRESENT
        with pytest.raises(AssistantError, match="cannot be written"):
            later.remove("small")

    def test_a_home_below_a_file_is_explained(
        self, hub: Server, tmp_path: Path, make_store: StoreMaker, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (tmp_path / "file").write_text("no folder")
        monkeypatch.setenv("S2S_DESKTOP_HOME", str(tmp_path / "file" / "home"))
        with pytest.raises(AssistantError, match="cannot be written"):
            make_store().ensure(["small"])

    @pytest.mark.parametrize(
        ("number", "words"),
        [
            (errno.ENOSPC, "is full"),
            (errno.EDQUOT, "is full"),
            (errno.EROFS, "cannot be written"),
            (errno.EACCES, "cannot be written"),
        ],
    )
    def test_every_way_of_not_writing_has_a_sentence(self, tmp_path: Path, number: int, words: str) -> None:
        with pytest.raises(AssistantError, match=words), storage_errors(tmp_path):
            raise OSError(number, os.strerror(number))


class TestPutInPlace:
    def test_replaces_what_is_there(self, tmp_path: Path) -> None:
        (tmp_path / "new").write_bytes(b"new")
        (tmp_path / "model").write_bytes(b"old")
        put_in_place(tmp_path / "new", tmp_path / "model")
        assert (tmp_path / "model").read_bytes() == b"new"
        assert not (tmp_path / "new").exists()

    @needs_mount
    def test_works_across_disks(self, tmp_path: Path, mounts: Mounts) -> None:
        other = tmp_path / "other"
        other.mkdir()
        mounts.mount(other, "-t", "tmpfs", "-o", "size=1m", "tmpfs")
        (tmp_path / "new").write_bytes(b"new")
        put_in_place(tmp_path / "new", other / "model")
        assert [path.name for path in other.iterdir()] == ["model"]
        assert (other / "model").read_bytes() == b"new"
        assert not (tmp_path / "new").exists()


@pytest.mark.parametrize(
    ("size", "words"),
    [(0, "0 kB"), (14, "1 kB"), (2_309, "3 kB"), (148_000_000, "148 MB"), (2_497_281_120, "2.5 GB")],
)
def test_sizes_are_said_in_the_units_of_download_pages(size: int, words: str) -> None:
    assert in_words(size) == words
