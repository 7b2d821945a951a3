"""How soon a turn is decided, and how often too soon, with and without Smart Turn.

    PYTHONPATH=. python tests/benchmarks/bench_turn_end.py SMART_TURN_FILE WAV ...

Every WAV file holds what one person says in one turn. They are heard alone and joined with gaps. A cut-off
is a turn decided while the person only paused; it counts as repaired when they went on within the time in
which the conversation reopens the turn. Prints one JSON document.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np

from s2s_desktop.audio.protocol import PIPELINE_RATE, Samples
from s2s_desktop.audio.wav_file import read_wav
from s2s_desktop.vad.endpointing import Endpointer, Judge
from s2s_desktop.vad.events import SpeechSegment, SpeechStarted, VadEvent
from s2s_desktop.vad.silero import SileroDetector
from s2s_desktop.vad.smart_turn import SmartTurn

REOPEN_S = 0.8
GAPS_S = (0.3, 0.7, 1.5)
END_S = 3.0


def quiet(seconds: float) -> Samples:
    """Return the noise of a quiet room."""
    noise = np.random.default_rng(4).standard_normal(round(seconds * PIPELINE_RATE))
    return (0.001 * noise).astype(np.float32)


def listen(sound: Samples, detector: SileroDetector, judge: Judge | None) -> list[VadEvent]:
    """Return what an endpointer with the default settings hears."""
    endpointer = Endpointer(detector, judge=judge)
    detector.reset()
    events: list[VadEvent] = []
    for start in range(0, len(sound), 512):
        events += endpointer.feed(sound[start : start + 512])
    return events + endpointer.finish()


def measure(clips: list[Samples], gap_s: float | None, detector: SileroDetector, judge: Judge | None) -> dict:
    """Return the figures of all clips, alone (`gap_s` None) or joined with a gap."""
    gap = quiet(gap_s or 0.0)
    joined = [np.concatenate([part for clip in clips for part in (clip, gap)])]
    pauses, cut_offs, repaired = [], 0, 0
    for sound in clips if gap_s is None else joined:
        events = listen(np.concatenate([quiet(0.5), sound, quiet(END_S)]), detector, judge)
        found = [event for event in events if isinstance(event, SpeechSegment)]
        starts = [event.position for event in events if isinstance(event, SpeechStarted)][1:]
        pauses += [(segment.decided - segment.end) / PIPELINE_RATE for segment in found]
        if gap_s is None:
            cut_offs += len(starts)
            late = zip(found, starts, strict=False)
            repaired += sum(start - segment.decided <= REOPEN_S * PIPELINE_RATE for segment, start in late)
    result = {"turns": len(pauses), "mean_pause_s": round(float(np.mean(pauses)), 3)}
    result["median_pause_s"] = round(float(np.median(pauses)), 3)
    if gap_s is None:
        result |= {"cut_offs": cut_offs, "repaired": repaired}
    return result


def main(model: str, *files: str) -> None:
    """Run it."""
    clips = [read_wav(Path(file)) for file in files]
    detector, smart_turn = SileroDetector(), SmartTurn(Path(model))
    judges: dict[str, Judge | None] = {"pause alone": None, "with Smart Turn": smart_turn.finished}
    report = {
        name: {
            "alone" if gap is None else f"gaps of {gap} s": measure(clips, gap, detector, judge)
            for gap in (None, *GAPS_S)
        }
        for name, judge in judges.items()
    }
    print(json.dumps({"clips": len(clips), **report}, indent=2))


if __name__ == "__main__":
    main(*sys.argv[1:])
