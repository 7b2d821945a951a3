"""What cutting speech into turns costs: words lost, turns per file, turns made of noise.

    python tests/benchmarks/bench_segmentation.py MODELS SPEECH [--language en]

Every clip alone, and each joined with the next of its language over a gap, goes through the whole path of
the microphone (VAD, endpointing, reopening, speech recognition) as fast as it can be taken. The words of its
turns are compared with the transcript of the whole file given to speech recognition at once. Prints one JSON
document, and each file on stderr.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
import tempfile
from collections import defaultdict
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


def errors(reference: str, heard: str, language: str) -> tuple[int, int]:
    """Return how many words (characters, where none are spaced) of the reference were lost or changed."""
    plain = [_plain(text, language) for text in (reference, heard)]
    if not plain[0].strip():
        return 0, 0
    found = jiwer.process_words(plain[0], plain[1])
    return found.substitutions + found.deletions + found.insertions, len(plain[0].split())


def _plain(text: str, language: str) -> str:
    kept = "".join(sign if sign.isalnum() else " " for sign in text.lower().replace("'", ""))
    return " ".join(kept.replace(" ", "")) if language in UNSPACED else " ".join(kept.split())


async def measure(options: argparse.Namespace, folder: Path) -> dict[str, object]:
    clips = [json.loads(line) for line in (options.speech / "manifest.jsonl").read_text().splitlines()]
    spoken: dict[str, list[Path]] = defaultdict(list)
    noises: list[Path] = []
    for clip in clips:
        path = options.speech / clip["file"]
        language = clip.get("language") or ""
        if path.name.startswith("ns_"):
            noises.append(path)
        elif options.language in ("", language):
            spoken[language].append(path)
    engine = Engine(Settings(), find_paths(), parts={Part.HEARING})
    result: dict[str, object] = {"machine": machine()}
    try:
        await engine.prepare()
        ears = Ears(engine)
        result["alone"] = await _compare(
            ears, [(language, path) for language, paths in spoken.items() for path in paths]
        )
        for gap in GAPS_MS:
            files = []
            for language, paths in spoken.items():
                for first, second in zip(paths, [*paths[1:], paths[0]], strict=True):
                    path = folder / f"{first.stem}_{gap}_{second.stem}.wav"
                    write_wav(path, _join(read_wav(first), read_wav(second), gap), PIPELINE_RATE)
                    files.append((language, path))
            result[f"gap_{gap}_ms"] = await _compare(ears, files)
        turns = [(await ears.hear(path))[0] for path in noises for _ in range(NOISE_ROUNDS)]
        result["turns_of_noise"] = sum(len(words) for words in turns)
        result["noise_files"] = len(turns)
    finally:
        await engine.close()
    return result


async def _compare(ears: Ears, files: list[tuple[str, Path]]) -> dict[str, object]:
    wrong = words = 0
    counts: list[int] = []
    reopened = 0
    lost: dict[str, object] = {}
    for language, path in files:
        whole = (await ears.engine.transcribe(read_wav(path))).text
        heard, turns, again = await ears.hear(path)
        number, of = errors(whole, " ".join(heard), language)
        wrong, words, reopened = wrong + number, words + of, reopened + again
        counts.append(turns)
        print(path.stem, turns, f"{number}/{of}", heard, file=sys.stderr, flush=True)
        if number:
            lost[path.stem] = {"whole": whole, "turns": heard}
    return {
        "files": len(files),
        "word_errors": wrong,
        "words": words,
        "share": round(wrong / max(words, 1), 4),
        "files_with_one_turn": counts.count(1),
        "turns": sum(counts),
        "files_reopened": reopened,
        "different": lost,
    }


def _join(first: Samples, second: Samples, gap_ms: int) -> Samples:
    """Put a second recording behind a first one, so that its voice follows after `gap_ms`."""
    pause = np.zeros((gap_ms - 2 * MARGIN_MS) * PIPELINE_RATE // 1000, np.float32)
    return np.concatenate([first[: _voice(first).stop], pause, second[_voice(second).start :]])


def _voice(sound: Samples) -> slice:
    """Return where the voice begins and ends, with a margin for its soft sounds."""
    frame, margin = PIPELINE_RATE // 100, MARGIN_MS * PIPELINE_RATE // 1000
    frames = sound[: sound.size // frame * frame].reshape(-1, frame)
    levels = np.sqrt(np.mean(np.square(frames), axis=1))
    loud = np.flatnonzero(levels > 0.1 * np.percentile(levels, 95))
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
