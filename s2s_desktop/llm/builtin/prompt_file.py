"""What the model made of the beginning of every conversation, kept on disk for the next start.

Reading a prompt of 300 tokens takes two cores a second, and those cores are loading the other models then.
llama.cpp writes and reads back what came of it in a hundredth of that
(https://github.com/ggml-org/llama.cpp/blob/master/tools/server/README.md, `/slots/{id_slot}?action=save`).
"""

from __future__ import annotations

import hashlib
import secrets
from pathlib import Path

from s2s_desktop import __version__
from s2s_desktop.models.checksum import sha256_of

_SUFFIX = ".kv"


class PromptFile:
    """The file for one model and one prompt. Its name ends with the checksum of its content.

    A model with another memory than its prompt left would answer nonsense and say nothing of it.

    Args:
        folder: Holds nothing else; only the file kept last stays in it.
        model_file: The model.
        prompt: The prompt, in any form that is the same at every start.
    """

    def __init__(self, folder: Path, model_file: Path, prompt: str) -> None:
        status = model_file.stat()
        origin = f"{__version__}\n{model_file.name}\n{status.st_size}\n{status.st_mtime_ns}\n{prompt}"
        self._folder = folder
        self._origin = hashlib.sha256(origin.encode()).hexdigest()[:32]

    def intact(self) -> str:
        """Return the name of the file; "" when there is none, or when it was damaged."""
        for file in self._folder.glob(f"{self._origin}-*{_SUFFIX}"):
            if file.name == self._name(file):
                return file.name
        return ""

    def draft(self) -> str:
        """Make the folder and return the name of a file to write first."""
        self._folder.mkdir(parents=True, exist_ok=True)
        return f"{secrets.token_hex(8)}.part"

    def keep(self, draft: str) -> None:
        """Keep the written draft, in place of every other file."""
        written = self._folder / draft
        kept = written.replace(self._folder / self._name(written))
        for file in self._folder.iterdir():
            if file != kept:
                file.unlink(missing_ok=True)

    def _name(self, file: Path) -> str:
        return f"{self._origin}-{sha256_of(file)[:32]}{_SUFFIX}"
