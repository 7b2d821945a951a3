"""One turn of the conversation as history keeps it: what the user said and the steps of the reply."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from s2s_desktop.llm.events import ToolCall
from s2s_desktop.llm.history.serialize import AUDIO_PLACEHOLDER, CUT_OFF
from s2s_desktop.llm.items import (
    AssistantText,
    AudioPart,
    ImagePart,
    Item,
    TextPart,
    ToolOutput,
    UserMessage,
    UserPart,
)

CANCELLED = "cancelled"
"""Output of a tool call that the user interrupted before its result was there."""

IMAGE_PLACEHOLDER = "[User image]"
"""Stands for an image that the model has already answered to."""


@dataclass(slots=True)
class Step:
    """What one request gave: text, then tool calls, then their outputs."""

    text: str = ""
    interrupted: bool = False
    calls: list[ToolCall] = field(default_factory=list)
    outputs: dict[str, str] = field(default_factory=dict)

    @property
    def pending(self) -> list[ToolCall]:
        """The calls whose output is not there yet."""
        return [call for call in self.calls if call.call_id not in self.outputs]

    def add_text(self, text: str) -> None:
        """Append a run of text, apart from what is there already by white space."""
        gap = " " if self.text and not self.text[-1].isspace() and not text[:1].isspace() else ""
        self.text += gap + text

    def items(self) -> list[Item]:
        """Return the items of the step; calls without output are left out, for no server takes them."""
        answered = [call for call in self.calls if call.call_id in self.outputs]
        text: list[Item] = [AssistantText(self.text, self.interrupted)] if self.text else []
        return [
            *text,
            *answered,
            *(ToolOutput(call.call_id, self.outputs[call.call_id]) for call in answered),
        ]


@dataclass(slots=True)
class Turn:
    """A message of the user and the reply to it, in one step or, with tools, in several.

    Attributes:
        user: What the user said.
        steps: The reply.
        number: Of the turn in the conversation; 0 where nobody said. A summary has that of the last turn it
            stands for.
        is_summary: It stands for all turns up to `number`.
    """

    user: UserMessage
    steps: list[Step] = field(default_factory=list)
    number: int = 0
    is_summary: bool = False

    @property
    def answered(self) -> bool:
        """Whether the reply holds anything."""
        return any(step.text or step.calls for step in self.steps)

    @property
    def has_audio(self) -> bool:
        """Whether the user's speech is still kept as sound."""
        return any(isinstance(part, AudioPart) for part in self.user.parts)

    def add_text(self, text: str) -> None:
        """Add a finished run of text to the reply; text of nothing but white space is left out."""
        if text.strip():
            self._open_step().add_text(text)

    def add_call(self, call: ToolCall) -> None:
        """Add a tool call. A call id that still waits for its output is the same call once more."""
        step = self._open_step()
        if all(call.call_id != known.call_id for known in step.calls):
            step.calls.append(call)

    def add_output(self, output: ToolOutput) -> None:
        """Add the output of a call that waits for one; any other output is ignored."""
        for step in reversed(self.steps):
            if any(call.call_id == output.call_id for call in step.pending):
                step.outputs[output.call_id] = output.output
                return

    def cut(self, heard: str) -> None:
        """Keep only what the user heard of the reply, mark its end as interrupted, and end it.

        What was heard and is no part of the steps yet belongs to a run of text that was still arriving.

        Args:
            heard: The speakable text that was heard, over all steps. It is shared out by its letters and
                digits: speakable text has lost the marks and spaces of the written one, but not those.
        """
        rest = heard.strip()
        last = self._open_step()
        for step in self.steps[:-1]:
            step.text, rest = _split(rest, _letters(step.text))
        last.text = rest
        next((step for step in reversed(self.steps) if step.text), last).interrupted = True
        self.steps = [step for step in self.steps if step.text or step.calls]
        self.end(interrupted=True)

    def end(self, interrupted: bool = False) -> None:
        """Give every call an output, and end the reply in text of the assistant where it ended in outputs.

        Chat templates that ask user and assistant to alternate refuse a user message behind a tool output.
        """
        for step in self.steps:
            step.outputs.update((call.call_id, CANCELLED) for call in step.pending)
        if self.steps and self.steps[-1].calls:
            self.steps.append(Step(CUT_OFF, interrupted))

    def request_items(self) -> list[Item]:
        """Return the items of a turn whose next step is about to be asked for; they end in no assistant text.

        Text behind the latest tool outputs moves in front of their calls: servers take a last message of the
        assistant for one to be continued.
        """
        steps = self.steps
        if len(steps) > 1 and steps[-1].text and not steps[-1].calls:
            joined = replace(steps[-2])
            joined.add_text(steps[-1].text)
            steps = [*steps[:-2], joined]
        return self._items(steps)

    def items(self) -> list[Item]:
        """Return all items of the turn, the user's message first."""
        return self._items(self.steps)

    def forget_images(self) -> None:
        """Replace the images of the user's message."""
        self._replace_parts(lambda part: TextPart(IMAGE_PLACEHOLDER) if isinstance(part, ImagePart) else part)

    def forget_audio(self) -> None:
        """Replace the sound of the user's message."""
        self._replace_parts(lambda part: TextPart(AUDIO_PLACEHOLDER) if isinstance(part, AudioPart) else part)

    def _replace_parts(self, change: Callable[[UserPart], UserPart]) -> None:
        self.user = UserMessage(tuple(change(part) for part in self.user.parts))

    def _items(self, steps: Sequence[Step]) -> list[Item]:
        return [self.user, *(item for step in steps for item in step.items())]

    def _open_step(self) -> Step:
        """Return the step that the reply is in: a new one once all outputs of the last one are there."""
        if not self.steps or (self.steps[-1].calls and not self.steps[-1].pending):
            self.steps.append(Step())
        return self.steps[-1]


def _letters(text: str) -> int:
    return sum(character.isalnum() for character in text)


def _split(text: str, letters: int) -> tuple[str, str]:
    """Split behind the word that holds the given number of letters and digits."""
    if not letters:
        return "", text
    seen = 0
    for position, character in enumerate(text):
        if seen >= letters and character.isspace():
            return text[:position], text[position:].strip()
        seen += character.isalnum()
    return text, ""
