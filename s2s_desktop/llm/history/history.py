"""What the language model is reminded of: a rolling window of turns that stays valid whatever happens."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from s2s_desktop.llm.events import ToolCall
from s2s_desktop.llm.history.turns import Turn
from s2s_desktop.llm.items import AssistantText, Item, SystemMessage, TextPart, ToolOutput, UserMessage

_SMALL = 16
"""Windows below this many turns drop one turn at a time; evaluating them anew costs little."""


class History:
    """The turns of a conversation.

    A turn is open from `begin_turn` until `commit`, `interrupt` or `fail`; what is added meanwhile is
    provisional. Keep it open until its voice has been heard to the end: only an open turn can be interrupted.

    The items of the closed turns are a stable prefix: they are appended to and seldom shortened, so that
    servers find them in their prompt cache. A window of 16 turns or more therefore drops a quarter of its
    turns when it is full, instead of one turn each time.

    Args:
        chat_size: How many turns of the user before the current one are kept; 0 keeps only the current one.
        audio_history_turns: How many of them keep the user's speech as sound; the others say
            `[User audio input]`.
        priming: Example exchanges ahead of the conversation. They do not count and are never given out but
            by `items`.
        compacts: A `Compactor` shortens this history. Until it has, up to twice `chat_size` turns are kept.
    """

    def __init__(
        self,
        chat_size: int = 30,
        audio_history_turns: int = 1,
        priming: Sequence[Item] = (),
        compacts: bool = False,
    ) -> None:
        self.chat_size = max(0, chat_size)
        self.audio_history_turns = max(0, audio_history_turns)
        self.compacts = compacts
        self.priming: tuple[Item, ...] = tuple(priming)
        self._turns: list[Turn] = []
        self._open: Turn | None = None

    def __len__(self) -> int:
        """Return the number of closed turns."""
        return len(self._turns)

    @property
    def is_open(self) -> bool:
        """Whether a turn is under way."""
        return self._open is not None

    def begin_turn(self, message: UserMessage, number: int = 0) -> None:
        """Open a turn. One that is still open ends as interrupted before anything was heard.

        Args:
            message: What the user said.
            number: Of the turn in the conversation, by which `remove` finds it.

        Raises:
            ValueError: The message says nothing.
        """
        _check(message)
        if self._open:
            self.interrupt("")
        self._open = Turn(message, number=number)

    def revise(self, message: UserMessage) -> None:
        """Replace the user's message of the open turn and drop its reply: the user went on speaking.

        Raises:
            ValueError: The message says nothing.
        """
        _check(message)
        self._open = Turn(message, number=self._open.number if self._open else 0)

    def add_assistant(self, text: str) -> None:
        """Add a finished run of text to the reply. Without an open turn it is late and ignored."""
        if self._open is not None:
            self._open.add_text(text)

    def add_tool_call(self, call: ToolCall) -> None:
        """Add a tool call to the reply. Without an open turn it is late and ignored."""
        if self._open is not None:
            self._open.add_call(call)

    def add_tool_output(self, call_id: str, output: str) -> None:
        """Add the output of a call of the open turn; an output that no call waits for is ignored."""
        if self._open is not None:
            self._open.add_output(ToolOutput(call_id, output))

    def commit(self) -> None:
        """Close the turn with its whole reply. A turn without any reply leaves no trace."""
        turn, self._open = self._open, None
        if turn is not None and turn.answered:
            self._close(turn)

    def interrupt(self, heard_text: str) -> None:
        """Close the turn with the part of the reply that the user heard, marked as interrupted.

        Tool calls that wait for their output get the output "cancelled". When nothing was heard, the user's
        message stays: the next one usually completes it, and both are sent as one.

        Args:
            heard_text: The speakable text that was heard.
        """
        turn, self._open = self._open, None
        if turn is not None:
            turn.cut(heard_text)
            self._close(turn)

    def fail(self) -> UserMessage | None:
        """Drop the open turn as if it had never been and return its message, to be sent again."""
        turn, self._open = self._open, None
        return turn.user if turn is not None else None

    def clear(self) -> None:
        """Forget the conversation."""
        self._turns, self._open = [], None

    def load(self, items: Iterable[Item], numbers: Sequence[int] = (), summary_through: int = 0) -> None:
        """Go on with a saved conversation instead of this one.

        Calls without output count as cancelled. A last message without a reply is left out: nobody answered
        it. System messages and what stands ahead of the first user message are ignored.

        Args:
            items: What was said.
            numbers: Of the turns, one for each user message; none where nobody knows.
            summary_through: The first of them is a summary, of all turns up to this number; 0 where not.
        """
        self.clear()
        turns: list[Turn] = []
        waiting = list(reversed(numbers))
        for item in items:
            match item:
                case UserMessage():
                    turns.append(Turn(item, number=waiting.pop() if waiting else 0))
                case AssistantText() if turns:
                    turns[-1].add_text(item.text)
                    if item.interrupted and turns[-1].steps:
                        turns[-1].steps[-1].interrupted = True
                case ToolCall() if turns:
                    turns[-1].add_call(item)
                case ToolOutput() if turns:
                    turns[-1].add_output(item)
        if turns and summary_through:
            turns[0].is_summary = True
            turns[0].number = summary_through
        if turns and not turns[-1].answered:
            turns.pop()
        for turn in turns:
            self._close(turn)

    def question(self, number: int) -> UserMessage | None:
        """Return what the user said in a turn; None where it is not remembered (any more)."""
        known = [*self._turns, *([self._open] if self._open is not None else [])]
        return next((turn.user for turn in known if turn.number == number and not turn.is_summary), None)

    def remove(self, numbers: Iterable[int]) -> bool:
        """Forget turns, also an open one. Numbers that are not here are passed over.

        A summary that stands for one of them goes too: it may say what they said.

        Returns:
            Whether a summary went. Then the model no longer knows of the other turns it stood for either.
        """
        gone = set(numbers) - {0}
        if self._open is not None and self._open.number in gone:
            self._open = None
        summaries = [turn for turn in self._turns if turn.is_summary and gone and min(gone) <= turn.number]
        self._turns = [
            turn
            for turn in self._turns
            if turn not in summaries and (turn.is_summary or turn.number not in gone)
        ]
        return bool(summaries)

    def items(
        self, system_prompt: str, reminder: str = "", question: UserMessage | None = None
    ) -> list[Item]:
        """Return what a request sends: system prompt, priming, the closed turns, the open turn.

        No call is without its output and no two neighbors are messages of the same role. Ask when all tool
        outputs of the open turn are there: a call that still waits for its output is left out.

        Args:
            system_prompt: "" sends none.
            reminder: A sentence for this request only, behind the user's newest words.
            question: Stands for the open turn, to see what a request would send that is not made yet.
        """
        items: list[Item] = [SystemMessage(system_prompt)] if system_prompt.strip() else []
        items += self.priming
        for turn in self._turns:
            _append(items, turn.items())
        newest = self._open if question is None else Turn(question)
        if newest is not None:
            _append(items, newest.request_items())
        if reminder:
            _remind(items, reminder)
        return items

    def oldest(self, count: int) -> list[Turn]:
        """Return the oldest closed turns, for a summary. They must not be changed."""
        return self._turns[:count]

    def replace(self, turns: Sequence[Turn], summary: Turn) -> bool:
        """Put one turn in place of the given ones, as far as the window still holds them.

        Returns:
            False when none of them is left or the conversation is another one; then nothing changed.
        """
        gone = {id(turn) for turn in turns}
        kept = [turn for turn in self._turns if id(turn) not in gone]
        if len(kept) == len(self._turns):
            return False
        summary.is_summary = True
        summary.number = max((turn.number for turn in turns), default=0)
        self._turns = [summary, *kept]
        return True

    def _close(self, turn: Turn) -> None:
        turn.end()
        turn.forget_images()
        self._turns.append(turn)
        self._trim()
        with_sound = [turn for turn in self._turns if turn.has_audio]
        for old in with_sound[: max(0, len(with_sound) - self.audio_history_turns)]:
            old.forget_audio()

    def _trim(self) -> None:
        limit = 2 * self.chat_size if self.compacts else self.chat_size
        if len(self._turns) > limit:
            slack = self.chat_size // 4 if self.chat_size >= _SMALL else 0
            del self._turns[: len(self._turns) - (self.chat_size - slack)]


def _check(message: UserMessage) -> None:
    if not any(not isinstance(part, TextPart) or part.text.strip() for part in message.parts):
        raise ValueError("a turn needs something that the user said, typed or showed")


def _append(items: list[Item], more: Sequence[Item]) -> None:
    """Append items; a user message behind another one joins it."""
    last, first = (items[-1] if items else None), more[0]
    if isinstance(last, UserMessage) and isinstance(first, UserMessage):
        items[-1] = UserMessage(last.parts + first.parts)
        items += more[1:]
    else:
        items += more


def _remind(items: list[Item], reminder: str) -> None:
    for position in range(len(items) - 1, -1, -1):
        item = items[position]
        if isinstance(item, UserMessage):
            items[position] = UserMessage((*item.parts, TextPart(reminder)))
            return
