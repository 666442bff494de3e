"""Collectives on objects, in every form."""

import threading

import numpy as np
from tasuki import ranks


def text_of(function, *arguments, **named):
    try:
        function(*arguments, **named)
    except ranks.Error as failure:
        return str(failure)
    raise AssertionError("nothing was raised")


def check_moves(team, rank, size):
    root = size - 1
    value = {"rank": rank, "data": np.arange(100_000)} if rank == root else None
    got = ranks.broadcast_object(value, root, team)
    assert got["rank"] == root and got["data"][-1] == 99_999
    texts = ["x" * one for one in range(size)]
    assert ranks.allgather_objects("x" * rank, team) == texts
    gathered = ranks.gather_objects("x" * rank, root, team)
    assert gathered == (texts if rank == root else None)
    parts = [(one, "part") for one in range(size)] if rank == root else None
    assert ranks.scatter_objects(parts, root, team) == (rank, "part")


def check_reductions(team, rank, size):
    total = size * (size - 1) / 2
    assert ranks.allreduce_object(float(rank), team=team) == total
    assert ranks.allreduce_object(2**70, team=team) == size * 2**70
    assert ranks.allreduce_object(rank + 1, ranks.Product, team) == np.prod(range(1, size + 1))
    assert ranks.allreduce_object((abs(rank - 1), rank), ranks.Min, team) == (
        (0, 1) if size > 1 else (1, 0)
    )
    assert ranks.allreduce_object(rank == 0, ranks.LogicalXor, team) is True
    assert ranks.allreduce_object(1 << rank, ranks.BitwiseOr, team) == (1 << size) - 1
    digits = "".join(map(str, range(size)))
    joined = ranks.reduce_object(str(rank), lambda one, other: one + other, 0, team)
    assert joined == (digits if rank == 0 else None), "in rank order"
    assert ranks.allreduce_object({rank}, set.union, team) == set(range(size))


def check_failures(rank, size):
    lock = threading.Lock() if rank == size - 1 else 1
    for collective in (ranks.allgather_objects, ranks.gather_objects, ranks.allreduce_object):
        text = text_of(collective, lock)
        assert f"rank {size - 1} of the team has no values to send" in text
        assert rank != size - 1 or "cannot pickle '_thread.lock' object" in text
    text = text_of(ranks.broadcast_object, lock, size - 1)
    assert f"rank {size - 1} of the team has no values to send" in text
    text = text_of(ranks.scatter_objects, [1] * (size + 1))
    assert "scatter_objects: rank 0 of the team has no values to send" in text
    assert rank != 0 or f"{size + 1} values for {size} ranks" in text


def main():
    rank, size = ranks.rank(), ranks.size()
    check_moves(None, rank, size)
    check_reductions(None, rank, size)
    half = ranks.world_team().split(rank % 2, key=-rank)
    check_moves(half, half.rank(), half.size())
    check_reductions(half, half.rank(), half.size())
    check_failures(rank, size)
    ranks.barrier()
    if rank == 0:
        print("all objects are right")


ranks.run(main)
