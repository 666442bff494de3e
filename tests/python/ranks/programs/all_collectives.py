"""Every collective, blocking and as a future, against its definition in NumPy."""

import array

import numpy as np
from tasuki import ranks

KINDS = ["bool", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f4", "f8", "c8", "c16"]
COUNT = 5


class Tensor:
    """An array that has DLPack and no buffer protocol."""

    def __init__(self, array: np.ndarray) -> None:
        self.array = array

    def __dlpack__(self, **options):
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


class ExportedCopy(Tensor):
    """One whose memory belongs to nobody but who has taken it by DLPack."""

    def __dlpack__(self, **options):
        return self.array.copy().__dlpack__(**options)


def of_rank(rank: int, kind: str, count: int) -> np.ndarray:
    """What rank `rank` gives: small numbers, exact in every type."""
    return ((np.arange(count) + rank) % 3 + 1).astype(kind)


def of_all(kind: str, count: int) -> list[np.ndarray]:
    return [of_rank(rank, kind, count) for rank in range(ranks.size())]


def both_forms(name: str):
    def of_future(*arguments, **named):
        assert getattr(ranks, f"{name}_async")(*arguments, **named).get() is None

    return getattr(ranks, name), of_future


def check_reductions(kind: str) -> None:
    inputs = of_all(kind, COUNT)
    mine = inputs[ranks.rank()]
    combine = np.logical_or.reduce if kind == "bool" else np.sum
    total = combine(inputs, axis=0).astype(kind)
    until = combine(inputs[: ranks.rank() + 1], axis=0).astype(kind)
    for allreduce in both_forms("allreduce"):
        data = mine.copy()
        allreduce(data)
        np.testing.assert_array_equal(data, total)
        output = np.zeros_like(mine)
        allreduce(mine, output, ranks.Sum)
        np.testing.assert_array_equal(output, total)
        one = mine[:1].copy()
        allreduce(one, op=ranks.Sum)
        np.testing.assert_array_equal(one, total[:1])
    for reduce in both_forms("reduce"):
        data = mine.copy()
        reduce(data, root=ranks.size() - 1)
        is_root = ranks.rank() == ranks.size() - 1
        np.testing.assert_array_equal(data, total if is_root else mine)
    for scan in both_forms("scan"):
        data = mine.copy()
        scan(data)
        np.testing.assert_array_equal(data, until)
    for exscan in both_forms("exscan"):
        output = np.zeros_like(mine)
        exscan(mine, output)
        before = combine(inputs[: ranks.rank()], axis=0).astype(kind) if ranks.rank() else output
        np.testing.assert_array_equal(output, before)


def check_reduce_scatter() -> None:
    size, rank = ranks.size(), ranks.rank()
    total = np.sum(of_all("f8", COUNT * size), axis=0)
    for reduce_scatter in both_forms("reduce_scatter"):
        output = np.zeros(COUNT)
        reduce_scatter(of_rank(rank, "f8", COUNT * size), output)
        np.testing.assert_array_equal(output, total[rank * COUNT : (rank + 1) * COUNT])
        counts = [one + 1 for one in range(size)]
        first = sum(counts[:rank])
        total_of_uneven = np.sum(of_all("f8", sum(counts)), axis=0)
        output = np.zeros(counts[rank])
        reduce_scatter(of_rank(rank, "f8", sum(counts)), output, ranks.Sum, counts)
        np.testing.assert_array_equal(output, total_of_uneven[first : first + counts[rank]])


def check_operators() -> None:
    inputs = np.array(of_all("i8", COUNT))
    expected = {
        ranks.Product: np.prod(inputs, axis=0),
        ranks.Min: np.min(inputs, axis=0),
        ranks.Max: np.max(inputs, axis=0),
        ranks.BitwiseAnd: np.bitwise_and.reduce(inputs),
        ranks.BitwiseOr: np.bitwise_or.reduce(inputs),
        ranks.BitwiseXor: np.bitwise_xor.reduce(inputs),
    }
    for operator, result in expected.items():
        data = inputs[ranks.rank()].copy()
        ranks.allreduce(data, op=operator)
        np.testing.assert_array_equal(data, result, str(operator))
    truths = {
        ranks.LogicalAnd: ranks.size() == 1,
        ranks.LogicalOr: True,
        ranks.LogicalXor: True,
    }
    for operator, truth in truths.items():
        one = np.array([2 if ranks.rank() == 0 else 0], "i2")  # True on rank 0 alone.
        ranks.allreduce(one, op=operator)
        assert bool(one[0]) == truth, operator


def check_moves(kind: str) -> None:
    size, rank = ranks.size(), ranks.rank()
    root = size - 1
    everything = np.concatenate(of_all(kind, COUNT))
    for broadcast in both_forms("broadcast"):
        data = of_rank(rank, kind, COUNT)
        broadcast(data, root)
        np.testing.assert_array_equal(data, of_rank(root, kind, COUNT))
    for gather in both_forms("gather"):
        output = np.zeros(COUNT * size, kind) if rank == root else None
        gather(of_rank(rank, kind, COUNT), output, root)
        assert rank != root or np.array_equal(output, everything)
    for scatter in both_forms("scatter"):
        output = np.zeros(COUNT, kind)
        scatter(everything if rank == root else None, output, root)
        np.testing.assert_array_equal(output, of_rank(rank, kind, COUNT))
    for allgather in both_forms("allgather"):
        output = np.zeros(COUNT * size, kind)
        allgather(of_rank(rank, kind, COUNT), output)
        np.testing.assert_array_equal(output, everything)
    for alltoall in both_forms("alltoall"):
        output = np.zeros(2 * size, kind)
        alltoall(of_rank(rank, kind, 2 * size), output)
        blocks = [one[2 * rank : 2 * rank + 2] for one in of_all(kind, 2 * size)]
        np.testing.assert_array_equal(output, np.concatenate(blocks))


def check_uneven_moves() -> None:
    size, rank = ranks.size(), ranks.rank()
    counts = [one + 1 for one in range(size)]
    blocks = ranks.Blocks(counts)
    mine = of_rank(rank, "i4", counts[rank])
    everything = np.concatenate([of_rank(one, "i4", counts[one]) for one in range(size)])
    for allgatherv in both_forms("allgatherv"):
        output = np.zeros(sum(counts), "i4")
        allgatherv(mine, output, blocks)
        np.testing.assert_array_equal(output, everything)
    for gatherv in both_forms("gatherv"):
        output = np.zeros(sum(counts), "i4") if rank == 0 else None
        gatherv(mine, output, blocks)
        assert rank != 0 or np.array_equal(output, everything)
    for scatterv in both_forms("scatterv"):
        output = np.zeros(counts[rank], "i4")
        scatterv(everything if rank == 0 else None, blocks, output)
        np.testing.assert_array_equal(output, mine)
    for alltoallv in both_forms("alltoallv"):
        output = np.zeros(sum(counts), "i4")
        sent = np.full(size * (rank + 1), rank, "i4")
        alltoallv(sent, ranks.Blocks([rank + 1] * size), output, blocks)
        np.testing.assert_array_equal(output, np.repeat(np.arange(size), counts))


def check_teams_and_buffers() -> None:
    rank = ranks.rank()
    half = ranks.world_team().split(rank % 2, key=-rank)
    members = [one for one in range(ranks.size()) if one % 2 == rank % 2]
    assert half.world_ranks() == members[::-1]
    assert half.world_rank(half.rank()) == rank and half.size() == len(members)
    buffer = array.array("q", [1, rank])
    ranks.allreduce(buffer, team=half)
    assert buffer.tolist() == [len(members), sum(members)]
    ranks.barrier(half)
    assert ranks.world_team().split(-1).is_empty()
    same = ranks.team_of(members, name=1)
    data = bytearray(b"\1\2")
    ranks.allreduce(data, op=ranks.Max, team=same)
    assert data == b"\1\2"
    records = np.zeros(3, dtype=[("key", "i4"), ("value", "f8")])
    records["key"] = rank
    ranks.broadcast(records, 0)
    assert records["key"].tolist() == [0, 0, 0]
    tensor = Tensor(np.full((2, 3), rank, "f4"))
    ranks.allreduce(tensor, op=ranks.Max)
    assert (tensor.array == ranks.size() - 1).all()
    ranks.broadcast_async(tensor, 0).get()
    sums = np.zeros(200_000)
    ranks.allreduce(ExportedCopy(np.full(200_000, 1.0)), sums)
    assert (sums == ranks.size()).all(), "the memory belonged to what was exported"
    matrix = np.full((2, 3), float(rank))
    ranks.allreduce(matrix, op=ranks.Max)
    assert (matrix == ranks.size() - 1).all()


def main() -> None:
    for kind in KINDS:
        check_reductions(kind)
        check_moves(kind)
    check_reduce_scatter()
    check_operators()
    check_uneven_moves()
    check_teams_and_buffers()
    futures = [ranks.barrier_async() for _ in range(3)]
    assert ranks.when_all(futures).get() == (None, None, None)
    ranks.barrier()
    if ranks.rank() == 0:
        print("all collectives are right")


ranks.run(main)
