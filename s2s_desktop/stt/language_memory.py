"""Keeps a short "yes" from switching the language of a conversation, and a first one from being Chinese."""

from __future__ import annotations

from collections.abc import Sequence

SURE = 0.5
"""A language detected with at least this probability is believed."""

CLEAR = 0.6
"""A language that the conversation did not have yet is believed at once from this probability; below, a
second look is worth its time. Of 432 cuts of 0.6 to 2.5 s from recordings 69 were in the wrong language by
one look and 57 by two (`tests/benchmarks/bench_language.py`)."""

PREFERRED = 0.7
"""Share of the highest probability, if that is below `SURE`, from which an expected language is taken
instead. Of the same cuts 47 are wrong where the user's language is expected; where only English is, 54, and
of the English ones 17 instead of 22."""

Ranking = Sequence[tuple[str, float]]
"""Codes of all languages with their probabilities, the likeliest first."""


class LanguageMemory:
    """The language of the conversation so far.

    Args:
        expected: Languages that the user is likely to speak, for as long as nothing clear was heard.
    """

    def __init__(self, expected: Sequence[str] = ()) -> None:
        self._expected = frozenset(expected)
        self._language = ""

    def doubts(self, ranking: Ranking) -> bool:
        """Return whether a second look is wanted before the conversation takes up a language."""
        language, probability = ranking[0]
        if probability < SURE:
            return not self._language
        return probability < CLEAR and language != self._language

    def settle(self, ranking: Ranking) -> tuple[str, float]:
        """Return the language to transcribe in and a probability.

        A guess below `SURE` gives way to the language heard last, if there was one; its probability is then
        reported as it is, so that a caller can see the doubt. If there was none, it gives way to an expected
        language that is nearly as likely.
        """
        language, probability = ranking[0]
        if probability >= SURE:
            self._language = language
        if self._language:
            return self._language, probability
        return self._expected_one(ranking)

    def likely(self, ranking: Ranking) -> str:
        """Return the same language as `settle`, without learning from it: drafts hear only a beginning."""
        language, probability = ranking[0]
        if probability >= SURE:
            return language
        return self._language or self._expected_one(ranking)[0]

    def _expected_one(self, ranking: Ranking) -> tuple[str, float]:
        enough = PREFERRED * ranking[0][1]
        near = (one for one in ranking if one[0] in self._expected and one[1] >= enough)
        return next(near, ranking[0])


def averaged(one: Ranking, other: Ranking) -> Ranking:
    """Return the mean of two looks at the same speech."""
    others = dict(other)
    means = [(language, (probability + others.get(language, 0.0)) / 2) for language, probability in one]
    return sorted(means, key=lambda mean: mean[1], reverse=True)
