"""Sync: an unbounded FIFO of objects between fibers, of one rank, used from any rank.

Thread-safety: the rank's own thread.
"""

import itertools
from typing import Any, Generic, TypeVar
from weakref import WeakValueDictionary

from tasuki.ranks import calls, extension

_T = TypeVar("_T")

# Rank and number -> the Sync there; where ranks share a process, those of all.
_known: WeakValueDictionary[tuple[int, int], "Sync[Any]"] = WeakValueDictionary()
_numbers = itertools.count()


class Sync(Generic[_T]):
    """Values in the order in which they were written. It belongs to the rank that made it, and
    lives as long as it is referred to there. Sent to another rank, it stands for the same queue.

        queue = ranks.Sync()
        ranks.post(1, lambda: queue.write("from rank 1"))
        print(queue.read())
    """

    def __init__(self) -> None:
        self._rank = extension.rank()
        self._number = next(_numbers)
        self._queue: extension.Queue | None = extension.Queue()
        _known[self._rank, self._number] = self

    @property
    def owner(self) -> int:
        """The rank it belongs to."""
        return self._rank

    def write(self, value: _T) -> None:
        """Appends a value; one-way from another rank."""
        if self._queue is not None:
            self._queue.write(value)
        else:
            calls.post(self._rank, _write, self._number, value)

    def read(self) -> _T:
        """Takes the oldest value; waits while there is none that an earlier reader will get."""
        if self._queue is not None:
            return self._queue.read()  # type: ignore[no-any-return]
        return calls.invoke(self._rank, _read, self._number)  # type: ignore[no-any-return]

    def peek(self) -> _T:
        """The oldest value, which stays; waits like `read`."""
        if self._queue is not None:
            return self._queue.peek()  # type: ignore[no-any-return]
        return calls.invoke(self._rank, _peek, self._number)  # type: ignore[no-any-return]

    def size(self) -> int:
        """Values that no waiting reader has been promised."""
        if self._queue is not None:
            return self._queue.size()
        return calls.invoke(self._rank, _size, self._number)

    def __reduce__(self) -> tuple[Any, ...]:
        return _sync_of, (self._rank, self._number)


def _sync_of(rank: int, number: int) -> Sync[Any]:
    """What arrives on this rank for the Sync of `rank`."""
    if rank == extension.rank():
        return _own(number)
    arrived: Sync[Any] = Sync.__new__(Sync)
    arrived._rank, arrived._number, arrived._queue = rank, number, None
    return arrived


def _own(number: int) -> Sync[Any]:
    found = _known.get((extension.rank(), number))
    if found is None:
        raise extension.make_error(
            "using a Sync of this rank",
            "nothing refers to it here any more",
            "keep it in a variable of this rank as long as others use it",
        )
    return found


def _write(number: int, value: Any) -> None:
    _own(number).write(value)


def _read(number: int) -> Any:
    return _own(number).read()


def _peek(number: int) -> Any:
    return _own(number).peek()


def _size(number: int) -> int:
    return _own(number).size()
