"""What a session is made of. Parts that are not ready yet are None; the session works with what is there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from s2s_desktop.audio.protocol import AudioSink, AudioSource
from s2s_desktop.conversation.hearing import Canceller, TurnDetector
from s2s_desktop.conversation.job_gate import JobGate
from s2s_desktop.conversation.speaking import ClauseStep, LanguageStep, TextStep
from s2s_desktop.llm.items import Item
from s2s_desktop.llm.protocol import LLMBackend
from s2s_desktop.llm.tools.runner import ToolRunner
from s2s_desktop.runtime.workers import SerialWorker
from s2s_desktop.stt.protocol import PartialTranscript, Transcriber
from s2s_desktop.tts.protocol import Synthesizer


class CaptionStep(Protocol):
    """Turns drafts of a growing utterance into captions (`stt.captions.CaptionStabilizer`)."""

    def update(self, draft: str) -> PartialTranscript:
        """Take the newest draft and return what to show."""


class LanguageModel(Protocol):
    """Gives the backend to ask, after seeing to it that there is a server behind it."""

    async def backend(self) -> LLMBackend:
        """Return the backend for the next request.

        Raises:
            AssistantError: There is no language model to ask; says why and what to do.
        """

    async def read_ahead(self, items: Sequence[Item]) -> None:
        """Let the model read what the next request will probably begin with, where that costs nothing.

        Never fails: the request itself will.
        """


@dataclass(slots=True)
class Stages:
    """The parts of a session.

    Attributes:
        make_source: Makes the microphone anew at every switch-on, so that a changed default device is used.
        make_detector: Makes the VAD and endpointing for a source; None while speech detection is not ready.
        make_canceller: Makes the echo canceller for a source; None cancels nothing.
        make_language: Makes what tells the language of a reply; None leaves it to the voice.
        make_captions: Makes what steadies the captions of an utterance; None shows none.
        sink: The speaker; None speaks nothing and shows the text.
        transcriber: None while speech recognition is not ready.
        synthesizer: None while the voice is not ready: replies are shown and not spoken.
        language_model: None while no language model is ready.
        make_speakable: Makes the step from reply text to speakable text.
        make_clauses: Makes the step from speakable text to pieces to synthesize.
        read_out: Returns a text in a language (ISO 639-1) with its figures in words; must not block.
        tools: Runs the tools that the model calls; None offers none.
        gate: Lets heavy jobs run one after the other.
        stt_worker: Where speech is transcribed.
        tts_worker: Where voice is made.
    """

    make_source: Callable[[], AudioSource]
    make_speakable: Callable[[], TextStep]
    make_clauses: Callable[[], ClauseStep]
    make_detector: Callable[[], TurnDetector] | None = None
    make_canceller: Callable[[], Canceller | None] | None = None
    make_language: Callable[[], LanguageStep] | None = None
    make_captions: Callable[[], CaptionStep] | None = None
    sink: AudioSink | None = None
    transcriber: Transcriber | None = None
    synthesizer: Synthesizer | None = None
    language_model: LanguageModel | None = None
    read_out: Callable[[str, str], str] = lambda text, language: text
    tools: ToolRunner | None = None
    gate: JobGate = field(default_factory=JobGate)
    stt_worker: SerialWorker = field(default_factory=lambda: SerialWorker("stt"))
    tts_worker: SerialWorker = field(default_factory=lambda: SerialWorker("tts"))
