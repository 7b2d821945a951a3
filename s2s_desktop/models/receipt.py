"""What was verified, remembered beside the files, so that a start need not hash hundreds of megabytes."""

from __future__ import annotations

import json
import logging
import os
import threading
from dataclasses import dataclass
from pathlib import Path

_log = logging.getLogger(__name__)

RECEIPT_NAME = ".verified.json"


@dataclass(frozen=True, slots=True)
class Stamp:
    """A file as it was when its SHA-256 was found right.

    Attributes:
        size: Bytes.
        mtime_ns: Time of the last change, nanoseconds.
        sha256: The SHA-256 that was found.
    """

    size: int
    mtime_ns: int
    sha256: str

    @classmethod
    def of(cls, path: Path, sha256: str) -> Stamp:
        """Return the stamp of a file that has this SHA-256.

        Raises:
            OSError: The file cannot be read.
        """
        stat = path.stat()
        return cls(stat.st_size, stat.st_mtime_ns, sha256)


class Receipt:
    """The stamps of one folder, in one small JSON file."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def vouches_for(self, path: Path, sha256: str) -> bool:
        """Return whether the file is unchanged since it was verified to have this SHA-256.

        Looks at size and time of change only. It cannot see a change that keeps both: a disk that rots, or a
        program that sets the time back. Only hashing does (`ModelStore.verify`).
        """
        return self._read().get(path.name) == Stamp.of(path, sha256)

    def record(self, path: Path, sha256: str) -> None:
        """Remember that the file has just been verified."""
        self._write({**self._read(), path.name: Stamp.of(path, sha256)})

    def forget(self, name: str) -> None:
        """Remember nothing about a file any more."""
        stamps = self._read()
        if stamps.pop(name, None) is not None:
            self._write(stamps)

    def _read(self) -> dict[str, Stamp]:
        try:
            entries = json.loads(self._path.read_text(encoding="utf-8"))
            return {str(name): Stamp(**entry) for name, entry in entries.items()}
        except (OSError, ValueError, TypeError, AttributeError):
            # No receipt, or one that was damaged: the files are hashed again.
            return {}

    def _write(self, stamps: dict[str, Stamp]) -> None:
        entries = {
            name: {"size": stamp.size, "mtime_ns": stamp.mtime_ns, "sha256": stamp.sha256}
            for name, stamp in stamps.items()
        }
        beside = self._path.with_name(f".verified-{os.getpid()}-{threading.get_ident()}.tmp")
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            try:
                beside.write_text(json.dumps(entries), encoding="utf-8")
                os.replace(beside, self._path)
            finally:
                beside.unlink(missing_ok=True)
        except OSError as error:
            # The models work all the same; the next start hashes them again.
            _log.info("cannot remember that the files in %s were verified: %s", self._path.parent, error)
