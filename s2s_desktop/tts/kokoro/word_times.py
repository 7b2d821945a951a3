"""When each word of a clause is heard, from the durations that Kokoro gives its phonemes.

What is said for a word is not one group of phonemes: espeak-ng joins small words ("of the" is "əvðə") and
cuts others. So each word is also read alone, and the phonemes of both readings are laid side by side.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import accumulate, pairwise

_STRESS = "ˈˌ"
"""Letters to Unicode, but not heard by themselves; they stand ahead of the syllable."""


@dataclass(frozen=True, slots=True)
class Word:
    """A word of the clause.

    Attributes:
        start: Position in the text of its first character.
        text: As it is written.
        first: Position in the phonemes of its first one.
        last: Behind its last one; equal to `first` for a word that is not said.
    """

    start: int
    text: str
    first: int
    last: int


def locate_words(
    text: str, words: Sequence[tuple[str, str]], phonemes: str, read: Callable[[str], str]
) -> list[Word]:
    """Return where the words of a text are in its phonemes.

    Args:
        text: The clause.
        words: Each word as it is written, and what is said for it; see `verbalize`.
        phonemes: Those of all that is said.
        read: Gives the phonemes of a text.
    """
    bounds = _bounds([said for _, said in words], phonemes, read)
    located = []
    position = 0
    for (source, _), (first, last) in zip(words, pairwise(bounds), strict=True):
        position = text.index(source, position)
        while first < last and not phonemes[first].isalpha():
            first += 1
        while first < last and not phonemes[last - 1].isalpha():
            last -= 1
        located.append(Word(position, source, first, last))
        position += len(source)
    return located


def _bounds(said: list[str], phonemes: str, read: Callable[[str], str]) -> list[int]:
    """Return where the phonemes of each word begin, and where those of the last one end."""
    groups = [len(spoken.split()) for spoken in said]
    starts = [0, *(index + 1 for index, sign in enumerate(phonemes) if sign == " ")]
    if sum(groups) == len(starts) and all(_has_sound(group) for group in phonemes.split(" ")):
        starts.append(len(phonemes))
        return [starts[count] for count in accumulate(groups, initial=0)]
    alone = [_bare(read(spoken)) if spoken else "" for spoken in said]
    places = [index for index, sign in enumerate(phonemes) if _is_sound(sign)]
    together = "".join(phonemes[index] for index in places)
    ends = _align("".join(alone), together, list(accumulate(map(len, alone), initial=0)))
    bounds = [_ahead_of_stress(phonemes, places[end]) if end < len(places) else len(phonemes) for end in ends]
    return [*bounds[:-1], len(phonemes)]


def _align(alone: str, together: str, positions: list[int]) -> list[int]:
    """Return where positions in one string of phonemes are in another that sounds nearly the same."""
    blocks = SequenceMatcher(None, alone, together, autojunk=False).get_matching_blocks()
    anchors = [(0, 0)]
    for block in blocks:
        anchors += [(block.a, block.b), (block.a + block.size, block.b + block.size)]
    placed = []
    for position in positions:
        before = max(anchor for anchor in anchors if anchor[0] <= position)
        behind = min((anchor for anchor in anchors if anchor[0] > position), default=before)
        share = (position - before[0]) / max(1, behind[0] - before[0])
        placed.append(round(before[1] + share * (behind[1] - before[1])))
    return placed


def _ahead_of_stress(phonemes: str, position: int) -> int:
    while position > 0 and phonemes[position - 1] in _STRESS:
        position -= 1
    return position


def _bare(phonemes: str) -> str:
    return "".join(sign for sign in phonemes if _is_sound(sign))


def _has_sound(phonemes: str) -> bool:
    return any(_is_sound(sign) for sign in phonemes)


def _is_sound(sign: str) -> bool:
    """Return whether a sign is a sound of its own, and not stress, tone, pause or space."""
    return sign.isalpha() and sign not in _STRESS
