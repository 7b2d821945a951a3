"""The model files of this installation: what is there and intact, getting the rest, removing."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path

from s2s_desktop.errors import AssistantError, ErrorKind
from s2s_desktop.models.catalog import CATALOG, find_model
from s2s_desktop.models.disk import require_space, storage_errors
from s2s_desktop.models.fetch import Fetcher
from s2s_desktop.models.folders import ModelFolders, has_files, size_of_files
from s2s_desktop.models.http_stream import Limits
from s2s_desktop.models.lock import LockedError, model_lock
from s2s_desktop.models.model import Model
from s2s_desktop.models.progress import (
    CancelToken,
    DownloadCancelledError,
    DownloadProgress,
    OnProgress,
    ProgressMeter,
    raise_if_cancelled,
)
from s2s_desktop.models.receipt import RECEIPT_NAME
from s2s_desktop.models.records import FileCheck, FileState, ModelRow, ModelStatus
from s2s_desktop.models.transfer import Transfer
from s2s_desktop.settings.paths import Paths


class ModelStore:
    """The models of the catalog on this computer.

    Methods may be called from any thread. `ensure`, `verify` and `remove` block for as long as they need; the
    others hash a file only when it changed since it was last verified.

    Args:
        paths: The folders of this installation.
        catalog: The models there are.
        limits: How patient downloads are.
    """

    def __init__(
        self, paths: Paths, catalog: Sequence[Model] = CATALOG, limits: Limits | None = None
    ) -> None:
        self._folders = ModelFolders(paths)
        self._catalog = tuple(catalog)
        self._limits = limits

    def list(self) -> tuple[ModelRow, ...]:
        """Return all models of the catalog with their status here."""
        return tuple(self._row(model) for model in self._catalog)

    def folder(self, name: str) -> Path:
        """Return where the files of a model are, or would go.

        Raises:
            AssistantError: `model_missing` for an unknown name.
        """
        return self._folders.look(self._find(name))[1]

    def file(self, name: str, filename: str) -> Path:
        """Return the path of one file of a model that is there.

        Raises:
            AssistantError: `model_missing` when the model or the file is unknown or not there.
        """
        path = self.folder(name) / filename
        if not path.is_file():
            raise AssistantError(
                ErrorKind.MODEL_MISSING,
                f"The model {name} is not on this computer. Run “s2s-desktop models get {name}”.",
                str(path),
            )
        return path

    def status(self, name: str) -> ModelStatus:
        """Return what a model is like, quickly.

        A file counts as intact when its size and time of change are as they were when it was last hashed;
        otherwise it is hashed now. `Receipt.vouches_for` says what this cannot see.

        Raises:
            AssistantError: `model_missing` for an unknown name.
        """
        return self._folders.look(self._find(name))[0]

    def verify(self, names: Iterable[str] = ()) -> tuple[FileCheck, ...]:
        """Hash files and say which are damaged; `ensure` then fetches those again.

        Args:
            names: Models to check; none means every model of which there is a file.

        Raises:
            AssistantError: `model_missing` for an unknown name.
        """
        chosen = [self._find(name) for name in names] or [
            model for model in self._catalog if self.status(model.name) is not ModelStatus.MISSING
        ]
        checks = []
        for model in chosen:
            folder = self.folder(model.name)
            for file in model.files:
                state = self._folders.hashed_state(folder, file)
                checks.append(FileCheck(model.name, file.name, str(folder / file.name), state))
        return tuple(checks)

    def remove(self, name: str) -> int:
        """Delete the user's files of a model, also partial ones; returns the bytes that were freed.

        Raises:
            AssistantError: `model_missing` for an unknown name, for a model that came with the program, while
                it is being downloaded, or when the folder cannot be written.
        """
        model = self._find(name)
        own, found = self._folders.own(model), self.folder(name)
        if found != own and not has_files(own):
            message = f"The model {name} came with the program (in {found}) and is not removed."
            raise AssistantError(ErrorKind.MODEL_MISSING, message)
        freed = 0
        try:
            with (
                storage_errors(own),
                model_lock(self._folders.lock_file(model), CancelToken(), on_wait=None),
            ):
                for path in [own / file.name for file in model.files] + [own / RECEIPT_NAME]:
                    if path.exists():
                        freed += path.stat().st_size
                        path.unlink()
                with suppress(OSError):  # the user keeps something else there, or there is no folder
                    own.rmdir()
                shutil.rmtree(self._folders.work(model), ignore_errors=True)
        except LockedError as error:
            message = f"The model {name} is being downloaded. Stop the download first."
            raise AssistantError(ErrorKind.MODEL_MISSING, message) from error
        return freed

    def ensure(
        self,
        names: Iterable[str],
        on_progress: OnProgress | None = None,
        cancel: CancelToken | None = None,
    ) -> None:
        """Make sure that models are there and intact: fetch what is missing and what is damaged.

        Uses no network when everything is there. Several processes may do it at once.

        Args:
            names: Names in the catalog.
            on_progress: Told how far the downloads are, on the calling thread.
            cancel: Ends the download when set; what was fetched is kept and used the next time.

        Raises:
            AssistantError: `model_missing`: the name is unknown, no source gave a file, the disk is full or
                read-only.
            DownloadCancelledError: `cancel` was set.
        """
        cancel = cancel or CancelToken()
        wanted = [
            model
            for model in map(self._find, names)
            if self._folders.look(model)[0] is not ModelStatus.PRESENT
        ]
        if not wanted:
            return
        with storage_errors(self._folders.models):
            require_space({self._folders.models: sum(map(self._missing_bytes, wanted))})
        with Transfer(cancel, self._limits) as transfer:
            fetcher = Fetcher(transfer, cancel)
            for model in wanted:
                self._fetch(model, fetcher, on_progress, cancel)

    async def ensure_async(self, names: Iterable[str], on_progress: OnProgress | None = None) -> None:
        """Run `ensure` beside the event loop; `on_progress` is called on the loop. Cancelling ends it.

        Raises:
            AssistantError: As `ensure`.
        """
        loop = asyncio.get_running_loop()
        cancel = CancelToken()

        def report(progress: DownloadProgress) -> None:
            if on_progress is not None:
                loop.call_soon_threadsafe(on_progress, progress)

        work = asyncio.create_task(asyncio.to_thread(self.ensure, tuple(names), report, cancel))
        try:
            await asyncio.shield(work)
        except asyncio.CancelledError:
            cancel.set()
            with suppress(DownloadCancelledError, AssistantError):
                await work
            raise

    def _fetch(
        self, model: Model, fetcher: Fetcher, on_progress: OnProgress | None, cancel: CancelToken
    ) -> None:
        own, work = self._folders.own(model), self._folders.work(model)
        meter = ProgressMeter(model.name, model.title, model.size, on_progress)

        def say_waiting() -> None:
            meter.say("Another S2S Desktop is downloading this model; waiting for it.")

        with storage_errors(work), model_lock(self._folders.lock_file(model), cancel, say_waiting):
            work.mkdir(parents=True, exist_ok=True)
            with storage_errors(own):
                own.mkdir(parents=True, exist_ok=True)
                for file in model.files:
                    raise_if_cancelled(cancel)
                    # Looked at again under the lock: another process may have fetched it meanwhile.
                    state = self._folders.quick_state(own, file)
                    if state is not FileState.INTACT:
                        fetcher.fetch(model, file, own, work, meter, damaged=state is FileState.DAMAGED)
                        self._folders.receipt(own).record(own / file.name, file.sha256)
                    meter.finish(file.size)
            shutil.rmtree(work, ignore_errors=True)

    def _row(self, model: Model) -> ModelRow:
        status, folder = self._folders.look(model)
        return ModelRow(
            name=model.name,
            title=model.title,
            role=model.role,
            license=model.license,
            summary=model.summary,
            size=model.size,
            default=model.default,
            status=status,
            folder=str(folder),
        )

    def _find(self, name: str) -> Model:
        return find_model(name, self._catalog)

    def _missing_bytes(self, model: Model) -> int:
        own = self._folders.own(model)
        states = ((file, self._folders.quick_state(own, file)) for file in model.files)
        missing = sum(file.size for file, state in states if state is not FileState.INTACT)
        return max(0, missing - size_of_files(self._folders.work(model)))
