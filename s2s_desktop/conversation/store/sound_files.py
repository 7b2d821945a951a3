"""The sound of saved turns: one WAV file for each side, up to a limit, the oldest go first."""

from __future__ import annotations

import shutil
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import NamedTuple

from s2s_desktop.audio.protocol import Samples
from s2s_desktop.audio.sound_file import write_wav
from s2s_desktop.conversation.store.records import Role

_BYTES_PER_SAMPLE = 2


class Sound(NamedTuple):
    """A recording of one side of a turn."""

    turn: int
    role: Role
    path: Path


class SoundFiles:
    """The folder of the recordings; inside, one folder a conversation.

    Attributes:
        limit_bytes: All recordings together stay below this.
    """

    def __init__(self, folder: Path, limit_bytes: int) -> None:
        self.folder = folder
        self.limit_bytes = limit_bytes

    def save(self, conversation_id: str, turn: int, role: Role, samples: Samples, sample_rate: int) -> None:
        """Write a recording: float32, shape (n,), -1..1. The oldest ones make room for it.

        Raises:
            AssistantError: DEVICE; it cannot be written.
            OSError: The folder cannot be made.
        """
        needed = samples.size * _BYTES_PER_SAMPLE
        if not needed or needed > self.limit_bytes:
            return
        self._shrink_to(self.limit_bytes - needed)
        folder = self.folder / conversation_id
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        write_wav(folder / f"{turn}-{role}.wav", samples, sample_rate)

    def of(self, conversation_id: str) -> list[Sound]:
        """Return the recordings of a conversation, by turn."""
        sounds = [
            Sound(int(number), Role(role), path)
            for path in (self.folder / conversation_id).glob("*-*.wav")
            for number, role in [path.stem.split("-", 1)]
            if number.isdecimal() and role in (Role.USER, Role.ASSISTANT)
        ]
        return sorted(sounds, key=lambda sound: (sound.turn, sound.role is not Role.USER))

    def remove(self, conversation_id: str) -> None:
        """Remove the recordings of a conversation.

        Raises:
            OSError: They cannot be removed.
        """
        _remove_folder(self.folder / conversation_id)

    def remove_turns(self, conversation_id: str, numbers: Collection[int]) -> None:
        """Remove the recordings of some turns of a conversation.

        Raises:
            OSError: They cannot be removed.
        """
        for sound in self.of(conversation_id):
            if sound.turn in numbers:
                sound.path.unlink(missing_ok=True)

    def clear(self) -> None:
        """Remove all recordings.

        Raises:
            OSError: They cannot be removed.
        """
        _remove_folder(self.folder)

    def _shrink_to(self, size: int) -> None:
        files = sorted(self._files())
        total = sum(bytes_ for _, _, bytes_ in files)
        for _, path, bytes_ in files:
            if total <= size:
                return
            path.unlink(missing_ok=True)
            total -= bytes_

    def _files(self) -> Iterator[tuple[int, Path, int]]:
        for path in self.folder.glob("*/*"):
            try:
                stat = path.stat()
            except FileNotFoundError:  # another process made room
                continue
            yield stat.st_mtime_ns, path, stat.st_size


def _remove_folder(folder: Path) -> None:
    if folder.exists():
        shutil.rmtree(folder)
