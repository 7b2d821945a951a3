"""Keeps a short "yes" from switching the language of a conversation."""

from __future__ import annotations

SURE = 0.5
"""A language detected with at least this probability is believed."""


class LanguageMemory:
    """The language of the conversation so far."""

    def __init__(self) -> None:
        self._language = ""

    def settle(self, language: str, probability: float) -> tuple[str, float]:
        """Return the language to transcribe in and its probability.

        A guess below `SURE` gives way to the language heard last, if there was one; its probability is then
        reported as it is, so that a caller can see the doubt.
        """
        if probability >= SURE:
            self._language = language
        return self._language or language, probability

    def likely(self, language: str, probability: float) -> str:
        """Return the same language as `settle`, without learning from it: drafts hear only a beginning."""
        return language if probability >= SURE else self._language or language
