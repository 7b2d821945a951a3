from __future__ import annotations

import logging
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import soxr
from hypothesis import given, settings
from hypothesis import strategies as st

from s2s_desktop.audio.echo import DELAY, EchoCanceller
from s2s_desktop.audio.echo_reference import EchoReference
from s2s_desktop.audio.protocol import AudioBlock, Samples
from s2s_desktop.audio.wav_file import read_wav
from s2s_desktop.vad.endpointing import Endpointer
from s2s_desktop.vad.events import SpeechOnset, VadEvent
from s2s_desktop.vad.silero import SileroDetector
from simulated_room import echo_of, record

RATE = 16_000


def voice(seconds: float, seed: int = 1) -> Samples:
    """Return noise with the loudness and the spectrum of speech, roughly."""
    rng = np.random.default_rng(seed)
    noise = np.convolve(rng.standard_normal(round(seconds * RATE)), np.exp(-np.arange(40) / 8), mode="same")
    syllables = 0.5 + 0.5 * np.sin(2 * np.pi * 4 * np.arange(noise.size) / RATE)
    return (0.1 * noise * syllables).astype(np.float32)


def run(
    microphone: Samples, played: Samples, *, block: int = 512, jitter: Callable[[], float] = lambda: 0.0
) -> Samples:
    reference = EchoReference()
    canceller = EchoCanceller(reference)
    blocks = record(microphone, played, reference, block=block, jitter=jitter)
    return np.concatenate([canceller.clean(piece) for piece in blocks])


def reduction_db(before: Samples, after: Samples) -> float:
    """Return how much quieter `after` is."""
    return float(10 * np.log10(np.mean(before**2) / np.mean(after**2)))


@pytest.mark.parametrize("echo_db", [0.0, -6.0])
def test_our_own_voice_is_taken_out(echo_db: float) -> None:
    played = voice(8.0)
    microphone = echo_of(played, echo_db)

    cleaned = run(microphone, played)

    assert reduction_db(microphone[2 * RATE :], cleaned[2 * RATE :]) > 20.0


def test_jitter_and_drift_of_the_clocks_are_survived() -> None:
    rng = np.random.default_rng(9)
    played = voice(12.0)
    microphone = soxr.resample(echo_of(played, -6.0), 10_000, 10_002)[: len(played)].astype(np.float32)

    cleaned = run(microphone, played, jitter=lambda: float(rng.uniform(-0.01, 0.01)))

    assert reduction_db(microphone[4 * RATE :], cleaned[4 * RATE :]) > 12.0


def test_a_delay_that_jumps_is_adapted_to() -> None:
    played = voice(10.0)
    before, after = echo_of(played, -6.0), echo_of(played, -6.0, late_s=0.15)
    microphone = np.concatenate([before[: 4 * RATE], after[4 * RATE :]])

    cleaned = run(microphone, played)

    assert reduction_db(microphone[7 * RATE :], cleaned[7 * RATE :]) > 15.0


@pytest.mark.parametrize("block", [512, 100, 4_000])
def test_resting_while_nothing_is_played_changes_nothing_of_what_is_cleaned(block: int) -> None:
    played = np.concatenate([np.zeros(3 * RATE, np.float32), voice(2.0), np.zeros(3 * RATE, np.float32)])
    played = np.concatenate([played, voice(0.02), np.zeros(2 * RATE, np.float32), voice(2.0, seed=4)])
    microphone = echo_of(played, -6.0)
    cleaned = []
    for tells_silence in (False, True):
        reference = EchoReference()
        canceller = EchoCanceller(reference)
        blocks = record(microphone, played, reference, block=block, tells_silence=tells_silence)
        cleaned.append(np.concatenate([canceller.clean(piece) for piece in blocks]))

    assert np.array_equal(*cleaned)


def test_the_voice_of_the_user_stays() -> None:
    played, user = voice(8.0), voice(8.0, seed=2)
    user[: 5 * RATE] = 0.0

    cleaned = run(echo_of(played, -12.0) + user, played)

    assert reduction_db(cleaned[6 * RATE :], cleaned[3 * RATE : 5 * RATE]) > 15.0, "the echo is gone"
    assert reduction_db(user[6 * RATE :], cleaned[6 * RATE :]) < 3.0, "the user is not"
    likeness = np.correlate(cleaned[6 * RATE :], user[6 * RATE - DELAY - 40 : -DELAY + 40])
    assert abs(int(np.argmax(np.abs(likeness))) - 40) <= 1, "18 ms late"


def test_without_a_voice_the_sound_passes_untouched() -> None:
    microphone = voice(3.0)

    assert np.array_equal(run(microphone, np.zeros_like(microphone)), microphone)


def test_the_sound_passes_untouched_again_a_second_after_the_voice() -> None:
    played = voice(4.0)
    played[RATE:] = 0.0
    microphone = voice(4.0, seed=2)

    cleaned = run(microphone, played)

    assert np.array_equal(cleaned[3 * RATE :], microphone[3 * RATE :])
    assert not np.array_equal(cleaned[RATE : 2 * RATE], microphone[RATE : 2 * RATE])


@settings(max_examples=20, deadline=None)
@given(sizes=st.lists(st.integers(1, 2_000), min_size=1, max_size=30))
def test_as_much_comes_out_as_goes_in_whatever_the_blocks(sizes: list[int]) -> None:
    reference = EchoReference()
    reference.write(voice(4.0), RATE, 0.0)
    canceller = EchoCanceller(reference)
    position = 0
    for size in sizes:
        samples = canceller.clean(AudioBlock(np.ones(size, np.float32), position, (position + size) / RATE))
        assert samples.shape == (size,)
        assert np.isfinite(samples).all()
        position += size


def test_lost_sound_begins_anew() -> None:
    reference = EchoReference()
    canceller = EchoCanceller(reference)
    canceller.clean(AudioBlock(voice(1.0), 0, 1.0))

    block = AudioBlock(voice(1.0), 500_000, 40.0)

    assert np.array_equal(canceller.clean(block), block.samples)


def test_without_the_library_the_sound_passes_and_it_is_said_once(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setitem(sys.modules, "pywebrtc_audio", None)
    with caplog.at_level(logging.WARNING):
        canceller = EchoCanceller(EchoReference())
        blocks = [AudioBlock(voice(0.1), start, 0.1) for start in (0, 1_600, 3_200)]
        cleaned = [canceller.clean(block) for block in blocks]

    assert not canceller.works
    assert all(np.array_equal(samples, block.samples) for samples, block in zip(cleaned, blocks, strict=True))
    assert [record.message for record in caplog.records if "echo" in record.message] == [
        caplog.records[0].message
    ]


@pytest.mark.parametrize("echo_db", [0.0, -12.0])
def test_the_assistant_does_not_hear_itself_and_hears_an_interruption(
    speech_dir: Path, echo_db: float
) -> None:
    far = np.tile(read_wav(speech_dir / "en_libri_198_0000.wav"), 2)[: 20 * RATE]
    near = read_wav(speech_dir / "en_cmd_living_room_lamp.wav")
    far, near = 0.5 * far / np.max(np.abs(far)), 0.35 * near / np.max(np.abs(near))
    microphone = echo_of(far, echo_db)
    microphone[15 * RATE : 15 * RATE + len(near)] += near
    reference = EchoReference()
    canceller = EchoCanceller(reference)
    endpointer = Endpointer(SileroDetector())
    endpointer.set_strict(True)

    onsets: list[VadEvent] = []
    for block in record(microphone, far, reference):
        events = endpointer.feed(canceller.clean(block), block.position, block.samples)
        onsets += [event for event in events if isinstance(event, SpeechOnset)]

    assert len(onsets) == 1
    assert 15.3 * RATE < onsets[0].position < 16.0 * RATE


@pytest.mark.parametrize("at", [1.0, 2.0, 3.0])
def test_with_headphones_an_interruption_of_the_first_reply_is_heard_at_once(
    speech_dir: Path, at: float
) -> None:
    far = read_wav(speech_dir / "en_libri_198_0000.wav")[: 6 * RATE]
    near = read_wav(speech_dir / "en_cmd_living_room_lamp.wav")
    far, near = 0.5 * far / np.max(np.abs(far)), 0.35 * near / np.max(np.abs(near))
    microphone = np.asarray(0.0005 * np.random.default_rng(3).standard_normal(len(far)), np.float32)
    begin = round(at * RATE)
    microphone[begin : begin + len(near)] += near
    reference = EchoReference()
    canceller = EchoCanceller(reference)
    endpointer = Endpointer(SileroDetector())
    endpointer.set_strict(True)

    onsets: list[VadEvent] = []
    for block in record(microphone, far, reference):
        events = endpointer.feed(canceller.clean(block), block.position, block.samples)
        onsets += [event for event in events if isinstance(event, SpeechOnset)]

    assert begin + 0.3 * RATE < onsets[0].position < begin + 0.6 * RATE
