"""The arguments of a call: completed, converted, and refused with their names."""

import numpy as np
import pytest
from numpy.lib.stride_tricks import as_strided
from tasuki.base.programs import DATA
from tasuki.idl.parser import parse_file, parse_text
from tasuki.rpc.arguments import Arguments, arguments_of
from tasuki.rpc.errors import ArgumentError

SOLVE = parse_file(DATA / "demo" / "linpack.idl").routines[0]
A = np.arange(9.0).reshape(3, 3)
B = np.ones(3)


def completed(*positional, out=None, **named) -> Arguments:
    return arguments_of(SOLVE, positional, named, out)


def test_a_size_may_be_left_out_or_given():
    for arguments in (completed(A, B), completed(3, A, B), completed(b=B, A=A, n=np.int32(3))):
        assert arguments.scalars == {"n": 3}
        assert arguments.arrays[0] is A
        assert arguments.results[0].shape == (3,)


@pytest.mark.parametrize("kind", ["float32", "int64", "uint8", "bool", ">f8"])
def test_numbers_are_converted_where_nothing_is_lost(kind):
    sent = completed(A.astype(kind), B).arrays[0]
    assert sent.dtype.newbyteorder("=") == np.float64
    np.testing.assert_array_equal(sent, A.astype(kind))


def test_lists_are_taken():
    np.testing.assert_array_equal(completed([[1, 2], [3, 4]], (5, 6)).arrays[0], [[1, 2], [3, 4]])


def test_results_go_to_out():
    x = np.empty(6)[::2]
    assert completed(A, B, out={"x": x}).results[0] is x


@pytest.mark.parametrize(
    ("positional", "named", "text"),
    [
        ((A, B[:2]), {}, "b must have shape (n,) = (3,), and has (2,)"),
        ((A[:2], B), {}, "A must have shape (n, n) = (2, 2), and has (2, 3)"),
        ((B, B), {}, "A must have shape (n, n) = (3, 3), and has (3,)"),
        ((B, A), {}, "A must have 2 dimensions of sizes n, n, and has shape (3,)"),
        ((A, A), {}, "b must have shape (n,) = (3,), and has (3, 3)"),
        ((1.0, 2.0), {}, "A must have 2 dimensions of sizes n, n, and has shape ()"),
        ((A, 2.0), {}, "b must have shape (n,) = (3,), and has ()"),
        ((4, A, B), {}, "A must have shape (n, n) = (4, 4), and has (3, 3)"),
        ((-1, A, B), {}, "A must have shape (n, n) = (-1, -1), and no size may be negative"),
        ((2.5, A, B), {}, "n must be an integer, not 2.5"),
        ((2**63, A, B), {}, "n = 9223372036854775808 does not fit into int64"),
        ((A,), {}, "b is missing. Remedy: give A, b"),
        ((), {}, "A and b are missing. Remedy: give A, b"),
        ((), {"A": A}, "b is missing. Remedy: give b"),
        ((A, B, B, B), {}, "4 arguments were given. Remedy: give A, b, or with n in the order"),
        ((A, B, B), {"b": B}, "3 arguments were given besides those with names. Remedy: give A"),
        ((A, B), {"A": A}, "n must be an integer, not an array of shape (3, 3)"),
        ((float("nan"), A, B), {}, "n must be an integer, not nan. Remedy: give an integer"),
        ((A, B), {"c": B}, "there is no argument c. Remedy: it has n, A, b"),
        ((A, B), {"x": B}, "there is no argument x"),
        ((A * 1j, B), {}, "A must be of float64, and is of complex128. Remedy: give its real"),
        ((A, np.array(["1", "2", "3"])), {}, "b must be of float64, and has elements of <U1"),
        ((A, [1, None, 2]), {}, "b must be of float64, and has Python objects"),
        ((A, np.array(["2020"] * 3, "M8[D]")), {}, "b must be of float64, and has elements of"),
        (([[1, 2], [3]], B), {}, "A is no array"),
    ],
)
def test_wrong_arguments_are_named(positional, named, text):
    with pytest.raises(ArgumentError) as refused:
        completed(*positional, **named)
    assert str(refused.value).startswith("call solve: ")
    assert text in str(refused.value)


@pytest.mark.parametrize(
    ("interface", "given", "text"),
    [
        ("IN int n, OUT double y[n]", {"n": -3}, "give n of at least 0"),
        ("IN int n, IN int m, OUT double y[n/m]", {"n": 3, "m": 0}, "give another n or m"),
        (
            "IN int n, IN double x[n], OUT double y[n-1]",
            {"x": np.zeros(0)},
            "give another x, whose shape tells n",
        ),
        ("IN int64_t n, OUT double y[n][n]", {"n": 1 << 40}, "give another n"),
        ("IN int n, OUT double y[10:n]", {"n": 11}, "give another n"),
        ("IN int64_t n, OUT double y[n]", {"n": 1 << 59}, "give a smaller n"),
    ],
)
def test_where_no_array_has_the_shape_the_argument_to_change_is_named(interface, given, text):
    routine = parse_text(f"Define f({interface}) {{ }}").routines[0]
    with pytest.raises(ArgumentError) as refused:
        arguments_of(routine, (), given, None)
    assert f"Remedy: {text}" in str(refused.value)


def test_a_result_for_which_there_is_no_memory_is_named():
    routine = parse_text("Define f(IN int64_t n, OUT double y[n]) { }").routines[0]
    with pytest.raises(
        ArgumentError, match=r"no memory for y of shape \(\d+,\): 4611686018427387904"
    ):
        arguments_of(routine, (1 << 59,), {}, None)


READ_ONLY = np.zeros(3)
READ_ONLY.flags.writeable = False
OVERLAPPING = as_strided(np.zeros(3), (3,), (0,))


@pytest.mark.parametrize(
    ("out", "text"),
    [
        ({"x": np.zeros(2)}, "x must have shape (n,) = (3,), and has (2,)"),
        ({"x": np.zeros(3, "f4")}, "out x must be of float64, and is of float32"),
        ({"x": READ_ONLY}, "out x is read-only. Remedy: give np.empty(..., 'float64')"),
        ({"x": [0.0, 0.0, 0.0]}, "out x is no array, but a list"),
        ({"x": np.ma.zeros(3)}, "out x is a masked array. Remedy: give its .data"),
        ({"x": OVERLAPPING}, "out x has several elements at one place"),
        ({"x": memoryview(bytes(24)).cast("d")}, "out x is read-only"),
        ({"y": np.zeros(3)}, "there is no result y. Remedy: its results are: x"),
        ({"b": np.zeros(3)}, "there is no result b. Remedy: its results are: x"),
        (np.zeros(2), "x must have shape (n,) = (3,), and has (2,)"),
        ("x", "out x is no array, but a str"),
    ],
)
def test_wrong_places_for_results_are_named(out, text):
    with pytest.raises(ArgumentError) as refused:
        completed(A, B, out=out)
    assert text in str(refused.value)


MANY = parse_text("Define f(IN int k, IN int8_t a[k][k][k], IN int m, OUT int8_t y[m]) { }")
GRID = parse_text("Define f(IN int k, IN int m, OUT int8_t y[k][m]) { }")


def refused_by(interface, positional, out: np.ndarray) -> str:
    """The text of the error, "" if there is none."""
    try:
        arguments_of(interface.routines[0], positional, {}, {"y": out})
    except ArgumentError as fault:
        return str(fault)
    return ""


def test_an_argument_and_a_result_that_overlap_are_told_from_those_that_may():
    memory = np.zeros(18_500_000, np.int8)
    given = as_strided(memory, (100, 100, 100), (36_674, 61_119, 85_569))
    text = refused_by(MANY, (100, given, 443), as_strided(memory[6_598_259:], (443,), (22_569,)))
    assert "the array for y may overlap that of a. Remedy: give another array, or a copy" in text
    small = memory[:1000].reshape(10, 10, 10)
    assert "the array for y overlaps that of a" in refused_by(
        MANY, (10, small, 5), memory[998:1003]
    )
    assert refused_by(MANY, (10, small, 5), memory[1000:1005]) == ""


@pytest.mark.parametrize(
    ("shape", "strides", "text"),
    [
        ((3, 2), (2, 3), ""),
        ((4, 3), (2, 3), "has several elements"),  # Two are at 6.
        ((2, 3), (1, 2), ""),
        ((3, 2), (1, 2), "has several elements"),
        ((400, 500), (501, 400), "may have several elements"),
    ],
)
def test_an_array_whose_rows_lie_between_each_other_is_refused_if_elements_meet(
    shape, strides, text
):
    memory = np.zeros(1 << 20, np.int8)
    found = refused_by(GRID, shape, as_strided(memory, shape, strides))
    assert (f"out y {text}" in found) if text else found == ""
