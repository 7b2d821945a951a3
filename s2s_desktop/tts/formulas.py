"""Finds formulas in LaTeX among the words of a reply, and turns simple ones into signs that have a name."""

from __future__ import annotations

import re

_LONGEST = 120
"""A longer formula is to be looked at, not listened to."""

_LONGEST_WAIT = 300
"""Letters to wait for the end of a formula; then it was none."""

_OPENING = re.compile(
    r"(?<!\\)\\(?P<bracket>[(\[])"
    r"|(?<![\w$\\`])\$(?:(?P<display>\$)|(?=[A-Za-z\\({]|\d+[xyz]\b|[^\s$]+\$(?!\w)))"
)
"""Where a formula opens. A dollar sign ahead of a number is money, unless another one closes it."""

_CLOSINGS = {"(": "\\)", "[": "\\]", "$": "$$", "": "$"}
_WITHIN_A_LINE = ("\\)", "$")

_SIGNS = {
    "times": "×",
    "cdot": "×",
    "ast": "×",
    "div": "÷",
    "pm": "±",
    "leq": "≤",
    "le": "≤",
    "geq": "≥",
    "ge": "≥",
    "lt": "<",
    "gt": ">",
    "neq": "≠",
    "ne": "≠",
    "approx": "≈",
    "sim": "≈",
    "infty": "∞",
    "pi": "π",
    "circ": "°",
    "degree": "°",
    "sum": "∑",
    **dict.fromkeys(
        ("left", "right", "quad", "qquad", "displaystyle", "big", "Big", "to", "rightarrow"), " "
    ),
    **{sign: sign for sign in "%$&#_"},
    **dict.fromkeys((",", ";", ":", "!", " "), " "),
}
_NAMES = frozenset(
    {"alpha", "beta", "gamma", "delta", "epsilon", "theta", "lambda", "mu", "sigma", "tau", "phi", "omega"}
    | {"Delta", "Sigma", "Omega", "sin", "cos", "tan", "log", "ln", "exp", "max", "min", "lim"}
)
"""Commands that are said by their name."""

_BRACED = r"\{([^{}]*)\}"
_FRACTION = re.compile(rf"\\[dt]?frac\s*{_BRACED}\s*{_BRACED}")
_ROOT = re.compile(rf"\\sqrt\s*{_BRACED}")
_TEXT = re.compile(rf"\\(?:text|textbf|mathrm|mathbf|mathit|operatorname|boxed)\s*{_BRACED}")
_SCRIPT = re.compile(rf"(?P<mark>[\^_]){_BRACED}")
_COMMAND = re.compile(r"\\(?P<name>[A-Za-z]+|.)")
_SIMPLE = re.compile(r"\w+(?:\^-?\w+)?")


class FormulaReader:
    """Reads one reply word by word and holds back a formula until its end."""

    def __init__(self) -> None:
        self._opening = ""
        self._closing = ""
        self._inside = ""

    def take(self, word: str) -> str:
        """Take the next word and return what can be passed on, with sayable formulas in their place."""
        passed = ""
        while word:
            if self._closing:
                inside, closing, word = word.partition(self._closing)
                self._inside += inside
                if closing:
                    passed += sayable_formula(self._inside)
                    self._close()
                elif len(self._inside) > _LONGEST_WAIT:
                    passed += self.give_up()
                else:
                    self._inside += " "
            elif opening := _OPENING.search(word):
                passed += word[: opening.start()]
                self._opening = opening[0]
                self._closing = _CLOSINGS[opening["bracket"] or opening["display"] or ""]
                word = word[opening.end() :]
            else:
                return passed + word
        return passed

    def end_line(self) -> str:
        """Return what was no formula, because it did not end within its line."""
        if self._closing in _WITHIN_A_LINE:
            return self.give_up()
        self._inside += " " if self._closing else ""
        return ""

    def give_up(self) -> str:
        """Return what was held back as the plain words that it seems to be."""
        held = self._opening.strip("\\") + self._inside if self._closing else ""
        self._close()
        return held.rstrip()

    def _close(self) -> None:
        self._opening = self._closing = self._inside = ""


def sayable_formula(latex: str) -> str:
    """Return a simple formula in signs that have a name; "" for one that nobody could follow by ear."""
    if len(latex) > _LONGEST:
        return ""
    text, before = latex, ""
    while text != before:  # from the innermost braces outwards
        before = text
        text = _TEXT.sub(r" \1 ", text)
        text = _SCRIPT.sub(lambda found: found["mark"] + found[2].strip(), text)
        text = _ROOT.sub(lambda found: f"√{_grouped(found[1])}", text)
        text = _FRACTION.sub(lambda found: f"{_grouped(found[1])}/{_grouped(found[2])}", text)
    text = _COMMAND.sub(_said, text)
    if re.search(r"[\\{}&~]", text):
        return ""
    return " ".join(
        text.replace("_", " ").replace("*", "×").replace("|", " ").replace("^°", "°").replace("$", "").split()
    )


def _grouped(part: str) -> str:
    return part.strip() if _SIMPLE.fullmatch(part.strip()) else f"({part.strip()})"


def _said(command: re.Match[str]) -> str:
    name = command["name"]
    if name in _NAMES:
        return f" {name} "
    return _SIGNS.get(name, command[0])
