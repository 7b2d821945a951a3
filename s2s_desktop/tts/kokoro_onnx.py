"""Kokoro-82M on ONNX Runtime: the default voice."""

from __future__ import annotations

from pathlib import Path

import psutil
from typing_extensions import override

from s2s_desktop.errors import AssistantError, ErrorKind
from s2s_desktop.tts.kokoro.clause import Voice
from s2s_desktop.tts.kokoro.engine import KokoroEngine
from s2s_desktop.tts.kokoro.model import MAX_THREADS, KokoroModel
from s2s_desktop.tts.kokoro.onnx_voice import OnnxVoice
from s2s_desktop.tts.voices import DEFAULT_VOICE


class KokoroSynthesizer(KokoroEngine[KokoroModel]):
    """Speaks with one voice at one speed. Not thread-safe: espeak-ng, which it reads with, is process-wide.

    Args:
        model_file: The ONNX model.
        voice: A voice or a blend, see `voices.parse_voice`; one that cannot be used takes a default voice and
            is logged.
        speed: Clamped to 0.5-2.0; a speed that is no number takes 1.0 and is logged.
        threads: For ONNX Runtime; 0 takes the physical cores, at most 4.
        kept: Folder for what shortens the next start; None keeps nothing.

    Attributes:
        model_file: The ONNX model.
    """

    name = "kokoro-onnx"

    def __init__(
        self,
        model_file: Path,
        voice: str = DEFAULT_VOICE,
        speed: float = 1.0,
        threads: int = 0,
        kept: Path | None = None,
    ) -> None:
        super().__init__(voice, speed)
        self.model_file = model_file
        self._kept = kept
        self._threads = threads or min(MAX_THREADS, psutil.cpu_count(logical=False) or 1)

    def load(self) -> None:
        """Load the model and speak a word with it.

        Raises:
            AssistantError: MODEL_MISSING when the file is absent, INTERNAL when it cannot be loaded.
        """
        if self._model is not None:
            return
        if not self.model_file.is_file():
            raise AssistantError(
                ErrorKind.MODEL_MISSING,
                "The files of the voice are missing. Run “s2s-desktop models get kokoro-82m”.",
                str(self.model_file),
            )
        try:
            model = KokoroModel(self.model_file, self._threads, self._kept)
        except Exception as error:  # ONNX Runtime raises types of its own that share no base class
            raise AssistantError(
                ErrorKind.INTERNAL,
                "The voice cannot be loaded. Run “s2s-desktop models verify” to check its files.",
                str(error),
            ) from error
        self._take(model)

    @override
    def _make_voice(self, model: KokoroModel, voice: str) -> Voice:
        return OnnxVoice(model, voice)
