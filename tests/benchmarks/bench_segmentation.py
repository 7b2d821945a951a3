"""What cutting speech into turns costs: words lost, turns per file, turns made of noise.

    python tests/benchmarks/bench_segmentation.py MODELS SPEECH [--language en]

Every clip alone, and each joined with the next of its language over a gap, goes through the whole path of
the microphone (VAD, endpointing, reopening, speech recognition) as fast as it can be taken. The words of its
turns are compared with the transcript of the whole file given to speech recognition at once: lost words are
missing or different there. Whisper hears the same speech differently from time to time ("ten", "10"; "he's",
"he is"), also when nothing was cut. So both are compared with what was really said as well: cutting costs
what the turns have more errors than the whole. Prints one JSON document, and each file on stderr.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
import tempfile
from collections import defaultdict
from dataclasses import asdict, dataclass
from pathlib import Path

import jiwer
import numpy as np

from s2s_desktop.audio.protocol import PIPELINE_RATE, Samples
from s2s_desktop.audio.sound_file import read_wav, write_wav
from s2s_desktop.audio.wav_file import WavSource
from s2s_desktop.cli.bench.figures import machine
from s2s_desktop.cli.bench.latency import InstantModel
from s2s_desktop.conversation.events import (
    Event,
    FinalTranscript,
    MicrophoneChanged,
    TurnFinished,
    TurnId,
    TurnReopened,
)
from s2s_desktop.engine.engine import Engine
from s2s_desktop.engine.part import Part
from s2s_desktop.settings.paths import find_paths
from s2s_desktop.settings.schema import Settings

GAPS_MS = (300, 700, 1500)
"""Between the voices: the silence at the ends of recordings is cut away."""
MARGIN_MS = 50
NOISE_ROUNDS = 3
UNSPACED = ("ja", "zh")


class Ears:
    """The microphone's path of an engine that answers at once and says nothing."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        engine.session.stages.language_model = InstantModel("Yes.")
        engine.session.add_observer(self._observe)
        self._closed = asyncio.Event()

    async def hear(self, path: Path) -> tuple[list[str], int, int]:
        """Return the words of each turn of a file, how many turns there were, and how many were reopened."""
        self._words: dict[int, str] = {}
        self._finished: set[int] = set()
        self._reopened: set[int] = set()
        self._closed.clear()
        source = WavSource(path, realtime=False, trailing_silence_s=4.0)
        self.engine.session.stages.make_source = lambda: source
        self.engine.session.set_microphone(True)
        await self._closed.wait()
        await self.engine.session.settled()
        self.engine.session.start_over([])
        words = [text for _, text in sorted(self._words.items()) if text]
        return words, len(words), len(self._reopened)

    def _observe(self, turn: TurnId | None, event: Event) -> None:
        match event:
            case MicrophoneChanged(on=False):
                self._closed.set()
            case FinalTranscript(text) if turn is not None:
                self._words[turn.number] = text
            case TurnReopened() if turn is not None:
                self._reopened.add(turn.number)
            case TurnFinished() if turn is not None:
                self._finished.add(turn.number)
            case _:
                pass


@dataclass(frozen=True, slots=True)
class Clip:
    """A recording of `language` in `path`; `said` is what is said in it, as its manifest has it."""

    language: str
    path: Path
    said: str


@dataclass(slots=True)
class Difference:
    """Words (characters, where none are spaced) of a reference of `words` and what became of them."""

    words: int = 0
    lost: int = 0
    changed: int = 0
    added: int = 0

    @property
    def errors(self) -> int:
        """All that is different."""
        return self.lost + self.changed + self.added

    def take(self, other: Difference) -> None:
        """Count another text as well."""
        self.words += other.words
        self.lost += other.lost
        self.changed += other.changed
        self.added += other.added


def compare(reference: str, heard: str, language: str) -> Difference:
    """Return what of the reference was not heard, heard differently, or heard in addition."""
    plain = [_plain(text, language) for text in (reference, heard)]
    if not plain[0].strip():
        return Difference(added=len(plain[1].split()))
    found = jiwer.process_words(plain[0], plain[1])
    return Difference(len(plain[0].split()), found.deletions, found.substitutions, found.insertions)


def _plain(text: str, language: str) -> str:
    kept = "".join(sign if sign.isalnum() else " " for sign in text.lower().replace("'", ""))
    return " ".join(kept.replace(" ", "")) if language in UNSPACED else " ".join(kept.split())


async def measure(options: argparse.Namespace, folder: Path) -> dict[str, object]:
    clips = [json.loads(line) for line in (options.speech / "manifest.jsonl").read_text().splitlines()]
    spoken: dict[str, list[Clip]] = defaultdict(list)
    noises: list[Path] = []
    for clip in clips:
        path = options.speech / clip["file"]
        language = clip.get("language") or ""
        if path.name.startswith("ns_"):
            noises.append(path)
        elif options.language in ("", language):
            spoken[language].append(Clip(language, path, clip["transcript"]))
    engine = Engine(Settings(), find_paths(), parts={Part.HEARING})
    result: dict[str, object] = {"machine": machine()}
    try:
        await engine.prepare()
        ears = Ears(engine)
        result["alone"] = await _compare(ears, [clip for clips in spoken.values() for clip in clips])
        for gap in GAPS_MS:
            files = [
                _joined(first, second, gap, folder)
                for clips in spoken.values()
                for first, second in zip(clips, [*clips[1:], clips[0]], strict=True)
            ]
            result[f"gap_{gap}_ms"] = await _compare(ears, files)
        turns = [(await ears.hear(path))[0] for path in noises for _ in range(NOISE_ROUNDS)]
        result["turns_of_noise"] = sum(len(words) for words in turns)
        result["noise_files"] = len(turns)
    finally:
        await engine.close()
    return result


async def _compare(ears: Ears, files: list[Clip]) -> dict[str, object]:
    by_cutting, whole_errors, turn_errors = Difference(), 0, 0
    counts: list[int] = []
    reopened = 0
    different: dict[str, object] = {}
    for clip in files:
        whole = (await ears.engine.transcribe(read_wav(clip.path))).text
        turns, count, again = await ears.hear(clip.path)
        heard = " ".join(turns)
        found = compare(whole, heard, clip.language)
        by_cutting.take(found)
        whole_errors += compare(clip.said, whole, clip.language).errors
        turn_errors += compare(clip.said, heard, clip.language).errors
        counts.append(count)
        reopened += again
        print(clip.path.stem, count, f"{found.errors}/{found.words}", turns, file=sys.stderr, flush=True)
        if found.errors:
            different[clip.path.stem] = {"said": clip.said, "whole": whole, "turns": turns}
    return {
        "files": len(files),
        **asdict(by_cutting),
        "share_lost_or_changed": round((by_cutting.lost + by_cutting.changed) / max(by_cutting.words, 1), 4),
        "errors_in_the_whole": whole_errors,
        "errors_in_the_turns": turn_errors,
        "files_with_one_turn": counts.count(1),
        "turns": sum(counts),
        "files_reopened": reopened,
        "different": different,
    }


def _joined(first: Clip, second: Clip, gap_ms: int, folder: Path) -> Clip:
    path = folder / f"{first.path.stem}_{gap_ms}_{second.path.stem}.wav"
    write_wav(path, _join(read_wav(first.path), read_wav(second.path), gap_ms), PIPELINE_RATE)
    return Clip(first.language, path, f"{first.said} {second.said}")


def _join(first: Samples, second: Samples, gap_ms: int) -> Samples:
    """Put a second recording behind a first one, so that its voice follows after `gap_ms`."""
    pause = np.zeros((gap_ms - 2 * MARGIN_MS) * PIPELINE_RATE // 1000, np.float32)
    return np.concatenate([first[: _voice(first).stop], pause, second[_voice(second).start :]])


def _voice(sound: Samples) -> slice:
    """Return where the voice begins and ends, with a margin for its soft sounds; a click is no voice."""
    frame, margin = PIPELINE_RATE // 100, MARGIN_MS * PIPELINE_RATE // 1000
    frames = sound[: sound.size // frame * frame].reshape(-1, frame)
    levels = np.sqrt(np.mean(np.square(frames), axis=1))
    above = levels > 0.1 * np.percentile(levels, 95)
    loud = np.flatnonzero(above & (np.convolve(above, np.ones(20), mode="same") >= 10))
    return slice(max(0, int(loud[0]) * frame - margin), (int(loud[-1]) + 1) * frame + margin)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("models", type=Path, help="the folder of the model files")
    parser.add_argument("speech", type=Path, help="the folder of recordings with their manifest.jsonl")
    parser.add_argument("--language", default="", help="only this language")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as home:
        (Path(home) / "models").symlink_to(options.models.resolve())
        os.environ["S2S_DESKTOP_HOME"] = home
        print(json.dumps(asyncio.run(measure(options, Path(home))), indent=2, ensure_ascii=False))


if __name__ == "__main__":
    main()
