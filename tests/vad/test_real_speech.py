"""The real detector and the real rules on recordings."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import numpy as np
import pytest
import soxr

from s2s_desktop.audio.protocol import Samples
from s2s_desktop.audio.wav_file import read_wav
from s2s_desktop.vad.endpointing import Endpointer
from s2s_desktop.vad.events import SpeechSegment, SpeechStarted, VadEvent
from s2s_desktop.vad.silero import SileroDetector

RATE = 16_000
SPEECH = [
    "de_kerstin_0523.wav",
    "de_thorsten_03.wav",
    "en_cmd_americano.wav",
    "en_cmd_go_forward.wav",
    "en_cmd_living_room_lamp.wav",
    "en_jfk_ask_not.wav",
    "en_kennedy_moon.wav",
    "en_libri_1272_0000.wav",
    "en_libri_1995_0001.wav",
    "en_libri_198_0000.wav",
    "en_libri_2412_0000.wav",
    "en_lj_001_0004.wav",
    "en_vctk_p286_011.wav",
    "es_css10_19demarzo_0008.wav",
    "fr_css10_lesmis_0153.wav",
    "ja_css10_meian_0051.wav",
    "zh_aishell_S0724W0121.wav",
]
NO_SPEECH = ["ns_digital_silence", "ns_keyboard", "ns_music_jazz", "ns_room_tone_synth", "ns_running_tap"]


@cache
def silero() -> SileroDetector:
    return SileroDetector()


def listen(sound: Samples, block: int = 320) -> list[VadEvent]:
    endpointer = Endpointer(silero())
    events: list[VadEvent] = []
    for start in range(0, len(sound), block):
        events += endpointer.feed(sound[start : start + block])
    return events + endpointer.finish()


def segments(events: list[VadEvent]) -> list[SpeechSegment]:
    return [event for event in events if isinstance(event, SpeechSegment)]


def quiet(seconds: float) -> Samples:
    noise = np.random.default_rng(4).standard_normal(round(seconds * RATE))
    return (0.001 * noise).astype(np.float32)


def covered(spans: list[tuple[float, float]], step: float = 0.01) -> set[int]:
    return {at for start, end in spans for at in range(round(start / step), round(end / step))}


def audible(sound: Samples, centisecond: int) -> bool:
    """Whether there is anything to hear: the noise of a good recording is 50 dB below its voice."""
    part = sound[centisecond * RATE // 100 :][: RATE // 100]
    return bool(np.sqrt(np.mean(part**2)) > 0.00316 * np.abs(sound).max()) if part.size else False


@pytest.mark.parametrize("clip", SPEECH)
def test_segments_hold_all_speech_that_another_detector_finds(speech_dir: Path, clip: str) -> None:
    """The recordings come with the spans that the VAD inside faster-whisper finds, with silence behind."""
    manifest = [json.loads(line) for line in (speech_dir / "manifest.jsonl").read_text("utf-8").splitlines()]
    expected = next(entry["silero_speech_s"] for entry in manifest if entry["file"] == clip)

    sound = read_wav(speech_dir / clip)
    found = segments(listen(np.concatenate([sound, quiet(1.0)])))

    audio = [((s.start - 6_400) / RATE, (s.end + 1_536) / RATE) for s in found]
    missed = {at for at in covered(expected) - covered(audio) if audible(sound, at)}
    assert len(missed) <= 0.01 * len(covered(expected)), f"missed at {sorted(missed)} centiseconds"
    speech = covered([(s.start / RATE, s.end / RATE) for s in found])
    assert speech & covered(expected)


@pytest.mark.parametrize("clip", NO_SPEECH)
def test_recordings_without_speech_start_no_turn(speech_dir: Path, clip: str) -> None:
    assert not [e for e in listen(read_wav(speech_dir / f"{clip}.wav")) if isinstance(e, SpeechStarted)]


_TIME = np.arange(4 * RATE) / RATE


def _clicks(length_ms: int, amplitude: float) -> Samples:
    rng = np.random.default_rng(5)
    sound = quiet(6.0)
    for second in range(1, 6):
        burst = rng.uniform(-amplitude, amplitude, length_ms * 16)
        sound[second * RATE : second * RATE + len(burst)] += burst.astype(np.float32)
    return sound


NOISES = {
    "silence": np.zeros(4 * RATE, np.float32),
    "room": quiet(4.0),
    "hum": (0.2 * np.sin(2 * np.pi * 100 * _TIME)).astype(np.float32),
    "loud noise": (300 * quiet(4.0)).astype(np.float32),
    "clicks of 80 ms": _clicks(80, 0.5),
    "bursts of 60 ms": _clicks(60, 0.3),
}


@pytest.mark.parametrize("sound", NOISES.values(), ids=NOISES.keys())
def test_synthetic_noise_starts_no_turn(sound: Samples) -> None:
    assert not [event for event in listen(sound) if isinstance(event, SpeechStarted)]


@pytest.mark.parametrize("rate", [16_000, 44_100])
def test_block_sizes_of_sound_cards_give_the_same_segments(speech_dir: Path, rate: int) -> None:
    """S38: 44.1 kHz stands for any sound that went through a resampler before."""
    sound = read_wav(speech_dir / "en_libri_2412_0000.wav")
    if rate != RATE:
        sound = soxr.resample(soxr.resample(sound, RATE, rate), rate, RATE)
    sound = np.concatenate([sound, quiet(1.0)])
    whole = [(s.start, s.end, s.decided, len(s.audio)) for s in segments(listen(sound, len(sound)))]

    for block in (160, 320, 480, 720, 1024, 1136):
        assert [(s.start, s.end, s.decided, len(s.audio)) for s in segments(listen(sound, block))] == whole
    assert len(whole) == 2


def test_resampling_moves_segments_by_a_frame_at_most(speech_dir: Path) -> None:
    sound = np.concatenate([read_wav(speech_dir / "en_vctk_p286_011.wav"), quiet(1.0)])
    direct = segments(listen(sound))[0]
    other = segments(listen(soxr.resample(soxr.resample(sound, RATE, 44_100), 44_100, RATE)))[0]

    assert abs(direct.start - other.start) <= 512
    assert abs(direct.end - other.end) <= 512


@pytest.mark.parametrize("lead_s", [0.4, 0.0])
@pytest.mark.parametrize("clip", ["en_vctk_p286_011.wav", "fr_css10_lesmis_0153.wav"])
def test_the_first_word_is_kept_whole(speech_dir: Path, lead_s: float, clip: str) -> None:
    """S40: also behind a quiet room, and when speech is the first thing after the start."""
    onset = {"en_vctk_p286_011.wav": 0.61, "fr_css10_lesmis_0153.wav": 0.19}[clip]
    voice = read_wav(speech_dir / clip)[round(onset * RATE) :]
    sound = np.concatenate([quiet(lead_s), voice, quiet(1.0)])

    segment = segments(listen(sound))[0]

    audio_start = segment.end + 1_536 - len(segment.audio)
    assert audio_start <= round(lead_s * RATE), "the first sound of the word is in the segment"
    assert audio_start == max(0, segment.start - 6_400)


def test_ten_minutes_of_stalls_do_not_deafen_it(speech_dir: Path) -> None:
    """S43: each time 20 s are lost, the next sentence is found."""
    voice = np.concatenate([read_wav(speech_dir / "en_cmd_living_room_lamp.wav"), quiet(0.2)])
    endpointer = Endpointer(silero())
    position = 0
    for _ in range(10):
        events: list[VadEvent] = []
        for start in range(0, len(voice), 320):
            events += endpointer.feed(voice[start : start + 320], position + start)
        assert [e for e in map(type, events) if e in (SpeechStarted, SpeechSegment)] == [
            SpeechStarted,
            SpeechSegment,
        ]
        position += len(voice) + 20 * RATE
