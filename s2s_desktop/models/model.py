"""What a model of the catalog is made of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from s2s_desktop.models.sources import Source

Role = Literal["stt", "tts", "llm", "turn"]


@dataclass(frozen=True, slots=True)
class ModelFile:
    """One file of a model.

    Attributes:
        name: File name in the model's folder.
        size: Bytes.
        sha256: Lower-case hexadecimal SHA-256 of the content.
        sources: Where to get it, best first.
    """

    name: str
    size: int
    sha256: str
    sources: tuple[Source, ...]


@dataclass(frozen=True, slots=True)
class Model:
    """One model of the catalog.

    Attributes:
        name: What settings and commands call it; also its folder.
        title: What people call it.
        role: The stage that uses it.
        license: SPDX identifier.
        summary: One line that helps to choose.
        files: Its files; large ones first, so that small ones can come out of the same wheel.
        default: Part of the first download.
        min_memory_gb: Memory of the machine (10^9 bytes) below which it is not recommended.
        min_cores: CPU cores below which it is not recommended.
    """

    name: str
    title: str
    role: Role
    license: str
    summary: str
    files: tuple[ModelFile, ...]
    default: bool = False
    min_memory_gb: int = 1
    min_cores: int = 1

    @property
    def size(self) -> int:
        """Bytes of all files."""
        return sum(file.size for file in self.files)
