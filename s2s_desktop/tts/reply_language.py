"""Which language a reply is in, so that the right voice reads it.

Decided clause by clause while the reply streams, from the script first; languages in Latin letters are told
apart by their small words. Libraries were looked at: py3langid took 2.5 s to load and told 53 of 70 short
clauses rightly, because they have too few letters for its statistics; lingua takes 170 MB. Small words told
65 of them, need neither, and say nothing where there is nothing to say.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping

from s2s_desktop.tts.language_words import LETTERS, WORDS
from s2s_desktop.tts.scripts import HAN, KANA, LATIN, script_of

_OF_SCRIPT: Mapping[str, tuple[str, ...]] = {
    "DEVANAGARI": ("hi", "mr", "ne", "sa"),
    "CYRILLIC": ("ru", "uk", "bg", "sr", "mk", "be", "kk", "mn", "tg", "ba", "tt"),
    "ARABIC": ("ar", "fa", "ur", "ps", "sd"),
    "HANGUL": ("ko",),
    "GREEK": ("el",),
    "HEBREW": ("he", "yi"),
    "THAI": ("th",),
    "BENGALI": ("bn", "as"),
    "TAMIL": ("ta",),
    "TELUGU": ("te",),
    "GUJARATI": ("gu",),
    "GURMUKHI": ("pa",),
    "KANNADA": ("kn",),
    "MALAYALAM": ("ml",),
    "SINHALA": ("si",),
    "GEORGIAN": ("ka",),
    "ARMENIAN": ("hy",),
    "ETHIOPIC": ("am",),
    "KHMER": ("km",),
    "LAO": ("lo",),
    "MYANMAR": ("my",),
    "TIBETAN": ("bo",),
}
"""Languages of each script, the most common first."""

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*['’]?")

UNIQUE = 2.0
"""Weight of a word that only one language has; those that share a word share its weight."""

LETTER = 1.0
"""Weight of a sign that only one language writes, once a clause."""

TO_DECIDE = 1.5
"""Weight by which a language must lead the expected one to be that of a reply that just begins: more than a
word that it shares with another one."""

TO_CHANGE = 5.0
"""Weight by which another language must lead the one of the reply: three words of its own, so that a foreign
name or a quoted word changes nothing."""

KANA_SHARE, KANA_SHARE_IN_CHINESE = 0.15, 0.5
"""Share of kana in text with Chinese characters from which it is Japanese; Chinese may quote a word of it."""


class ReplyLanguage:
    """Follows one reply; make a new one for each."""

    def __init__(self) -> None:
        self._language = ""

    def of(self, piece: str, hint: str = "") -> str:
        """Return the language of the next clause of the reply.

        Args:
            piece: The clause, as it will be spoken.
            hint: ISO 639-1 code of the language that the reply is expected in: the one the user spoke; ""
                when it is not known.

        Returns:
            ISO 639-1 code; `hint` as long as nothing in the reply speaks for a language, so "" without one.
        """
        script = _script(piece)
        if script == LATIN:
            self._language = self._latin(piece, hint)
        elif script in (HAN, KANA):
            self._language = self._east_asian(piece, hint)
        elif script:
            languages = _OF_SCRIPT.get(script, ())
            if self._language not in languages:
                self._language = hint if hint in languages else next(iter(languages), self._language)
        return self._language or hint

    def _latin(self, piece: str, hint: str) -> str:
        weights = _weights(piece)
        if not weights:
            return self._language
        best, weight = max(weights.items(), key=lambda entry: entry[1])
        if self._language:
            return best if weight >= weights[self._language] + TO_CHANGE else self._language
        # A language without a word list can only be told from others by what it does not share with them.
        lead = TO_DECIDE if hint in WORDS or not hint else TO_CHANGE
        if weight - weights[hint] >= lead or best == hint:
            return best
        return hint if weights[hint] else ""

    def _east_asian(self, piece: str, hint: str) -> str:
        scripts = Counter(script_of(sign) for sign in piece if sign.isalpha())
        share = scripts[KANA] / (scripts[KANA] + scripts[HAN])
        if share >= (KANA_SHARE_IN_CHINESE if self._language == "zh" else KANA_SHARE):
            return "ja"
        if self._language in ("ja", "zh"):
            return self._language
        return "ja" if hint == "ja" else "zh"


def _script(piece: str) -> str:
    """Return the script of most words; a Chinese or Japanese character counts as one. "" without letters."""
    counts = Counter[str]()
    for word in _WORD.findall(piece):
        for script, letters in Counter(script_of(sign) for sign in word).items():
            if script in (HAN, KANA):
                counts[HAN] += letters
            elif script != LATIN or any(sign.isalpha() for sign in word):
                counts[script] += 1
    return counts.most_common(1)[0][0] if counts else ""


def _weights(piece: str) -> dict[str, float]:
    """Return how much the words and signs of a piece speak for each language in Latin letters."""
    lower = piece.lower().replace("’", "'")
    weights: dict[str, float] = defaultdict(float)
    for word in _WORD.findall(lower):
        speakers = [language for language, words in WORDS.items() if word in words]
        for language in speakers:
            weights[language] += UNIQUE / len(speakers)
    for sign in LETTERS.keys() & set(lower):
        for language in LETTERS[sign]:
            weights[language] += LETTER / len(LETTERS[sign])
    return weights
