"""Where in a recording somebody speaks.

Whisper invents text where nobody speaks, so it only ever hears stretches in which Silero VAD (the copy inside
the faster-whisper package) hears speech. On the recordings that were measured speech reaches 0.96 and more;
running water, typing, jazz, hum and silence stay below 0.14.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

RATE = 16_000
MAX_STRETCH = 28 * RATE
"""Whisper hears at most 30 s at once."""

_LONG_PAUSE = 2 * RATE
"""Silence that is cut out of a long recording rather than transcribed."""


def speech_stretches(audio: NDArray[np.float32]) -> list[NDArray[np.float32]]:
    """Cut a recording into stretches to transcribe one by one.

    A recording of up to 28 s with speech in it is one stretch, uncut. A longer one is cut in its pauses.

    Args:
        audio: shape (n,), float32, 16 kHz mono.

    Returns:
        Views of `audio`, in order; empty when nobody speaks.
    """
    from faster_whisper.vad import VadOptions, get_speech_timestamps

    options = VadOptions(
        threshold=0.35,
        min_speech_duration_ms=96,
        min_silence_duration_ms=300,
        max_speech_duration_s=24.0,
        speech_pad_ms=300,
    )
    spans = [(int(span["start"]), int(span["end"])) for span in get_speech_timestamps(audio, options)]
    if not spans:
        return []
    if audio.size <= MAX_STRETCH:
        return [audio]
    stretches = [spans[0]]
    for start, end in spans[1:]:
        first, last = stretches[-1]
        if end - first <= MAX_STRETCH and start - last < _LONG_PAUSE:
            stretches[-1] = (first, end)
        else:
            stretches.append((start, end))
    return [audio[start:end] for start, end in stretches]
