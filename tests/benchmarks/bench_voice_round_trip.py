"""The voice in all its languages: 60 sentences are spoken, transcribed back and compared.

    python tests/benchmarks/bench_voice_round_trip.py MODELS_FOLDER [--languages abefhijpz] [--plain] [--show]

They are spoken the way `s2s-desktop say` speaks. Word errors for each language (character errors for Hindi,
Japanese and Mandarin), clipped samples, and the largest step from one sample to the next where two chunks
join, beside the largest one within 5 ms of that join: a click would stand out from it. What was said and what
was heard are compared with their numbers in words. Errors of Whisper base, which knows some of these
languages little, count as well; `--plain` shows how many there are when plain kokoro-onnx speaks the same
sentences with the same voice and model file. Japanese and Mandarin it can only be given as phonemes, here
those of misaki.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import unicodedata
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import soxr
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.round_trip_sentences import FIGURES, PLAIN
from s2s_desktop.engine.announcement import announce
from s2s_desktop.runtime.workers import SerialWorker
from s2s_desktop.tts.kokoro.model import SAMPLE_RATE
from s2s_desktop.tts.kokoro_onnx import KokoroSynthesizer
from s2s_desktop.tts.verbalize import verbalize
from s2s_desktop.tts.voices import LANGUAGES, VOICES, load_style
from stt.speech_material import RATE, errors

CLIPPED = 0.999
"""Amplitude from which a sample counts as clipped."""

PAUSE_S = 0.3
"""Silence around a sentence, as a microphone would have it."""

NEAR = SAMPLE_RATE // 200
"""Samples on each side of a join whose steps it is compared with."""

AUDIBLE_STEP = 0.01
"""Steps below this are no clicks, however quiet it is around them."""

PROMPTS = {"hi": "नमस्ते, आप कैसे हैं?", "zh": "你好，请用简体中文。"}
"""Without one, Whisper base writes Hindi in Arabic letters and, at times, traditional Chinese characters."""

Samples = NDArray[np.float32]

Speak = Callable[[str], list[Samples]]
"""From a sentence to the chunks of its sound, 24 kHz."""


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("models", type=Path)
    parser.add_argument("--languages", default="".join(LANGUAGES), help="first letters of voices")
    parser.add_argument("--plain", action="store_true", help="let plain kokoro-onnx speak as well")
    parser.add_argument("--show", action="store_true", help="print every sentence that was heard differently")
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args()
    ear = _Ear(options.models / "whisper-base", options.threads, show=options.show)
    model = next((options.models / "kokoro-82m").glob("*.onnx"))
    sound = {"ours": _Sound(), "plain": _Sound()}
    for letter in options.languages:
        voice = next(name for name, voice in VOICES.items() if voice.language is LANGUAGES[letter])
        synthesizer = KokoroSynthesizer(model, voice=voice, threads=options.threads)
        synthesizer.load()
        speakers: dict[str, Speak] = {"ours": _ours(synthesizer)}
        if options.plain:
            speakers["plain"] = _plain(model, voice, letter)
        figures = tuple(text for owner, text in FIGURES if owner == letter)
        for name, texts in ((LANGUAGES[letter].name, PLAIN[letter]), ("  with figures", figures)):
            for speaker, speak in speakers.items():
                wrong = said = 0
                for text in texts:
                    chunks = speak(text)
                    sound[speaker].add(chunks)
                    result = ear.compare(text, np.concatenate(chunks), letter)
                    wrong, said = wrong + result[0], said + result[1]
                if said:
                    print(f"{name:24}{speaker:8}{f'{wrong}/{said}':>10}{wrong / said:8.1%}", flush=True)
        synthesizer.close()
    print(f"ours: {sound['ours']}")
    if options.plain:
        print(f"plain: {sound['plain']}")


class _Tape:
    """A speaker that keeps what it is given."""

    queued_seconds = 0.0

    def __init__(self) -> None:
        self.chunks: list[Samples] = []

    def play(self, samples: Samples, sample_rate: int) -> None:
        """Keep a chunk."""
        assert sample_rate == SAMPLE_RATE
        self.chunks.append(samples)


def _ours(synthesizer: KokoroSynthesizer) -> Speak:
    worker = SerialWorker("voice")

    def speak(text: str) -> list[Samples]:
        tape: Any = _Tape()
        asyncio.run(announce(text, synthesizer, worker, tape))
        return list(tape.chunks)

    return speak


def _plain(model: Path, voice: str, letter: str) -> Speak:
    from kokoro_onnx import Kokoro

    with tempfile.TemporaryDirectory() as folder:
        voices = Path(folder) / "voices.npz"
        np.savez(voices, **{voice: load_style(voice)})
        kokoro: Any = Kokoro(str(model), str(voices))
    read = _misaki(letter) if letter in "jz" else None

    def speak(text: str) -> list[Samples]:
        if read is None:
            return [kokoro.create(text, voice, lang=LANGUAGES[letter].espeak)[0]]
        return [kokoro.create(read(text), voice, is_phonemes=True)[0]]

    return speak


def _misaki(letter: str) -> Callable[[str], str]:
    reader: Any
    if letter == "j":
        from misaki.cutlet import Cutlet

        reader = Cutlet()
    else:
        from misaki.zh import ZHG2P

        reader = ZHG2P()
    return lambda text: str(reader(text)[0])


class _Ear:
    """Plain Whisper base."""

    def __init__(self, model: Path, threads: int, *, show: bool) -> None:
        from faster_whisper import WhisperModel

        self._whisper: Any = WhisperModel(str(model), device="cpu", compute_type="int8", cpu_threads=threads)
        self._show = show

    def compare(self, text: str, samples: Samples, letter: str) -> tuple[int, int]:
        """Return how many words or characters were heard wrongly, and how many were said."""
        code = LANGUAGES[letter].code
        pause = np.zeros(int(PAUSE_S * RATE), np.float32)
        sound = np.concatenate([pause, soxr.resample(samples, SAMPLE_RATE, RATE), pause])
        segments, _ = self._whisper.transcribe(
            sound, language=code, initial_prompt=PROMPTS.get(code), without_timestamps=True, temperature=0.0
        )
        heard = "".join(segment.text for segment in segments).strip()
        result = errors(_in_words(text, code), _in_words(heard, code), code)
        if self._show and result[0]:
            print(f"    {text}\n    {heard}")
        return result


def _in_words(text: str, code: str) -> str:
    """Return a text with its numbers in words and each letter written in one way."""
    spoken = " ".join(token.spoken for token in verbalize(text, code))
    return unicodedata.normalize("NFC", spoken.replace("œ", "oe").replace("-", " "))


class _Sound:
    """Clipping and steps between samples, over all sentences."""

    def __init__(self) -> None:
        self._samples = self._clipped = self._joins = 0
        self._step_within = self._step_at_join = self._most_above = self._step_at_end = 0.0

    def add(self, chunks: list[Samples]) -> None:
        """Count the chunks of one sentence."""
        for chunk in chunks:
            self._samples += chunk.size
            self._clipped += int(np.count_nonzero(np.abs(chunk) >= CLIPPED))
            self._step_within = max(self._step_within, _largest_step(chunk))
        for before, behind in pairwise(chunks):
            self._joins += 1
            step = abs(float(behind[0] - before[-1]))
            around = max(_largest_step(before[-NEAR:]), _largest_step(behind[:NEAR]), AUDIBLE_STEP)
            self._step_at_join = max(self._step_at_join, step)
            self._most_above = max(self._most_above, step / around)
        ends = (abs(float(chunks[0][0])), abs(float(chunks[-1][-1])))
        self._step_at_end = max(self._step_at_end, *ends)

    def __str__(self) -> str:
        return (
            f"{self._samples} samples, {self._clipped} clipped; {self._joins} joins, largest step "
            f"{self._step_at_join:.4f} (within a chunk {self._step_within:.4f}), at most "
            f"{self._most_above:.2f} times the largest within 5 ms; at the ends {self._step_at_end:.4f}"
        )


def _largest_step(samples: Samples) -> float:
    return float(np.abs(np.diff(samples)).max(initial=0))


if __name__ == "__main__":
    main()
