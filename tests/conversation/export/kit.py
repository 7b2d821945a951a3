"""Conversations to export: one of every kind of content, and any at all."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import strategies as st

from s2s_desktop.conversation.events import TurnMetrics, Usage
from s2s_desktop.conversation.store.records import (
    Compaction,
    Conversation,
    Failure,
    Message,
    Role,
    SavedTurn,
    Span,
    TitleSource,
    ToolUse,
    WholeConversation,
)
from s2s_desktop.conversation.store.titles import clean_title
from s2s_desktop.errors import ErrorKind

NOON = 1_700_000_000_000


def example() -> WholeConversation:
    """Return a conversation with everything in it."""
    turns = (
        SavedTurn(
            1,
            NOON,
            (
                Message(Role.USER, "What is 6 times 7?"),
                Message(Role.TOOL, "", ToolUse("c1", "calculator", '{"e": "6*7"}', "42")),
                Message(Role.ASSISTANT, "It is **42**."),
            ),
            spoken=True,
            voiced=True,
            heard="It is 42.",
            profile="Groq",
            language="en",
            usage=Usage(20, 4),
            metrics=TurnMetrics(llm_first_token=0.25, voice_to_voice=0.9),
            speech=Span(NOON, NOON + 1500),
            voice=Span(NOON + 2500, NOON + 4000),
        ),
        SavedTurn(
            2,
            NOON + 10_000,
            (Message(Role.USER, "Go on."), Message(Role.ASSISTANT, "Once upon a time")),
            interrupted=True,
            notice="The model ignored a setting.",
        ),
        SavedTurn(
            4,
            NOON + 20_000,
            (Message(Role.USER, "Again?"),),
            finished=False,
            failure=Failure(ErrorKind.SERVER, "The server failed. Try again."),
        ),
    )
    return WholeConversation(
        Conversation(
            "abc", "Six times seven", TitleSource.MODEL, NOON, NOON + 20_000, True, "Groq", "Tutor", "en"
        ),
        turns,
        (Compaction(1, "asked 6*7", "said 42", NOON, undone=True),),
    )


def says(user: str, reply: str = "Fine.", title: str = "Title") -> WholeConversation:
    """Return a conversation of one turn."""
    turn = SavedTurn(1, NOON, (Message(Role.USER, user), Message(Role.ASSISTANT, reply)))
    return WholeConversation(Conversation("abc", title, TitleSource.USER, NOON, NOON), (turn,))


_text = st.text(max_size=40)
_moments = st.integers(0, 253_402_300_799_999)
_counts = st.integers(0, 2**53)
_seconds = st.none() | st.floats(0, 1e6)
_spans = st.none() | st.builds(Span, _moments, _moments)
_tools = st.builds(ToolUse, _text, _text, _text, st.none() | _text)
_messages = st.one_of(
    st.builds(Message, st.sampled_from([Role.USER, Role.ASSISTANT]), _text),
    st.builds(Message, st.just(Role.TOOL), _text, _tools),
)
_turns = st.builds(
    SavedTurn,
    number=st.just(1),
    created_at=_moments,
    messages=st.lists(_messages, max_size=4).map(tuple),
    spoken=st.booleans(),
    voiced=st.booleans(),
    heard=_text,
    interrupted=st.booleans(),
    finished=st.booleans(),
    failure=st.none() | st.builds(Failure, st.sampled_from(ErrorKind), _text),
    notice=_text,
    profile=_text,
    language=_text,
    usage=st.none() | st.builds(Usage, _counts, _counts),
    metrics=st.none() | st.builds(TurnMetrics, _seconds, _seconds, _seconds, _seconds, _seconds),
    speech=_spans,
    voice=_spans,
)
_conversations = st.builds(
    Conversation,
    id=st.uuids().map(lambda uuid: uuid.hex),
    title=_text.map(clean_title),
    title_source=st.sampled_from(TitleSource),
    created_at=_moments,
    updated_at=_moments,
    pinned=st.booleans(),
    profile=_text,
    persona=_text,
    language=_text,
)
_compactions = st.builds(
    Compaction, st.integers(1, 1000), _text, _text, created_at=_moments, undone=st.booleans()
)


def _numbered(turns: list[SavedTurn], step: int) -> tuple[SavedTurn, ...]:
    return tuple(replace(turn, number=place * step) for place, turn in enumerate(turns, 1))


wholes = st.builds(
    WholeConversation,
    _conversations,
    st.builds(_numbered, st.lists(_turns, max_size=4), st.integers(1, 5)),
    st.lists(_compactions, max_size=2).map(tuple),
)
"""Any conversation at all."""
