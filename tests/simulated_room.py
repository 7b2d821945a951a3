"""A loudspeaker and a microphone in the same room, without either: for tests of echo cancelling."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import soxr

from s2s_desktop.audio.echo_reference import EchoReference
from s2s_desktop.audio.protocol import PIPELINE_RATE, AudioBlock, Samples

DEVICE_RATE = 48_000
DEVICE_BLOCK = 960
OUTPUT_LATENCY_S = 0.04
DELAY_S = 0.06
"""From leaving the loudspeaker to being delivered by the microphone."""


def loudspeaker(voice: Samples) -> Samples:
    """Return what a voice becomes in a cheap loudspeaker and a room that rings for 250 ms, at 16 kHz."""
    clipped = np.tanh(2.0 * voice) / 2.0
    rng = np.random.default_rng(7)
    time = np.arange(round(0.25 * PIPELINE_RATE)) / PIPELINE_RATE
    response = 0.15 * rng.standard_normal(time.size) * np.exp(-time / 0.05)
    response[0] = 1.0
    response /= np.sqrt(np.sum(response**2))
    size = 2 ** int(np.ceil(np.log2(len(voice) + time.size)))
    echo = np.fft.irfft(np.fft.rfft(clipped, size) * np.fft.rfft(response, size), size)
    return np.asarray(echo[: len(voice)], np.float32)


def echo_of(voice: Samples, echo_db: float, late_s: float = OUTPUT_LATENCY_S + DELAY_S) -> Samples:
    """Return what the microphone hears of a voice that is handed to the device from sample 0 on."""
    late = np.concatenate([np.zeros(round(late_s * PIPELINE_RATE), np.float32), loudspeaker(voice)])
    noise = 0.0005 * np.random.default_rng(3).standard_normal(len(voice))
    return np.asarray(10 ** (echo_db / 20) * late[: len(voice)] + noise, np.float32)


def record(
    microphone: Samples,
    voice: Samples,
    reference: EchoReference,
    *,
    block: int = 512,
    jitter: Callable[[], float] = lambda: 0.0,
    tells_silence: bool = True,
) -> Iterator[AudioBlock]:
    """Play `voice` and yield what the microphone takes meanwhile, both at 16 kHz; the time begins at 0.

    Args:
        microphone: What there is to hear.
        voice: What the speaker plays; `reference` is told of it as by a device of 48 kHz.
        reference: Told of what is played.
        block: Samples of a block.
        jitter: Seconds by which a time that a driver tells is wrong.
        tells_silence: Whether `reference` is told what is silence, as the speaker does.
    """
    played = np.asarray(soxr.resample(voice, PIPELINE_RATE, DEVICE_RATE), np.float32)
    handed = 0
    for start in range(0, len(microphone), block):
        samples = microphone[start : start + block]
        now = (start + len(samples)) / PIPELINE_RATE
        while handed / DEVICE_RATE <= now and handed < len(played):
            heard_from = handed / DEVICE_RATE + OUTPUT_LATENCY_S + jitter()
            piece = played[handed : handed + DEVICE_BLOCK]
            reference.write(piece, DEVICE_RATE, heard_from, silence=tells_silence and not piece.any())
            handed += DEVICE_BLOCK
        yield AudioBlock(samples, start, now + jitter())
