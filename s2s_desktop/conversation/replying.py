"""Replies as tasks: asked for, released, ended; the history is told what came of each."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from s2s_desktop.audio.protocol import PIPELINE_RATE
from s2s_desktop.audio.sound_file import wav_bytes
from s2s_desktop.conversation.events import Event, SpokenProgress, TurnId, VoiceChunk
from s2s_desktop.conversation.metrics import TurnClock
from s2s_desktop.conversation.reply import Reply
from s2s_desktop.conversation.speaking import Speaking
from s2s_desktop.conversation.stages import Stages
from s2s_desktop.conversation.turn_commands import Ask
from s2s_desktop.conversation.turn_inputs import ReplyEnded, TurnInput, VoiceBegan
from s2s_desktop.errors import AssistantError, ErrorKind, internal_error
from s2s_desktop.llm.history.history import History
from s2s_desktop.llm.items import AudioPart, UserMessage
from s2s_desktop.runtime.tasks import TaskGroup

_log = logging.getLogger(__name__)

OWN_VOICE_S = 1.0
"""So long after a reply the room and the sound card may still hold its last words."""


@dataclass(slots=True, eq=False)
class _Answer:
    """A reply that runs.

    Attributes:
        turn: What it answers.
        clock: Takes the times of the turn.
        decided: Set when its turn is.
        reply: None until the model is there.
        task: Runs it.
    """

    turn: TurnId
    clock: TurnClock
    decided: asyncio.Event = field(default_factory=asyncio.Event)
    reply: Reply | None = None
    task: asyncio.Task[Any] | None = None


class Replying:
    """Runs at most one reply that counts; the next begins when the one before has let go of everything.

    Args:
        stages: The model, the voice, the speaker, the tools.
        history: What the model is reminded of.
        tasks: Where replies run.
        tell: Gets that the voice began, and that a reply ended.
        publish: Gets the events of the reply that counts.
        on_free: Called when a reply has let go of everything.
    """

    def __init__(
        self,
        stages: Stages,
        history: History,
        tasks: TaskGroup,
        *,
        tell: Callable[[TurnInput], None],
        publish: Callable[[Event, TurnId], None],
        on_free: Callable[[], None],
    ) -> None:
        self._stages = stages
        self._history = history
        self._tasks = tasks
        self._tell = tell
        self._publish = publish
        self._on_free = on_free
        self._answer: _Answer | None = None
        self._last_task: asyncio.Task[Any] | None = None
        self._last_spoken = ("", 0.0)

    @property
    def busy(self) -> bool:
        """Whether a reply runs, or one that was ended still lets go."""
        return self._last_task is not None and not self._last_task.done()

    def ask(self, ask: Ask, system_prompt: str, reminder: str) -> None:
        """Begin a reply.

        Args:
            ask: What the controller wants.
            system_prompt: Instructions ahead of the conversation.
            reminder: A sentence for this request only.
        """
        answer = self._answer = _Answer(ask.turn, ask.clock)
        if not ask.held:
            answer.decided.set()
        self._history.begin_turn(_message(ask), ask.turn.number)
        work = self._run(answer, self._last_task, ask, system_prompt, reminder)
        answer.task = self._last_task = self._tasks.start(work, f"turn {ask.turn.number}")
        answer.task.add_done_callback(lambda _: self._on_free())

    async def read_ahead(self, words: str, system_prompt: str) -> None:
        """Let the model read the beginning of a question that is being spoken; no reply may run.

        Args:
            words: A draft of it. Its last word is left out: it is the one that changes most. A script without
                spaces is not read ahead.
            system_prompt: As for `ask`.
        """
        beginning = words.strip().rpartition(" ")[0]
        if self._stages.language_model is None or self.busy or not beginning:
            return
        items = self._history.items(system_prompt, question=UserMessage.of(beginning))
        await self._stages.language_model.read_ahead(items)

    def release(self, turn: TurnId) -> None:
        """The turn of a held reply is decided."""
        answer = self._answer
        if answer is None or answer.turn != turn:
            return
        if answer.reply is not None:
            answer.reply.release()
        else:
            answer.decided.set()

    def end(self, turn: TurnId | None = None, *, keep: bool) -> None:
        """End a reply at once.

        Args:
            turn: Only if it answers this one; None ends any.
            keep: The history keeps what was heard of it; else it forgets that it was asked for.
        """
        answer = self._answer
        if answer is None or (turn is not None and answer.turn != turn):
            return
        self._remember_spoken(answer)
        self._answer = None
        heard = answer.reply.stop() if answer.reply is not None else ""
        if self._stages.sink is not None:
            self._stages.sink.resume()
        if keep:
            self._history.interrupt(heard)
        else:
            self._history.fail()
        if answer.task is not None:
            answer.task.cancel()

    def when_free(self, call: Callable[[], None]) -> None:
        """Call when the reply that was ended last has let go of everything; at once when it has."""
        task = self._last_task
        if task is None or task.done() or task is asyncio.current_task():
            call()
        else:
            task.add_done_callback(lambda _: call())

    def spoken_lately(self) -> str:
        """Return what the voice has said so far, or said a moment ago."""
        if self._answer is not None and self._answer.reply is not None:
            return self._answer.reply.audible
        text, ended_at = self._last_spoken
        return text if asyncio.get_running_loop().time() - ended_at <= OWN_VOICE_S else ""

    async def speak(self, text: str) -> str:
        """Speak a text outside of any turn and return what was said, once it has been heard.

        Raises:
            AssistantError: The voice failed or is not there.
        """
        decided = asyncio.Event()
        decided.set()
        speaking = self._make_speaking(
            "", decided, on_made=_ignore, on_voice=lambda chunk: None, on_heard=lambda heard: None
        )
        if speaking is None:
            raise AssistantError(ErrorKind.MODEL_MISSING, "The voice is not ready.")
        speaking.say(text)
        speaking.finish()
        try:
            await speaking.run()
        except asyncio.CancelledError:
            speaking.stop()
            raise
        return speaking.spoken

    async def _run(
        self,
        answer: _Answer,
        before: asyncio.Task[Any] | None,
        ask: Ask,
        system_prompt: str,
        reminder: str,
    ) -> None:
        error: AssistantError | None = None
        try:
            if before is not None:
                await asyncio.wait([before])
            await self._reply(answer, ask, system_prompt, reminder)
        except AssistantError as failure:
            error = failure
        except Exception as failure:
            _log.exception("turn %d failed", ask.turn.number)
            error = internal_error(failure)
        await answer.decided.wait()
        if self._answer is answer:
            self._remember_spoken(answer)
            self._answer = None
            if error is None:
                self._history.commit()
            else:
                self._history.fail()
            self._tell(ReplyEnded(ask.turn, error))

    async def _reply(self, answer: _Answer, ask: Ask, system_prompt: str, reminder: str) -> None:
        if self._stages.language_model is None:
            raise AssistantError(
                ErrorKind.MODEL_MISSING, "The language model is not ready yet. Ask again in a moment."
            )
        backend = await self._stages.language_model.backend()
        answer.reply = Reply(
            backend=backend,
            history=self._history,
            system_prompt=system_prompt,
            reminder=reminder,
            tools=self._stages.tools,
            speaking=self._make_speaking(
                ask.language,
                answer.decided,
                on_made=lambda: ask.clock.mark("tts_first_audio"),
                on_voice=lambda chunk: self._voice_ready(answer, chunk),
                on_heard=lambda heard: self._publish_current(answer, SpokenProgress(heard)),
            ),
            clock=ask.clock,
            decided=answer.decided,
            publish=lambda event: self._publish_current(answer, event),
        )
        finished = await answer.reply.run()
        if finished.error is not None:
            raise finished.error

    def _make_speaking(
        self,
        heard_language: str,
        decided: asyncio.Event,
        *,
        on_made: Callable[[], None],
        on_voice: Callable[[VoiceChunk], None],
        on_heard: Callable[[str], None],
    ) -> Speaking | None:
        stages = self._stages
        if stages.synthesizer is None or stages.sink is None:
            return None
        return Speaking(
            synthesizer=stages.synthesizer,
            worker=stages.tts_worker,
            gate=stages.gate,
            sink=stages.sink,
            speakable=stages.make_speakable(),
            clauses=stages.make_clauses(),
            language=None if stages.make_language is None else stages.make_language(),
            heard_language=heard_language,
            decided=decided,
            on_made=on_made,
            on_voice=on_voice,
            on_heard=on_heard,
        )

    def _voice_ready(self, answer: _Answer, chunk: VoiceChunk) -> None:
        answer.clock.mark("voice_to_voice")
        if self._answer is answer:
            self._tell(VoiceBegan(answer.turn))
            self._publish(chunk, answer.turn)

    def _publish_current(self, answer: _Answer, event: Event) -> None:
        if self._answer is answer:
            self._publish(event, answer.turn)

    def _remember_spoken(self, answer: _Answer) -> None:
        if answer.reply is not None:
            self._last_spoken = (answer.reply.audible, asyncio.get_running_loop().time())


def _message(ask: Ask) -> UserMessage:
    if ask.audio is None:
        return UserMessage.of(ask.text)
    return UserMessage((AudioPart(wav_bytes(ask.audio, PIPELINE_RATE)),))


def _ignore() -> None:
    """Nobody takes the time of a text that is only spoken."""
