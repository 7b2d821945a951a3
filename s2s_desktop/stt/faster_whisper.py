"""Whisper on this computer, run by faster-whisper (CTranslate2)."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from s2s_desktop.errors import AssistantError, ErrorKind
from s2s_desktop.stt.chinese_script import ChineseScript, expected_script
from s2s_desktop.stt.decoder_prompt import DecoderPrompt
from s2s_desktop.stt.decoding import Decoding
from s2s_desktop.stt.hardware import prefer_wide_vectors, thread_count, usable_compute_type, usable_device
from s2s_desktop.stt.language_memory import LanguageMemory, Ranking, averaged
from s2s_desktop.stt.protocol import FinalTranscript
from s2s_desktop.stt.sound_check import check_sound, checked_language
from s2s_desktop.stt.speech_evidence import MAX_STRETCH, RATE, Stretch, speech_stretches
from s2s_desktop.stt.system_languages import system_languages
from s2s_desktop.stt.transcript_filter import needs_second_look, spoken_text
from s2s_desktop.stt.transcript_text import join_texts
from s2s_desktop.stt.windowed_whisper import (
    DRAFT_MARGIN,
    FULL_WINDOW,
    MEASURED_LANGUAGES,
    WindowedWhisper,
    decode_carefully,
)

T = TypeVar("T")

_log = logging.getLogger(__name__)

MODEL_FILES = ("model.bin", "config.json", "tokenizer.json")
"""Without tokenizer.json faster-whisper would ask the network for one."""

SHORTEST = RATE // 10
"""Less than 0.1 s holds no word."""

SHORT = 6 * RATE
SILENCE_AHEAD = RATE // 5
"""Short speech that came out wrong is heard again with silence in front, which shifts the encoder's frames
and takes a fifth of the time of a careful look. Measured: of 32 cuts around an unlucky place "go forward" was
lost in 4 as they were and in none so. For all speech it is no better: 34 wrong words of 789 and not 31."""


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
        compute_type: Of CTranslate2, or `auto`; one that the device does not offer is replaced.
        cpu_threads: 0 uses the physical cores, at most 4.
        hotwords: Names and terms that the user says often (`decoder_prompt.parse_hotwords`).
        expected_languages: Whisper's codes of what the user is likely to speak, besides English. It decides
            only where several languages are about as likely. None takes those of the system.
        name: For people; "" is the name of the folder.
        on_notice: Takes a sentence when something was replaced; called on the thread that calls this object.
            None only logs it.
    """

    def __init__(
        self,
        model_folder: Path,
        *,
        device: str = "cpu",
        compute_type: str = "int8",
        cpu_threads: int = 0,
        hotwords: Sequence[str] = (),
        expected_languages: Sequence[str] | None = None,
        name: str = "",
        on_notice: Callable[[str], None] | None = None,
    ) -> None:
        self.name = name or model_folder.name
        self._folder = model_folder
        self._device = device
        self._compute_type = compute_type
        self._threads = cpu_threads
        self._prompt = DecoderPrompt(hotwords)
        self._script = ChineseScript(expected_script(), self._prompt.hotwords)
        self._on_notice = on_notice
        self._model: Any = None
        expected = system_languages() if expected_languages is None else expected_languages
        self._expected_languages = (*expected, "en")
        self._memory = LanguageMemory(self._expected_languages)
        self._full_window = False

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
        self._device = usable_device(self._device, self._notify)
        self._guarded(self._warm_up)

    def transcribe(self, audio: NDArray[np.float32], language: str = "") -> FinalTranscript:
        """See `Transcriber.transcribe`. Recordings of many minutes are cut in their pauses.

        Raises:
            AssistantError: BAD_REQUEST for a language Whisper does not know, INTERNAL for sound in another
                form than described and for what the engine refuses.
        """
        started = time.perf_counter()
        check_sound(audio)
        asked = checked_language(language)
        self.load()
        heard = [
            self._guarded(lambda part=stretch: self._hear(part, asked))  # type: ignore[misc]
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

    def draft(self, audio: NDArray[np.float32], language: str = "") -> str:
        """See `Transcriber.draft`. Of speech longer than 28 s only the last 28 s are heard.

        Greedy, with the shortest safe window and without a second look.

        Raises:
            AssistantError: As `transcribe`.
        """
        check_sound(audio)
        asked = checked_language(language)
        if audio.size < SHORTEST:
            return ""
        self.load()
        return self._guarded(lambda: self._overhear(audio[-MAX_STRETCH:], asked))

    def close(self) -> None:
        """See `Transcriber.close`."""
        self._model = None
        self._memory = LanguageMemory(self._expected_languages)

    def _hear(self, stretch: Stretch, language: str) -> _Heard:
        """Transcribe one stretch: quickly, and once more, at last with care, when the result looks wrong."""
        sound = stretch.audio
        model = self._opened()
        whisper = WindowedWhisper(model, full_window=self._full_window)
        probability = 1.0
        if not model.model.is_multilingual:
            language = "en"
        encoded = whisper.encode(sound, language)
        if not language:
            language, probability, encoded = self._detect_language(whisper, sound, encoded)
        decodings: list[Decoding] = []
        for decodings in self._looks(whisper, sound, encoded, language):
            if decodings and not needs_second_look(decodings[0], stretch.voiced_s, language):
                break
        return _Heard(self._written(decodings, language), language, probability)

    def _looks(
        self, whisper: WindowedWhisper, sound: NDArray[np.float32], encoded: Any, language: str
    ) -> Iterator[list[Decoding]]:
        """Decode a stretch quickly, then again for as long as somebody asks, at last with care."""

        def quickly(encoded: Any, prompt: str) -> list[Decoding]:
            return [whisper.decode(encoded, language, sound.size / RATE, prompt=prompt)]

        decodings, prompt = self._prompt.decode(partial(quickly, encoded), self._prompt.text)
        yield decodings
        if prompt:
            # Of a sentence that was said twice a prompt may cost one, also in the careful look (measured).
            yield quickly(encoded, "")
        if sound.size <= SHORT:
            shifted = whisper.encode(np.pad(sound, (SILENCE_AHEAD, 0)), language)
            yield self._prompt.decode(partial(quickly, shifted), prompt)[0]
        carefully = partial(decode_carefully, self._opened(), sound, language)
        yield self._prompt.decode(carefully, prompt)[0]

    def _detect_language(
        self, whisper: WindowedWhisper, sound: NDArray[np.float32], encoded: Any
    ) -> tuple[str, float, Any]:
        """Return the language that is spoken, how likely it is, and the sound encoded as suits it."""
        ranking: Ranking = whisper.rank_languages(encoded)
        doubtful = self._memory.doubts(ranking)
        if doubtful:
            # The full window tells languages of short speech better, and takes three times as long.
            encoded = whisper.encode(sound, margin=FULL_WINDOW)
            ranking = averaged(ranking, whisper.rank_languages(encoded))
        language, probability = self._memory.settle(ranking)
        if language not in MEASURED_LANGUAGES and not doubtful:
            encoded = whisper.encode(sound, language)
        return language, probability, encoded

    def _overhear(self, sound: NDArray[np.float32], language: str) -> str:
        model = self._opened()
        whisper = WindowedWhisper(model, full_window=self._full_window)
        if not model.model.is_multilingual:
            language = "en"
        encoded = whisper.encode(sound, language, DRAFT_MARGIN)
        language = language or self._memory.likely(whisper.rank_languages(encoded))
        drafted = whisper.decode(encoded, language, sound.size / RATE, prompt=self._prompt.text, beam_size=1)
        return "" if needs_second_look(drafted) else self._written([drafted], language)

    def _written(self, decodings: Sequence[Decoding], language: str) -> str:
        return self._script.write(join_texts([spoken_text(decoding) for decoding in decodings]), language)

    def _warm_up(self) -> None:
        """Open the model and run every part of it once."""
        noise = np.random.default_rng(0).normal(0.0, 0.01, RATE).astype(np.float32)
        model = self._opened()
        whisper = WindowedWhisper(model, full_window=self._full_window)
        try:
            encoded = whisper.encode(noise)
        except (RuntimeError, ValueError):
            # Not every conversion takes fewer frames. Where that is not the reason this fails again.
            whisper = WindowedWhisper(model, full_window=True)
            encoded = whisper.encode(noise)
            self._full_window = True
            _log.info("%s takes no short window", self.name)
        language, _ = whisper.rank_languages(encoded)[0]
        whisper.decode(encoded, language, seconds=0.0)
        speech_stretches(noise)

    def _opened(self) -> Any:
        if self._model is None:
            from faster_whisper import WhisperModel

            prefer_wide_vectors()
            self._model = WhisperModel(
                str(self._folder),
                device=self._device,
                compute_type=usable_compute_type(self._compute_type, self._device, self._notify),
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
            self._notify(f"Speech recognition cannot use the GPU and goes on on the processor: {error}")
            self._device = "cpu"
            self._model = None
        return self._guarded(call)

    def _notify(self, sentence: str) -> None:
        _log.warning("%s", sentence)
        if self._on_notice is not None:
            self._on_notice(sentence)
