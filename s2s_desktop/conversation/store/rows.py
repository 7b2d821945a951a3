"""Records as rows of the tables, and back."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import asdict

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
)
from s2s_desktop.errors import ErrorKind

Values = Mapping[str, object]


def conversation_values(conversation: Conversation) -> Values:
    """Return the columns of a conversation."""
    return {**asdict(conversation), "pinned": int(conversation.pinned)}


def conversation_of(row: sqlite3.Row) -> Conversation:
    """Return the conversation of a row."""
    return Conversation(
        id=row["id"],
        title=row["title"],
        title_source=TitleSource(row["title_source"]),
        created_at=row["created_at"],
        updated_at=row["updated_at"],
        pinned=bool(row["pinned"]),
        profile=row["profile"],
        persona=row["persona"],
        language=row["language"],
    )


def turn_values(turn: SavedTurn) -> Values:
    """Return the columns of a turn, without its messages, its id and its place."""
    return {
        "created_at": turn.created_at,
        "spoken": int(turn.spoken),
        "voiced": int(turn.voiced),
        "heard": turn.heard,
        "interrupted": int(turn.interrupted),
        "finished": int(turn.finished),
        "failure_kind": turn.failure.kind if turn.failure else None,
        "failure": turn.failure.message if turn.failure else None,
        "notice": turn.notice,
        "profile": turn.profile,
        "language": turn.language,
        "input_tokens": turn.usage.input_tokens if turn.usage else None,
        "output_tokens": turn.usage.output_tokens if turn.usage else None,
        "metrics": json.dumps(asdict(turn.metrics)) if turn.metrics else None,
        "speech_start": turn.speech.start if turn.speech else None,
        "speech_end": turn.speech.end if turn.speech else None,
        "voice_start": turn.voice.start if turn.voice else None,
        "voice_end": turn.voice.end if turn.voice else None,
    }


def turn_of(row: sqlite3.Row, messages: Sequence[Message]) -> SavedTurn:
    """Return the turn of a row."""
    has_usage = row["input_tokens"] is not None
    return SavedTurn(
        number=row["number"],
        created_at=row["created_at"],
        messages=tuple(messages),
        spoken=bool(row["spoken"]),
        voiced=bool(row["voiced"]),
        heard=row["heard"],
        interrupted=bool(row["interrupted"]),
        finished=bool(row["finished"]),
        failure=Failure(ErrorKind(row["failure_kind"]), row["failure"]) if row["failure_kind"] else None,
        notice=row["notice"],
        profile=row["profile"],
        language=row["language"],
        usage=Usage(row["input_tokens"], row["output_tokens"]) if has_usage else None,
        metrics=TurnMetrics(**json.loads(row["metrics"])) if row["metrics"] else None,
        speech=_span(row["speech_start"], row["speech_end"]),
        voice=_span(row["voice_start"], row["voice_end"]),
    )


def message_values(message: Message) -> Values:
    """Return the columns of a message, without its id and its place."""
    tool = message.tool
    return {
        "role": message.role,
        "text": message.text,
        "call_id": tool.call_id if tool else None,
        "tool_name": tool.name if tool else None,
        "arguments": tool.arguments if tool else None,
        "output": tool.output if tool else None,
    }


def message_of(row: sqlite3.Row) -> Message:
    """Return the message of a row."""
    tool = None
    if row["role"] == Role.TOOL:
        tool = ToolUse(row["call_id"], row["tool_name"], row["arguments"], row["output"])
    return Message(Role(row["role"]), row["text"], tool)


def compaction_of(row: sqlite3.Row) -> Compaction:
    """Return the compaction of a row."""
    return Compaction(
        through_turn=row["through_turn"],
        user_summary=row["user_summary"],
        assistant_summary=row["assistant_summary"],
        created_at=row["created_at"],
        undone=bool(row["undone"]),
    )


def _span(start: int | None, end: int | None) -> Span | None:
    return Span(start, end) if start is not None and end is not None else None
