"""Speech recognition by a server, over `/v1/audio/transcriptions` of the OpenAI API."""

from __future__ import annotations

import io
import time
import wave
from collections.abc import Mapping, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from s2s_desktop.errors import AssistantError
from s2s_desktop.resources import resource_path
from s2s_desktop.settings.languages import language_code
from s2s_desktop.stt.chinese_script import ChineseScript, expected_script
from s2s_desktop.stt.decoder_prompt import DecoderPrompt
from s2s_desktop.stt.decoding import Decoding
from s2s_desktop.stt.language_memory import SURE
from s2s_desktop.stt.protocol import FinalTranscript
from s2s_desktop.stt.sound_check import check_sound, checked_language
from s2s_desktop.stt.speech_evidence import RATE, speech_stretches
from s2s_desktop.stt.transcript_filter import spoken_text
from s2s_desktop.stt.transcript_text import join_texts

SHORTEST = RATE // 10
"""Less than 0.1 s holds no word, and OpenAI refuses it."""


class TranscriptionServer(Protocol):
    """What is needed of a server; `speech_server.client.SpeechServerClient` is one."""

    def transcribe(
        self, wav: bytes, fields: Mapping[str, str], fallbacks: Mapping[str, str | None]
    ) -> Mapping[str, object]:
        """Return what the server says about a recording, at least `text`."""

    def may_pass(self, error: AssistantError) -> bool:
        """Return whether a failure may be over by the next request."""

    def close(self) -> None:
        """End what is under way and close the connection; may come from any thread."""


class RemoteTranscriber:
    """Speech-to-text by a server.

    Implements `stt.protocol.Transcriber`. One thread calls it; `close` may come from any.
    Sound without speech is not sent, and what the server makes up over silence is dropped where it tells how
    sure it was.

    Args:
        server: Where sound is sent; closed with this object.
        hotwords: Names and terms that the user says often; sent as the prompt.
        name: For people.
    """

    def __init__(
        self, server: TranscriptionServer, *, hotwords: Sequence[str] = (), name: str = "remote"
    ) -> None:
        self.name = name
        self._server = server
        self._prompt = DecoderPrompt(hotwords)
        self._script = ChineseScript(expected_script(), self._prompt.hotwords)

    def load(self) -> None:
        """Check what can be checked, and let the server load its model by hearing a short question.

        Raises:
            AssistantError: What the user has to correct. A server that cannot be reached now is none: the
                first turn will say so.
        """
        # Silence would send a Whisper server through all its temperatures: 37 s were measured.
        question = _sample_question()
        speech_stretches(question)
        try:
            self._ask(question, "en")
        except AssistantError as error:
            if not self._server.may_pass(error):
                raise

    def transcribe(self, audio: NDArray[np.float32], language: str = "") -> FinalTranscript:
        """See `Transcriber.transcribe`. Recordings of many minutes are sent in pieces cut in their pauses.

        Raises:
            AssistantError: The server could not be asked, or refused; BAD_REQUEST for an unknown language.
        """
        started = time.perf_counter()
        check_sound(audio)
        asked = checked_language(language)
        stretches = speech_stretches(audio) if audio.size >= SHORTEST else []
        answers = [self._ask(stretch.audio, asked) for stretch in stretches]
        heard = [(text, answer) for answer in answers if (text := self._spoken(answer))]
        spoken = asked or (_language_of(heard[0][1]) if heard else "")
        return FinalTranscript(
            text=self._script.write(join_texts([text for text, _ in heard]), spoken),
            language=spoken if heard else "",
            # Servers say which language they heard, not how sure they were.
            language_probability=(1.0 if asked else SURE) if heard and spoken else 0.0,
            seconds=audio.size / RATE,
            elapsed_s=time.perf_counter() - started,
        )

    def draft(self, audio: NDArray[np.float32], language: str = "") -> str:
        """See `Transcriber.draft`: no drafts, because every one would be a paid request."""
        return ""

    def close(self) -> None:
        """See `Transcriber.close`. A call that is under way ends at once with an error."""
        self._server.close()

    def _ask(self, audio: NDArray[np.float32], language: str) -> Mapping[str, object]:
        fields = {"response_format": "verbose_json"}
        if language:
            fields["language"] = language
        if prompt := self._prompt.text:
            fields["prompt"] = prompt
        return self._server.transcribe(
            _wav(audio), fields, {"response_format": "json", **({"prompt": None} if prompt else {})}
        )

    def _spoken(self, answer: Mapping[str, object]) -> str:
        segments = answer.get("segments")
        if not isinstance(segments, list) or not segments:
            decodings = [Decoding(str(answer["text"]))]
        else:
            decodings = [_decoding(segment) for segment in segments if isinstance(segment, dict)]
        text = join_texts([spoken_text(decoding) for decoding in decodings])
        return "" if self._prompt.reads_the_list(text) else text


def _sample_question() -> NDArray[np.float32]:
    import soundfile

    samples, rate = soundfile.read(resource_path("audio/sample_question.wav"), dtype="float32")
    assert rate == RATE
    question: NDArray[np.float32] = samples
    return question


def _wav(audio: NDArray[np.float32]) -> bytes:
    """Return a recording as a WAV file, 16-bit mono at 16 kHz."""
    file = io.BytesIO()
    with wave.open(file, "wb") as writer:
        writer.setnchannels(1)
        writer.setsampwidth(2)
        writer.setframerate(RATE)
        writer.writeframes((np.clip(audio, -1.0, 1.0) * 32767.0).astype("<i2").tobytes())
    return file.getvalue()


def _decoding(segment: Mapping[str, object]) -> Decoding:
    return Decoding(
        text=str(segment.get("text", "")),
        no_speech_prob=_number(segment, "no_speech_prob", 0.0),
        avg_logprob=_number(segment, "avg_logprob", 0.0),
        compression_ratio=_number(segment, "compression_ratio", 1.0),
    )


def _number(segment: Mapping[str, object], name: str, otherwise: float) -> float:
    value = segment.get(name)
    return float(value) if isinstance(value, int | float) else otherwise


def _language_of(answer: Mapping[str, object]) -> str:
    """Return the code of the language that a server heard; some give its English name."""
    try:
        return language_code(str(answer.get("language") or ""))
    except ValueError:
        return ""
