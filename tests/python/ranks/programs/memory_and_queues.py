"""Arrays on ranks against NumPy's, by random reads and writes; queues from every rank."""

import random

import numpy as np
from tasuki import ranks

ROWS = 23


def raised_by(function, *arguments) -> str:
    try:
        function(*arguments)
    except (ranks.Error, IndexError, ValueError) as failure:
        return str(failure)
    raise AssertionError("nothing was raised")


def check_random(shape, dtype) -> None:
    """Rank by rank writes anywhere; afterwards all ranks see what NumPy says."""
    array = ranks.Array(shape, dtype)
    expected = np.zeros(shape, dtype)
    steps = random.Random(7)  # The same on all ranks.
    for step in range(40):
        first, end = sorted((steps.randrange(ROWS + 1), steps.randrange(ROWS + 1)))
        values = np.full((end - first, *expected.shape[1:]), step + 1, dtype)
        expected[first:end] = values
        if step % ranks.size() == ranks.rank():
            if step % 2:
                array.write_async(slice(first, end), values).get()
            else:
                array[first:end] = values
        ranks.barrier()
        row = steps.randrange(-ROWS, ROWS)
        np.testing.assert_array_equal(array[row], expected[row])
        np.testing.assert_array_equal(array.read_async(slice(first, end)).get(), values)
        ranks.barrier()
    np.testing.assert_array_equal(array[:], expected)
    np.testing.assert_array_equal(array.local, expected[array.local_indices(0)])
    array.free()


def check_sharing() -> None:
    array = ranks.Array(ROWS, np.int64)
    array.local[:] = ranks.rank()
    ranks.barrier()
    owners = [array.owner(row) for row in range(ROWS)]
    assert array[:].tolist() == owners and len(array) == ROWS
    last = ranks.size() - 1
    there = ranks.invoke(last, lambda: (array.local.tolist(), array.local_indices(0).tolist()))
    its_rows = [row for row in range(ROWS) if owners[row] == last]
    assert there == ([last] * len(its_rows), its_rows)
    ranks.barrier()
    before = array.fetch_add(ROWS - 1, 10)
    assert (before - last) % 10 == 0
    ranks.barrier()
    assert array[ROWS - 1] == last + 10 * ranks.size()
    ranks.barrier()
    array[3] = 5
    ranks.fence()
    assert "index 99 along a dimension of 23 indices" in raised_by(array.__getitem__, 99)
    assert "broadcast" in raised_by(array.__setitem__, slice(0, 4), np.zeros(3))
    assert "does not apply" in raised_by(ranks.Array(1, np.int8).fetch_add, 0, 1)
    assert "there is none of shape" in raised_by(ranks.Array, 3, object)


def check_queues() -> None:
    queue = ranks.Sync()
    everybody = range(ranks.size())
    for rank in everybody:
        ranks.post(rank, lambda: queue.write(("from", ranks.rank())))
    assert sorted(queue.read() for _ in everybody) == [("from", rank) for rank in everybody]
    right = (ranks.rank() + 1) % ranks.size()
    answer = ranks.ainvoke(right, lambda: queue.read() + queue.read())
    queue.write("a")
    assert queue.owner == ranks.rank()
    queue.write("b")
    assert answer.get() == "ab"
    queue.write(None)
    queue.write("last")
    seen = ranks.invoke(right, lambda: (queue.size(), queue.peek(), queue.read(), queue.peek()))
    assert seen == (2, None, None, "last") and queue.size() == 1
    ranks.barrier()


def kept_nowhere() -> ranks.Sync:
    return ranks.Sync()


def main() -> None:
    check_random(ROWS, np.float64)
    check_random((ROWS, 3), np.int16)
    check_random((ROWS, 2, 2), np.dtype([("key", "i4"), ("value", "f8")]))
    check_random((ROWS, 100, 50), np.float32)
    check_sharing()
    check_queues()
    if ranks.size() > 1 and ranks.rank() == 0:
        gone = ranks.invoke(1, kept_nowhere)
        assert "nothing refers to it here any more" in raised_by(gone.read)
    ranks.barrier()
    if ranks.rank() == 0:
        print("memory and queues are right")


ranks.run(main)
