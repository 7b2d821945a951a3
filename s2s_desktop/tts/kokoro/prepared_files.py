"""What preparing Kokoro came to, kept on disk for the next start.

Cutting, rewriting and optimizing the model takes a second of the start, in which other models load too. Only
optimizations that suit every processor are kept; ONNX Runtime adds those of this one when it reads the files
(https://onnxruntime.ai/docs/performance/model-optimizations/graph-optimizations.html).
"""

from __future__ import annotations

import hashlib
import json
import shutil
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from s2s_desktop import __version__
from s2s_desktop.models.checksum import sha256_of
from s2s_desktop.settings.atomic import write_atomically
from s2s_desktop.tts.kokoro.preparation import Prepared

_INDEX = "index.json"
_HALVES = ("planner", "generator")


@dataclass(frozen=True, slots=True)
class PreparedFiles:
    """The files of one model.

    Args:
        folder: Holds nothing else.
        model_file: The model.
        signed_products: Whether convolutions are rewritten; see `model.signed_products_are_exact`.
    """

    folder: Path
    model_file: Path
    signed_products: bool

    def recall(self) -> Prepared | None:
        """Return what was kept; None when there is nothing, or it is damaged or of another origin."""
        try:
            index: dict[str, Any] = json.loads((self.folder / _INDEX).read_text(encoding="utf-8"))
            if index["origin"] != self._origin():
                return None
            for half in _HALVES:
                if sha256_of(self.draft(half)) != index["checksums"][half]:
                    return None
            names = index["names"] | {"statistics": tuple(index["names"]["statistics"])}
            return Prepared(self.draft("planner"), self.draft("generator"), **names)
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def begin(self) -> None:
        """Forget what was kept and make room.

        Raises:
            OSError: The folder cannot be written.
        """
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)

    def draft(self, half: str) -> Path:
        """Return where the optimized "planner" or "generator" is written."""
        return self.folder / f"{half}.onnx"

    def keep(self, prepared: Prepared) -> None:
        """Keep both drafts, which are of `prepared`.

        Raises:
            OSError: They are not there, or nothing can be written.
        """
        names = asdict(replace(prepared, planner=b"", generator=b""))
        for half in _HALVES:
            del names[half]
        checksums = {half: sha256_of(self.draft(half)) for half in _HALVES}
        index = {"origin": self._origin(), "checksums": checksums, "names": names}
        write_atomically(self.folder / _INDEX, json.dumps(index))

    def _origin(self) -> str:
        import onnxruntime

        status = self.model_file.stat()
        origin = (
            __version__,
            onnxruntime.__version__,
            self.signed_products,
            self.model_file.name,
            status.st_size,
            status.st_mtime_ns,
        )
        return hashlib.sha256(repr(origin).encode()).hexdigest()
