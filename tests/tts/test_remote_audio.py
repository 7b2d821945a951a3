"""Every way in which servers send a voice is read, cut anywhere; what is no voice is refused."""

from __future__ import annotations

import io
import struct

import numpy as np
import pytest
import soundfile

from s2s_desktop.errors import AssistantError, ErrorKind
from s2s_desktop.tts.remote_audio import SoundDecoder
from speech_server.speech_kit import RATE, tone, wav_file

SAID = tone(0.05)
HEARD = SAID / 32768


def _decode(data: bytes, size: int, headers: dict[str, str] | None = None) -> tuple[np.ndarray, int]:
    decoder = SoundDecoder(headers or {})
    parts = [decoder.feed(data[start : start + size]) for start in range(0, len(data), size)]
    parts.append(decoder.finish())
    return np.concatenate(parts), decoder.sample_rate


def _file(file_format: str, subtype: str, channels: int = 1) -> bytes:
    file = io.BytesIO()
    soundfile.write(file, np.repeat(HEARD[:, None], channels, 1), RATE, format=file_format, subtype=subtype)
    return file.getvalue()


def _streamed_wav(size: int) -> bytes:
    """A WAV file whose writer did not know its length."""
    whole = bytearray(wav_file(SAID))
    struct.pack_into("<I", whole, 40, size)
    return bytes(whole)


@pytest.mark.parametrize("size", [1, 3, 64, 1_000_000])
@pytest.mark.parametrize(
    "data",
    [
        SAID.tobytes(),
        wav_file(SAID),
        wav_file(np.repeat(SAID, 2), channels=2),
        _streamed_wav(0xFFFF_FFFF),
        _streamed_wav(0x7FFF_FFFF),
        _streamed_wav(0),
        _file("WAV", "FLOAT"),
        _file("WAV", "PCM_32"),
        _file("WAVEX", "PCM_16"),
        wav_file(SAID) + b"LIST\x04\x00\x00\x00note",
    ],
    ids=["pcm", "wav", "stereo", "ffffffff", "7fffffff", "0", "float", "32 bits", "extensible", "remarks"],
)
def test_cut_anywhere_it_is_the_same_voice(data: bytes, size: int) -> None:
    sound, rate = _decode(data, size)
    assert rate == RATE
    assert sound.dtype == np.float32
    np.testing.assert_allclose(sound, HEARD, atol=1e-4)


@pytest.mark.parametrize(
    ("file_format", "subtype"), [("FLAC", "PCM_16"), ("OGG", "VORBIS"), ("MP3", "MPEG_LAYER_III")]
)
def test_other_formats_are_read_at_their_end(file_format: str, subtype: str) -> None:
    sound, rate = _decode(_file(file_format, subtype), 500)
    assert rate == RATE
    assert sound.size == pytest.approx(HEARD.size, abs=2_500)
    assert np.abs(sound).max() == pytest.approx(np.abs(HEARD).max(), rel=0.2)


@pytest.mark.parametrize(
    ("headers", "rate"),
    [
        ({"content-type": "audio/pcm;rate=22050;channels=1"}, 22_050),
        ({"content-type": "audio/L16; rate=44100"}, 44_100),
        ({"x-sample-rate": "16000"}, 16_000),
        ({"x-sample-rate": "fast"}, RATE),
        ({"content-type": "audio/pcm"}, RATE),
    ],
)
def test_raw_samples_have_the_rate_that_the_headers_name(headers: dict[str, str], rate: int) -> None:
    assert _decode(SAID.tobytes(), 100, headers)[1] == rate


def test_the_half_sample_at_the_end_is_dropped() -> None:
    sound, _ = _decode(SAID.tobytes() + b"\x01", 7)
    assert sound.size == SAID.size


def test_two_bytes_are_a_voice_and_none_is_none() -> None:
    assert _decode(b"\x00\x40", 1)[0].tolist() == [0.5]
    assert _decode(b"", 1)[0].size == 0


def test_samples_never_leave_their_range() -> None:
    loud = np.array([4.0, -4.0, np.nan, np.inf], "<f4")
    file = io.BytesIO()
    soundfile.write(file, loud, RATE, format="WAV", subtype="FLOAT")
    assert _decode(file.getvalue(), 5)[0].tolist() == [1.0, -1.0, 0.0, 1.0]


def test_a_wav_file_that_ends_early_is_cut_off() -> None:
    with pytest.raises(AssistantError, match="broke off") as failure:
        _decode(wav_file(SAID)[:-100], 500)
    assert failure.value.kind is ErrorKind.TRUNCATED


@pytest.mark.parametrize(
    "data",
    [
        b"RIFF\x00\x00\x00\x00WAVE",
        b"RIFF\x24\x00\x00\x00WAVEdata\x10\x00\x00\x00" + bytes(16),
        _file("WAV", "ULAW"),
        b"ID3\x04" + bytes(100),
        b"fLaC" + bytes(100),
    ],
    ids=["no sound", "no format", "a format nobody asked for", "broken MP3", "broken FLAC"],
)
def test_what_is_no_voice_is_refused(data: bytes) -> None:
    with pytest.raises(AssistantError, match="no sound that can be read") as failure:
        _decode(data, 50)
    assert failure.value.kind is ErrorKind.MALFORMED
