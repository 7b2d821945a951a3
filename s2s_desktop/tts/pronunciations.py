"""How English words are pronounced: misaki's lexicon, which Kokoro was trained with.

The resource of each accent holds the reviewed half of the lexicon ("gold" in misaki 0.9.4, Apache-2.0): a
line for each word, in order, its phonemes, and further ones for other uses of the same spelling, as in
`use jˈuz NOUN=jˈus`, with tabs between. packaging/pack_pronunciations.py writes it.
"""

from __future__ import annotations

import lzma
from bisect import bisect_left

from s2s_desktop.resources import resource_path
from s2s_desktop.tts.word_uses import Context, use_of

FILES = {"en-us": "pronunciations/en-us.xz", "en-gb": "pronunciations/en-gb.xz"}

_CORRECTIONS = {"bass": "bˈAs"}
"""More often an instrument than a fish, which misaki takes it for."""

VOWELS = frozenset("AIOQWYaiuæɑɒɔəɛɜɪʊʌᵻɐ")

PRIMARY, SECONDARY = "ˈ", "ˌ"
STRESS = PRIMARY + SECONDARY

_DIAERESIS = str.maketrans("äëïöü", "aeiou")
"""In "naïve" it says that two vowels are spoken; other accents, as in "résumé", tell words apart."""


class Lexicon:
    """The words of one accent.

    Args:
        accent: A key of `FILES`.
    """

    def __init__(self, accent: str) -> None:
        self._british = accent == "en-gb"
        # A reply has some hundred words: what is not asked for is not taken apart.
        self._lines = lzma.decompress(resource_path(FILES[accent]).read_bytes()).decode().splitlines()

    def find(self, word: str, context: Context) -> str | None:
        """Return the phonemes of a word, or None when it is not known.

        Args:
            word: Letters, and apostrophes between them; as it is written, because "Polish" is not "polish".
            context: Decides between the uses of the same spelling.
        """
        if len(word) == 1:
            return self._phonemes(word.upper())
        if word.isupper():
            return self._capitals(word, context)
        found = self._known(word, context)
        if found is None:
            found = self._inflected(word, context)
        # A capital letter gives a word that is never stressed some weight.
        return _stressed(found, SECONDARY) if found and word[0].isupper() else found

    def _known(self, word: str, context: Context) -> str | None:
        for form in (word, word.lower(), word.capitalize(), word.lower().translate(_DIAERESIS)):
            entry = self._entry(form)
            if entry is not None:
                phonemes, uses = entry
                return uses.get(use_of(uses, form, context), phonemes) if uses else phonemes
        return None

    def _entry(self, word: str) -> tuple[str, dict[str, str]] | None:
        """Return the phonemes of a word and those of its further uses; None when it is not known."""
        start = f"{word}\t"
        at = bisect_left(self._lines, start)
        if at == len(self._lines) or not self._lines[at].startswith(start):
            return None
        _, phonemes, *uses = self._lines[at].split("\t")
        # The vowel of "draw" and that of "-ing" are no diphthong, which misaki takes them for.
        phonemes = phonemes.replace("Yŋ", "ɔɪŋ") if "awing" in word else phonemes
        return _CORRECTIONS.get(word, phonemes), dict(use.split("=", 1) for use in uses)

    def _phonemes(self, word: str) -> str | None:
        entry = self._entry(word)
        return entry[0] if entry is not None else None

    def _capitals(self, word: str, context: Context) -> str | None:
        """Return an abbreviation as a word ("NASA"), or letter by letter ("HTML", "US")."""
        entry = self._entry(word)
        if entry is not None:
            phonemes, uses = entry
            return None if "NOUN" in uses else phonemes
        known = self._known(word.lower(), context)
        return _stressed(known, PRIMARY) if known else None

    def spell(self, word: str) -> str | None:
        """Return the names of the letters, the last one stressed; None when it has other signs."""
        letters = [self._phonemes(letter) for letter in word.upper()]
        if None in letters:
            return None
        names = [str(letter).replace(PRIMARY, SECONDARY) for letter in letters]
        return "".join([*names[:-1], names[-1].replace(SECONDARY, PRIMARY)])

    def _inflected(self, word: str, context: Context) -> str | None:
        """Return a possessive, or a plural that has no entry of its own."""
        lower = word.lower()
        for ending, stem in (("'s", word[:-2]), ("s'", word[:-1]), ("s", word[:-1])):
            if lower.endswith(ending) and not lower.endswith("ss") and len(stem) > 1:
                known = self._known(stem, context)
                if known:
                    return known if ending == "s'" else self._with_s(known)
        return None

    def _with_s(self, phonemes: str) -> str:
        if phonemes[-1] in "ptkfθ":
            return phonemes + "s"
        if phonemes[-1] in "szʃʒʧʤ":
            return phonemes + ("ɪz" if self._british else "ᵻz")
        return phonemes + "z"


def _stressed(phonemes: str, mark: str) -> str:
    """Return phonemes without any stress with `mark` ahead of the first vowel."""
    if any(sign in STRESS for sign in phonemes):
        return phonemes
    return next(
        (phonemes[:at] + mark + phonemes[at:] for at, sign in enumerate(phonemes) if sign in VOWELS), phonemes
    )
