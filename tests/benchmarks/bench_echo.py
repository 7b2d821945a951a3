"""How well the assistant is kept from hearing itself, and how soon it hears somebody who interrupts.

    PYTHONPATH=.:tests python tests/benchmarks/bench_echo.py FAR.wav NEAR.wav ...

The sound of FAR, repeated for a minute, is played by a simulated loudspeaker (soft clipping) into a
simulated room (60 ms of delay, an echo that decays in 250 ms) and mixed into the microphone at 0, -6 and
-12 dB. Counted are triggers of the detector on the echo alone. Then each NEAR speaks once over the echo, and
`SpeechOnset` and `SpeechStarted` are compared with those of the same voice in a quiet room. With headphones
(no echo at all, and one of -40 dB) each NEAR interrupts the first reply of a new conversation at several
moments, when nothing is known of the room yet; an onset more than half a second late is a missed one. Prints
one JSON document.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np

from s2s_desktop.audio.echo import EchoCanceller
from s2s_desktop.audio.echo_reference import EchoReference
from s2s_desktop.audio.protocol import PIPELINE_RATE, Samples
from s2s_desktop.audio.wav_file import read_wav
from s2s_desktop.vad.endpointing import Endpointer
from s2s_desktop.vad.events import SpeechOnset, SpeechStarted
from s2s_desktop.vad.silero import SileroDetector
from simulated_room import echo_of, record

ECHO_DB = (0.0, -6.0, -12.0)
FAR_S = 60.0
HEADPHONES_DB = (-200.0, -40.0)
INTERRUPTED_AT_S = (0.3, 0.7, 1.0, 2.0, 4.0)
MISSED_S = 0.5
FAR_PEAK = 0.5
NEAR_PEAK = 0.35


def hear(microphone: Samples, far: Samples, *, cancel: bool) -> tuple[list[float], list[float], Samples]:
    """Play `far` and record `microphone` at the same time, both at 16 kHz.

    Returns:
        When `SpeechOnset` and `SpeechStarted` came, in seconds, and the sound that decided about them.
    """
    reference = EchoReference()
    canceller = EchoCanceller(reference)
    endpointer = Endpointer(SileroDetector())
    endpointer.set_strict(cancel)
    onsets, starts, decided = [], [], []
    for block in record(microphone, far, reference):
        decided.append(canceller.clean(block) if cancel else block.samples)
        events = endpointer.feed(decided[-1], block.position, block.samples)
        onsets += [block.captured_at for event in events if isinstance(event, SpeechOnset)]
        starts += [block.captured_at for event in events if isinstance(event, SpeechStarted)]
    return onsets, starts, np.concatenate(decided)


def measure(far: Samples, nears: list[Samples], echo_db: float) -> dict[str, object]:
    """Return the figures at one loudness of the echo."""
    echo, room = echo_of(far, echo_db), echo_of(np.zeros_like(far), 0.0)
    onsets_raw, starts_raw, _ = hear(echo, far, cancel=False)
    onsets, starts, cleaned = hear(echo, far, cancel=True)
    settled = slice(3 * PIPELINE_RATE, len(cleaned))
    reduction = 10 * np.log10(np.mean(echo[settled] ** 2) / np.mean(cleaned[settled] ** 2))
    to_onset, to_start = [], []
    for near in nears:
        microphone = echo.copy()
        at = 10 * PIPELINE_RATE
        microphone[at : at + len(near)] += near
        alone = room.copy()
        alone[at : at + len(near)] += near
        end = at + len(near)
        onset, start, _ = hear(alone[:end], far[:end], cancel=False)
        heard = hear(microphone[:end], far[:end], cancel=True)
        to_onset += [found - onset[0] for found in heard[0] if found >= onset[0]][:1]
        to_start += [found - start[0] for found in heard[1] if found >= start[0]][:1]
    return {
        "echo_db": echo_db,
        "without": {"onsets": len(onsets_raw), "triggers": len(starts_raw)},
        "with": {"onsets": len(onsets), "triggers": len(starts), "reduction_db": round(float(reduction), 1)},
        "interruptions": {
            "spoken": len(nears),
            "heard": len(to_start),
            "onset_later_median_s": round(float(np.median(to_onset)), 3),
            "onset_later_worst_s": round(float(np.max(to_onset)), 3),
            "started_later_median_s": round(float(np.median(to_start)), 3),
        },
    }


def measure_headphones(far: Samples, nears: list[Samples], echo_db: float) -> dict[str, object]:
    """Return how many interruptions of a first reply are missed, by their moment in seconds."""
    missed: dict[str, str] = {}
    for at_s in INTERRUPTED_AT_S:
        late = 0
        for near in nears:
            at, end = round(at_s * PIPELINE_RATE), round((at_s + 3.0) * PIPELINE_RATE)
            alone, microphone = echo_of(np.zeros_like(far[:end]), 0.0), echo_of(far[:end], echo_db)
            part = near[: end - at]
            alone[at : at + len(part)] += part
            microphone[at : at + len(part)] += part
            quiet = hear(alone, far[:end], cancel=False)[0][0]
            late += not any(
                found - quiet <= MISSED_S for found in hear(microphone, far[:end], cancel=True)[0]
            )
        missed[str(at_s)] = f"{late} of {len(nears)}"
    return {"headphones_db": echo_db, "missed": missed}


def scaled(sound: Samples, peak: float) -> Samples:
    """Return `sound` with this peak."""
    return (sound * peak / np.max(np.abs(sound))).astype(np.float32)


def main(far_file: str, *near_files: str) -> None:
    """Run it."""
    voice = read_wav(Path(far_file))
    far = np.tile(scaled(voice, FAR_PEAK), int(np.ceil(FAR_S * PIPELINE_RATE / len(voice))))
    far = far[: round(FAR_S * PIPELINE_RATE)]
    nears = [scaled(read_wav(Path(file)), NEAR_PEAK) for file in near_files]
    found = [measure(far, nears, echo_db) for echo_db in ECHO_DB]
    found += [measure_headphones(far, nears, echo_db) for echo_db in HEADPHONES_DB]
    print(json.dumps(found, indent=2))


if __name__ == "__main__":
    main(*sys.argv[1:])
