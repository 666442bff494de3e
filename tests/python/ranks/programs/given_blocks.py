"""Arrays over blocks of the program's: what may be one, how long it is kept, what is refused."""

import array as standard
import gc
import weakref

import numpy as np
from array_model import raised_by
from tasuki import ranks


class Tensor:
    """An array that has DLPack and no buffer protocol."""

    def __init__(self, elements: np.ndarray) -> None:
        self.elements = elements

    def __dlpack__(self, **options):
        return self.elements.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.elements.__dlpack_device__()


def check_kinds() -> None:
    """Each rank has three elements, and writes the first one of the next rank."""
    size = ranks.size()
    record = np.dtype([("key", "i4"), ("name", "S3")])
    blocks = [
        np.zeros(3, np.int64),
        np.zeros(3, ">i2"),
        np.zeros(3, record),
        np.zeros(3, "M8[s]"),
        standard.array("d", [0, 0, 0]),
        bytearray(3),
        memoryview(bytearray(24)).cast("q"),
        Tensor(np.zeros(3, np.float32)),
    ]
    for block in blocks:
        array = ranks.Array.of_block(block, 3 * size)
        values = np.array([(7, b"abc")], record) if array.dtype == record else np.array([7])
        value = values.astype(array.dtype)[0]
        array[(3 * ranks.rank() + 3) % (3 * size)] = value
        ranks.barrier()
        assert array.local[0] == value == array[0] and array.local[1] != value
        if isinstance(block, Tensor):
            assert np.shares_memory(block.elements, array.local)
        else:
            assert np.shares_memory(np.asarray(block), array.local)
        ranks.barrier()
        array.free()


def check_tensor_in_columns() -> None:
    """Its memory may belong to nobody but what it has exported."""
    block = np.zeros((2, 3), np.float64, "F")
    array = ranks.Array.of_block(Tensor(block), (2 * ranks.size(), 3), order="F")
    array.local[1, 2] = ranks.rank() + 1
    ranks.barrier()
    assert block[1, 2] == ranks.rank() + 1 and array.local.strides == block.strides
    is_alive = weakref.ref(block)
    del block
    gc.collect()
    assert is_alive() is not None and array[-1, -1] == ranks.size()
    ranks.barrier()


def check_atomics() -> None:
    array = ranks.Array.of_block(np.zeros(1, np.int64), ranks.size())
    for _ in range(10):
        array.fetch_add(ranks.size() - 1, 1)
    ranks.barrier()
    assert array[ranks.size() - 1] == 10 * ranks.size()
    ranks.barrier()


def check_lifetime() -> None:
    """The block lives as long as the Array, which lives until it is freed."""
    block = np.full(2, float(ranks.rank()))
    is_alive = weakref.ref(block)
    array = ranks.Array.of_block(block, 2 * ranks.size())
    del block, array.local
    gc.collect()
    ranks.barrier()
    last = ranks.size() - 1
    assert is_alive() is not None and array[2 * last] == last
    array.free()
    gc.collect()
    assert is_alive() is None
    assert "it has been freed" in raised_by(array.__getitem__, 0)
    assert "it has been freed" in raised_by(array.free)
    bytes_ = bytearray(2)
    array = ranks.Array.of_block(bytes_, 2 * ranks.size())
    assert "cannot be re-sized" in raised_by_resizing(bytes_)
    array.free()
    bytes_.append(0)


def raised_by_resizing(block: bytearray) -> str:
    try:
        block.append(0)
    except BufferError as failure:
        return str(failure)
    raise AssertionError("it has moved while others may write it")


def unaligned():
    return np.frombuffer(bytearray(25), np.uint8)[1:].view(np.float64)


def read_only():
    block = np.zeros(3)
    block.flags.writeable = False
    return block


def check_refused_on_all() -> None:
    """What is wrong on the last rank alone is an error on all."""
    last = ranks.size() - 1
    columns = np.zeros((3, 4), order="F")
    cases = [
        (np.zeros(2), {}, "has the shape (2,), but its part of the Array (3,)"),
        (np.zeros((3, 1)), {}, "has the shape (3, 1), but its part"),
        (np.zeros(6)[::2], {}, "is not contiguous in order C. Remedy: give numpy.ascontiguousarr"),
        (columns, {}, "is not contiguous in order C. Remedy: make the Array with order='F'"),
        (columns[:, :1], {"order": "F"}, "has the shape (3, 1)"),
        (np.zeros((3, 4)), {"order": "F"}, "in order F. Remedy: make the Array with order='C'"),
        (unaligned(), {}, "does not lie where elements of float64 may lie"),
        (read_only(), {}, "may not be written. Remedy: give block.copy()"),
        ([0.0, 0.0, 0.0], {}, "the block is a list, which is no array. Remedy: pass a NumPy array"),
        (Tensor(np.zeros(6)[::2]), {}, "with the strides (16,), is not contiguous"),
        (np.array([None]), {}, "there is none of shape"),
        (np.zeros(3), {"order": "A"}, """its order is 'A'. Remedy: give "C" or "F\""""),
        (np.zeros(3), {"shape": 3.5}, "'float' object cannot be interpreted as an integer"),
        (np.zeros(3), {"shape": 2**70}, "OverflowError"),
        (np.zeros(3), {"distributions": [ranks.Block]}, "is no distribution. Remedy: give ranks."),
        (np.zeros(3), {"grid": (1, 1)}, "1 dimensions, and the grid (1, 1) 2. Remedy: give the nu"),
        (np.zeros(3), {"grid": ranks.size() + 1}, f"cannot fill the grid ({ranks.size() + 1},)"),
        (np.zeros(3), {"grid": -1}, "cannot fill the grid (-1,). Remedy: give numbers whose prod"),
        (np.zeros(3), {"grid": 2**40}, f"cannot fill the grid ({2**40},)"),
    ]
    for block, wrong, expected in cases:
        mine = block if ranks.rank() == last else np.zeros(3)
        named = {"shape": 3 * ranks.size(), **(wrong if ranks.rank() == last else {})}
        text = raised_by(ranks.Array.of_block, mine, **named)
        assert expected in text and f"tasuki: rank {ranks.rank()}: " in text, text
        assert ranks.rank() == last or f"on rank {last} of the team" in text, text


def check_differences() -> None:
    """What is right on each rank, but not the same."""
    size = ranks.size()
    if size == 1:
        return
    is_last = ranks.rank() == size - 1
    text = raised_by(ranks.Array.of_block, np.zeros(3, "f4" if is_last else "f8"), 3 * size)
    assert f"of <f4 in blocks of the program's on rank {size - 1}" in text
    if is_last:
        text = raised_by(ranks.Array, 3 * size)
    else:
        text = raised_by(ranks.Array.of_block, np.zeros(3), 3 * size)
    assert "Remedy: make it in the same way" in text
    both = [ranks.Block(), ranks.Block()]
    text = raised_by(ranks.Array, (4, 4), int, both, grid=(1, size) if is_last else (size, 1))
    assert f"grid of 1 x {size} ranks" in text and f"grid of {size} x 1 ranks" in text
    whole = [ranks.Whole(), ranks.Block()]
    text = raised_by(ranks.Array, (4, 4), int, whole, grid=(size, 1) if is_last else (1, size))
    assert f"an axis that is whole has {size} processes" in text
    text = raised_by(ranks.Array, (4, 4), order="F" if is_last else "C")
    assert "in column-major order" in text and "in row-major order" in text


def main() -> None:
    check_kinds()
    check_tensor_in_columns()
    check_atomics()
    check_lifetime()
    check_refused_on_all()
    check_differences()
    # A rank without elements gives a block without elements, of any shape.
    mine = np.zeros((1, 2) if ranks.rank() == 0 else 0)
    one = ranks.Array.of_block(mine, (1, 2))
    ranks.barrier()
    assert one[0, 1] == 0 and one.local.shape == ((1, 2) if ranks.rank() == 0 else (0, 2))
    ranks.barrier()
    if ranks.rank() == 0:
        print("all blocks are right")


ranks.run(main)
