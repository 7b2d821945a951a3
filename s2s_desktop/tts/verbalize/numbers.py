"""Says numbers, by num2words and cn2an."""

from __future__ import annotations

import re
import unicodedata
from decimal import Decimal

from s2s_desktop.tts.verbalize.wording import Wording

_MOST_DIGITS = 15
"""A longer whole number is read digit by digit; cn2an ends at 16 digits."""

_MANY_DIGITS = 7
"""From here a number without separators is a code, unless it is round."""

_AGREEMENT = {
    "es": (
        (r"veintiuno$", "veintiún", "veintiuna"),
        (r"\buno$", "un", "una"),
        (r"cientos\b", "cientos", "cientas"),
    ),
    "fr": ((r"\bun$", "un", "une"),),
    "de": ((r"^eins$", "ein", "eine"),),
    "it": ((r"^uno$", "un", "una"),),
    "pt": ((r"\bum$", "um", "uma"), (r"\bdois$", "dois", "duas"), (r"entos\b", "entos", "entas")),
}
"""Ends of a number, and what becomes of them before a masculine and a feminine noun."""

_ZH_MEASURES = "个位天年次种点小公人本只条张件家岁千万周分里美欧"
"""Before these a single 2 is 两 (the first characters of measure words)."""


class NumberReader:
    """Reads the numbers of one language."""

    def __init__(self, wording: Wording) -> None:
        self.wording = wording
        self.pattern = _number_pattern(wording)
        """Finds a number without its sign."""

    def parse(self, written: str) -> tuple[str, str, str]:
        """Return the digits before the decimal mark, the mark, and the digits behind it.

        "1.234" is a thousand in German and a bit more than one in English; "3.14" and "1.234,5" are what they
        must be in both.
        """
        decimal = next(iter(self.wording.decimal_marks))
        marks = re.findall(r"[.,]", written)
        has_groups = re.fullmatch(r"\d{1,3}(?:([.,'’ \xa0\u202f])\d{3})(?:\1\d{3})*", written)
        is_grouped = has_groups and (has_groups[1] != decimal or _thousands(written))
        one_mark_repeats = len(marks) > 1 and len(set(marks)) == 1  # also 1,23,456 of India
        if not marks or is_grouped or one_mark_repeats:
            return ascii_digits(re.sub(r"\D", "", written)), "", ""
        whole, _, fraction = written.rpartition(marks[-1])
        return ascii_digits(re.sub(r"\D", "", whole)), marks[-1], ascii_digits(fraction)

    def value(self, written: str) -> Decimal:
        """Return what a written number is worth."""
        whole, _, fraction = self.parse(written)
        return Decimal(f"{whole}.{fraction}" if fraction else whole)

    def number(self, written: str, noun: str = "") -> str:
        """Say a number as it is written, without its sign, in the form that a noun behind it asks for."""
        whole, mark, fraction = self.parse(written)
        if not mark:
            grouped = len(whole) != len(written)
            is_code = len(whole) >= _MANY_DIGITS and not grouped and not whole.endswith("000")
            if is_code or (whole.startswith("0") and len(whole) > 1) or len(whole) > _MOST_DIGITS:
                return self.digits(whole)
            return self.cardinal(int(whole), noun)
        said = self.cardinal(int(whole)) if len(whole) <= _MOST_DIGITS else self.digits(whole)
        if self.wording.code == "hi":
            return f"{whole}.{fraction}"
        short = self.wording.short_fractions and len(fraction) <= 2 and not fraction.startswith("0")
        behind = self.cardinal(int(fraction)) if short else self.digits(fraction)
        return self.join(said, self.wording.decimal_marks[mark], behind)

    def cardinal(self, number: int, noun: str = "") -> str:
        """Say a whole number; `noun` is the one that is counted."""
        wording = self.wording
        if wording.code == "hi":
            return str(number)  # espeak-ng reads them in Hindi.
        if wording.code == "zh":
            if number == 2 and noun[:1] and noun[0] in _ZH_MEASURES:
                return "两"
            import cn2an

            return str(cn2an.an2cn(str(number), "low"))
        words = _num2words(number, wording.number_language, "cardinal")
        if noun:
            gender = 2 if noun.split()[0] in wording.feminine else 1
            for ending in _AGREEMENT.get(wording.code, ()):
                words = re.sub(ending[0], ending[gender], words)
        return words

    def ordinal(self, number: int) -> str:
        """Say a rank."""
        if self.wording.code == "zh":
            return f"第{self.cardinal(number)}"
        if self.wording.code == "hi":
            return f"{number}वां"
        return _num2words(number, self.wording.number_language, "ordinal")

    def year(self, number: int) -> str:
        """Say a year: "nineteen eighty-four", in German "neunzehnhundertvierundachtzig"."""
        code = self.wording.code
        if code == "zh":
            return self.digits(str(number))
        if (code == "en" and 1010 <= number < 2100) or (code == "de" and 1100 <= number < 2000):
            return _num2words(number, code, "year")
        return self.cardinal(number)

    def digits(self, run: str) -> str:
        """Say every digit of a run."""
        return self.join(*(self.cardinal(unicodedata.digit(sign)) for sign in run))

    def join(self, *words: str) -> str:
        """Put words in a row as the language writes them."""
        return ("" if self.wording.code in ("ja", "zh") else " ").join(words)


def _number_pattern(wording: Wording) -> str:
    """Return the pattern of a number. A comma that does not mark decimals parts the numbers of a list."""
    mark_of_decimals = "[.,]" if next(iter(wording.decimal_marks)) == "," else "[.]"
    decimals = rf"(?:{mark_of_decimals}\d+(?![.,]?\d))?"
    by_mark = "|".join(
        rf"\d{{1,3}}(?:{re.escape(mark)}\d{{3}})+(?![.,]?\d){decimals}|"
        rf"\d{{1,3}}(?:{re.escape(mark)}\d{{3}})+(?:[.,]\d+)(?![.,]?\d)"
        for mark in wording.groups
    )
    indian = r"\d{1,3}(?:,\d{2})+,\d{3}(?!\d)(?:\.\d+)?"
    thousands = r"\d{1,3}(?:,\d{3})*,000(?![.,]?\d)"
    return rf"(?:{by_mark}|{indian}|{thousands}|\d+{decimals})"


def _thousands(written: str) -> bool:
    """Return whether a number is in thousands although its mark is that of decimals: "1,000" is not one."""
    return written.endswith(",000")


def ascii_digits(text: str) -> str:
    """Return a text with 0 to 9 for the digits of other scripts, circled ones and the like."""
    return "".join(str(unicodedata.digit(sign)) if sign.isdigit() else sign for sign in text)


def _num2words(number: int, language: str, kind: str) -> str:
    from num2words import num2words

    # It writes "one thousand, two hundred", where nobody pauses, and leaves out the accent of "ventitré".
    words = str(num2words(number, lang=language, to=kind)).replace(",", "")
    return re.sub(r"(?<=\w)tre\b", "tré", words) if language == "it" else words
