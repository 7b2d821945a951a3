"""Reading any sound file and writing WAV files that are complete or not there."""

from __future__ import annotations

import contextlib
import io
import os
import tempfile
import wave
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from s2s_desktop.audio.channels import LoudestChannel
from s2s_desktop.audio.protocol import PIPELINE_RATE, Samples
from s2s_desktop.audio.resample import StreamResampler
from s2s_desktop.errors import AssistantError, ErrorKind

_READ_S = 0.02
"""Length of the pieces in which channels are mixed, as for the microphone."""


def read_wav(path: Path | str) -> Samples:
    """Read a sound file as speech is processed: 16 kHz mono.

    Args:
        path: WAV, FLAC, OGG or MP3 of any rate, channel count and sample format. Of several channels the
            loudest is followed (see `LoudestChannel`).

    Returns:
        shape (n,), float32, n > 0; samples that are no number become silence.

    Raises:
        AssistantError: kind BAD_REQUEST, when there is no such file, it cannot be read, or holds no sound.
    """
    import soundfile

    path = Path(path)
    try:
        with path.open("rb") as file, soundfile.SoundFile(file) as sound:
            mixer = LoudestChannel(sound.channels, sound.samplerate)
            resampler = StreamResampler(sound.samplerate, PIPELINE_RATE)
            pieces = [
                resampler.push(mixer.mix(np.nan_to_num(frames, posinf=0.0, neginf=0.0)))
                for frames in sound.blocks(
                    max(1, int(_READ_S * sound.samplerate)), dtype="float32", always_2d=True
                )
            ]
            pieces.append(resampler.finish())
    except FileNotFoundError as error:
        raise _unreadable(path, "does not exist", error) from error
    except IsADirectoryError as error:
        raise _unreadable(path, "is a folder, not a sound file", error) from error
    except OSError as error:
        raise _unreadable(path, f"cannot be read: {error.strerror}", error) from error
    except (soundfile.SoundFileError, TypeError, ValueError) as error:
        # A name that ends in .raw makes soundfile ask for a rate with a TypeError.
        raise _unreadable(path, "is no sound file; give a WAV, FLAC, OGG or MP3 file", error) from error
    samples = np.concatenate(pieces)
    if not samples.size:
        raise _unreadable(path, "holds no sound", None)
    return samples


def write_wav(path: Path | str, samples: Samples, sample_rate: int) -> None:
    """Write 16-bit mono. The file appears complete or not at all, and replaces one of the same name.

    Args:
        path: The file to write; its folder must exist.
        samples: shape (n,), float32; clipped to -1..1.
        sample_rate: Of `samples`, in Hz.

    Raises:
        AssistantError: kind DEVICE, when it cannot be written (read-only, disk full, no such folder).
    """
    writer = WavWriter(path, sample_rate)
    try:
        writer.write(samples)
        writer.commit()
    finally:
        writer.discard()


class WavWriter:
    """Writes a WAV file under a temporary name until it is committed."""

    def __init__(self, path: Path | str, sample_rate: int) -> None:
        """Begin the file.

        Raises:
            AssistantError: kind DEVICE, when the folder cannot be written to.
        """
        self._path = Path(path)
        with self._writing():
            if self._path.is_dir():
                raise IsADirectoryError(0, "it is a folder")
            handle, self._part = tempfile.mkstemp(dir=self._path.parent, prefix=".", suffix=".part")
            self._file = os.fdopen(handle, "wb")
            self._wave = wave.open(self._file, "wb")  # noqa: SIM115 - closed by commit or discard
            self._wave.setnchannels(1)
            self._wave.setsampwidth(2)
            self._wave.setframerate(sample_rate)
        self._open = True

    def write(self, samples: Samples) -> None:
        """Append samples of shape (n,), float32; clipped to -1..1.

        Raises:
            AssistantError: kind DEVICE, when the disk does not take them.
        """
        pcm = np.round(np.clip(samples, -1.0, 1.0) * 32767.0).astype("<i2")
        with self._writing():
            self._wave.writeframesraw(pcm.tobytes())

    def commit(self) -> None:
        """Complete the file and give it its name.

        Raises:
            AssistantError: kind DEVICE, when the disk does not take the rest.
        """
        with self._writing():
            self._wave.close()
            self._file.close()
            # mkstemp makes the file private; give it what a plain open() would.
            mask = os.umask(0)
            os.umask(mask)
            os.chmod(self._part, 0o666 & ~mask)
            os.replace(self._part, self._path)
        self._open = False

    def discard(self) -> None:
        """Remove what was not committed. Idempotent."""
        if not self._open:
            return
        self._open = False
        for close in (self._wave.close, self._file.close, lambda: os.unlink(self._part)):
            # The disk may be full or gone; nothing of the file is wanted any more.
            with contextlib.suppress(OSError):
                close()

    @contextlib.contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise AssistantError(
                ErrorKind.DEVICE,
                f"“{self._path}” cannot be written: {error.strerror or error}. "
                "Choose another place or make room there.",
                str(error),
            ) from error


def _unreadable(path: Path, reason: str, error: Exception | None) -> AssistantError:
    return AssistantError(ErrorKind.BAD_REQUEST, f"“{path}” {reason}.", str(error or ""))


def wav_bytes(samples: Samples, sample_rate: int) -> bytes:
    """Return a whole 16-bit WAV file with `samples` (float32 mono, clipped to -1..1)."""
    import soundfile

    buffer = io.BytesIO()
    soundfile.write(buffer, np.clip(samples, -1.0, 1.0), sample_rate, format="WAV", subtype="PCM_16")
    return buffer.getvalue()
