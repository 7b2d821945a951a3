"""Turns successive drafts of speech that is still going on into a caption whose beginning stands still.

What two drafts in a row agree on is stable (LocalAgreement-2: D. Macháček, R. Dabre, O. Bojar, "Turning
Whisper into Real-Time Transcription System", 2023). Words are compared without case and punctuation, because
those change with every word that follows.
"""

from __future__ import annotations

from collections.abc import Sequence

from s2s_desktop.stt.protocol import PartialTranscript
from s2s_desktop.stt.words import Word, needs_space, words_of


class CaptionStabilizer:
    """The caption of one stretch of speech.

    Every draft is of the same speech from its beginning, only longer than the one before.
    """

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """Forget everything: the next draft is of other speech."""
        self._stable = ""
        self._shown = ""
        self._previous = ""

    def update(self, draft: str) -> PartialTranscript:
        """Return the caption after one more draft.

        The stable part stays as it is and grows. It changes only when two drafts in a row contradict it in
        the same way: they have heard more.

        Args:
            draft: Of all that was said so far; "" (nothing heard, or no draft made) changes nothing.
        """
        draft = draft.strip()
        if draft:
            self._take(draft)
        return PartialTranscript(self._shown, len(self._stable))

    def _take(self, draft: str) -> None:
        stable, before, now = words_of(self._stable), words_of(self._previous), words_of(draft)
        agreed = _in_common(before, now)
        if min(agreed, len(stable)) > _in_common(stable, now):
            self._stable, stable = "", []
        continued = _position_behind(self._stable, stable, now)
        certain = max(continued, _end_of_agreement(self._previous, draft, before, now, agreed))
        self._stable = _joined(self._stable, draft[continued:certain])
        self._shown = _joined(self._stable, draft[certain:])
        self._previous = draft


def _in_common(one: Sequence[Word], other: Sequence[Word]) -> int:
    """Return how many words at the beginning are the same."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((place for place, (a, b) in pairs if a.key != b.key), min(len(one), len(other)))


def _end_of_agreement(
    before: str, draft: str, words_before: Sequence[Word], words: Sequence[Word], agreed: int
) -> int:
    """Return where in `draft` the words end that both drafts have.

    Punctuation counts when both have it and go on behind it: the end of a draft looks like the end of a
    sentence.
    """
    if agreed == 0:
        return 0
    ours, theirs = words[agreed - 1], words_before[agreed - 1]
    go_on = agreed < min(len(words), len(words_before))
    same = draft[ours.end : ours.tail] == before[theirs.end : theirs.tail]
    return ours.tail if go_on and same else ours.end


def _position_behind(stable: str, stable_words: Sequence[Word], words: Sequence[Word]) -> int:
    """Return where a draft goes on behind the stable words, some of which it may have heard differently."""
    count = _aligned(stable_words, words)
    if count == 0:
        return 0
    last = words[count - 1]
    has_punctuation = len(stable) > stable_words[-1].end
    return last.tail if has_punctuation else last.end


def _aligned(stable: Sequence[Word], words: Sequence[Word]) -> int:
    """Return how many words of a draft stand for the stable ones: those at the least edit distance."""
    if _in_common(stable, words) == len(stable):
        return len(stable)
    distances = list(range(len(words) + 1))
    for row, known in enumerate(stable, start=1):
        diagonal, distances[0] = distances[0], row
        for column, word in enumerate(words, start=1):
            change = diagonal + (word.key != known.key)
            diagonal = distances[column]
            distances[column] = min(change, diagonal + 1, distances[column - 1] + 1)
    # Of equally good places the one that is nearest: a word heard differently is neither lost nor doubled.
    return min(range(len(words) + 1), key=lambda count: (distances[count], abs(count - len(stable))))


def _joined(before: str, behind: str) -> str:
    return f"{before} {behind}" if needs_space(before, behind) else before + behind
