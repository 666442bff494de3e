"""Who can go on in a job whose ranks wait for each other: the deadlocks of the AND-OR model
(E. Knapp: Deadlock detection in distributed databases, ACM Computing Surveys 19, 1987)."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple


class Wait(NamedTuple):
    """A thread waits for all of the ranks (`needs_all`), or for any of them. It goes on by itself
    if there are none."""

    ranks: tuple[int, ...]
    needs_all: bool = True

    def can_end(self, going: set[int]) -> bool:
        if not self.ranks:
            return True
        arrived = (rank in going for rank in self.ranks)
        return all(arrived) if self.needs_all else any(arrived)


def ranks_that_can_go_on(waits: Mapping[int, Iterable[Wait]]) -> set[int]:
    """Those of which a thread does not wait, or waits for what can go on. A rank without threads
    never does."""
    going: set[int] = set()
    while True:
        more = {
            rank
            for rank, threads in waits.items()
            if rank not in going and any(one.can_end(going) for one in threads)
        }
        if not more:
            return going
        going |= more


def cycles(waits: Mapping[int, Iterable[Wait]], stuck: set[int]) -> list[tuple[int, ...]]:
    """Cycles of ranks of which each waits for the next and the last for the first, from the lowest
    rank on: one for each group of stuck ranks that wait for each other."""
    following = {
        rank: next((peer for one in threads for peer in sorted(one.ranks) if peer in stuck), None)
        for rank, threads in waits.items()
        if rank in stuck
    }
    found = []
    seen: set[int] = set()
    for first in sorted(following):
        path: list[int] = []
        rank: int | None = first
        while rank is not None and rank not in seen:
            seen.add(rank)
            path.append(rank)
            rank = following.get(rank)
        if rank in path:
            cycle = path[path.index(rank) :]
            lowest = cycle.index(min(cycle))
            found.append((*cycle[lowest:], *cycle[:lowest]))
    return found


def roots(rank: int, waits: Mapping[int, Iterable[Wait]]) -> set[int]:
    """The ranks at the end of all that `rank` waits for: they wait for nobody."""
    found, open_ranks, seen = set(), [rank], {rank}
    while open_ranks:
        one = open_ranks.pop()
        peers = {peer for wait in waits.get(one, ()) for peer in wait.ranks}
        if not peers:
            found.add(one)
        open_ranks += peers - seen
        seen |= peers
    return found
