"""From the bytes that a speech server sends, cut anywhere, to samples."""

from __future__ import annotations

import io
import re
import struct
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from s2s_desktop.errors import AssistantError, ErrorKind

USUAL_RATE = 24_000
"""In Hz; what OpenAI sends as `pcm`, and Kokoro's own."""

MAX_BUFFER = 64_000_000
"""Bytes of a voice in a format that can only be read as a whole."""

_RATE = re.compile(r"rate=(\d{4,6})")
_RATE_HEADERS = ("x-sample-rate", "x-audio-sample-rate", "sample-rate")
_PACKED = (b"ID3", b"OggS", b"fLaC", b"\xff\xfb", b"\xff\xf3", b"\xff\xf2", b"FORM")
"""How MP3, Ogg, FLAC and AIFF begin."""

_STREAMED = 0x7FFF_0000
"""Data sizes from here on are what servers write that do not know the length yet."""

_PCM, _FLOAT, _EXTENSIBLE = 1, 3, 0xFFFE
_SAMPLE_TYPES = {
    (_PCM, 16): ("<i2", 32_768.0),
    (_PCM, 32): ("<i4", 2_147_483_648.0),
    (_FLOAT, 32): ("<f4", 1.0),
}


@dataclass(frozen=True, slots=True)
class _Format:
    sample_rate: int
    channels: int = 1
    sample_type: str = "<i2"
    scale: float = 32_768.0
    size: int | None = None
    """Bytes of sound; None where it is not known."""


class SoundDecoder:
    """Decodes one voice: raw 16-bit PCM and WAV while they arrive, MP3, Ogg and FLAC at their end.

    What comes counts, not what was asked for: the first bytes say what it is.

    Args:
        headers: Of the response, with names in lower case.
        pcm_rate: In Hz, of raw PCM whose headers name no rate.
    """

    def __init__(self, headers: Mapping[str, str], pcm_rate: int = USUAL_RATE) -> None:
        self._pcm_rate = _named_rate(headers) or pcm_rate
        self._waiting = b""
        self._format: _Format | None = None
        self._packed = False
        self._bytes_of_sound = 0

    @property
    def sample_rate(self) -> int:
        """In Hz; final as soon as `feed` or `finish` has returned samples."""
        return self._format.sample_rate if self._format else self._pcm_rate

    def feed(self, data: bytes) -> NDArray[np.float32]:
        """Take the next bytes and return what can be decoded by now.

        Returns:
            shape (n,), float32 mono, -1..1; may be empty.

        Raises:
            AssistantError: MALFORMED; it is no sound that can be read.
        """
        self._waiting += data
        if len(self._waiting) > MAX_BUFFER:
            raise _malformed("The voice is too long.", "")
        if self._packed or (self._format is None and not self._find_format()):
            return np.zeros(0, np.float32)
        return self._decode()

    def finish(self) -> NDArray[np.float32]:
        """Return the rest, as `feed` does.

        Raises:
            AssistantError: MALFORMED as for `feed`; TRUNCATED when a WAV file ends before its end.
        """
        if self._packed:
            return self._unpack()
        if self._format is None and self._waiting:
            if self._waiting.startswith(b"RIFF"):
                raise _malformed(
                    "The speech server sent no sound that can be read.", "a WAV file without data"
                )
            self._format = _Format(self._pcm_rate)
        rest = self._decode() if self._format else np.zeros(0, np.float32)
        size = self._format.size if self._format else None
        if size is not None and self._bytes_of_sound < size:
            raise AssistantError(
                ErrorKind.TRUNCATED,
                "The voice from the speech server broke off. Ask again.",
                f"{self._bytes_of_sound} of {size} bytes",
            )
        return rest

    def _find_format(self) -> bool:
        if len(self._waiting) < 4:
            return False
        if self._waiting.startswith(_PACKED):
            self._packed = True
            return False
        if not self._waiting.startswith(b"RIFF"):
            self._format = _Format(self._pcm_rate)
            return True
        return self._read_wav_header()

    def _read_wav_header(self) -> bool:
        """Read the chunks of a WAV file up to its sound; return whether that has come."""
        data, place = self._waiting, 12
        found: _Format | None = None
        while place + 8 <= len(data):
            name, size = data[place : place + 4], struct.unpack_from("<I", data, place + 4)[0]
            if name == b"data":
                if found is None:
                    raise _malformed(
                        "The speech server sent no sound that can be read.", "WAV without format"
                    )
                known = 0 < size < _STREAMED
                self._format = replace(found, size=size if known else None)
                self._waiting = data[place + 8 :]
                return True
            if name == b"fmt " and place + 8 + size <= len(data):
                found = _wav_format(data[place + 8 : place + 8 + size])
            place += 8 + size + size % 2
        return False

    def _decode(self) -> NDArray[np.float32]:
        """Decode whole frames; the bytes of a cut one wait for the rest."""
        form = self._format
        assert form is not None
        frame = np.dtype(form.sample_type).itemsize * form.channels
        usable = len(self._waiting) // frame * frame
        if form.size is not None:
            # What follows the sound in a WAV file are remarks.
            usable = max(0, min(usable, (form.size - self._bytes_of_sound) // frame * frame))
        sound, self._waiting = self._waiting[:usable], self._waiting[usable:]
        self._bytes_of_sound += usable
        if form.size is not None and form.size - self._bytes_of_sound < frame:
            self._bytes_of_sound, self._waiting = form.size, b""
        samples = np.frombuffer(sound, form.sample_type).astype(np.float32) / np.float32(form.scale)
        mono = samples.reshape(-1, form.channels).mean(axis=1, dtype=np.float32)
        clean: NDArray[np.float32] = np.clip(np.nan_to_num(mono), -1.0, 1.0)
        return clean

    def _unpack(self) -> NDArray[np.float32]:
        import soundfile

        try:
            samples, rate = soundfile.read(io.BytesIO(self._waiting), dtype="float32", always_2d=True)
        except (soundfile.SoundFileError, RuntimeError) as error:
            raise _malformed("The speech server sent no sound that can be read.", str(error)) from None
        self._format = _Format(int(rate))
        self._packed, self._waiting = False, b""
        mono: NDArray[np.float32] = np.clip(samples.mean(axis=1), -1.0, 1.0).astype(np.float32)
        return mono


def _wav_format(chunk: bytes) -> _Format:
    if len(chunk) < 16:
        raise _malformed("The speech server sent no sound that can be read.", "a WAV format that is cut")
    code, channels, rate, _, _, bits = struct.unpack_from("<HHIIHH", chunk)
    if code == _EXTENSIBLE and len(chunk) >= 26:
        code = struct.unpack_from("<H", chunk, 24)[0]
    kind = _SAMPLE_TYPES.get((code, bits))
    if kind is None or not channels or not rate:
        raise _malformed(
            "The speech server sent no sound that can be read.", f"WAV format {code}, {bits} bits, {rate} Hz"
        )
    return _Format(rate, channels, *kind)


def _named_rate(headers: Mapping[str, str]) -> int:
    named = _RATE.search(headers.get("content-type", ""))
    values = [named[1]] if named else []
    values += [headers[name] for name in _RATE_HEADERS if name in headers]
    return next((int(value) for value in values if value.strip().isdigit() and int(value) >= 4_000), 0)


def _malformed(message: str, details: str) -> AssistantError:
    return AssistantError(ErrorKind.MALFORMED, f"{message} Choose another response or server.", details)
