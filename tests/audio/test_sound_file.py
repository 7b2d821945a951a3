from __future__ import annotations

import stat
import sys
import wave
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import numpy as np
import pytest
import soundfile

from s2s_desktop.audio.sound_file import WavWriter, read_wav, write_wav
from s2s_desktop.errors import AssistantError, ErrorKind


def tone(rate: int, seconds: float = 1.0, amplitude: float = 0.5) -> np.ndarray:
    return amplitude * np.sin(2 * np.pi * 500 * np.arange(round(seconds * rate)) / rate)


@pytest.mark.parametrize("rate", [8_000, 16_000, 22_050, 44_100, 48_000, 96_000])
@pytest.mark.parametrize(
    ("name", "subtype"),
    [
        ("a.wav", "PCM_16"),
        ("a.wav", "PCM_24"),
        ("a.wav", "FLOAT"),
        ("a.wav", "ULAW"),
        ("a.flac", "PCM_16"),
    ],
)
def test_any_format_becomes_16_khz_mono_of_the_same_length_and_loudness(
    tmp_path: Path, name: str, subtype: str, rate: int
) -> None:
    soundfile.write(tmp_path / name, tone(rate), rate, subtype=subtype)

    samples = read_wav(tmp_path / name)

    assert samples.dtype == np.float32
    assert samples.ndim == 1
    assert len(samples) == pytest.approx(16_000, abs=2)
    assert np.argmax(np.abs(np.fft.rfft(samples[:16_000]))) == 500
    assert np.std(samples) == pytest.approx(0.5 / np.sqrt(2), rel=0.02)


def test_ogg_is_read(tmp_path: Path) -> None:
    soundfile.write(tmp_path / "a.ogg", tone(48_000), 48_000, format="OGG", subtype="VORBIS")

    assert len(read_wav(tmp_path / "a.ogg")) == pytest.approx(16_000, rel=0.01)


def test_a_voice_on_the_second_channel_alone_is_heard(tmp_path: Path) -> None:
    stereo = np.stack([np.zeros(48_000), tone(48_000)], axis=1)
    soundfile.write(tmp_path / "a.wav", stereo, 48_000)

    assert np.std(read_wav(tmp_path / "a.wav")) == pytest.approx(0.5 / np.sqrt(2), rel=0.02)


def test_samples_that_are_no_number_are_silence(tmp_path: Path) -> None:
    broken = tone(16_000).astype(np.float32)
    broken[100:110] = np.nan
    broken[200:210] = np.inf
    soundfile.write(tmp_path / "a.wav", broken, 16_000, subtype="FLOAT")

    samples = read_wav(tmp_path / "a.wav")

    assert np.isfinite(samples).all()
    assert not samples[100:110].any()


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (None, "does not exist"),
        (b"", "no sound file"),
        (b"Hello, I am a text.", "no sound file"),
        (b"RIFF\xff\xff\xff\xffWAVE", "no sound file"),
    ],
)
@pytest.mark.parametrize("name", ["a.wav", "ü ö.wav", "a.raw", "noending"])
def test_what_is_no_sound_is_refused_with_a_sentence(
    tmp_path: Path, content: bytes | None, words: str, name: str
) -> None:
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)

    with pytest.raises(AssistantError, match=words) as raised:
        read_wav(path)
    assert raised.value.kind is ErrorKind.BAD_REQUEST
    assert name in raised.value.message


def test_a_folder_and_an_empty_recording_are_refused(tmp_path: Path) -> None:
    soundfile.write(tmp_path / "empty.wav", np.zeros(0), 16_000)

    with pytest.raises(AssistantError, match="holds no sound"):
        read_wav(tmp_path / "empty.wav")
    with pytest.raises(AssistantError, match="is a folder"):
        read_wav(tmp_path)


def test_a_recording_that_breaks_off_is_read_as_far_as_it_goes(tmp_path: Path) -> None:
    soundfile.write(tmp_path / "a.wav", tone(16_000), 16_000)
    whole = (tmp_path / "a.wav").read_bytes()
    (tmp_path / "a.wav").write_bytes(whole[: len(whole) // 2])

    assert len(read_wav(tmp_path / "a.wav")) == pytest.approx(8_000, abs=30)


def test_writing_gives_16_bit_mono_clipped(tmp_path: Path) -> None:
    write_wav(tmp_path / "a.wav", np.array([0.0, 0.5, 2.0, -2.0], np.float32), 24_000)

    with wave.open(str(tmp_path / "a.wav")) as file:
        assert (file.getnchannels(), file.getsampwidth(), file.getframerate()) == (1, 2, 24_000)
        assert np.frombuffer(file.readframes(9), "<i2").tolist() == [0, 16384, 32767, -32767]
    if sys.platform != "win32":
        assert stat.S_IMODE((tmp_path / "a.wav").stat().st_mode) & 0o077, "others may read it as any new file"


@pytest.mark.parametrize("place", ["missing/a.wav", "file.txt/a.wav", "folder"])
def test_a_place_that_cannot_be_written_is_refused_with_a_sentence(tmp_path: Path, place: str) -> None:
    (tmp_path / "file.txt").write_text("x")
    (tmp_path / "folder").mkdir()

    with pytest.raises(AssistantError, match="cannot be written") as raised:
        write_wav(tmp_path / place, np.zeros(10, np.float32), 16_000)
    assert raised.value.kind is ErrorKind.DEVICE
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file.txt", "folder"]


def test_a_full_disk_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, full_disk: Callable[[], AbstractContextManager[None]]
) -> None:
    write_wav(tmp_path / "a.wav", np.zeros(10, np.float32), 16_000)
    before = (tmp_path / "a.wav").read_bytes()

    with full_disk(), pytest.raises(AssistantError, match="cannot be written"):
        write_wav(tmp_path / "a.wav", np.zeros(100_000, np.float32), 16_000)

    assert (tmp_path / "a.wav").read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["a.wav"]


def test_what_is_not_committed_does_not_appear(tmp_path: Path) -> None:
    writer = WavWriter(tmp_path / "a.wav", 16_000)
    writer.write(np.zeros(100, np.float32))
    assert not (tmp_path / "a.wav").exists()

    writer.discard()
    writer.discard()

    assert list(tmp_path.iterdir()) == []
