"""What both protocol readers have in common."""

from __future__ import annotations

import json
from typing import Protocol

from s2s_desktop.llm.http.error_bodies import ServerWords, words_of
from s2s_desktop.llm.stream.loose_json import Json
from s2s_desktop.llm.stream.reply_body import Payload, UnreadableReply


class ReportedFailure(Exception):
    """The reply itself says that it failed.

    Attributes:
        words: How the server puts it.
    """

    def __init__(self, words: ServerWords) -> None:
        super().__init__(words.message)
        self.words = words


def not_a_reply(value: Json, what: str) -> ReportedFailure | UnreadableReply:
    """Return the error for a whole document that is no reply: a complaint, or something else.

    Args:
        value: The document.
        what: What it is called when it holds no complaint.
    """
    words = words_of(value)
    return ReportedFailure(words) if words.message else UnreadableReply(what, json.dumps(value)[:2_000])


class ReplyReader(Protocol):
    """Understands the payloads of one protocol and tells a `ReplyBuilder` what they say."""

    complete: bool
    """The reply has ended; only usage or an end marker may follow."""

    def read(self, payload: Payload) -> None:
        """Take the next payload.

        Raises:
            ReportedFailure: It reports a failure.
        """

    def end(self) -> bool:
        """Take the end of the body; return whether the reply ended properly before it."""
