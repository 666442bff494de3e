"""Where `tasuki tune` measures: numbers of ranks on this host, or a job on several hosts."""

from collections.abc import Sequence
from typing import NamedTuple

from tasuki.base.errors import usage_error
from tasuki.launcher.hosts import Host, most_ranks_of, ranks_of
from tasuki.measurement.measured_hosts import hosts_to_measure
from tasuki.measurement.measurer import JobNodes
from tasuki.measurement.policy_parts import ANYWHERE, NodeRange
from tasuki.measurement.race import Result
from tasuki.output.place import by_place, ranks_and_place, where

RANKS_HERE = range(2, 9)
TRANSPORT_HERE = "shm"
# Which passes requests on to the first rank, wherever that is.
TRANSPORT_OF_HOSTS = "mpi"


class TunePlace(NamedTuple):
    """`hosts` with their numbers of ranks; none: each number of ranks is measured here."""

    ranks: Sequence[int]
    transport: str
    hosts: Sequence[Host] = ()

    def most_ranks_per_host(self, ranks: int) -> int:
        return most_ranks_of(self.hosts) if self.hosts else ranks

    def text_of(self, ranks: int) -> str:
        return ranks_and_place(ranks, len(self.hosts))

    def groups_of(self, results: Sequence[Result]) -> dict[str, list[Result]]:
        """Results by how a sentence about them begins."""
        if self.hosts:
            return {f"With {self.text_of(self.ranks[0])}": list(results)}
        found = by_place(results, lambda one: one.cell.ranks)
        return {where(place): group for place, group in found.items()}

    def range_of(self, nodes: JobNodes) -> NodeRange:
        """Where the results hold: a job tells of no more nodes than it had, nor of fuller ones.
        Over shared memory there is only one."""
        if self.transport == TRANSPORT_HERE:
            return ANYWHERE
        if nodes.count == 1:
            return NodeRange(1, 1)
        return NodeRange(2, nodes.count, nodes.most_ranks)


def tune_place(hosts: str | None, ranks: Sequence[int] | None, transport: str | None) -> TunePlace:
    """What the options say, None where they say nothing. Raises CommandError (exit code 2) if they
    say nothing that can be measured."""
    if hosts is None:
        return TunePlace(ranks or RANKS_HERE, transport or TRANSPORT_HERE)
    placed = hosts_to_measure("tune", hosts, ranks is not None)
    if transport not in (None, TRANSPORT_OF_HOSTS):
        remedy = "leave --transport out: jobs on several hosts are measured over MPI"
        raise usage_error("tune", f"--transport {transport} and --hosts", remedy)
    return TunePlace([ranks_of(placed)], TRANSPORT_OF_HOSTS, placed)
