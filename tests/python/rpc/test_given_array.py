"""Arrays of every kind that callers have: seen without a copy, or refused in words."""

import array
import ctypes
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from conftest import REPOSITORY
from demo_server import DemoServer, needs_server
from tasuki.idl.parser import parse_text
from tasuki.rpc.arguments import Arguments, arguments_of
from tasuki.rpc.errors import ArgumentError
from tasuki.rpc.given_array import Wanted, array_to_fill, array_to_send

NUMBERS = np.arange(12.0).reshape(3, 4)
FLOATS = Wanted("f", "A", np.dtype("float64"))


class OfDlpack:
    """An array that only DLPack knows, of a version before 1.0."""

    def __init__(self, numbers: np.ndarray) -> None:
        self.numbers = numbers

    def __dlpack__(self, *, stream: Any = None) -> Any:
        return self.numbers.__dlpack__(stream=stream)

    def __dlpack_device__(self) -> Any:
        return self.numbers.__dlpack_device__()


class OfNewDlpack(OfDlpack):
    """One that says whether it is read-only."""

    def __dlpack__(self, **options: Any) -> Any:
        return self.numbers.__dlpack__(**options)


class OnAnotherDevice(OfDlpack):
    def __dlpack_device__(self) -> Any:
        return (2, 0)


class OfInterface:
    def __init__(self, numbers: np.ndarray) -> None:
        self.numbers = numbers
        self.__array_interface__ = numbers.__array_interface__


HAS_VERSIONS = int(np.__version__.split(".")[0]) >= 2  # Of DLPack.
SHARING: list[Callable[[np.ndarray], Any]] = [
    lambda numbers: numbers,
    OfDlpack,
    *([OfNewDlpack] if HAS_VERSIONS else []),
    OfInterface,
    memoryview,
    lambda numbers: (ctypes.c_double * 4 * 3).from_buffer(numbers),
]


@pytest.mark.parametrize("make", SHARING)
def test_memory_is_shared_with_whatever_shares_it(make: Callable[[np.ndarray], Any]) -> None:
    numbers = NUMBERS.copy()
    for seen in (array_to_send(make(numbers), FLOATS), array_to_fill(make(numbers), FLOATS)):
        np.testing.assert_array_equal(seen, NUMBERS)
        assert np.shares_memory(seen, numbers)
    array_to_fill(make(numbers), FLOATS)[1, 2] = 77
    assert numbers[1, 2] == 77


@pytest.mark.parametrize("make", [OfDlpack, OfInterface, memoryview])
def test_strides_are_kept(make: Callable[[np.ndarray], Any]) -> None:
    numbers = NUMBERS.copy()
    all_the_same = np.lib.stride_tricks.as_strided(numbers, (5, 4), (0, 8))
    for view in (numbers[::2, ::-1], numbers.T, all_the_same):
        seen = array_to_send(make(view), FLOATS)
        assert seen.strides == view.strides and np.shares_memory(seen, numbers)


def test_an_array_module_shares_its_memory() -> None:
    numbers = array.array("d", [1, 2, 3])
    assert np.shares_memory(array_to_send(numbers, FLOATS), np.asarray(numbers))
    array_to_fill(numbers, FLOATS)[:] = 7
    assert numbers.tolist() == [7, 7, 7]


def test_the_other_byte_order_is_kept() -> None:
    swapped = NUMBERS.astype(NUMBERS.dtype.newbyteorder("S"))
    assert array_to_send(swapped, FLOATS) is swapped
    assert array_to_fill(swapped, FLOATS) is swapped


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        ([[1, 2], [3, 4]], "float64"),
        ([0.5, float("nan")], "float32"),  # Python has no shorter ones.
        ([1 + 2j, 3], "complex64"),
        ([1, 2, 300], "int16"),
        (np.array([2**53, -(2**53)]), "float64"),
        (np.array([2**60]), "float64"),
        (np.array([2**24]), "float32"),
        (np.array([127, -128]), "int8"),
        (np.array([], "int64"), "int8"),
        (np.array([True, False]), "uint8"),
        (np.float16([0.5]), "float64"),
        (b"\1\2", "uint8"),
        (np.ma.array([1.0, 2.0]), "float64"),
    ],
)
def test_numbers_are_converted_if_they_stay_the_same(value: Any, kind: str) -> None:
    sent = array_to_send(value, Wanted("f", "A", np.dtype(kind)))
    assert sent.dtype == kind
    expected = np.frombuffer(value, "u1") if isinstance(value, bytes) else np.asarray(value)
    np.testing.assert_array_equal(sent, expected.astype(kind))


@pytest.mark.parametrize(
    ("value", "kind", "text"),
    [
        (np.array([2**53 + 1]), "float64", "A must be of float64, which does not hold all of its"),
        (np.array([2**64 - 1], "u8"), "float64", "from 18446744073709551615 to 1844674407370955"),
        (np.array([2**24 + 1]), "float32", "it is of int64, from 16777217 to 16777217"),
        (np.array([128]), "int8", "A must be of int8, which does not hold all of its numbers"),
        (np.array([-1]), "uint8", "from -1 to -1"),
        ([1.5], "int32", "A must be of int32, and is of float64. Remedy: convert it: A.astype"),
        (np.array([1.5]), "float32", "A must be of float32, and is of float64"),
        ([1j], "float64", "A must be of float64, and is of complex128"),
        ([None], "float64", "A must be of float64, and has Python objects"),
        (object(), "float64", "A must be of float64, and has Python objects"),
        ("abc", "float64", "A must be of float64, and has elements of <U3"),
        (np.zeros(2, "i4,f8"), "float64", "has elements of [('f0', '<i4'), ('f1', '<f8')]"),
        ([[1], [2, 3]], "float64", "A is no array"),
        (np.ma.array([1.0, 2.0], mask=[0, 1]), "float64", "fill it: A.filled(0)"),
        (OnAnotherDevice(NUMBERS), "float64", "Remedy: copy it to the memory of the processor"),
    ],
)
def test_what_is_no_array_of_such_numbers_is_refused(value: Any, kind: str, text: str) -> None:
    with pytest.raises(ArgumentError) as refused:
        array_to_send(value, Wanted("f", "A", np.dtype(kind)))
    assert str(refused.value).startswith("call f: A ") and text in str(refused.value)


@pytest.mark.skipif(not HAS_VERSIONS, reason="this NumPy has no versions of DLPack")
def test_an_array_that_says_it_is_read_only_is_not_written() -> None:
    numbers = NUMBERS.copy()
    numbers.flags.writeable = False
    with pytest.raises(ArgumentError, match="A is read-only"):
        array_to_fill(OfNewDlpack(numbers), FLOATS)


MIXED = parse_text(
    "Define f(IN double s, IN dcomplex z, IN int n, INOUT double a[n], OUT float r[n]) { }"
).routines[0]


def completed(*positional: Any, out: Any = None) -> Arguments:
    return arguments_of(MIXED, positional, {}, out)


@pytest.mark.parametrize("make", [lambda one: one, OfDlpack, memoryview])
def test_what_comes_back_is_no_memory_of_the_callers(make: Callable[[np.ndarray], Any]) -> None:
    numbers = np.arange(3.0)
    made = completed(1, 2, make(numbers))
    assert not np.shares_memory(made.results[0], numbers)
    np.testing.assert_array_equal(made.results[0], numbers)


def test_what_is_given_for_results_is_returned() -> None:
    place, numbers = array.array("d", [0, 0]), [5.0, 6.0]
    made = completed(1, 2, numbers, out={"a": place})
    assert made.results[0] is place and place.tolist() == numbers
    assert made.arrays[0].dtype == np.float64 and made.results[1].dtype == np.float32


@pytest.mark.parametrize(
    ("scalars", "expected"),
    [
        ((1, 2), {"s": 1.0, "z": [2.0, 0.0]}),
        ((np.array(1.5), np.complex64(1j)), {"s": 1.5, "z": [0.0, 1.0]}),
        ((np.float32("inf"), complex("nan")), {"s": "inf", "z": ["nan", 0.0]}),
    ],
)
def test_scalars_are_numbers_of_any_kind(scalars: Any, expected: dict[str, Any]) -> None:
    assert completed(*scalars, [1.0]).scalars == {**expected, "n": 1}


@pytest.mark.parametrize(
    ("scalars", "text"),
    [
        (("1", 2), "s must be a number, not '1'"),
        ((1j, 2), "s must be a number, not 1j"),
        ((None, 2), "s must be a number, not None"),
        ((np.zeros(2), 2), "s must be a number, not array"),
        ((1, "x"), "z must be a complex number, not 'x'"),
        ((10**400, 2), "s must be a number"),
    ],
)
def test_what_is_no_scalar_is_refused(scalars: Any, text: str) -> None:
    with pytest.raises(ArgumentError) as refused:
        completed(*scalars, [1.0])
    assert text in str(refused.value)


def test_several_results_need_names() -> None:
    with pytest.raises(ArgumentError, match=r"there are 2 results. Remedy: give out=\{'a': array"):
        completed(1, 2, [1.0], out=np.zeros(1))


@pytest.fixture(scope="module")
def serving() -> Iterator[DemoServer]:
    with DemoServer(2) as started:
        yield started


@needs_server
@pytest.mark.parametrize("mode", ["auto", "hand-off", "original"])
@pytest.mark.parametrize("wire", ["native", "xdr"])
def test_arrays_of_every_kind_are_sent_and_filled(
    serving: DemoServer, mode: str, wire: str
) -> None:
    import tasuki

    solve = tasuki.connect(serving.url, mode=mode, wire=wire).linpack.solve
    n = 200
    matrix = np.random.default_rng(1).standard_normal((n, n)) + n * np.eye(n)
    right = np.arange(n) + 1.0
    swapped = matrix.astype(matrix.dtype.newbyteorder("S"))
    for given in (swapped, swapped[::-1].copy()[::-1], np.asfortranarray(swapped), OfDlpack(matrix),
                  matrix.tolist(), memoryview(matrix)):  # fmt: skip
        for place in (np.empty(n), np.empty(n, ">f8"), np.empty(2 * n, ">f8")[::-2],
                      OfDlpack(np.empty(n)), array.array("d", bytes(8 * n))):  # fmt: skip
            assert solve(given, right, out=place) is place
            x = place.numbers if isinstance(place, OfDlpack) else np.asarray(place)
            np.testing.assert_allclose(matrix @ x, right, atol=1e-9)
    identity = np.broadcast_to(np.float64(4.0), (1, 1))
    np.testing.assert_array_equal(solve(identity, np.broadcast_to(8.0, 1)), [2])


PUTS = """
import sys, numpy as np, tasuki
def most_bytes():
    status = open("/proc/self/status").read()
    return int(status.split("VmHWM:")[1].split()[0]) << 10
server = tasuki.connect(sys.argv[1], mode=sys.argv[2])
n = 3000
whole = np.ones((n, 2 * n))
like = server.linpack.solve.A
server.put(np.ones((600, 600)).T, like=like).free()
before = most_bytes()
for view in (whole[:, ::2], whole[::-1, n - 1 :: -1], whole[:, :n].T, np.broadcast_to(1.0, (n, n)),
             whole[:, n:].view(">f8")):
    server.put(view, like=like).free()
    print(most_bytes() - before)
"""


@needs_server
@pytest.mark.parametrize("mode", ["auto", "hand-off", "relay"])
def test_no_array_is_copied_as_a_whole(serving: DemoServer, mode: str) -> None:
    """Each view has 72 MB."""
    result = subprocess.run(
        [sys.executable, "-c", PUTS, serving.url, mode], capture_output=True, text=True,
        timeout=120, env={"PYTHONPATH": str(REPOSITORY / "python")},
    )  # fmt: skip
    assert len(result.stdout.split()) == 5, result.stderr
    assert max(map(int, result.stdout.split())) < 16 << 20


@pytest.mark.parametrize(
    ("numbers", "dtype"),
    [
        ([30, 10, 20], "uint32"),
        ([[1, -2], (3, 4)], "int8"),
        ([2**64 - 1, 0], "uint64"),
        ([], "uint32"),
        ([[], []], "int16"),
    ],
)
def test_lists_of_integers_become_integers_of_the_type(numbers: list, dtype: str) -> None:
    array = array_to_send(numbers, Wanted("f", "keys", np.dtype(dtype)))
    assert array.dtype == dtype
    assert array.tolist() == np.array(numbers, object).tolist()


@pytest.mark.parametrize(
    ("numbers", "dtype", "named"),
    [
        ([30, -1, 20], "uint32", "-1"),
        ([1, 2**32], "uint32", "4294967296"),
        ([2**64, -1], "int64", "18446744073709551616"),
        ([[1, 2], [3, 200]], "int8", "200"),
    ],
)
def test_the_integer_that_a_type_does_not_hold_is_named(
    numbers: list, dtype: str, named: str
) -> None:
    with pytest.raises(ArgumentError, match=f"keys must be of {dtype}, .* its number {named}"):
        array_to_send(numbers, Wanted("f", "keys", np.dtype(dtype)))


def test_lists_of_other_numbers_are_no_integers() -> None:
    for numbers in ([1, 2.5], [True, 3.0], ["1"]):
        with pytest.raises(ArgumentError):
            array_to_send(numbers, Wanted("f", "keys", np.dtype("uint32")))
