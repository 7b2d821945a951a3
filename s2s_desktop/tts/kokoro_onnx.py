"""Kokoro-82M on ONNX Runtime, with the phonemes and the splitting of the kokoro-onnx package."""

from __future__ import annotations

import logging
import math
import re
from pathlib import Path
from typing import Any

import numpy as np
import psutil
from numpy.typing import NDArray

from s2s_desktop.errors import AssistantError, ErrorKind
from s2s_desktop.resources import resource_path
from s2s_desktop.tts.phonemes import PhonemeReader
from s2s_desktop.tts.protocol import VoiceChunk
from s2s_desktop.tts.silence import trim
from s2s_desktop.tts.voices import DEFAULT_VOICE, VOICES, VOICES_FILE, language_of

SAMPLE_RATE = 24_000
SLOWEST, FASTEST = 0.5, 2.0
"""What Kokoro was made for."""

MAX_PHONEMES = 300
"""Phonemes spoken in one go, about 18 s. The model takes 510, but needs 0.9 GB for that."""

MAX_THREADS = 4

_SENTENCE_END = re.compile(r"[.!?…。！？।][\"'”’»)\]」』）\s]*$|\n\s*$")

_log = logging.getLogger(__name__)


class KokoroSynthesizer:
    """Speaks with one voice at one speed. Not thread-safe: espeak-ng, which it reads with, is process-wide.

    Args:
        model_file: The ONNX model.
        voice: One of `VOICES`; another name takes the default voice and is logged.
        speed: Clamped to 0.5-2.0; a speed that is no number takes 1.0 and is logged.
        threads: For ONNX Runtime; 0 takes the physical cores, at most 4.
    """

    name = "kokoro-onnx"

    def __init__(
        self, model_file: Path, voice: str = DEFAULT_VOICE, speed: float = 1.0, threads: int = 0
    ) -> None:
        self._model_file = model_file
        self._voice = voice
        if voice not in VOICES:
            _log.warning("there is no voice %r; %s speaks instead", voice, DEFAULT_VOICE)
            self._voice = DEFAULT_VOICE
        if math.isnan(speed):
            _log.warning("the speed is not a number; 1.0 is used")
            speed = 1.0
        self._speed = min(max(speed, SLOWEST), FASTEST)
        self._threads = threads or min(MAX_THREADS, psutil.cpu_count(logical=False) or 1)
        self._engine: _Engine | None = None

    def load(self) -> None:
        """Load the model and speak a word with it.

        Raises:
            AssistantError: MODEL_MISSING when the file is absent, INTERNAL when it cannot be loaded.
        """
        if self._engine is not None:
            return
        if not self._model_file.is_file():
            raise AssistantError(
                ErrorKind.MODEL_MISSING,
                "The files of the voice are missing. Run “s2s-desktop models get kokoro-82m”.",
                str(self._model_file),
            )
        try:
            reader = PhonemeReader(language_of(self._voice).espeak)
        except (OSError, RuntimeError) as error:
            raise AssistantError(
                ErrorKind.INTERNAL,
                "The voice cannot read text, because a part of S2S Desktop (espeak-ng) is missing. "
                "Install S2S Desktop again.",
                str(error),
            ) from error
        try:
            self._engine = _Engine(self._model_file, self._voice, self._threads, reader)
        except Exception as error:  # ONNX Runtime raises types of its own that share no base class
            raise AssistantError(
                ErrorKind.INTERNAL,
                "The voice cannot be loaded. Run “s2s-desktop models verify” to check its files.",
                str(error),
            ) from error
        self.synthesize("Hello.")

    def synthesize(self, text: str) -> VoiceChunk:
        """Speak a clause; see `Synthesizer.synthesize`.

        Words in a script that the voice cannot read are left out, with a line in the log.

        Raises:
            AssistantError: INTERNAL, with what the engine said.
        """
        if self._engine is None:
            raise AssistantError(ErrorKind.INTERNAL, "The voice is not loaded.")
        try:
            samples = self._engine.speak(text, self._speed)
        except Exception as error:  # whatever the engine raises is one failed clause
            raise AssistantError(
                ErrorKind.INTERNAL, "A part of the reply could not be spoken.", str(error)
            ) from error
        return VoiceChunk(samples, SAMPLE_RATE, text if samples.size else "")

    def close(self) -> None:
        """Free the model."""
        self._engine = None


class _Engine:
    """The loaded model, one voice and what reads text for it."""

    def __init__(self, model_file: Path, voice: str, threads: int, reader: PhonemeReader) -> None:
        # Only now: together these imports take longer than showing the window.
        import onnxruntime
        from kokoro_onnx.session import input_dtypes

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        # Spinning threads take the cores from speech recognition and the language model.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        options.log_severity_level = 3
        self._session = onnxruntime.InferenceSession(
            str(model_file), sess_options=options, providers=["CPUExecutionProvider"]
        )
        self._types = input_dtypes(self._session)
        # Memory would otherwise stay at what the longest clause took; speed is the same.
        self._run_options = onnxruntime.RunOptions()
        self._run_options.add_run_config_entry("memory.enable_memory_arena_shrinkage", "cpu:0")
        with np.load(resource_path(VOICES_FILE)) as voices:
            self._styles: NDArray[np.float32] = voices[voice]
        self._reader = reader

    def speak(self, text: str, speed: float) -> NDArray[np.float32]:
        """Return the sound of a text of any length, trimmed, within -1..1; empty when nothing can be said."""
        from kokoro_onnx.chunker import split_phonemes

        parts = split_phonemes(self._reader.read(text), MAX_PHONEMES)
        last = len(parts) - 1
        sounds = [
            trim(
                self._run(self._reader.tokens(part), speed),
                SAMPLE_RATE,
                ends_sentence=bool(_SENTENCE_END.search(text if index == last else part)),
            )
            for index, part in enumerate(parts)
        ]
        joined: NDArray[np.float32] = np.concatenate([*sounds, np.zeros(0, np.float32)])
        np.clip(joined, -1.0, 1.0, out=joined)
        return joined

    def _run(self, tokens: list[int], speed: float) -> NDArray[np.float32]:
        given: dict[str, Any] = {
            "tokens" if "tokens" in self._types else "input_ids": [[0, *tokens, 0]],
            "style": self._styles[len(tokens) - 1],
            # A model exported with whole speeds would make 0 of 0.8.
            "speed": [max(1, round(speed)) if self._types["speed"].kind in "iu" else speed],
        }
        inputs = {name: np.asarray(value, dtype=self._types[name]) for name, value in given.items()}
        sound: NDArray[np.float32] = self._session.run(None, inputs, self._run_options)[0].ravel()
        return sound
