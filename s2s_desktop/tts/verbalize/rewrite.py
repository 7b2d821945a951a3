"""Applies the rules of a language to a clause and cuts the result into tokens."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from s2s_desktop.tts.verbalize.languages import WORDINGS
from s2s_desktop.tts.verbalize.numbers import NumberReader
from s2s_desktop.tts.verbalize.rule import Rule
from s2s_desktop.tts.verbalize.rules import rules_of

_PLAIN = {code + 0xFEE0: code for code in range(0x21, 0x7F)} | {
    ord(sign): ord(plain) for sign, plain in zip("٫٬−‐‑⁄〜", ".,---/~", strict=True)
}
"""Variants of signs that rules know in their ASCII form: one for one, so that positions stay."""

_CLOSING_MARKS = tuple(",.;:!?)]")
"""No space stands ahead of these."""

_UNSPACED = re.compile("[\u0e00-\u0eff\u3000-\u30ff\u3400-\u9fff\uf900-\ufaff]")

LONGEST_AT_ONCE = 600
"""Signs that rules look at together, more than a clause has. What rules see around a match grows with the
text, so the time for one of any length would grow with its square."""

_BETWEEN_WORDS = re.compile(r"(?<=[^\d\s])\s+(?=[^\d\s])")
"""Where a longer text is cut: not next to a number, which may be said in one with its neighbor."""

_loaded: set[str] = set()
"""Languages whose rules are ready."""


@dataclass(frozen=True, slots=True)
class SpokenToken:
    """A word of a clause.

    Attributes:
        source: As it is written: one word, or a run of words that are said as one ("Jan 1, 1980.").
        spoken: What is to be said for it, with its punctuation; "" when nothing is.
    """

    source: str
    spoken: str


@dataclass(frozen=True, slots=True)
class _Rewritten:
    """What is said for a part of the text."""

    start: int
    end: int
    spoken: str


def verbalize(text: str, language: str) -> tuple[SpokenToken, ...]:
    """Return the words of a clause with what is to be said for each.

    The sources in a row, with the white space of the text between them, are the text. The first call for a
    language loads names and libraries: some 50 ms, for English (the first of all) 0.2 s, for Chinese 0.4 s.

    Args:
        text: Speakable text of any length and content.
        language: ISO 639-1 code, in which regions ("en-GB") are ignored; with a language that has no rules,
            everything is said as it is written.
    """
    code = _code(language)
    rules = _rules(code) if code in WORDINGS else ()
    return tuple(
        token for part in _parts(text) for token in _tokens(part, _rewrite(part.translate(_PLAIN), rules))
    )


def read_out(text: str, language: str) -> str:
    """Return a text as it is said; as it is written in a language in which nothing was verbalized yet.

    For callers that cannot wait for what `verbalize` loads.
    """
    if _code(language) not in _loaded:
        return text
    return " ".join(token.spoken for token in verbalize(text, language) if token.spoken)


def _code(language: str) -> str:
    return language.lower().replace("_", "-").split("-")[0]


def _parts(text: str) -> Iterator[str]:
    """Yield a text in parts that rules can look at, cut between words where that is possible."""
    start = 0
    while len(text) - start > LONGEST_AT_ONCE:
        end = start + LONGEST_AT_ONCE
        cuts = [found.start() for found in _BETWEEN_WORDS.finditer(text, start + 1, end)]
        end = cuts[-1] if cuts else end
        yield text[start:end]
        start = end
    yield text[start:]


@cache
def _rules(code: str) -> Sequence[Rule]:
    wording = WORDINGS[code]
    reader = NumberReader(wording)
    rules = rules_of(wording, reader)
    reader.cardinal(1)  # imports the library of the language, which the first number would wait for
    _loaded.add(code)
    return rules


def _rewrite(text: str, rules: Sequence[Rule]) -> list[_Rewritten]:
    """Return the parts that rules rewrite, in order. A rule gives way to those before it."""
    taken = bytearray(len(text))
    parts: list[_Rewritten] = []
    for rule in rules:
        for found in rule.pattern.finditer(text):
            start, end = _trimmed(found)
            if start >= end or any(taken[start:end]):
                continue
            spoken = rule.say(found)
            if spoken is not None:
                taken[start:end] = b"\1" * (end - start)
                parts.append(_Rewritten(start, end, spoken))
    return sorted(parts, key=lambda part: part.start)


def _trimmed(found: re.Match[str]) -> tuple[int, int]:
    """Return where a match begins and ends without the white space around it, which parts the words."""
    blank_ahead = len(found[0]) - len(found[0].lstrip())
    return found.start() + blank_ahead, found.start() + len(found[0].rstrip())


def _tokens(text: str, parts: list[_Rewritten]) -> list[SpokenToken]:
    """Cut at white space, but not within a part."""
    inside = {position for part in parts for position in range(part.start + 1, part.end)}
    blanks = [found.span() for found in re.finditer(r"\s+", text) if found.start() not in inside]
    edges = [(0, 0), *blanks, (len(text), len(text))]
    tokens = []
    for (_, start), (end, _) in pairwise(edges):
        if start < end:
            own = [part for part in parts if start <= part.start < end]
            tokens.append(SpokenToken(text[start:end], _spoken(text, start, end, own)))
    return tokens


def _spoken(text: str, start: int, end: int, parts: list[_Rewritten]) -> str:
    if not parts:
        return text[start:end]
    said, position = "", start
    for part in parts:
        said = _joined(said, text[position : part.start])
        said = _joined(said, part.spoken)
        position = part.end
    return " ".join(_joined(said, text[position:end]).split())


def _joined(left: str, right: str) -> str:
    """Join, with a space where two words would become one."""
    if right[:1] in _CLOSING_MARKS:
        return left.rstrip() + right
    if not left or not right or not (left[-1].isalnum() and right[0].isalnum()):
        return left + right
    unspaced = _UNSPACED.match(left[-1]) or _UNSPACED.match(right[0])
    return left + right if unspaced else f"{left} {right}"
