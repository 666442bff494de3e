"""The arguments of a call: completed, converted, and refused with their names."""

import numpy as np
import pytest
from tasuki.base.programs import DATA
from tasuki.idl.parser import parse_file
from tasuki.rpc.arguments import Arguments, arguments_of
from tasuki.rpc.errors import ArgumentError

SOLVE = parse_file(DATA / "demo" / "linpack.idl").routines[0]
A = np.arange(9.0).reshape(3, 3)
B = np.ones(3)


def completed(*positional, out=None, **named) -> Arguments:
    return arguments_of(SOLVE, positional, named, {} if out is None else out)


def test_a_size_may_be_left_out_or_given():
    for arguments in (completed(A, B), completed(3, A, B), completed(b=B, A=A, n=np.int32(3))):
        assert arguments.scalars == {"n": 3}
        assert arguments.arrays[0] is A
        assert arguments.results[0].shape == (3,)


@pytest.mark.parametrize("kind", ["float32", "int64", "uint8", "bool", ">f8"])
def test_numbers_are_converted_where_nothing_is_lost(kind):
    sent = completed(A.astype(kind), B).arrays[0]
    assert sent.dtype == np.float64
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
        ((A, A), {}, "b must have shape (n,) = (3,), and has (3, 3)"),
        ((1.0, 2.0), {}, "n is missing"),
        ((4, A, B), {}, "A must have shape (n, n) = (4, 4), and has (3, 3)"),
        ((-1, A, B), {}, "A must have shape (n, n) = (-1, -1), and no size may be negative"),
        ((2.5, A, B), {}, "n must be an integer, not 2.5"),
        ((2**63, A, B), {}, "n = 9223372036854775808 does not fit into int64"),
        ((A,), {}, "1 arguments were given. Remedy: give A, b"),
        ((A, B, B, B), {}, "4 arguments were given. Remedy: give A, b"),
        ((A, B), {"c": B}, "there is no argument c. Remedy: it has n, A, b"),
        ((A, B), {"x": B}, "there is no argument x"),
        ((A * 1j, B), {}, "A must be of float64, and is of complex128"),
        ((A, np.array(["1", "2", "3"])), {}, "b must be of float64, and is of <U1"),
        ((A, [1, None, 2]), {}, "b must be of float64, and is of object"),
        (([[1, 2], [3]], B), {}, "A is no array"),
    ],
)
def test_wrong_arguments_are_named(positional, named, text):
    with pytest.raises(ArgumentError) as refused:
        completed(*positional, **named)
    assert str(refused.value).startswith("call solve: ")
    assert text in str(refused.value)


READ_ONLY = np.zeros(3)
READ_ONLY.flags.writeable = False


@pytest.mark.parametrize(
    ("out", "text"),
    [
        ({"x": np.zeros(2)}, "x must have shape (n,) = (3,), and has (2,)"),
        ({"x": np.zeros(3, "f4")}, "out x is no writable array of float64"),
        ({"x": READ_ONLY}, "out x is no writable array of float64"),
        ({"x": [0.0, 0.0, 0.0]}, "out x is no writable array of float64"),
        ({"y": np.zeros(3)}, "there is no result y. Remedy: it has x"),
        ({"b": np.zeros(3)}, "there is no result b. Remedy: it has x"),
        (np.zeros(3), "out is no dictionary"),
    ],
)
def test_wrong_places_for_results_are_named(out, text):
    with pytest.raises(ArgumentError) as refused:
        completed(A, B, out=out)
    assert text in str(refused.value)
