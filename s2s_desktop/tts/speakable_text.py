"""From the reply as it is written to what can be said: no Markdown, code, URLs, emoji or thoughts.

Works word by word, so that a word can be spoken as soon as it has ended, and decides on nothing but the signs
so far, so that the result is the same for any chunking. Characters of scripts without spaces are words of
their own. Fenced code is left out, code within a sentence is said, a row of a table becomes its cells.
"""

from __future__ import annotations

import re

from s2s_desktop.tts.formulas import FormulaReader
from s2s_desktop.tts.speakable_words import clean_word, shorten_word

_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3000-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uffef]"
)
"""Thai, Lao, Burmese, Khmer, Chinese and Japanese letters and marks."""

_THINK_TAG = re.compile(r"(?<![`\"'“‘«])<(?P<closing>/?)(?:think|thinking|thought|reasoning)>", re.IGNORECASE)
_BLOCK_MARK = re.compile(r"#{1,6}|[-*+•◦▪‣]|\[[xX]?\]?|>+")
_FENCE = re.compile(r"(?P<marks>`{3,}|~{3,})[^`]*")
_UNFINISHED = re.compile(
    r"\]\([^)]*$|<(?:a|abbr|audio|button|code|details|div|font|h[1-6]|iframe|img|input|li|mark|ol|p|pre|source"
    r"|span|svg|table|t[dhr]|ul|video)$|<!--(?!.*-->).*$",
    re.IGNORECASE,
)
"""The start of what is hidden up to a later word: `[text](address "title")`, `<a href="address">`."""

_HIDDEN_UNTIL = {"](": ")", "<!": "-->"}
"""Where that ends, by how it starts; else at the end of the tag."""


class SpeakableText:
    """Transforms one reply. All that `feed` and `finish` return, joined, is the whole."""

    def __init__(self) -> None:
        self._begin()

    def _begin(self) -> None:
        self._word = ""
        self._gap = "\n"
        """The white space said last; "" behind a word."""
        self._line_start = True
        self._row: str | None = None
        """The row of a table that is being read."""
        self._fence = ""
        self._skips_line = False
        self._hidden_until = ""
        self._in_thought = False
        self._formulas = FormulaReader()
        self._last_sign = ""

    def feed(self, delta: str) -> str:
        """Take the next characters of the reply and return the next characters to say."""
        return "".join(self._take(sign) for sign in delta)

    def finish(self) -> str:
        """Return the rest; the transformer begins anew."""
        rest = self._end_word() + self._say_word(self._formulas.give_up()) + self._end_row()
        self._begin()
        return rest

    def _take(self, sign: str) -> str:
        if sign == "\n":
            return self._end_line()
        if sign.isspace():
            said = self._end_word()
            if self._row is not None:
                self._row += " "
                return said
            return said + self._say_gap(" ")
        if _UNSPACED.match(sign):
            said = self._end_word()
            self._word = sign
            return said + self._end_word()
        self._word += sign
        return ""

    def _end_line(self) -> str:
        said = self._end_word() + self._say_word(self._formulas.end_line())
        said += self._end_row() + self._say_gap("\n")
        self._line_start, self._skips_line, self._hidden_until = True, False, ""
        return said

    def _end_word(self) -> str:
        """Return what the finished word says."""
        word, self._word = self._word, ""
        word = shorten_word(self._without_thoughts(word))
        if not word or self._skips_line or self._is_code(word):
            return ""
        return self._say_word(self._formulas.take(word))

    def _say_word(self, word: str) -> str:
        if not word:
            return ""
        if self._row is None and self._line_start:
            if _BLOCK_MARK.fullmatch(word):
                return ""
            word = word.lstrip(">")
            if word.startswith("|"):
                self._row = ""
        elif word == "*" and (self._last_sign.isdigit() or self._last_sign == ")"):
            return self._say(word)
        self._line_start = False
        if self._row is not None:
            self._row += word
            return ""
        return self._say(clean_word(self._without_addresses(word)))

    def _without_thoughts(self, word: str) -> str:
        """Drop thoughts that the language model's side let through."""
        kept, position = "", 0
        for tag in _THINK_TAG.finditer(word):
            kept += " " if self._in_thought else f"{word[position : tag.start()]} "
            self._in_thought = not tag["closing"]
            position = tag.end()
        return (kept if self._in_thought else kept + word[position:]).strip()

    def _is_code(self, word: str) -> bool:
        """Return whether the word belongs to fenced code or its fences."""
        fence = _FENCE.fullmatch(word) if self._line_start else None
        if self._fence:
            if fence and fence["marks"].startswith(self._fence) and fence["marks"] == word:
                self._fence, self._skips_line = "", True
            self._line_start = False
            return True
        if fence:
            self._fence, self._skips_line = fence["marks"], True
        return bool(fence)

    def _without_addresses(self, word: str) -> str:
        """Drop the address of a link that holds spaces."""
        if self._hidden_until:
            _, end, word = word.partition(self._hidden_until)
            if not end:
                return ""
            self._hidden_until = ""
        if unfinished := _UNFINISHED.search(word):
            self._hidden_until = _HIDDEN_UNTIL.get(unfinished[0][:2], ">")
            return word[: unfinished.start()]
        return word

    def _end_row(self) -> str:
        row, self._row = self._row, None
        if not row:
            return ""
        cells = (" ".join(clean_word(word) for word in cell.split()) for cell in row.strip().split("|"))
        return self._say(", ".join(cell for cell in cells if any(sign.isalnum() for sign in cell)))

    def _say(self, text: str) -> str:
        if text:
            self._gap, self._last_sign = "", text[-1]
        return text

    def _say_gap(self, gap: str) -> str:
        """Return white space at once, so that whoever waits for the end of a word or sentence knows of it."""
        if self._in_thought or self._gap == "\n" or self._gap == gap:
            return ""
        self._gap = gap
        return gap
