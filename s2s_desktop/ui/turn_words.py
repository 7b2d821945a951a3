"""Short words about a turn: how long it took, and where it was cut off."""

from __future__ import annotations

from PySide6.QtCore import QDateTime, QLocale, QObject

from s2s_desktop.conversation.events import TurnMetrics, Usage

_LAST_WORDS = 5
_LAST_CHARACTERS = 40
_PAUSES = ",;:、，；："
"""At the end of the last words they look like a slip."""


def last_words(text: str) -> str:
    """Return the end of what was heard, a few words long, to say where the voice stopped."""
    words = text.split()[-_LAST_WORDS:]
    tail = " ".join(words).rstrip(_PAUSES)
    if len(tail) > _LAST_CHARACTERS:  # a script without spaces, or one very long word
        return "…" + tail[-_LAST_CHARACTERS:]
    return tail if len(words) == len(text.split()) else f"…{tail}"


def short_latency(owner: QObject, metrics: TurnMetrics | None) -> str:
    """Return the time the user waited, for example "0.9 s"; "" when it is not known."""
    if metrics is None:
        return ""
    seconds = metrics.voice_to_voice if metrics.voice_to_voice is not None else metrics.llm_first_token
    return "" if seconds is None else owner.tr("{seconds} s").format(seconds=f"{seconds:.1f}")


def describe_metrics(owner: QObject, metrics: TurnMetrics | None, usage: Usage | None) -> str:
    """Return one line for each step of the turn with the time it was reached."""
    if metrics is None:
        return ""
    steps = (
        (owner.tr("Pause recognized after {seconds} s"), metrics.end_of_turn),
        (owner.tr("Transcript after {seconds} s"), metrics.stt_final),
        (owner.tr("First words after {seconds} s"), metrics.llm_first_token),
        (owner.tr("Voice ready after {seconds} s"), metrics.tts_first_audio),
        (owner.tr("Voice heard after {seconds} s"), metrics.voice_to_voice),
    )
    lines = [text.format(seconds=f"{value:.2f}") for text, value in steps if value is not None]
    if usage is not None:
        tokens = owner.tr("{input} tokens in, {output} out")
        lines.append(tokens.format(input=usage.input_tokens, output=usage.output_tokens))
    return "\n".join(lines)


def time_of_day(milliseconds: int) -> str:
    """Return the time of day, with the date when it is not today's; "" for 0.

    Args:
        milliseconds: Since 1970-01-01 UTC.
    """
    if not milliseconds:
        return ""
    moment = QDateTime.fromMSecsSinceEpoch(milliseconds)
    locale, short = QLocale(), QLocale.FormatType.ShortFormat
    if moment.date() == QDateTime.currentDateTime().date():
        return locale.toString(moment.time(), short)
    return locale.toString(moment, short)
