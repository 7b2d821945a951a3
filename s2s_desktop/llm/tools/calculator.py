"""Arithmetic for the model: an expression is parsed and walked, never executed."""

from __future__ import annotations

import ast
import math
import operator
import warnings
from collections.abc import Callable

_MAX_LENGTH = 200
_MAX_BITS = 4096
"""Of a whole number; `9**9**9` would otherwise take all memory."""

_BINARY: dict[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}
_UNARY: dict[type[ast.unaryop], Callable[[float], float]] = {ast.UAdd: operator.pos, ast.USub: operator.neg}
_CONSTANTS = {"pi": math.pi, "e": math.e, "tau": math.tau}
_FUNCTIONS: dict[str, Callable[..., float]] = {
    "abs": abs,
    "acos": math.acos,
    "asin": math.asin,
    "atan": math.atan,
    "ceil": math.ceil,
    "cos": math.cos,
    "exp": math.exp,
    "floor": math.floor,
    "ln": math.log,
    "log": math.log10,
    "max": max,
    "min": min,
    "round": round,
    "sin": math.sin,
    "sqrt": math.sqrt,
    "tan": math.tan,
}
_SPELLINGS = str.maketrans({"×": "*", "·": "*", "÷": "/", "−": "-", "–": "-", "^": "**", "π": "pi"})


class CalculationError(ValueError):
    """The expression has no value here; the message says why in words for a model or a person."""


def calculate(expression: str) -> str:
    """Return the value of an arithmetic expression.

    Args:
        expression: Numbers, + - * / // % ** (also × ÷ ^), parentheses, pi, e and common functions (`log` is
            to the base 10, `ln` the natural one, angles are in radians).

    Returns:
        The value; whole where it is, else with up to 12 digits.

    Raises:
        CalculationError: It is no such expression, or has no finite value of a sensible size.
    """
    if len(expression) > _MAX_LENGTH:
        raise CalculationError(f"the expression is longer than {_MAX_LENGTH} characters")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about odd spellings such as `1or 2`, which are refused anyway
            tree = ast.parse(expression.translate(_SPELLINGS).strip(), mode="eval")
        value = _value(tree.body)
        return _shown(value)
    except CalculationError:
        raise
    except (SyntaxError, ValueError, TypeError, RecursionError, MemoryError) as error:
        raise CalculationError(f"{expression!r} cannot be calculated ({error})") from None
    except ZeroDivisionError:
        raise CalculationError("it divides by zero") from None
    except OverflowError:
        raise CalculationError("the result is too large") from None


def _value(node: ast.expr) -> float:
    match node:
        case ast.Constant(value=value) if isinstance(value, int | float) and not isinstance(value, bool):
            return value
        case ast.BinOp(left=left, op=ast.Pow(), right=right):
            return _power(_value(left), _value(right))
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _BINARY:
            return _checked(_BINARY[type(op)](_value(left), _value(right)))
        case ast.UnaryOp(op=op, operand=operand) if type(op) in _UNARY:
            return _UNARY[type(op)](_value(operand))
        case ast.Name(id=name) if name.lower() in _CONSTANTS:
            return _CONSTANTS[name.lower()]
        case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]) if name.lower() in _FUNCTIONS:
            return _checked(_FUNCTIONS[name.lower()](*(_value(argument) for argument in arguments)))
    raise CalculationError(f"only numbers, + - * / ** and the functions {', '.join(_FUNCTIONS)} are known")


def _power(base: float, exponent: float) -> float:
    whole = isinstance(base, int) and isinstance(exponent, int)
    if whole and exponent > 0 and int(base).bit_length() * exponent > _MAX_BITS:
        raise OverflowError
    result = base**exponent
    if isinstance(result, complex):
        raise CalculationError("the result is no real number")
    return _checked(result)


def _checked(value: float) -> float:
    if isinstance(value, int) and value.bit_length() > _MAX_BITS:
        raise OverflowError
    if isinstance(value, float) and not math.isfinite(value):
        raise OverflowError
    return value


def _shown(value: float) -> str:
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return str(value) if isinstance(value, int) else f"{value:.12g}"
