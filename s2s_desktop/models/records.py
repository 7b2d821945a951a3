"""What the store answers: typed rows a command can print or write as JSON (`dataclasses.asdict`)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from s2s_desktop.models.model import Role


class FileState(StrEnum):
    """What one model file is like."""

    INTACT = "intact"
    DAMAGED = "damaged"
    MISSING = "missing"


class ModelStatus(StrEnum):
    """What one model is like: none of it, some of it, all of it, or something wrong in it."""

    MISSING = "missing"
    PARTIAL = "partial"
    PRESENT = "present"
    DAMAGED = "damaged"


@dataclass(frozen=True, slots=True)
class ModelRow:
    """One line of the list of models.

    Attributes:
        name: Name in the catalog.
        title: Title in the catalog.
        role: The stage that uses it.
        license: SPDX identifier.
        summary: One line that helps to choose.
        size: Bytes of all files.
        default: Part of the first download.
        status: What it is like here.
        folder: Where its files are or would go.
    """

    name: str
    title: str
    role: Role
    license: str
    summary: str
    size: int
    default: bool
    status: ModelStatus
    folder: str


@dataclass(frozen=True, slots=True)
class FileCheck:
    """What hashing one file found.

    Attributes:
        model: Name of the model.
        file: Name of the file.
        path: Where it is or should be.
        state: What it is like.
    """

    model: str
    file: str
    path: str
    state: FileState
