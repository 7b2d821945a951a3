"""Cuts speakable text into pieces to synthesize: a short first one, so that the voice starts soon.

Later pieces are sentences, because every cut within one costs melody; only a sentence too long to be ready in
time is cut at a clause. The decisions need what stands before a boundary, sometimes with the first character
behind it, and nothing else: so the pieces do not depend on how the text arrived.

Own rules rather than a library: sentence splitters (sentencex and pySBD were looked at) want the whole text,
know no clauses, and sentencex takes the answer "No." for the abbreviation of number.
"""

from __future__ import annotations

import re
import string
import unicodedata

FIRST_MIN = 12
"""Letters from which the first piece may end at a comma: below, the voice sounds chopped."""

FIRST_MAX = 60
FIRST_MAX_WORDS = 12
"""Letters and words after which the first piece ends at the next space."""

LATER_MIN = 16
"""Letters below which a later sentence is spoken together with the next one."""

LATER_MAX = 200
"""Letters after which a later piece ends at the next space; about 12 seconds of speech."""

GROWTH = 3
"""A piece up to this many times as long as the one before is ready when that one has been heard: synthesis
takes about a third of the time of speech on two cores. A longer one ends at a clause."""

FIRST_GROWTH = 40
LATER_CLAUSE = 120
"""Letters below which a later piece never ends at a clause, and from which it always may."""

WIDE = 3
"""A Chinese or Japanese character takes as long to say as this many letters."""

_SENTENCE_ENDS = ".!?…؟۔।॥።။។։"
_CLAUSE_ENDS = ",;:–،؛"
"""Marks that count before a space; a wide one counts without."""
_WIDE_SENTENCE_ENDS = "。！？．｡।॥"
_WIDE_CLAUSE_ENDS = "，；：、､—"
_CLOSERS = "\"'”’»›)]」』）】》］"

_BEGINS_A_QUANTITY = tuple("0123456789$€£¥₹½¼¾")
"""Ends of what is said with the word behind it: 5 km, $ 5, 3 May."""

_ABBREVIATION = re.compile(
    r"(?:^|[\s(\"“«]|(?<!\w)['‘])"
    r"(?:[^\W\d_]|Mr|Mrs|Ms|Dr|Prof|St|Jr|vs|Mt|Gen|Col|Capt|Lt|Sgt|Rev|Hon|ca|cf|est|dept|Ave"
    r"|Sr|Sra|Srta|Sres|Dra|Ud|Uds|Vd|EE|ej|Avda|Lic|Ing|Mme|Mlle|MM|ex|chap|av|apr|Sig|Sigg|Dott|Avv|Exmo|Profa"
    r"|Nr|Str|Hr|Fr|bzw|ggf|evtl|inkl|vgl|Mio|Mrd|Abs|Abb|Kap|Bd|z\.B|d\.h|u\.a|p\.ej|p\.ex|e\.g|i\.e|U\.S|U\.K"
    r"|U\.N|Ph\.D|डॉ|प्रो|श्री|सुश्री)\.$",
    re.IGNORECASE,
)
_NUMBERED = re.compile(
    r"(?:^|[\s(])(?:no|nos|nr|fig|vol|p|pp|ch|sec|approx"
    r"|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sep|Sept|Oct|Nov|Dec|str|\w+str)\.$",
    re.IGNORECASE,
)
"""Abbreviations ahead of a number; "No." is a whole sentence elsewhere. "Hauptstr. 5" is an address."""

_MAY_END = re.compile(r"(?:^|[\s(])(?:a\.m|p\.m|etc|Inc|Ltd|Co|Corp)\.$", re.IGNORECASE)
"""Abbreviations that may end a sentence; the next letter tells."""

_GERMAN_RANK = re.compile(
    r"(?:(?<!\bI )\bam|\b(?:im|vom|zum|zur|beim|der|die|das|dem|den|des|bis|seit|ab|ein|einen|einem))"
    r"\s\d{1,2}\.$",
    re.IGNORECASE,
)
"""The dot of a number that is a rank: "am 3. Mai"; "I am 25." ends a sentence."""

_ONLY_A_NUMBER = re.compile(r"^\s*\d{1,3}[.)]$")


class ClauseSplitter:
    """Splits one reply. The pieces joined are the text, space for space, but for a blank rest."""

    def __init__(self) -> None:
        self._begin()

    def _begin(self) -> None:
        self._piece = ""
        self._letters = 0
        self._last_letters = 0

    def feed(self, text: str) -> list[str]:
        """Take the next characters and return the pieces that are complete."""
        return [piece for sign in text if (piece := self._take(sign))]

    def finish(self) -> list[str]:
        """Return the rest; the splitter begins anew."""
        rest = self._piece
        self._begin()
        return [rest] if rest.strip() else []

    def _take(self, sign: str) -> str:
        """Add a character; return the piece that ends before or with it, or ""."""
        done = self._cut() if self._letters and self._ends_before(sign) else ""
        self._piece += sign
        if sign.isalnum():
            self._letters += WIDE if _is_wide(sign) else 1
        elif sign.isspace() and self._letters and self._ends_at_space():
            return self._cut()
        return done

    def _cut(self) -> str:
        done, self._piece = self._piece, ""
        self._last_letters, self._letters = self._letters, 0
        return done

    def _ends_at_space(self) -> bool:
        """Return whether the piece ends with the space just added, whatever comes next."""
        if self._piece.endswith("\n"):
            return True
        bare = _bare(self._piece)
        if bare[-1:] in _SENTENCE_ENDS + _WIDE_SENTENCE_ENDS:
            return self._sentence_may_end() and not self._is_quoting() and _ends_sentence(bare, next_sign="")
        if bare[-1:] in _CLAUSE_ENDS + _WIDE_CLAUSE_ENDS or bare.endswith(" -"):
            return self._clause_may_end() and not bare[-2:-1].isdigit()
        return False

    def _ends_before(self, sign: str) -> bool:
        """Return whether the piece ends here although no space said so: that takes the next character."""
        if sign.isspace():
            return False
        before, bare = self._piece[-1], _bare(self._piece)
        mark = bare[-1:]
        if before.isspace():
            if mark in _SENTENCE_ENDS:
                return sign != "»" and self._sentence_may_end() and _ends_sentence(bare, sign)
            if mark in _CLAUSE_ENDS and self._clause_may_end() and not sign.isdigit():
                return True
            # French has a space ahead of its marks, which stay with their word.
            return sign not in _SENTENCE_ENDS + _CLAUSE_ENDS + _CLOSERS and self._is_overdue()
        if sign in _CLOSERS or sign == mark:
            return False
        if mark in _WIDE_SENTENCE_ENDS:
            return self._sentence_may_end()
        if mark in _WIDE_CLAUSE_ENDS:
            return self._clause_may_end()
        # Neither a mark nor a sign that combines with its letter, as in か + ゙, begins a piece.
        return _is_wide(before) and _is_letter(before) and sign.isalnum() and self._is_overdue()

    def _sentence_may_end(self) -> bool:
        return self._is_first() or self._letters >= LATER_MIN

    def _clause_may_end(self) -> bool:
        if self._is_first():
            return self._letters >= FIRST_MIN
        return self._letters >= min(LATER_CLAUSE, max(FIRST_GROWTH, GROWTH * self._last_letters))

    def _is_overdue(self) -> bool:
        """Return whether the piece is too long; behind a number it may be longer, for its unit comes next."""
        patience = 2 if self._piece.rstrip()[-1:] in _BEGINS_A_QUANTITY else 1
        if self._is_first():
            words = len(self._piece.split())
            return self._letters >= patience * FIRST_MAX or words >= patience * FIRST_MAX_WORDS
        return self._letters >= patience * LATER_MAX

    def _is_quoting(self) -> bool:
        """Return whether a French quotation is open: a space stands ahead of its end."""
        return self._piece.count("«") > self._piece.count("»")

    def _is_first(self) -> bool:
        return not self._last_letters


def _bare(piece: str) -> str:
    """Return a piece without the space and the quotation marks and brackets at its end."""
    return piece.rstrip(_CLOSERS + string.whitespace + "\u00a0\u202f\u3000")


def _ends_sentence(bare: str, next_sign: str) -> bool:
    """Return whether the full stop at the end is one.

    Args:
        bare: The piece up to its mark.
        next_sign: The first character behind the space; "" when it is not known yet.
    """
    if any(pattern.search(bare) for pattern in (_ONLY_A_NUMBER, _ABBREVIATION, _GERMAN_RANK)):
        return False
    if _NUMBERED.search(bare):
        return next_sign != "" and not next_sign.isdigit()
    return next_sign.isupper() if _MAY_END.search(bare) else True


def _is_letter(sign: str) -> bool:
    return sign.isalnum() or bool(unicodedata.combining(sign))


def _is_wide(sign: str) -> bool:
    return unicodedata.east_asian_width(sign) in "WF"
