"""The folders models are in, and what state their files are in."""

from __future__ import annotations

import hashlib
import logging
import os
from pathlib import Path

from s2s_desktop.models.checksum import sha256_of
from s2s_desktop.models.model import Model, ModelFile
from s2s_desktop.models.receipt import RECEIPT_NAME, Receipt
from s2s_desktop.models.records import FileState, ModelStatus
from s2s_desktop.settings.paths import Paths, program_folder

_log = logging.getLogger(__name__)

MODELS_VARIABLE = "S2S_DESKTOP_MODELS"
"""Names a folder with model files from an administrator or an installation medium. Only read."""


class ModelFolders:
    """The user's folder of models, and read-only ones that came with the program."""

    def __init__(self, paths: Paths) -> None:
        self.models = paths.models
        self._state = paths.state
        self._supplied = _supplied_models()

    def own(self, model: Model) -> Path:
        """Return where the user's copy of a model is or would go."""
        return self.models / model.name

    def work(self, model: Model) -> Path:
        """Return where partial files of a model are kept."""
        return self._state / "downloads" / model.name

    def lock_file(self, model: Model) -> Path:
        """Return the file whose lock guards `own` and `work`."""
        return self._state / "downloads" / f"{model.name}.lock"

    def look(self, model: Model) -> tuple[ModelStatus, Path]:
        """Return what a model is like, and the folder its files are in or would go."""
        own = self.own(model)
        states = {self.quick_state(own, file) for file in model.files}
        if states == {FileState.INTACT}:
            return ModelStatus.PRESENT, own
        for root in self._supplied:
            folder = root / model.name
            if all(self.quick_state(folder, file) is FileState.INTACT for file in model.files):
                return ModelStatus.PRESENT, folder
        if FileState.DAMAGED in states:
            return ModelStatus.DAMAGED, own
        if FileState.INTACT in states or has_files(self.work(model)):
            return ModelStatus.PARTIAL, own
        return ModelStatus.MISSING, own

    def quick_state(self, folder: Path, file: ModelFile) -> FileState:
        """Return the state of a file: by its receipt when that vouches for it, else by hashing."""
        path = folder / file.name
        try:
            if path.is_file() and self.receipt(folder).vouches_for(path, file.sha256):
                return FileState.INTACT
        except OSError as error:
            _log.warning("%s cannot be read: %s", path, error)
        return self.hashed_state(folder, file)

    def hashed_state(self, folder: Path, file: ModelFile) -> FileState:
        """Return the state of a file by hashing it, and remember the result."""
        path = folder / file.name
        receipt = self.receipt(folder)
        try:
            if not path.is_file():
                return FileState.MISSING
            if path.stat().st_size == file.size and sha256_of(path) == file.sha256:
                receipt.record(path, file.sha256)
                return FileState.INTACT
        except OSError as error:
            _log.warning("%s cannot be read: %s", path, error)
        receipt.forget(file.name)
        return FileState.DAMAGED

    def receipt(self, folder: Path) -> Receipt:
        """Return the receipt of a model's folder; that of a read-only folder is kept with the state."""
        if folder.parent == self.models:
            return Receipt(folder / RECEIPT_NAME)
        key = hashlib.sha256(os.fsencode(folder)).hexdigest()[:16]
        return Receipt(self._state / "verified" / f"{folder.name}-{key}.json")


def has_files(folder: Path) -> bool:
    """Return whether there is anything in a folder."""
    return folder.is_dir() and any(folder.iterdir())


def size_of_files(folder: Path) -> int:
    """Return the bytes of the files in a folder, 0 when there is none."""
    return sum(path.stat().st_size for path in folder.iterdir()) if folder.is_dir() else 0


def _supplied_models() -> tuple[Path, ...]:
    chosen = os.environ.get(MODELS_VARIABLE, "").strip()
    folders = [Path(chosen).expanduser().absolute()] if chosen else []
    program = program_folder()
    if program is not None:
        folders.append(program / "models")
    return tuple(folders)
