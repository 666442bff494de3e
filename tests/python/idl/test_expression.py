"""Values of expressions against a reference, and their text against the parser."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as some
from tasuki.idl.errors import EvaluationError, InterfaceError
from tasuki.idl.expression import (
    BINDING,
    DEPTH_MOST,
    INTEGER_LEAST,
    INTEGER_MOST,
    Choice,
    Name,
    Negation,
    Number,
    Operation,
    evaluate,
    from_prefix,
    names_in,
    to_prefix,
)
from tasuki.idl.parser import parse_expression

NAMES = ("n", "m", "$lda$2")
numbers = some.integers(0, INTEGER_MOST) | some.integers(0, 9)
expressions = some.recursive(
    some.builds(Number, numbers) | some.builds(Name, some.sampled_from(NAMES)),
    lambda inner: (
        some.builds(Negation, inner)
        | some.builds(Operation, some.sampled_from(sorted(BINDING)), inner, inner)
        | some.builds(Choice, inner, inner, inner)
    ),
    max_leaves=12,
)
values = some.fixed_dictionaries(
    {name: some.integers(-9, 9) | some.integers(INTEGER_LEAST, INTEGER_MOST) for name in NAMES}
)


class NoValueError(Exception):
    pass


def reference(expression, given):
    """The value by Python's own arithmetic of any length, or NoValueError."""
    if isinstance(expression, Number):
        return expression.value
    if isinstance(expression, Name):
        return given[expression.name]
    if isinstance(expression, Choice):
        chosen = reference(expression.condition, given)
        return reference(expression.if_true if chosen else expression.if_false, given)
    if isinstance(expression, Negation):
        return checked(-reference(expression.operand, given))
    left, right = reference(expression.left, given), reference(expression.right, given)
    operator = expression.operator
    if operator in ("/", "%"):
        if right == 0:
            raise NoValueError
        quotient = abs(left) // abs(right) * (1 if (left >= 0) == (right >= 0) else -1)
        return checked(quotient if operator == "/" else left - quotient * right)
    if operator == "^":
        if right < 0 or (right > 64 and abs(left) > 1):
            raise NoValueError
        return checked(left ** (right if abs(left) > 1 else right and 2 - right % 2))
    return checked(int(eval(f"({left}) {operator} ({right})")))


def checked(value):
    if not -(2**63) <= value < 2**63:
        raise NoValueError
    return value


@given(expressions, values)
def test_value_is_that_of_the_reference(expression, given_values):
    try:
        expected = reference(expression, given_values)
    except NoValueError:
        with pytest.raises(EvaluationError, match=r"^A: "):
            evaluate(expression, given_values, "A")
    else:
        assert evaluate(expression, given_values, "A") == expected


@given(expressions)
def test_text_is_parsed_to_the_same_expression(expression):
    assert parse_expression(str(expression)) == expression


@given(expressions)
def test_json_is_read_back_as_the_same_expression(expression):
    assert from_prefix(json.loads(json.dumps(to_prefix(expression)))) == expression


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("10 / 2 * 5", 25),
        ("n % 10 ? 5 : 2", 5),
        ("2 * 3 ^ 2", 36),  # Power binds loosest: (2 * 3) ^ 2.
        ("2 ^ 3 ^ 2", 64),
        ("2 ^ 1 + 1", 4),
        ("n == 3 ^ 0", 1),
        ("-n ^ 2", 9),
        ("1 ? 0 ? 7 : 8 : 9", 8),
        ("1 ? 2 : 0 ? 3 : 4", 3),  # As in Ninf-G, to the left: (1 ? 2 : 0) ? 3 : 4.
        ("1 ? 2 : (0 ? 3 : 4)", 2),
        ("n < 4 == 1", 1),
        ("2 == 1 < 1", 1),  # As in Ninf-G, comparisons bind alike: (2 == 1) < 1.
        ("-7 / 2", -3),
        ("-7 % 2", -1),
        ("0x10 + 010 + 5L", 29),
        ("(n + 1) * 2", 8),
        ("0 ? 1 / 0 : 4", 4),
    ],
)
def test_operators_bind_as_documented(text, value):
    assert evaluate(parse_expression(text), {"n": 3}, "A") == value


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("n / (n - 3)", "A: n / (n - 3) divides by zero with n = 3"),
        ("n % 0", "A: n % 0 divides by zero with n = 3"),
        ("n * n * 4611686018427387904", "A: n * n * 4611686018427387904 does not fit into 64 bits"),
        ("1 + n ^ -1", "A: 1 + n ^ -1 has a negative exponent with n = 3"),
        ("(n ^ 99) / 2", "A: n ^ 99 in (n ^ 99) / 2 does not fit into 64 bits with n = 3"),
        ("m + 1", "A: m in m + 1 has no value"),
    ],
)
def test_errors_name_the_argument_and_the_expression(text, said):
    with pytest.raises(EvaluationError) as raised:
        evaluate(parse_expression(text), {"n": 3}, "A")
    assert str(raised.value).startswith(said)


def test_names_are_found_in_order():
    names = names_in(parse_expression("n * (lda ? m : -n)"))
    assert [one.name for one in names] == ["n", "lda", "m", "n"]


@pytest.mark.parametrize(
    "value",
    [None, True, -1, 1.5, INTEGER_MOST + 1, [], ["+", 1], ["!", 1], ["?:", 1, 2], "a b", "", {}],
)
def test_other_json_is_refused(value):
    with pytest.raises(InterfaceError):
        from_prefix(value)


def test_deep_json_is_refused():
    value = 1
    for _ in range(DEPTH_MOST + 1):
        value = ["-", value]
    with pytest.raises(InterfaceError, match="nested more than"):
        from_prefix(value)
