"""What is written in other ways than it is said. The order decides: a rule gives way to those before it."""

from __future__ import annotations

from collections.abc import Sequence

from s2s_desktop.tts.verbalize.numbers import NumberReader
from s2s_desktop.tts.verbalize.rule import Rule
from s2s_desktop.tts.verbalize.rules.abbreviations import Abbreviations
from s2s_desktop.tts.verbalize.rules.addresses import Addresses
from s2s_desktop.tts.verbalize.rules.counting import Counting
from s2s_desktop.tts.verbalize.rules.dates import Dates
from s2s_desktop.tts.verbalize.rules.japanese_counters import JapaneseCounters
from s2s_desktop.tts.verbalize.rules.measures import Measures
from s2s_desktop.tts.verbalize.rules.money import Money
from s2s_desktop.tts.verbalize.rules.ordinals import Ordinals
from s2s_desktop.tts.verbalize.rules.phones import Phones
from s2s_desktop.tts.verbalize.rules.roman import RomanNumerals
from s2s_desktop.tts.verbalize.rules.symbols import Symbols
from s2s_desktop.tts.verbalize.rules.times import Times
from s2s_desktop.tts.verbalize.wording import Wording

_GROUPS = (
    JapaneseCounters,
    Dates,
    Ordinals,
    Addresses,
    Times,
    Money,
    Measures,
    Phones,
    RomanNumerals,
    Abbreviations,
    Counting,
    Symbols,
)


def rules_of(wording: Wording, reader: NumberReader) -> Sequence[Rule]:
    """Return the rules of a language, in the order they are tried in."""
    return [rule for group in _GROUPS for rule in group(wording, reader).rules()]
