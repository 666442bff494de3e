"""Shapes from the integers of a call."""

import numpy
import pytest
from listings import APLINPACK, DMMUL
from tasuki.idl.errors import EvaluationError
from tasuki.idl.model import Callback
from tasuki.idl.parser import parse_text
from tasuki.idl.shapes import ArrayShape, integers_of, require_shape, shape_of, shape_of_array


def routine_of(text):
    return parse_text(text).routines[0]


def test_all_arrays_have_shapes():
    square = ArrayShape((3, 3), (range(3), range(3)))
    assert shape_of(routine_of(DMMUL), {"n": 3}) == {"A": square, "B": square, "C": square}


def test_a_range_says_what_travels():
    shapes = shape_of(routine_of(APLINPACK), {"lda": 8, "n": 5, "job": 0})
    assert shapes["a"] == ArrayShape((5, 8), (range(5), range(5)))
    assert (shapes["a"].travelling_count, shapes["b"].sizes) == (25, (5,))


def test_a_range_may_have_a_step():
    routine = routine_of("Define f(IN int n, IN int a[n:1,n - 1,2]) { }")
    assert shape_of(routine, {"n": 8})["a"].travelling == (range(1, 7, 2),)


def test_integers_may_be_those_of_numpy():
    assert shape_of(routine_of(DMMUL), {"n": numpy.int64(2)})["A"].sizes == (2, 2)


def test_arrays_may_be_empty():
    assert shape_of(routine_of(DMMUL), {"n": 0})["A"].travelling_count == 0


def test_only_integers_are_needed():
    routine = routine_of("Define f(IN double x, IN int n, IN int a[n]) { }")
    assert shape_of(routine, {"x": 2.5, "n": 1})["a"].sizes == (1,)


def test_arrays_of_callbacks_have_shapes():
    routine = routine_of("Define f(IN int n, g(IN int a[n])) { }")
    (callback,) = (one for one in routine.parameters if isinstance(one, Callback))
    values = integers_of(routine, {"n": 4})
    assert shape_of_array(callback.parameters[0], values).sizes == (4,)


@pytest.mark.parametrize(
    ("text", "scalars", "said"),
    [
        (DMMUL, {}, "A: n has no value"),
        (DMMUL, {"n": 2.5}, "n must be an integer, not 2.5"),
        (DMMUL, {"n": 1 << 31}, "n = 2147483648 does not fit into long, which travels as int32:"),
        (DMMUL, {"n": -2}, "A must have shape (n, n) = (-2, -2), and no size may be negative"),
        (
            "Define f(IN int64_t n, IN int a[n][n]) { }", {"n": 1 << 31},
            "a must have shape (n, n) = (2147483648, 2147483648), which no memory can hold",
        ),
        (
            "Define f(IN int64_t n, IN int a[n * n]) { }", {"n": 1 << 32},
            "a: n * n does not fit into 64 bits with n = 4294967296",
        ),
        ("Define f(IN int n, IN int a[8 / n]) { }", {"n": 0}, "a: 8 / n divides by zero"),
        (
            APLINPACK, {"lda": 2, "n": 3, "job": 0},
            "a[lda:n] is [2:0,3,1]: a range needs 0 <= lower <= upper <= size, and step > 0",
        ),
        (
            "Define f(IN int n, IN int a[4:0,4,n]) { }", {"n": -1},
            "a[4:0,4,n] is [4:0,4,-1]: a range needs",
        ),
        ("Define f(IN uint8_t n, IN int a[n]) { }", {"n": -1}, "n = -1 does not fit into uint8_t"),
    ],
)  # fmt: skip
def test_errors_name_the_array(text, scalars, said):
    with pytest.raises(EvaluationError) as raised:
        shape_of(routine_of(text), scalars)
    assert str(raised.value).startswith(said)


def test_a_wrong_shape_is_said():
    routine = routine_of(DMMUL)
    assert require_shape(routine.parameters[1], (3, 3), {"n": 3}).sizes == (3, 3)
    with pytest.raises(EvaluationError) as raised:
        require_shape(routine.parameters[1], (3, 4), {"n": 3})
    assert str(raised.value) == "A must have shape (n, n) = (3, 3), and has (3, 4)"


def test_constant_shapes_are_written_once():
    routine = routine_of("Define f(OUT int *x) { }")
    with pytest.raises(EvaluationError) as raised:
        require_shape(routine.parameters[0], (), {})
    assert str(raised.value) == "x must have shape (1,), and has ()"
