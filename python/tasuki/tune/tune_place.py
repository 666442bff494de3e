"""Where `tasuki tune` measures: numbers of ranks on this host, or a job on several hosts."""

from collections.abc import Sequence
from typing import NamedTuple

from tasuki.base.errors import usage_error
from tasuki.launcher.hosts import Host, parse_hosts, place_ranks

RANKS_HERE = range(2, 9)
TRANSPORT_HERE = "shm"
# Which passes requests on to the first rank, wherever that is.
TRANSPORT_OF_HOSTS = "mpi"


class TunePlace(NamedTuple):
    """`hosts` with their numbers of ranks; none: each number of ranks is measured here."""

    ranks: Sequence[int]
    transport: str
    hosts: Sequence[Host] = ()


def tune_place(hosts: str | None, ranks: Sequence[int] | None, transport: str | None) -> TunePlace:
    """What the options say, None where they say nothing. Raises CommandError (exit code 2) if they
    say nothing that can be measured."""
    if hosts is None:
        return TunePlace(ranks or RANKS_HERE, transport or TRANSPORT_HERE)
    if ranks is not None:
        remedy = "leave -n out: --hosts a:2,b:2 says how many ranks there are"
        raise usage_error("tune", "-n and --hosts", remedy)
    if transport not in (None, TRANSPORT_OF_HOSTS):
        remedy = "leave --transport out: jobs on several hosts are measured over MPI"
        raise usage_error("tune", f"--transport {transport} and --hosts", remedy)
    placed = place_ranks(parse_hosts(hosts), None)
    names = [host.name for host in placed]
    if len(set(names)) < len(names):
        remedy = "name each host once, as in: --hosts a:4,b:2"
        raise usage_error("tune", f"--hosts {hosts}: the same host twice", remedy)
    ranks_count = sum(host.rank_count or 1 for host in placed)
    if ranks_count < 2:
        remedy = "give the host more, or name others, as in: --hosts a:2,b:2"
        raise usage_error("tune", f"--hosts {hosts}: one rank has no collectives", remedy)
    return TunePlace([ranks_count], TRANSPORT_OF_HOSTS, placed)
