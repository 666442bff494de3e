"""Where `tasuki tune` measures: numbers of ranks on this host, or a job on several hosts."""

from collections.abc import Sequence
from typing import NamedTuple

from tasuki.base.errors import usage_error
from tasuki.launcher.hosts import Host, most_ranks_of, place_all, ranks_of, text_of_hosts
from tasuki.measurement.measurer import JobNodes
from tasuki.measurement.policy_parts import ANYWHERE, NodeRange
from tasuki.output.place import ranks_and_place

RANKS_HERE = range(2, 9)
TRANSPORT_HERE = "shm"
# Which passes requests on to the first rank, wherever that is.
TRANSPORT_OF_HOSTS = "mpi"
NAME_ONCE = "name each host once, as in: --hosts a:4,b:2"


class TunePlace(NamedTuple):
    """`hosts` with their numbers of ranks; none: each number of ranks is measured here."""

    ranks: Sequence[int]
    transport: str
    hosts: Sequence[Host] = ()

    def most_ranks_per_host(self, ranks: int) -> int:
        return most_ranks_of(self.hosts) if self.hosts else ranks

    def text_of(self, ranks: int) -> str:
        return ranks_and_place(ranks, len(self.hosts))

    def require_hosts(self, nodes: JobNodes) -> None:
        """Raises CommandError (exit code 2) if several names are of one host."""
        if self.hosts and nodes.count != len(self.hosts):
            happened = f"{len(self.hosts)} names of {nodes.count} host{'s' * (nodes.count > 1)}"
            named = f"--hosts {text_of_hosts(self.hosts)}"
            raise usage_error("tune", f"{named}: {happened}", NAME_ONCE)

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
    placed = place_all("tune", hosts, ranks is not None)
    if transport not in (None, TRANSPORT_OF_HOSTS):
        remedy = "leave --transport out: jobs on several hosts are measured over MPI"
        raise usage_error("tune", f"--transport {transport} and --hosts", remedy)
    names = [host.name for host in placed]
    if len(set(names)) < len(names):
        raise usage_error("tune", f"--hosts {hosts}: the same host twice", NAME_ONCE)
    ranks_count = ranks_of(placed)
    if ranks_count < 2:
        remedy = "give the host more, or name others, as in: --hosts a:2,b:2"
        raise usage_error("tune", f"--hosts {hosts}: one rank has no collectives", remedy)
    return TunePlace([ranks_count], TRANSPORT_OF_HOSTS, placed)
