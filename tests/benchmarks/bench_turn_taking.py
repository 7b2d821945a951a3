"""Stop, barge-in and echo, measured on recordings of a virtual speaker and microphone.

    python tests/benchmarks/bench_turn_taking.py MODELS INTERRUPTION.wav [--rounds N] [--parts stop echo]

The whole engine runs with real devices (PulseAudio null sinks), real models for speech detection, recognition
and voice, and a language model of our own on loopback that streams a long reply at 40 tokens a second and
notes when its connection is closed. Prints one JSON document; times in seconds.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

import numpy as np
import soundfile

sys.path.insert(0, str(Path(__file__).parents[1]))

from s2s_desktop.cli.bench.figures import machine, summary
from s2s_desktop.conversation.events import FinalTranscript, SpokenProgress, State, StateChanged, VoicePaused
from talking import Talk, talking
from virtual_audio import VirtualAudio
from virtual_room import Echo, TimedRecorder

REPLY = " ".join(
    f"This is sentence number {number} of a long story about a king and his three sons."
    for number in range(60)
)
ECHO_REPLY = REPLY[: REPLY.index("This is sentence number 14")]
"""About a minute of voice."""
PARTS = ("stop", "careful", "immediate", "echo")
GAINS_DB = (0.0, -6.0, -12.0)


async def speaking(talk: Talk) -> None:
    """Ask for the story and return when its voice has been heard for two seconds."""
    began = time.monotonic()
    talk.engine.send_text("Tell me a story")
    await talk.events.until(lambda: len(talk.events.since(began, SpokenProgress)) > 4, "the voice")
    await asyncio.sleep(1.5)


async def stop(speaker: TimedRecorder, rounds: int) -> dict[str, object]:
    silent, closed = [], []
    async with talking(REPLY, "off") as talk:
        for _ in range(rounds):
            await speaking(talk)
            await asyncio.to_thread(speaker.wait_for_sound)
            pressed = time.monotonic()
            talk.engine.stop_reply()
            await asyncio.sleep(1.0)
            silent.append(speaker.quiet_from(pressed, within_s=0.9) - pressed)
            closed.append(_closed(talk, pressed) - pressed)
    return {"silent": summary(silent), "stream_closed": summary(closed)}


async def barge_in(
    audio: VirtualAudio, recorders: tuple[TimedRecorder, TimedRecorder], words: Path, mode: str, rounds: int
) -> dict[str, object]:
    microphone, speaker = recorders
    silent, closed, heard = [], [], []
    async with talking(REPLY, mode) as talk:
        for _ in range(rounds):
            await speaking(talk)
            await asyncio.to_thread(speaker.wait_for_sound)
            began = time.monotonic()
            await asyncio.to_thread(audio.play, words)
            await talk.events.until(
                lambda began=began: talk.events.since(began, FinalTranscript),  # type: ignore[misc]
                "the interruption is heard",
            )
            onset = microphone.first_sound(began, began + 3.0)
            assert onset is not None
            silent.append(speaker.quiet_from(onset) - onset)
            decided = talk.events.last(StateChanged(State.INTERRUPTED))
            closed.append(_closed(talk, decided) - decided)
            heard += [each.text for each in talk.events.since(began, FinalTranscript)]
            talk.engine.stop_reply()
            await asyncio.sleep(0.5)
    return {"silent": summary(silent), "stream_closed_after_decision": summary(closed), "heard": heard}


def _closed(talk: Talk, since: float) -> float:
    """Return when the stream of the reply was closed that was ended at `since`."""
    return next((at for at in talk.teller.closed if at >= since), float("inf"))


async def echo(audio: VirtualAudio, words: Path, gain_db: float) -> dict[str, object]:
    async with talking(ECHO_REPLY, "careful") as talk:
        room = Echo(audio, gain_db)
        try:
            began = time.monotonic()
            talk.engine.send_text("Tell me a story")
            await talk.events.until(
                lambda: any(each.finished for each in talk.events.since(began, SpokenProgress)),
                "the end of the story",
                150,
            )
            spoke_s = time.monotonic() - began
            await asyncio.sleep(2.0)
            found: dict[str, object] = {
                "gain_db": gain_db,
                "reply_s": round(spoke_s, 1),
                "self_interruptions": len(talk.teller.requests) - 1,
                "self_transcripts": len(talk.events.since(began, FinalTranscript)),
                "pauses": sum(each.paused for each in talk.events.since(began, VoicePaused)),
                "paused_s": round(_paused_s(talk), 2),
            }
            asked = len(talk.teller.requests)
            await speaking(talk)
            began = time.monotonic()
            await asyncio.to_thread(audio.play, words)
            with suppress(TimeoutError):
                await talk.events.until(lambda: talk.events.since(began, FinalTranscript), "words", 10)
            found["interruption_heard_as"] = [each.text for each in talk.events.since(began, FinalTranscript)]
            with suppress(TimeoutError):
                await talk.events.until(lambda: len(talk.teller.requests) > asked + 1, "the request", 5)
            found["interruption_answered"] = len(talk.teller.requests) > asked + 1
            return found
        finally:
            room.stop()


def _paused_s(talk: Talk) -> float:
    """Return for how long the voice was held."""
    since, total = None, 0.0
    for at, _, event in talk.events.seen:
        if isinstance(event, VoicePaused):
            if since is not None:
                total += at - since
            since = at if event.paused else None
    return total


def told(name: str, found: dict[str, object]) -> dict[str, object]:
    """Return what was found, told at once: all of it takes a quarter of an hour."""
    print(name, json.dumps(found, ensure_ascii=False), file=sys.stderr, flush=True)
    return found


async def run(options: argparse.Namespace, audio: VirtualAudio) -> dict[str, object]:
    recorders = TimedRecorder(audio, "mic"), TimedRecorder(audio, "spk")
    words = options.interruption
    try:
        result: dict[str, object] = {"machine": machine(), "load": os.getloadavg()}
        if "stop" in options.parts:
            result["stop"] = told("stop", await stop(recorders[1], options.rounds))
        for mode in ("careful", "immediate"):
            if mode in options.parts:
                found = await barge_in(audio, recorders, words, mode, options.rounds)
                result[f"barge_in_{mode}"] = told(mode, found)
        if "echo" in options.parts:
            result["echo"] = [told("echo", await echo(audio, words, gain)) for gain in options.gains]
        result["load_at_the_end"] = os.getloadavg()
        return result
    finally:
        for recorder in recorders:
            recorder.stop()


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("models", type=Path, help="the folder of the model files")
    parser.add_argument("interruption", type=Path, help="somebody who says a few words")
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument(
        "--parts", nargs="+", choices=PARTS, default=PARTS, help="what is measured; all of it by default"
    )
    parser.add_argument(
        "--gains", nargs="+", type=float, default=GAINS_DB, help="how loud the echo is, in decibels"
    )
    options = parser.parse_args()
    with VirtualAudio() as audio, tempfile.TemporaryDirectory() as home:
        (Path(home) / "models").symlink_to(options.models.resolve())
        os.environ.update(
            audio.env, S2S_DESKTOP_HOME=home, PYTHON_KEYRING_BACKEND="keyring.backends.fail.Keyring"
        )
        # A person begins to speak when the file begins.
        samples, rate = soundfile.read(options.interruption, dtype="float32")
        loud = np.flatnonzero(np.abs(samples) > 0.05 * np.abs(samples).max())
        words = Path(home) / "words.wav"
        soundfile.write(words, samples[loud[0] :], rate)
        options.interruption = words
        print(json.dumps(asyncio.run(run(options, audio)), indent=2, ensure_ascii=False))


if __name__ == "__main__":
    main()
