"""What the user is saying: its sound, what is known of its words, and what was worked ahead with them."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from s2s_desktop.audio.protocol import PIPELINE_RATE, Samples
from s2s_desktop.conversation.events import TurnId
from s2s_desktop.conversation.metrics import TurnClock
from s2s_desktop.stt.protocol import FinalTranscript
from s2s_desktop.vad.events import SpeechPaused, SpeechSegment
from s2s_desktop.vad.turn_pause import UNFINISHED

MERGED_S = 20.0
"""Speech before a reopening is transcribed once more together with what follows, up to this length: Whisper
hears a sentence better than its halves. Longer speech keeps the transcript it has."""


@dataclass(slots=True, eq=False)
class Part:
    """A stretch of speech that is transcribed at once.

    Attributes:
        audio: Its sound; empty until the first pause.
        job: The transcription that counts; None when there is none.
        transcript: Its result; None until it is there.
    """

    audio: Samples = field(default_factory=lambda: np.zeros(0, np.float32))
    job: int | None = None
    transcript: FinalTranscript | None = None

    def forget_transcript(self) -> None:
        """The speech goes on: what was transcribed is not all of it."""
        self.job = self.transcript = None


@dataclass(slots=True, eq=False)
class Utterance:
    """What the user says in one turn; over a reopening it goes on.

    Attributes:
        turn: The turn that it will be.
        parts: The speech so far; the last one is still growing.
        own_voice: What the assistant had just said when it began: a transcript like it is an echo.
        over_reply: It is spoken into a reply, and nobody knows yet whether words are meant.
        continues: What was said just before and may be the beginning of this; None when nothing is.
        talking: The user speaks right now; False in a pause.
        draft: The job that looks for words in it while it goes on; None when none does.
        goes_on: Over-long speech was split: the next `SpeechStarted` is the same speech.
        ignored: It sounds like a noise: the voice goes on over it, and only words at a pause can end that.
        end: Sample index behind its last speech; None before the first pause.
        clock: Runs from the end of its speech; None before the first pause.
        finished: How surely the sentence is finished, 0..1; None where nothing judges it.
        silent_for_long: The pause goes on although the sentence does not sound finished.
        segment: What the VAD cut out when the turn was decided; None before.
        asked: The text of a request that runs ahead; "" when none does.
        requests: How many requests ran ahead.
    """

    turn: TurnId
    own_voice: str = ""
    over_reply: bool = False
    continues: Utterance | None = None
    parts: list[Part] = field(default_factory=lambda: [Part()])
    talking: bool = True
    draft: int | None = None
    goes_on: bool = False
    ignored: bool = False
    end: int | None = None
    clock: TurnClock | None = None
    finished: float | None = None
    silent_for_long: bool = False
    segment: SpeechSegment | None = None
    asked: str = ""
    requests: int = 0
    _before: Samples = field(default_factory=lambda: np.zeros(0, np.float32))
    """Sound of the last part from before a reopening."""

    def take(self, heard: SpeechPaused | SpeechSegment, clock: TurnClock) -> Part:
        """Note what was said up to a pause and return the part that holds it."""
        part = self.parts[-1]
        part.audio = np.concatenate([self._before, heard.audio])
        self.end, self.clock = heard.end, clock
        self.talking, self.draft, self.silent_for_long = False, None, False
        return part

    def resume(self) -> None:
        """The user goes on after a pause."""
        self.talking = True
        self.parts[-1].forget_transcript()

    def join(self, earlier: Utterance) -> None:
        """Be the rest of what was said before, whose words are known: both are one turn."""
        self.turn = earlier.turn.reopened
        self.parts = [*earlier.parts, *self.parts]

    def split(self) -> None:
        """The speech became too long for one segment and goes on in the next."""
        self.goes_on = self.talking = True
        self.parts.append(Part())
        self._before = np.zeros(0, np.float32)

    def reopen(self) -> None:
        """The user went on after the turn was decided: take it back."""
        self.turn = self.turn.reopened
        self.segment, self.clock, self.asked, self.talking = None, None, "", True
        last = self.parts[-1]
        if last.audio.size > MERGED_S * PIPELINE_RATE:
            self.parts.append(Part())
            self._before = np.zeros(0, np.float32)
        else:
            self._before = last.audio
            last.forget_transcript()

    @property
    def sounds_finished(self) -> bool:
        """Whether it may be all: also where nothing judges it."""
        return self.finished is None or self.finished >= UNFINISHED

    @property
    def is_whole(self) -> bool:
        """Whether nothing of it was said before the speech that the VAD hears now."""
        return len(self.parts) == 1 and not self._before.size and self.continues is None

    @property
    def audio(self) -> Samples:
        """Everything said so far, in one piece."""
        return np.concatenate([part.audio for part in self.parts])

    @property
    def transcript(self) -> FinalTranscript | None:
        """What was said; None while a part is still being transcribed."""
        found = [part.transcript for part in self.parts if part.transcript is not None]
        if len(found) < len(self.parts):
            return None
        if len(found) == 1:
            return found[0]
        return FinalTranscript(
            " ".join(each.text for each in found if each.text),
            found[0].language,
            found[0].language_probability,
            sum(each.seconds for each in found),
            sum(each.elapsed_s for each in found),
        )

    @property
    def awaited(self) -> frozenset[int]:
        """The transcriptions whose results are still to come."""
        return frozenset(part.job for part in self.parts if part.job is not None and part.transcript is None)

    def part_of(self, job: int) -> Part | None:
        """Return the part that waits for a transcription; None when nothing waits for it any more."""
        return next((part for part in self.parts if part.job == job), None)
