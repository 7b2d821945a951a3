"""SHA-256 of files."""

from __future__ import annotations

import hashlib
from pathlib import Path

from s2s_desktop.models.progress import CancelToken, raise_if_cancelled

CHUNK_BYTES = 1 << 20


def sha256_of(path: Path, cancel: CancelToken | None = None) -> str:
    """Return the lower-case hexadecimal SHA-256 of a file.

    Raises:
        DownloadCancelledError: `cancel` was set meanwhile.
        OSError: The file cannot be read.
    """
    digest = hashlib.sha256()
    with path.open("rb", buffering=0) as file:
        while chunk := file.read(CHUNK_BYTES):
            if cancel is not None:
                raise_if_cancelled(cancel)
            digest.update(chunk)
    return digest.hexdigest()
