"""Collectives on objects of Python: numbers, and whatever can be pickled.

They return the values, unlike those on arrays, which work in place and are faster. Each is a
collective of sizes and one of the pickled bytes. An object that cannot be pickled on one rank is an
error on all of them.
"""

import functools
import operator
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import numpy as np

from tasuki.ranks import extension, pickled
from tasuki.ranks.extension import Blocks, Operator, Team

_T = TypeVar("_T")

_FAILED = -1  # In place of a size: the rank has nothing to send.

_FUNCTIONS: dict[Operator, Callable[[Any, Any], Any]] = {
    Operator.Sum: operator.add,
    Operator.Product: operator.mul,
    Operator.Min: min,
    Operator.Max: max,
    Operator.LogicalAnd: lambda one, other: bool(one) and bool(other),
    Operator.LogicalOr: lambda one, other: bool(one) or bool(other),
    Operator.LogicalXor: lambda one, other: bool(one) != bool(other),
    Operator.BitwiseAnd: operator.and_,
    Operator.BitwiseOr: operator.or_,
    Operator.BitwiseXor: operator.xor,
    Operator.MinLocation: lambda *pair: min(pair, key=lambda one: (one.value, one.location)),
    Operator.MaxLocation: lambda *pair: max(pair, key=lambda one: (one.value, -one.location)),
}


def broadcast_object(value: Any = None, root: int = 0, team: Team | None = None) -> Any:
    """Returns the value of `root` on all ranks; that of others does not matter.

    parameters = ranks.broadcast_object({"steps": 10} if ranks.rank() == 0 else None)
    """
    own = _Pickled(value) if _rank(team) == root else None
    size = np.array([own.size if own is not None else 0], np.int64)
    extension.broadcast(size, root, team)
    _check_sizes("broadcast_object", size, own, first_rank=root)
    data = np.frombuffer(own.data, np.uint8).copy() if own else np.empty(size[0], np.uint8)
    extension.broadcast(data, root, team)
    return pickled.loads(data.data) if own is None else value


def allgather_objects(value: _T, team: Team | None = None) -> list[_T]:
    """Returns the values of all ranks, in rank order.

    names = ranks.allgather_objects(socket.gethostname())
    """
    own = _Pickled(value)
    sizes = _all_sizes("allgather_objects", own, team)
    everything = np.empty(int(sizes.sum()), np.uint8)
    extension.allgatherv(own.array(), everything, Blocks(sizes.tolist()), team)
    return _values(everything, sizes)


def gather_objects(value: _T, root: int = 0, team: Team | None = None) -> list[_T] | None:
    """Returns on `root` the values of all ranks, in rank order, and None on others.

    errors = ranks.gather_objects(error_of_this_rank)
    """
    own = _Pickled(value)
    sizes = _all_sizes("gather_objects", own, team)
    everything = np.empty(int(sizes.sum()), np.uint8) if _rank(team) == root else None
    extension.gatherv(own.array(), everything, Blocks(sizes.tolist()), root, team)
    return None if everything is None else _values(everything, sizes)


def scatter_objects(
    values: Sequence[_T] | None = None, root: int = 0, team: Team | None = None
) -> _T:
    """Returns to rank i the value i of `root`'s; those of others do not matter.

    Raises Error on all ranks: there are not as many values as ranks.
        part = ranks.scatter_objects(parts if ranks.rank() == 0 else None)
    """
    team_size = extension.size() if team is None else team.size()
    own = None
    sizes = np.zeros(team_size, np.int64)
    if _rank(team) == root:
        own = _PickledRow(values, team_size)
        sizes[:] = own.sizes
    extension.broadcast(sizes, root, team)
    _check_sizes("scatter_objects", sizes[:1], own, first_rank=root)
    data = np.empty(sizes[_rank(team)], np.uint8)
    extension.scatterv(own.array() if own else None, Blocks(sizes.tolist()), data, root, team)
    result: _T = pickled.loads(data.data)
    return result


def reduce_object(
    value: _T,
    op: Operator | Callable[[_T, _T], _T] = Operator.Sum,
    root: int = 0,
    team: Team | None = None,
) -> _T | None:
    """Returns on `root` the values of all ranks combined, from the first rank to the last, and None
    on others. `op` is an operator or a function of two values, which need not commute.

    union = ranks.reduce_object({ranks.rank()}, lambda one, other: one | other)
    """
    values = gather_objects(value, root, team)
    return None if values is None else functools.reduce(_function(op), values)


def allreduce_object(
    value: _T,
    op: Operator | Callable[[_T, _T], _T] = Operator.Sum,
    team: Team | None = None,
) -> _T:
    """The same on all ranks, each of which combines all values. With `Min`, a pair of a value and
    its rank gives the smallest value and the first rank that has it.

    total = ranks.allreduce_object(3.5)
    smallest, where = ranks.allreduce_object((error, ranks.rank()), ranks.Min)
    """
    return functools.reduce(_function(op), allgather_objects(value, team))


class _Pickled:
    """The bytes of this rank's value, or why there are none."""

    def __init__(self, value: object) -> None:
        self.failure: Exception | None = None
        self.data = b""
        try:
            self.data = pickled.dumps(value)
        except Exception as failure:
            self.failure = failure
        self.size = len(self.data) if self.failure is None else _FAILED

    def array(self) -> Any:
        return np.frombuffer(self.data, np.uint8)


class _PickledRow:
    """The same of a value for each rank."""

    def __init__(self, values: Any, count: int) -> None:
        self.failure: Exception | None = None
        self.data = b""
        self.sizes = [_FAILED] * count
        try:
            if len(values) != count:
                raise ValueError(f"{len(values)} values for {count} ranks")
            parts = [pickled.dumps(value) for value in values]
            self.data = b"".join(parts)
            self.sizes = [len(part) for part in parts]
        except Exception as failure:
            self.failure = failure

    def array(self) -> Any:
        return np.frombuffer(self.data, np.uint8)


def _rank(team: Team | None) -> int:
    return extension.rank() if team is None else team.rank()


def _function(op: Any) -> Callable[[Any, Any], Any]:
    return _FUNCTIONS[op] if isinstance(op, Operator) else op


def _all_sizes(operation: str, own: _Pickled, team: Team | None) -> Any:
    sizes = np.empty(extension.size() if team is None else team.size(), np.int64)
    extension.allgather(np.array([own.size], np.int64), sizes, team)
    _check_sizes(operation, sizes, own)
    return sizes


def _check_sizes(operation: str, sizes: Any, own: Any, first_rank: int = 0) -> None:
    """Raises Error on all ranks if one has failed."""
    failed = np.flatnonzero(sizes == _FAILED)
    if len(failed) == 0:
        return
    rank = first_rank + int(failed[0])
    failure = own.failure if own is not None else None
    why = f": {failure}" if failure is not None else ""
    raise extension.make_error(
        operation,
        f"rank {rank} of the team has no values to send{why}",
        "give what pickle or cloudpickle takes, and to scatter_objects a value for each rank",
    ) from failure


def _values(everything: Any, sizes: Any) -> list[Any]:
    ends = np.cumsum(sizes)
    return [
        pickled.loads(everything[end - size : end].data)
        for end, size in zip(ends, sizes, strict=True)
    ]
