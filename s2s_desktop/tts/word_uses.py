"""Which use of an English spelling is meant: "a close friend" or "close the door"."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_BEFORE_NOUN = _words(
    """a an the this these those my your his her its our their no some any every each another whose of in for
    with from by on at about"""
)
_BEFORE_VERB = _words(
    """to will would can could shall should may might must i you we they who don't doesn't didn't won't can't
    couldn't wouldn't shouldn't let's please not never i'll you'll we'll they'll he'll she'll i'd you'd we'd
    they'd he'd she'd always often"""
)
_BEFORE_PARTICIPLE = _words(
    "have has had having i've you've we've they've was were is are been be being get got gets"
)
_OBJECTS = _words("the a an this that these those my your his her its our their all it them me")
_PLACES = _words("in at on with near under by here there alone together abroad longer next")
_BE = _words("is are was were be been being it's that's")

_SELDOM_NOUN = frozenset({"close", "closer", "invalid"})

_MOSTLY = {"affect": "VERB", "affects": "VERB", "content": "NOUN", "contents": "NOUN"}
"""Uses that are more common than the one that misaki takes for it."""


@dataclass(frozen=True, slots=True)
class Context:
    """What stands around a word.

    Attributes:
        before: The word before, in small letters; "" at the beginning and behind a mark.
        after: The word behind, likewise.
    """

    before: str = ""
    after: str = ""


def use_of(uses: Mapping[str, str], word: str, context: Context) -> str:
    """Return which use of a spelling its neighbors speak for; "" for the most common one.

    Rules on one word to each side, no grammar: they decide the frequent cases and leave the rest alone.
    """
    before, after = context.before, context.after
    if not after and "None" in uses:
        return "None"
    if word.lower() == "used":
        return "VBD" if after == "to" and before not in _BE else ""
    if "VBN" in uses and (before in _BEFORE_PARTICIPLE or before in ("he", "she", "it")):
        return "VBN"
    if "NOUN" in uses and (after == "of" or (before in _BEFORE_NOUN and word.lower() not in _SELDOM_NOUN)):
        return "NOUN"
    if "VERB" in uses and (before in _BEFORE_VERB or (not before and after in _OBJECTS)):
        return "VERB"
    if word.lower() in ("live", "lives") and after in _PLACES and before not in _BEFORE_NOUN | _BE:
        return "VERB"
    return "" if before in _BE else _MOSTLY.get(word.lower(), "")
