"""Answers a message anew, replaces it, or takes it out: of what is remembered, saved and shown."""

from __future__ import annotations

import asyncio

from s2s_desktop.conversation.events import (
    ConversationOpened,
    Event,
    FinalTranscript,
    Notice,
    TurnFailed,
    TurnId,
    TurnRemoved,
    TypedMessage,
)
from s2s_desktop.conversation.session import Session
from s2s_desktop.engine.saved_conversations import SavedConversations
from s2s_desktop.errors import AssistantError
from s2s_desktop.llm.history.history import History
from s2s_desktop.llm.history.serialize import AUDIO_PLACEHOLDER

_GONE = "This message is no longer there."
_SOUND_ONLY = "The model was sent your voice itself, which is not kept. Say it again, or type it."


class MessageActions:
    """An observer of the session that can take turns back. Commands run one after the other.

    Args:
        session: Answers.
        history: Of the session.
        conversations: Where the turns are saved; None where nothing is.
    """

    def __init__(self, session: Session, history: History, conversations: SavedConversations | None) -> None:
        self._session = session
        self._history = history
        self._conversations = conversations
        self._questions: dict[int, str] = {}
        self._lock = asyncio.Lock()

    def __call__(self, turn: TurnId | None, event: Event) -> None:
        """Take an event of the session."""
        match event:
            case ConversationOpened(turns=turns):
                self._questions = {saved.number: saved.user_text for saved in turns}
            case FinalTranscript(text=text) | TypedMessage(text=text) if turn is not None and text:
                self._questions[turn.number] = text
            case TurnFailed() if turn is not None:
                self._questions.setdefault(turn.number, "")
            case _:
                pass

    async def regenerate(self) -> None:
        """Answer the last message of the user anew."""
        async with self._lock:
            await self._fall_silent()
            last = max(self._questions, default=0)
            text = self._questions.get(last, "")
            if text and text != AUDIO_PLACEHOLDER:
                await self._replace(last, text)
            else:
                self._session.publish(Notice(_SOUND_ONLY if text else "There is no message to answer anew."))

    async def edit_and_resend(self, turn: int, text: str) -> None:
        """Take back a turn and all that followed, and send a text in its place."""
        text = text.strip()
        if not text:
            return
        async with self._lock:
            await self._fall_silent()
            if await self._is_there(turn):
                await self._replace(turn, text)

    async def delete_turn(self, turn: int) -> None:
        """Take a turn out."""
        async with self._lock:
            await self._fall_silent()
            if await self._is_there(turn):
                await self._remove(turn, turn)

    async def _fall_silent(self) -> None:
        self._session.stop_reply()
        await self._session.settled()

    async def _is_there(self, turn: int) -> bool:
        """Tell whether there is such a turn, also one that is saved and was not shown yet."""
        if turn in self._questions:
            return True
        saved = await self._conversations.has_turn(turn) if self._conversations is not None else False
        if not saved:
            self._session.publish(Notice(_GONE))
        return saved

    async def _replace(self, first: int, text: str) -> None:
        await self._remove(first, max(self._questions, default=first))
        self._session.send_text(text)

    async def _remove(self, first: int, last: int) -> None:
        """Take the turns between two numbers out of everything. Nothing of the conversation is running."""
        with_summary = self._history.remove(range(first, last + 1))
        numbers = {first, *(number for number in self._questions if first <= number <= last)}
        for number in sorted(numbers, reverse=True):
            self._questions.pop(number, None)
            self._session.publish(TurnRemoved(number))
        if self._conversations is None:
            return
        try:
            saved = await self._conversations.remove_turns(first, last)
            for number in sorted(set(saved) - numbers, reverse=True):
                self._session.publish(TurnRemoved(number))
            # Nothing is remembered any more, although there may be older turns than the window held.
            if with_summary or (first > 1 and not len(self._history)):
                await self._conversations.remember_again()
        except AssistantError as error:
            self._session.publish(Notice(error.message))
