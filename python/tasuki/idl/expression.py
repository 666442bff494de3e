"""Expressions over a call's integers: sizes of arrays, ranges, grids, and the cost of a call.

Values are 64-bit integers with a sign. Arithmetic is C's: division rounds towards zero, and a
remainder has the sign of its dividend. `^` is power; it binds more loosely than every other binary
operator. All operators, `?:` among them, group to the left, and all comparisons bind alike, as in
Ninf-G. What has no 64-bit value is an EvaluationError.

`str()` of an expression is its source with as few parentheses as possible: `(n + 1) * m`.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from tasuki.idl.errors import EvaluationError, InterfaceError

INTEGER_MOST = (1 << 63) - 1
INTEGER_LEAST = -(1 << 63)
DEPTH_MOST = 100  # Operators inside each other; every walk over an expression recurses so deep.

# Operator -> how tightly it binds; `?:` is 0, a minus before an operand is 5.
BINDING = {
    "^": 1,
    "==": 2, "!=": 2, "<": 2, "<=": 2, ">": 2, ">=": 2,
    "+": 3, "-": 3,
    "*": 4, "/": 4, "%": 4,
}  # fmt: skip
CHOICE = "?:"
_CHOICE_BINDING = 0
_NEGATION_BINDING = 5
_OPERAND_BINDING = 6
_NAME = re.compile(r"[A-Za-z_$][A-Za-z0-9_$]*")


def is_name(text: str) -> bool:
    """Can an argument or a routine have this name? As in Ninf-G, `$` is a letter."""
    return _NAME.fullmatch(text) is not None


@dataclass(frozen=True)
class Number:
    """0 to INTEGER_MOST."""

    value: int

    def __str__(self) -> str:
        return str(self.value)


@dataclass(frozen=True)
class Name:
    """An argument of the routine; `at` is where in the source it was written."""

    name: str
    at: int = field(default=0, compare=False, repr=False)

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class Negation:
    operand: "Expression"

    def __str__(self) -> str:
        return f"-{_text(self.operand, _NEGATION_BINDING)}"


@dataclass(frozen=True)
class Operation:
    """`left operator right`, the operator being one of BINDING."""

    operator: str
    left: "Expression"
    right: "Expression"

    def __str__(self) -> str:
        own = BINDING[self.operator]
        return f"{_text(self.left, own)} {self.operator} {_text(self.right, own + 1)}"


@dataclass(frozen=True)
class Choice:
    """`condition ? if_true : if_false`, where any value but 0 is true."""

    condition: "Expression"
    if_true: "Expression"
    if_false: "Expression"

    def __str__(self) -> str:
        if_false = _text(self.if_false, _CHOICE_BINDING + 1)
        return f"{self.condition} ? {self.if_true} : {if_false}"


Expression = Number | Name | Negation | Operation | Choice


def _binding(expression: Expression) -> int:
    if isinstance(expression, Operation):
        return BINDING[expression.operator]
    if isinstance(expression, Choice):
        return _CHOICE_BINDING
    return _NEGATION_BINDING if isinstance(expression, Negation) else _OPERAND_BINDING


def _text(expression: Expression, least_binding: int) -> str:
    text = str(expression)
    return text if _binding(expression) >= least_binding else f"({text})"


def operands(expression: Expression) -> tuple[Expression, ...]:
    """Those that the expression combines, from left to right; none if it is a number or a name."""
    if isinstance(expression, Negation):
        return (expression.operand,)
    if isinstance(expression, Operation):
        return (expression.left, expression.right)
    if isinstance(expression, Choice):
        return (expression.condition, expression.if_true, expression.if_false)
    return ()


def names_in(expression: Expression) -> Iterator[Name]:
    """Each name of the expression as often as it is written, from left to right."""
    if isinstance(expression, Name):
        yield expression
    for operand in operands(expression):
        yield from names_in(operand)


class _NoValueError(Exception):
    """`expression` has no value, because of `reason`."""

    def __init__(self, expression: Expression, reason: str) -> None:
        self.expression = expression
        self.reason = reason


def evaluate(expression: Expression, values: Mapping[str, int], argument: str) -> int:
    """The value with the arguments' `values`; only the chosen branch of `?:` is evaluated.

    Errors: EvaluationError names `argument`, what the expression is for, and the part at fault.
    Example: `evaluate(Operation("*", Name("n"), Number(8)), {"n": 3}, "A")` is 24.
    """
    try:
        return _value(expression, values)
    except _NoValueError as fault:
        within = "" if fault.expression == expression else f" in {expression}"
        used = {one.name: values.get(one.name) for one in names_in(fault.expression)}
        given = ", ".join(f"{name} = {value}" for name, value in used.items() if value is not None)
        with_values = f" with {given}" if given else ""
        raise EvaluationError(
            f"{argument}: {fault.expression}{within} {fault.reason}{with_values}"
        ) from None


def _value(expression: Expression, values: Mapping[str, int]) -> int:
    if isinstance(expression, Number):
        return expression.value
    if isinstance(expression, Name):
        if expression.name not in values:
            raise _NoValueError(expression, "has no value")
        return _within_64_bits(expression, values[expression.name])
    if isinstance(expression, Choice):
        is_true = _value(expression.condition, values) != 0
        return _value(expression.if_true if is_true else expression.if_false, values)
    if isinstance(expression, Negation):
        return _within_64_bits(expression, -_value(expression.operand, values))
    left = _value(expression.left, values)
    right = _value(expression.right, values)
    try:
        result = _OPERATIONS[expression.operator](left, right)
    except ArithmeticError as fault:
        raise _NoValueError(expression, str(fault)) from None
    return _within_64_bits(expression, result)


def _within_64_bits(expression: Expression, value: int) -> int:
    if not INTEGER_LEAST <= value <= INTEGER_MOST:
        raise _NoValueError(expression, "does not fit into 64 bits")
    return value


def _quotient(left: int, right: int) -> int:
    if right == 0:
        raise ArithmeticError("divides by zero")
    magnitude = abs(left) // abs(right)
    return magnitude if (left < 0) == (right < 0) else -magnitude


def _remainder(left: int, right: int) -> int:
    return left - right * _quotient(left, right)


def _power(base: int, exponent: int) -> int:
    if exponent < 0:
        raise ArithmeticError("has a negative exponent")
    if abs(base) > 1 and exponent > 63:
        raise ArithmeticError("does not fit into 64 bits")
    return base ** (exponent if abs(base) > 1 else min(exponent, 2 + exponent % 2))


_OPERATIONS: dict[str, Callable[[int, int], int]] = {
    "^": _power,
    "==": lambda left, right: int(left == right),
    "!=": lambda left, right: int(left != right),
    "<": lambda left, right: int(left < right),
    "<=": lambda left, right: int(left <= right),
    ">": lambda left, right: int(left > right),
    ">=": lambda left, right: int(left >= right),
    "+": lambda left, right: left + right,
    "-": lambda left, right: left - right,
    "*": lambda left, right: left * right,
    "/": _quotient,
    "%": _remainder,
}


def to_prefix(expression: Expression) -> Any:
    """As JSON: a number, a name, or an array of an operator and its operands: `["*", "n", 8]`."""
    if isinstance(expression, Number):
        return expression.value
    if isinstance(expression, Name):
        return expression.name
    return [_operator(expression), *map(to_prefix, operands(expression))]


def _operator(expression: Negation | Operation | Choice) -> str:
    if isinstance(expression, Operation):
        return expression.operator
    return "-" if isinstance(expression, Negation) else CHOICE


def from_prefix(value: Any, depth: int = 0) -> Expression:
    """What `to_prefix` made; raises InterfaceError for anything else."""
    if depth > DEPTH_MOST:
        raise InterfaceError(f"interface: an expression is nested more than {DEPTH_MOST} deep")
    if isinstance(value, str) and is_name(value):
        return Name(value)
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= INTEGER_MOST:
        return Number(value)
    if isinstance(value, list) and value:
        operator = value[0] if isinstance(value[0], str) else ""
        parts = [from_prefix(part, depth + 1) for part in value[1:]]
        if len(parts) == 2 and operator in BINDING:
            return Operation(operator, *parts)
        if len(parts) == 1 and operator == "-":
            return Negation(*parts)
        if len(parts) == 3 and operator == CHOICE:
            return Choice(*parts)
    raise InterfaceError(f"interface: {_shortened(value)} is no expression")


def _shortened(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:60]}..."
