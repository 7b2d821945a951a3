"""The voice in all its languages: 60 sentences are spoken, transcribed back and compared.

    python tests/benchmarks/bench_voice_round_trip.py MODELS_FOLDER [--languages abefhijpz] [--show]

Word errors for each language (character errors for Japanese and Mandarin), clipped samples, and the largest
step from one sample to the next where two chunks of a sentence join, beside the largest one within them. What
was said and what was heard are compared with their numbers in words. Errors of Whisper base, which knows some
of these languages little, count as well.
"""

from __future__ import annotations

import argparse
import sys
import unicodedata
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import soxr

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.round_trip_sentences import FIGURES, PLAIN
from s2s_desktop.tts.kokoro_onnx import KokoroSynthesizer
from s2s_desktop.tts.protocol import VoiceChunk
from s2s_desktop.tts.verbalize import verbalize
from s2s_desktop.tts.voices import LANGUAGES, VOICES
from stt.speech_material import RATE, errors

CLIPPED = 0.999
"""Amplitude from which a sample counts as clipped."""

PAUSE_S = 0.3
"""Silence around a sentence, as a microphone would have it."""

PROMPTS = {"hi": "नमस्ते, आप कैसे हैं?", "zh": "你好，请用简体中文。"}
"""Without one, Whisper base writes Hindi in Arabic letters and, at times, traditional Chinese characters."""


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("models", type=Path)
    parser.add_argument("--languages", default="".join(LANGUAGES), help="first letters of voices")
    parser.add_argument("--show", action="store_true", help="print every sentence that was heard differently")
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args()
    ear = _Ear(options.models / "whisper-base", options.threads, show=options.show)
    total = _Joins()
    print(f"{'language':24}{'errors':>10}{'rate':>8}")
    for letter in options.languages:
        voice = next(name for name, voice in VOICES.items() if voice.language is LANGUAGES[letter])
        synthesizer = _voice(options, voice)
        figures = tuple(text for owner, text in FIGURES if owner == letter)
        for name, texts in ((LANGUAGES[letter].name, PLAIN[letter]), ("  with figures", figures)):
            wrong = said = 0
            for text in texts:
                chunks = list(synthesizer.synthesize(text))
                total.add(chunks)
                result = ear.compare(text, chunks, letter)
                wrong, said = wrong + result[0], said + result[1]
            if said:
                print(f"{name:24}{f'{wrong}/{said}':>10}{wrong / said:8.1%}", flush=True)
        synthesizer.close()
    print(
        f"{total.samples} samples, {total.clipped} clipped; {total.joins} joins, largest step "
        f"{total.step_at_join:.4f} (within a chunk {total.step_within:.4f}); "
        f"at the ends of a sentence {total.step_at_end:.4f}"
    )


def _voice(options: argparse.Namespace, name: str) -> KokoroSynthesizer:
    model = next((options.models / "kokoro-82m").glob("*.onnx"))
    synthesizer = KokoroSynthesizer(model, voice=name, threads=options.threads)
    synthesizer.load()
    return synthesizer


class _Ear:
    """Plain Whisper base."""

    def __init__(self, model: Path, threads: int, *, show: bool) -> None:
        from faster_whisper import WhisperModel

        self._whisper: Any = WhisperModel(str(model), device="cpu", compute_type="int8", cpu_threads=threads)
        self._show = show

    def compare(self, text: str, chunks: list[VoiceChunk], letter: str) -> tuple[int, int]:
        """Return how many words or characters were heard wrongly, and how many were said."""
        code = LANGUAGES[letter].code
        pause = np.zeros(int(PAUSE_S * RATE), np.float32)
        samples = np.concatenate([chunk.samples for chunk in chunks])
        sound = np.concatenate([pause, soxr.resample(samples, chunks[0].sample_rate, RATE), pause])
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


class _Joins:
    """Steps between samples and clipping, over all sentences."""

    def __init__(self) -> None:
        self.samples = self.clipped = self.joins = 0
        self.step_at_join = self.step_within = self.step_at_end = 0.0

    def add(self, chunks: list[VoiceChunk]) -> None:
        """Count the chunks of one sentence."""
        for chunk in chunks:
            self.samples += chunk.samples.size
            self.clipped += int(np.count_nonzero(np.abs(chunk.samples) >= CLIPPED))
            self.step_within = max(self.step_within, float(np.abs(np.diff(chunk.samples)).max(initial=0)))
        for before, behind in pairwise(chunks):
            self.joins += 1
            self.step_at_join = max(self.step_at_join, abs(float(behind.samples[0] - before.samples[-1])))
        ends = (abs(float(chunks[0].samples[0])), abs(float(chunks[-1].samples[-1])))
        self.step_at_end = max(self.step_at_end, *ends)


if __name__ == "__main__":
    main()
