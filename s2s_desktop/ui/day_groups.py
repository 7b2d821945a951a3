"""The days under which conversations are listed."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

from PySide6.QtCore import QDate, QDateTime, QLocale, QObject, QTime

from s2s_desktop.conversation.store.records import Conversation

_WEEK = 7


def group_of(owner: QObject, conversation: Conversation, today: date) -> str:
    """Return the heading a conversation stands under.

    Args:
        owner: Translates.
        conversation: The conversation.
        today: The date of today here.
    """
    if conversation.pinned:
        return owner.tr("Pinned")
    day = local_moment(conversation.updated_at).date()
    if day >= today:
        return owner.tr("Today")
    if day == today - timedelta(days=1):
        return owner.tr("Yesterday")
    locale = QLocale()
    shown = QDate(day.year, day.month, day.day)
    if day > today - timedelta(days=_WEEK):
        return locale.toString(shown, "dddd")
    return locale.toString(shown, "d MMMM" if day.year == today.year else "d MMMM yyyy")


def local_moment(milliseconds: int) -> datetime:
    """Return a moment in the time of this computer."""
    moment = datetime.fromtimestamp(milliseconds / 1000, UTC)
    try:
        return moment.astimezone()
    except (OverflowError, OSError, ValueError):  # the end of the calendar has no later time zone
        return moment


def short_date(milliseconds: int, today: date) -> str:
    """Return when something was said, as short as it is clear."""
    moment = local_moment(milliseconds)
    locale = QLocale()
    if moment.date() == today:
        return locale.toString(QTime(moment.hour, moment.minute), QLocale.FormatType.ShortFormat)
    day = QDate(moment.year, moment.month, moment.day)
    return locale.toString(day, "d MMM" if moment.year == today.year else "d MMM yyyy")


def long_date(milliseconds: int) -> str:
    """Return day and time of a moment."""
    moment = local_moment(milliseconds)
    shown = QDateTime(QDate(moment.year, moment.month, moment.day), QTime(moment.hour, moment.minute))
    return QLocale().toString(shown, QLocale.FormatType.ShortFormat)
