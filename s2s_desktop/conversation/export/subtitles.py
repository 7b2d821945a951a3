"""The spoken turns of a conversation as subtitles.

Times count from the first word; a pause of more than an hour counts as an hour, so that a conversation that
goes on the next week stays within the hours that players can show.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import NamedTuple

from s2s_desktop.conversation.export.wording import SPEAKER, visible
from s2s_desktop.conversation.store.records import Role, Span, WholeConversation
from s2s_desktop.errors import AssistantError, ErrorKind

_LINE = 42
"""Characters of a line, two lines a cue: the usual limit of subtitles."""

_LONGEST_PAUSE_MS = 3_600_000

_JOINER = "\u2060"
"""Cannot be seen, and takes the effect of what stands on both sides of it."""


class Cue(NamedTuple):
    """What is shown from one moment to another, in milliseconds from the first word."""

    start: int
    end: int
    role: Role
    text: str


def to_srt(whole: WholeConversation) -> str:
    """Return SubRip subtitles.

    Raises:
        AssistantError: BAD_REQUEST; nothing was spoken.
    """
    blocks = [
        f"{number}\n{_time(cue.start, ',')} --> {_time(cue.end, ',')}\n{_srt_text(cue)}\n"
        for number, cue in enumerate(cues(whole), 1)
    ]
    return "\n".join(blocks)


def to_vtt(whole: WholeConversation) -> str:
    """Return WebVTT subtitles, with the speaker of each cue.

    Raises:
        AssistantError: BAD_REQUEST; nothing was spoken.
    """
    blocks = [
        f"{_time(cue.start, '.')} --> {_time(cue.end, '.')}\n<v {SPEAKER[cue.role]}>{_vtt_text(cue)}\n"
        for cue in cues(whole)
    ]
    return "\n".join(["WEBVTT\n", *blocks])


def cues(whole: WholeConversation) -> list[Cue]:
    """Return what was spoken, cut into pieces of two lines, in the order of time.

    Raises:
        AssistantError: BAD_REQUEST; nothing was spoken.
    """
    found = [cue for role, text, span in _spoken(whole) for cue in _cut(role, text, span)]
    if not found:
        raise AssistantError(
            ErrorKind.BAD_REQUEST,
            "Nothing was spoken in this conversation, so there are no subtitles. Choose text or Markdown.",
        )
    found.sort(key=lambda cue: cue.start)
    shift, latest = found[0].start, found[0].start
    placed: list[Cue] = []
    for cue in found:
        shift += max(0, cue.start - latest - _LONGEST_PAUSE_MS)
        latest = max(latest, cue.end)
        placed.append(cue._replace(start=cue.start - shift, end=cue.end - shift))
    return placed


def _spoken(whole: WholeConversation) -> Iterator[tuple[Role, str, Span]]:
    for turn in whole.turns:
        if turn.speech is not None:
            yield Role.USER, turn.user_text, turn.speech
        if turn.voice is not None:
            yield Role.ASSISTANT, turn.heard, turn.voice


def _cut(role: Role, text: str, span: Span) -> Iterator[Cue]:
    """Share the time out among the pieces by their length."""
    pieces = textwrap.wrap(" ".join(visible(text).split()), 2 * _LINE)
    length = max(span.end - span.start, len(pieces))
    whole, done = sum(map(len, pieces)), 0
    for piece in pieces:
        start = span.start + length * done // whole
        done += len(piece)
        yield Cue(start, span.start + length * done // whole, role, piece)


def _srt_text(cue: Cue) -> str:
    text = f"{SPEAKER[cue.role]}: {cue.text}"
    # Players obey <tags> and {commands}, and --> begins a cue; SubRip knows no escapes.
    for sign in ("<", "{", "--"):
        text = text.replace(sign, sign + _JOINER)
    return "\n".join(textwrap.wrap(text, _LINE + len(SPEAKER[cue.role])))


def _vtt_text(cue: Cue) -> str:
    escaped = cue.text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return "\n".join(textwrap.wrap(escaped, _LINE, break_long_words=False)) or escaped


def _time(milliseconds: int, point: str) -> str:
    seconds, rest = divmod(milliseconds, 1000)
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours:02}:{minutes:02}:{seconds:02}{point}{rest:03}"
