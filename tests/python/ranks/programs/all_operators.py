"""Functions of Python as operators, values with a location, and numbers."""

import functools

import numpy as np
from tasuki import ranks

# One element goes a way of its own; many go in pieces.
COUNTS = [1, 7, 100_000]


def raised_by(function, *arguments, **named) -> str:
    try:
        function(*arguments, **named)
    except (ranks.Error, ValueError, TypeError) as failure:
        return str(failure)
    raise AssertionError("nothing was raised")


def affine(one, other):
    """Composes x -> a x + b; does not commute."""
    result = np.empty_like(one)
    result["a"] = one["a"] * other["a"]
    result["b"] = one["b"] * other["a"] + other["b"]
    return result


def affine_of(rank, count):
    made = np.zeros(count, [("a", "i8"), ("b", "i8")])
    made["a"] = 2 + rank
    made["b"] = np.arange(count) + rank
    return made


def check_order(count) -> None:
    """What does not commute is combined in the order of the ranks."""
    inputs = [affine_of(rank, count) for rank in range(ranks.size())]
    mine = inputs[ranks.rank()]
    until = list(
        functools.reduce(lambda all_, one: [*all_, affine(all_[-1], one)], inputs[1:], inputs[:1])
    )
    total = until[-1]
    data = mine.copy()
    ranks.allreduce(data, op=affine)
    np.testing.assert_array_equal(data, total)
    output = np.zeros_like(mine)
    ranks.allreduce_async(mine, output, affine).get()
    np.testing.assert_array_equal(output, total)
    data = mine.copy()
    ranks.scan(data, op=affine)
    np.testing.assert_array_equal(data, until[ranks.rank()])
    root = ranks.size() - 1
    data = mine.copy()
    ranks.reduce(data, op=affine, root=root)
    np.testing.assert_array_equal(data, total if ranks.rank() == root else mine)
    output = mine.copy()
    ranks.exscan(mine, output, affine)
    before = until[ranks.rank() - 1] if ranks.rank() else mine
    np.testing.assert_array_equal(output, before)


def largest(one, other):
    return np.maximum(one, other)


def check_functions() -> None:
    largest.commutative = True
    top = float(ranks.size() - 1)
    for count in COUNTS:
        check_order(count)
        data = np.full(count, float(ranks.rank()), "f2")
        ranks.allreduce(data, op=largest)
        assert (data == top).all()
        ranks.allreduce(data, op=np.hypot)
    output = np.zeros(2)
    ranks.reduce_scatter(np.full(2 * ranks.size(), 2.0), output, lambda one, other: one * other)
    assert (output == 2.0 ** ranks.size()).all()
    buffer = bytearray([1, ranks.rank()])
    ranks.allreduce(buffer, op=largest)
    assert buffer == bytes([1, ranks.size() - 1])


def fail(_one, _other):
    raise ValueError("of the operator")


def check_failures() -> None:
    """Who calls the function hears of it; with several ranks somebody does."""
    heard = 0
    for call in (
        ranks.allreduce,
        lambda *given, **named: ranks.allreduce_async(*given, **named).get(),
    ):
        data = np.zeros(3)
        try:
            call(data, op=fail)
        except ValueError as failure:
            assert str(failure) == "of the operator"
            heard += 1
    everybody = ranks.allreduce(heard)
    assert (everybody > 0) == (ranks.size() > 1)
    wrong = raised_by(ranks.allreduce, np.zeros(2), op="sum")
    assert "op is a str. Remedy: give an operator, as ranks.Max, or a function" in wrong
    assert "does not apply to elements of float64" in raised_by(
        ranks.allreduce, np.zeros(2), op=ranks.MinLocation
    )


def check_locations() -> None:
    rank, size = ranks.rank(), ranks.size()
    for kind in ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f4", "f8"]:
        for count in (1, 1000):
            pairs = np.zeros(count, ranks.Located.dtype(kind))
            pairs["value"] = 5 + abs(rank - 1)
            pairs["location"] = 10 + rank
            least, most = pairs.copy(), pairs.copy()
            ranks.allreduce(least, op=ranks.MinLocation)
            ranks.allreduce_async(most, op=ranks.MaxLocation).get()
            values = [5 + abs(one - 1) for one in range(size)]
            for found, value in ((least, min(values)), (most, max(values))):
                assert (found["value"] == value).all()
                assert (found["location"] == 10 + values.index(value)).all()
    mine = ranks.Located(0.5 - rank, rank)
    assert ranks.allreduce(mine, op=ranks.MinLocation) == (1.5 - size, size - 1)
    assert ranks.allreduce(ranks.Located(7, rank), op=ranks.MaxLocation) == (7, 0)
    assert ranks.allreduce_object(ranks.Located(7, rank), ranks.MaxLocation).location == 0


def check_numbers() -> None:
    rank, size = ranks.rank(), ranks.size()
    expected = {
        ranks.Sum: sum(range(1, size + 1)),
        ranks.Product: np.prod(range(1, size + 1)),
        ranks.Min: 1,
        ranks.Max: size,
        ranks.BitwiseOr: functools.reduce(int.__or__, range(1, size + 1)),
        ranks.BitwiseAnd: functools.reduce(int.__and__, range(1, size + 1)),
        ranks.BitwiseXor: functools.reduce(int.__xor__, range(1, size + 1)),
        ranks.LogicalAnd: True,
    }
    for operator, value in expected.items():
        found = ranks.allreduce(rank + 1, op=operator)
        assert found == value and type(found) is (bool if value is True else int)
    assert ranks.allreduce(3.5) == 3.5 * size
    assert ranks.allreduce(True) == size
    assert ranks.allreduce(rank == 0, op=ranks.LogicalOr) is True
    assert ranks.allreduce(np.float32(0.5), op=ranks.Max) == 0.5
    assert ranks.allreduce(1j + rank) == size * 1j + size * (size - 1) / 2
    mixed = ranks.allreduce(1 if rank % 2 else 0.5)
    assert mixed == sum(1 if one % 2 else 0.5 for one in range(size)) and type(mixed) is float
    half = ranks.world_team().split(rank % 2)
    assert ranks.allreduce(1, team=half) == half.size()
    for wrong, more in [
        (raised_by(ranks.allreduce, 2**70), "more than 64 bits"),
        (raised_by(ranks.allreduce, 2**63 - 1) if size > 1 else "more than 64 bits", "64 bits"),
        (raised_by(ranks.allreduce, 1.5, op=ranks.BitwiseOr), "bitwise operators integers"),
        (raised_by(ranks.allreduce, 1j, op=ranks.Max), "complex numbers Sum or Product"),
        (raised_by(ranks.allreduce, 1, op=ranks.MinLocation), "a ranks.Located"),
        (raised_by(ranks.allreduce, 1, op=max), "use allreduce_object"),
    ]:
        assert more in wrong, wrong


def main() -> None:
    check_functions()
    check_failures()
    check_locations()
    check_numbers()
    ranks.barrier()
    if ranks.rank() == 0:
        print("all operators are right")


ranks.run(main)
