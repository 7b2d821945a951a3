"""Whisper on this computer, run by faster-whisper (CTranslate2)."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from s2s_desktop.errors import AssistantError, ErrorKind
from s2s_desktop.settings.languages import language_code
from s2s_desktop.stt.decoding import Decoding
from s2s_desktop.stt.hardware import thread_count, usable_compute_type, usable_device
from s2s_desktop.stt.language_memory import LanguageMemory
from s2s_desktop.stt.protocol import FinalTranscript
from s2s_desktop.stt.speech_evidence import RATE, speech_stretches
from s2s_desktop.stt.transcript_filter import needs_second_look, spoken_text
from s2s_desktop.stt.transcript_text import join_texts
from s2s_desktop.stt.windowed_whisper import (
    BEAM_SIZE,
    MEASURED_LANGUAGES,
    WindowedWhisper,
    token_limit,
)

T = TypeVar("T")

_log = logging.getLogger(__name__)

MODEL_FILES = ("model.bin", "config.json", "tokenizer.json")
"""Without tokenizer.json faster-whisper would ask the network for one."""

SHORTEST = RATE // 10
"""Less than 0.1 s holds no word."""

LOUDEST = 8.0
"""Peak above which samples were clearly not scaled to -1..1 (16-bit integers reach 32768)."""


class _Heard(NamedTuple):
    """What was said in one stretch; "" when nothing was."""

    text: str
    language: str = ""
    probability: float = 0.0


class FasterWhisperTranscriber:
    """Speech-to-text with a Whisper model in a local folder. Never touches the network.

    Implements `stt.protocol.Transcriber`. Not thread-safe: one worker owns it.

    Args:
        model_folder: A Whisper model converted for CTranslate2: `MODEL_FILES` and a vocabulary.
        device: `cpu`, `cuda` or `auto`. A GPU that turns out not to work is given up for the CPU.
        compute_type: Of CTranslate2; one that the device does not offer is replaced.
        cpu_threads: 0 uses the physical cores, at most 4.
        name: For people; "" is the name of the folder.
    """

    def __init__(
        self,
        model_folder: Path,
        *,
        device: str = "cpu",
        compute_type: str = "int8",
        cpu_threads: int = 0,
        name: str = "",
    ) -> None:
        self.name = name or model_folder.name
        self._folder = model_folder
        self._device = device
        self._compute_type = compute_type
        self._threads = cpu_threads
        self._model: Any = None
        self._memory = LanguageMemory()

    def load(self) -> None:
        """See `Transcriber.load`."""
        if self._model is not None:
            return
        missing = [file for file in MODEL_FILES if not (self._folder / file).is_file()]
        if missing:
            raise AssistantError(
                ErrorKind.MODEL_MISSING,
                f"The speech recognition model {self.name} is not on this computer. Fetch it with "
                "`s2s-desktop models get`, or choose another one in the settings.",
                f"{', '.join(missing)} missing in {self._folder}",
            )
        self._device = usable_device(self._device)
        self._guarded(self._warm_up)

    def transcribe(self, audio: NDArray[np.float32], language: str = "") -> FinalTranscript:
        """See `Transcriber.transcribe`. Recordings of many minutes are cut in their pauses.

        Raises:
            AssistantError: BAD_REQUEST for a language Whisper does not know, INTERNAL for sound in another
                form than described and for what the engine refuses.
        """
        started = time.perf_counter()
        _check(audio)
        asked = _language(language)
        self.load()
        heard = [
            self._guarded(lambda sound=stretch: self._hear(sound, asked))  # type: ignore[misc]
            for stretch in (speech_stretches(audio) if audio.size >= SHORTEST else [])
        ]
        spoken = [part for part in heard if part.text] or [_Heard("")]
        return FinalTranscript(
            text=join_texts([part.text for part in spoken]),
            language=spoken[0].language,
            language_probability=spoken[0].probability,
            seconds=audio.size / RATE,
            elapsed_s=time.perf_counter() - started,
        )

    def close(self) -> None:
        """See `Transcriber.close`."""
        self._model = None
        self._memory = LanguageMemory()

    def _hear(self, sound: NDArray[np.float32], language: str) -> _Heard:
        """Transcribe one stretch: quickly, and once more with care when the result looks wrong."""
        model = self._opened()
        whisper = WindowedWhisper(model)
        probability = 1.0
        if not model.model.is_multilingual:
            language = "en"
        encoded = whisper.encode(sound, language)
        if not language:
            language, probability = self._memory.settle(*whisper.detect_language(encoded))
            if language not in MEASURED_LANGUAGES:
                encoded = whisper.encode(sound, language)
        quick = whisper.decode(encoded, language, sound.size / RATE)
        decodings = _decode_carefully(model, sound, language) if needs_second_look(quick) else [quick]
        return _Heard(join_texts([spoken_text(decoding) for decoding in decodings]), language, probability)

    def _warm_up(self) -> None:
        """Open the model and run every part of it once."""
        noise = np.random.default_rng(0).normal(0.0, 0.01, RATE).astype(np.float32)
        whisper = WindowedWhisper(self._opened())
        encoded = whisper.encode(noise)
        language, _ = whisper.detect_language(encoded)
        whisper.decode(encoded, language, seconds=0.0)
        speech_stretches(noise)

    def _opened(self) -> Any:
        if self._model is None:
            from faster_whisper import WhisperModel

            self._model = WhisperModel(
                str(self._folder),
                device=self._device,
                compute_type=usable_compute_type(self._compute_type, self._device),
                cpu_threads=thread_count(self._threads),
                local_files_only=True,
            )
        return self._model

    def _guarded(self, call: Callable[[], T]) -> T:
        """Run `call`; on a GPU that fails once more on the CPU.

        A missing GPU library shows only when the model first runs, not when it is opened
        (https://github.com/SYSTRAN/faster-whisper/issues/516).
        """
        try:
            return call()
        except (RuntimeError, ValueError) as error:
            if self._device != "cuda":
                raise AssistantError(
                    ErrorKind.INTERNAL,
                    f"Speech recognition with {self.name} failed. If this happens again, check its files "
                    "with `s2s-desktop models verify`.",
                    str(error),
                ) from error
            _log.warning("Speech recognition cannot use the GPU and goes on on the CPU: %s", error)
            self._device = "cpu"
            self._model = None
        return self._guarded(call)


def _decode_carefully(model: Any, sound: NDArray[np.float32], language: str) -> list[Decoding]:
    """Decode with the full 30 s window, timestamps, and sampling when the text loops or is unlikely."""
    limit = min(model.max_length // 2, token_limit(sound.size / RATE))
    segments, _ = model.transcribe(
        sound,
        language=language,
        beam_size=BEAM_SIZE,
        temperature=[0.0, 0.2, 0.4],
        condition_on_previous_text=False,
        max_new_tokens=limit,
    )
    return [
        Decoding(
            text=segment.text,
            no_speech_prob=segment.no_speech_prob,
            avg_logprob=segment.avg_logprob,
            compression_ratio=segment.compression_ratio,
        )
        for segment in segments
    ]


def _check(audio: NDArray[np.float32]) -> None:
    problem = ""
    if audio.ndim != 1 or audio.dtype != np.float32:
        problem = f"shape {audio.shape}, {audio.dtype} instead of mono float32"
    elif not np.isfinite(audio).all():
        problem = "samples that are not numbers"
    elif audio.size and float(np.abs(audio).max()) > LOUDEST:
        problem = "samples outside -1..1"
    if problem:
        raise AssistantError(
            ErrorKind.INTERNAL, "The sound for speech recognition is in the wrong form.", problem
        )


def _language(text: str) -> str:
    try:
        return language_code(text)
    except ValueError as error:
        raise AssistantError(
            ErrorKind.BAD_REQUEST, f"Choose another language to be heard: {error}."
        ) from error
