"""The words of one language that rules need."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Currency:
    """The everyday names of a currency: `one` and `many` of the unit, then of its hundredth."""

    one: str
    many: str
    cent: str = ""
    cents: str = ""


@dataclass(frozen=True, slots=True)
class Words:
    """What is said for relations between numbers, and for signs by their name.

    Attributes:
        minus: -5
        to: 5-10
        ratio: 16:9
        per: $120/night
        by: 1920x1080
        multiply: 2 * 3
        over: 7/12
        power: 10^6
        and_: 1½, 14:30
        of: Between millions and what they are of; "" where nothing is said.
        cents: Between the unit and the hundredths of a currency; "" where the amount is said as a decimal.
        dot: example.com
        underscore: a_b@example.com
        dash: my-site.com
        slash: /usr
        hashtag: #tag
        number: #1
        version: v1.2
        foot: 1'11"
        feet: 5'11"
        subtract: 5 - 3, where that differs from `minus`.
    """

    minus: str
    to: str
    ratio: str
    per: str
    by: str
    multiply: str
    over: str
    power: str
    and_: str
    of: str
    cents: str
    dot: str
    underscore: str
    dash: str
    slash: str
    hashtag: str
    number: str
    version: str
    foot: str
    feet: str
    subtract: str = ""


@dataclass(frozen=True, slots=True)
class Wording:
    """One language.

    Attributes:
        code: ISO 639-1.
        locale: What CLDR (babel) calls it.
        number_language: What num2words calls it; "" when numbers are said otherwise.
        decimal_marks: What is said for the mark of a decimal, by the mark. The first one is the usual one.
        groups: What may stand between groups of three digits.
        short_fractions: Whether "3,14" is said as "three comma fourteen", not digit by digit.
        symbols: What is said for a sign (plus, at most, ...); see `rules/symbols.py`.
        words: See `Words`.
        units: Symbols of units that only this language has, by their CLDR key.
        feminine: Names of units and currencies that take the feminine form of a number.
        currencies: By symbol or ISO 4217 code.
        abbreviations: What is said, by what is written; also found with a capital first letter.
        before_number: Abbreviations that are some only ahead of a number.
        parts: Names of a half, a third, ... by denominator, for one and for many.
        month_first: Whether 05/01/2024 is the first of May.
        monarchs: Given names behind which a Roman numeral is a rank.
        numbered: Nouns behind which a Roman numeral is a number.
    """

    code: str
    locale: str
    number_language: str
    decimal_marks: Mapping[str, str]
    groups: str
    symbols: Mapping[str, str]
    words: Words
    currencies: Mapping[str, Currency]
    short_fractions: bool = False
    units: Mapping[str, str] = field(default_factory=dict)
    feminine: frozenset[str] = frozenset()
    abbreviations: Mapping[str, str] = field(default_factory=dict)
    before_number: Mapping[str, str] = field(default_factory=dict)
    parts: Mapping[int, tuple[str, str]] = field(default_factory=dict)
    month_first: bool = False
    monarchs: frozenset[str] = frozenset()
    numbered: frozenset[str] = frozenset()
