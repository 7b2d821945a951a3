"""English phonemes: misaki's lexicon first, espeak-ng for what it does not hold.

Whisper base hears both equally well: 0.9 to 1.3 % of 230 words wrong with either, and no word of 12 sentences
with spellings of several uses. What speaks for the lexicon is that Kokoro learned its phonemes, and that with
the rules of `word_uses` 56 of 57 phrases with such spellings are read rightly, against 49 by espeak-ng, which
misses "excuse me" and "we used to go".
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from s2s_desktop.tts.phonemes import known, tokens_of
from s2s_desktop.tts.phonemes_espeak import MARKS, EspeakReader
from s2s_desktop.tts.pronunciations import STRESS, VOWELS, Lexicon
from s2s_desktop.tts.word_uses import Context

_PIECE = re.compile(r"(?P<lead>[(\"“”—…]*)(?P<core>.*?)(?P<tail>[;:,.!?—…\"()“”]*)")
"""What stands between two spaces: marks that Kokoro knows around a word or anything else."""

_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)*'?(?:-[^\W\d_]+(?:'[^\W\d_]+)*)*")

_APART = re.compile(r"(?<=\w)(?:—|–|\.\.\.|…|--)(?=\w)|(?<=\s)[-–](?=\s)")
"""What joins words without a space, and a hyphen that is a dash."""

_ENGLISH_MARKS = str.maketrans({"’": "'", "‘": "'", "/": " "})

_QUIET_MARKS = '"“”()'


@dataclass(slots=True)
class _Piece:
    lead: str
    core: str
    tail: str
    phonemes: str = ""

    @property
    def pauses(self) -> bool:
        """There is a mark behind it at which a voice pauses."""
        return any(mark not in _QUIET_MARKS for mark in self.tail)


class EnglishReader:
    """Reads English with one accent. espeak-ng is process-wide: one thread at a time.

    Args:
        accent: "en-us" or "en-gb".

    Raises:
        OSError, RuntimeError: espeak-ng, its data or the lexicon cannot be loaded.
    """

    def __init__(self, accent: str) -> None:
        self._espeak = EspeakReader(accent)
        self._lexicon = Lexicon(accent)

    def read(self, text: str) -> str:
        """See `Reader.read`."""
        sayable = self._espeak.readable_part(text).translate(MARKS).translate(_ENGLISH_MARKS)
        pieces = [
            _Piece(*found.group("lead", "core", "tail"))
            for part in _APART.sub(" — ", sayable).split()
            if (found := _PIECE.fullmatch(part))
        ]
        capitals = sum(len(piece.core) > 1 and piece.core.isupper() for piece in pieces)
        shouted = capitals >= _SHOUTED_WORDS and 2 * capitals > len(pieces)
        # From the end, because "the" and "to" depend on the sound behind them.
        for at in reversed(range(len(pieces))):
            pieces[at].phonemes = self._read_piece(pieces, at, shouted)
        return known(" ".join(piece.lead + piece.phonemes + piece.tail for piece in pieces))

    def tokens(self, phonemes: str) -> list[int]:
        """See `Reader.tokens`."""
        return tokens_of(phonemes)

    def _read_piece(self, pieces: list[_Piece], at: int, shouted: bool) -> str:
        piece = pieces[at]
        if not any(sign.isalnum() for sign in piece.core):
            return self._espeak.read(piece.core) if piece.core else ""
        follower = None if piece.pauses or at + 1 == len(pieces) else pieces[at + 1]
        leader = None if at == 0 or pieces[at - 1].pauses else pieces[at - 1]
        if not _WORD.fullmatch(piece.core):
            return self._espeak.read(piece.core)
        weak = _weak_form(piece.core, follower.phonemes if follower else "")
        if weak:
            return weak
        context = Context(leader.core.lower() if leader else "", follower.core.lower() if follower else "")
        small = piece.core.lower()
        is_word = shouted and piece.core.isupper() and self._lexicon.find(small, context)
        return self._read_word(small if is_word else piece.core, context)

    def _read_word(self, word: str, context: Context) -> str:
        found = self._lexicon.find(word, context)
        if found is None and "-" in word:
            return " ".join(self._read_word(part, Context()) for part in word.split("-"))
        if found is None and 1 < len(word) <= _LONGEST_SPELLED and word.isupper():
            found = self._lexicon.spell(word)
        if found is None:
            return self._espeak.read(word)
        # Kokoro v1.0 knows the tap of "better" and the glottal stop of "button" by these signs only.
        return found.replace("ɾ", "T").replace("ʔ", "t")


_LONGEST_SPELLED = 5
"""Capitals that are no word are an abbreviation up to this length."""


_SHOUTED_WORDS = 3
"""Words in capitals from which a text is taken for one in capitals, not for some abbreviations."""


def _weak_form(word: str, next_phonemes: str) -> str:
    """Return how a small word is said ahead of a sound, as misaki has it; "" for any other word.

    Args:
        word: The word as it is written.
        next_phonemes: Those of the word behind it; "" ahead of a pause.
    """
    sound = next_phonemes.lstrip(STRESS)[:1]
    vowel = sound in VOWELS if sound else None
    small = word if word.isupper() else word.lower()
    if small == "the":
        return "ði" if vowel else "ðə"
    if small == "to":
        return {None: "tˈu", True: "tʊ", False: "tə"}[vowel]
    if word == "A" and vowel is None:
        return ""
    if small in ("a", "A"):
        return "ɐ"
    if small == "an":
        return "ɐn"
    if small == "in" and vowel is None:
        return "ˈɪn"
    if small == "am" and vowel is not None:
        return "ɐm"
    return "ˌI" if word == "I" else ""
