"""Which formulas are said, and how."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from s2s_desktop.tts.formulas import FormulaReader, sayable_formula


@pytest.mark.parametrize(
    ("latex", "said"),
    [
        ("x^2", "x^2"),
        (r"x^{10} + y_{1}", "x^10 + y 1"),
        (r"\frac{a}{b}", "a/b"),
        (r"\frac{x+1}{2}", "(x+1)/2"),
        (r"\frac{\sqrt{2}}{2}", "(√2)/2"),
        (r"\sqrt{a + b}", "√(a + b)"),
        (r"3 \times 4 \leq 12", "3 × 4 ≤ 12"),
        (r"\alpha \approx 90^\circ", "alpha ≈ 90°"),
        (r"\text{speed} = 5\,\mathrm{km}", "speed = 5 km"),
        (r"\left( a*b \right)", "( a×b )"),
        (r"50\%", "50%"),
        (r"\begin{matrix} 1 & 2 \end{matrix}", ""),
        (r"\int_0^1 f(x)\,dx", ""),
        ("x + " * 50, ""),
    ],
)
def test_simple_formulas_are_said_and_others_are_left_out(latex: str, said: str) -> None:
    assert sayable_formula(latex) == said


@given(st.text(alphabet=r"ab\\{}^_$ frac1", max_size=40))
def test_no_formula_is_too_odd(latex: str) -> None:
    assert not set(sayable_formula(latex)) & set("\\{}$")


def test_only_the_formula_is_held_back() -> None:
    reader = FormulaReader()
    assert [reader.take(word) for word in ("so", "($a", "+", "b$)", "it")] == ["so", "(", "", "a + b)", "it"]


def test_a_formula_that_does_not_end_within_its_line_was_none() -> None:
    reader = FormulaReader()
    assert reader.take("$HOME") == ""
    assert reader.end_line() == "$HOME"


def test_a_formula_that_goes_on_and_on_was_none() -> None:
    reader = FormulaReader()
    assert reader.take("$a") == ""
    assert any(reader.take("word") for _ in range(100))


def test_a_displayed_formula_may_have_many_lines() -> None:
    reader = FormulaReader()
    assert reader.take("$$") + reader.end_line() + reader.take("x=1") + reader.end_line() == ""
    assert reader.take("$$") == "x=1"
