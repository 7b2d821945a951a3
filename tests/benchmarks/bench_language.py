"""How often the language of a first short utterance is taken for another one.

    python tests/benchmarks/bench_language.py MODEL_FOLDER SPEECH_FOLDER [--threads 2]

Every recording is cut every 1.5 s to the next 0.6, 1.0 and 1.5 s where somebody speaks, its beginning to
2.5 s too, as it is and in a noisy room. Each cut is the first utterance of a
conversation. Counted are wrong languages: by one look, by the looks that `LanguageMemory` asks for, and by
those with languages that are expected, be it those of the speaker or of a foreign system. Then how long a
look takes.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from s2s_desktop.stt.faster_whisper import FasterWhisperTranscriber
from s2s_desktop.stt.language_memory import LanguageMemory, Ranking, averaged
from s2s_desktop.stt.speech_evidence import speech_stretches
from s2s_desktop.stt.windowed_whisper import FULL_WINDOW, MARGIN, WindowedWhisper
from stt.speech_material import RATE, Recording, recordings

STEP_S = 1.5
CUTS_S = (0.6, 1.0, 1.5)
BEGINNING_S = 2.5
NOISE_DB = -12.0
SYSTEMS = ((), ("en",), ("de", "en"), ("ja", "en"))


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("model", type=Path)
    parser.add_argument("speech", type=Path)
    parser.add_argument("--threads", type=int, default=0)
    options = parser.parse_args()
    transcriber = FasterWhisperTranscriber(options.model, cpu_threads=options.threads)
    transcriber.load()
    whisper = WindowedWhisper(transcriber._model)
    wrong: dict[str, Counter[str]] = {}
    cuts: Counter[str] = Counter()
    second = 0
    seconds: dict[int, list[float]] = {MARGIN: [], FULL_WINDOW: []}
    for language, sound in _material(options.speech):
        cuts[language] += 1
        rankings = [_look(whisper, sound, MARGIN, seconds)]
        if LanguageMemory().doubts(rankings[0]):
            second += 1
            rankings.append(averaged(rankings[0], _look(whisper, sound, FULL_WINDOW, seconds)))
        ways = {"one look": (rankings[0], ())}
        ways |= {f"expected {' '.join(system) or 'none'}": (rankings[-1], system) for system in SYSTEMS}
        ways["expected: own, en"] = (rankings[-1], (language, "en"))
        for way, (ranking, expected) in ways.items():
            heard, _ = LanguageMemory(expected).settle(ranking)
            wrong.setdefault(way, Counter())[language] += heard != language
    print(f"{'':20}{'all':>5}" + "".join(f"{language:>5}" for language in cuts))
    print(f"{'cuts':20}{cuts.total():5}" + "".join(f"{cuts[language]:5}" for language in cuts))
    for way, found in wrong.items():
        print(f"{way:20}{found.total():5}" + "".join(f"{found[language]:5}" for language in cuts))
    print(
        f"second looks {second}; "
        f"a first takes {_mean(seconds[MARGIN])}, a second {_mean(seconds[FULL_WINDOW])}"
    )


def _material(speech: Path) -> Iterator[tuple[str, np.ndarray]]:
    rng = np.random.default_rng(0)
    for recording in recordings(speech, speech=True):
        for sound in _cuts(recording):
            padded = np.pad(sound, (RATE // 4, RATE // 5))
            quiet = padded + rng.normal(0.0, 2e-4, padded.size)
            loudness = np.sqrt(np.mean(padded**2)) * 10 ** (NOISE_DB / 20)
            noisy = _in_room(padded, rng) + loudness * rng.standard_normal(padded.size)
            yield recording.language, quiet.astype(np.float32)
            yield recording.language, noisy.astype(np.float32)


def _cuts(recording: Recording) -> Iterator[np.ndarray]:
    """Cut a recording, but not in its pauses."""
    audio = recording.audio
    begin = int(np.argmax(np.abs(audio) > 0.1 * np.abs(audio).max()))
    for start in range(begin, audio.size - RATE, int(STEP_S * RATE)):
        for cut_s in (*CUTS_S, BEGINNING_S) if start == begin else CUTS_S:
            sound = audio[start : start + int(cut_s * RATE)]
            if any(stretch.voiced_s > 0.6 * cut_s for stretch in speech_stretches(sound)):
                yield sound


def _in_room(sound: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return a sound with echoes that decay by 60 dB in 0.4 s."""
    times = np.arange(RATE // 5) / RATE
    response = 0.05 * rng.standard_normal(times.size) * np.exp(-times / 0.06)
    response[0] = 1.0
    return np.convolve(sound, response)[: sound.size]


def _look(
    whisper: WindowedWhisper, sound: np.ndarray, margin: int, seconds: dict[int, list[float]]
) -> Ranking:
    started = time.perf_counter()
    ranking = whisper.rank_languages(whisper.encode(sound, margin=margin))
    seconds[margin].append(time.perf_counter() - started)
    return ranking


def _mean(values: list[float]) -> str:
    return f"{np.mean(values):.2f} s" if values else "nothing"


if __name__ == "__main__":
    main()
