"""The hosts of a job that measures collectives: which a command line may name."""

from collections.abc import Sequence

from tasuki.base.errors import usage_error
from tasuki.launcher.hosts import Host, parse_hosts, place_ranks, ranks_of, text_of_hosts
from tasuki.measurement.measurer import JobNodes

NAME_ONCE = "name each host once, as in: --hosts a:4,b:2"
CLONES = (
    "if they are hosts of their own, start them anew, so that each has its own"
    " /proc/sys/kernel/random/boot_id"
)


def hosts_to_measure(operation: str, text: str, has_ranks: bool) -> list[Host]:
    """The hosts of --hosts, with their ranks. Raises CommandError (exit code 2) for a host named
    twice, a single rank, or if -n says how many ranks there are, too."""
    if has_ranks:
        remedy = "leave -n out: --hosts a:2,b:2 says how many ranks there are"
        raise usage_error(operation, "-n and --hosts", remedy)
    hosts = place_ranks(parse_hosts(text), None)
    if len({host.name for host in hosts}) < len(hosts):
        raise usage_error(operation, f"--hosts {text}: the same host twice", NAME_ONCE)
    if ranks_of(hosts) < 2:
        remedy = "give the host more, or name others, as in: --hosts a:2,b:2"
        raise usage_error(operation, f"--hosts {text}: one rank has no collectives", remedy)
    return hosts


def require_nodes(operation: str, hosts: Sequence[Host], nodes: JobNodes) -> None:
    """Raises CommandError (exit code 2) if the ranks of several hosts take themselves for ranks of
    one. They do so by the boot id, which clones of a running machine have in common."""
    if nodes.count >= len(hosts):  # More: ranks of a host may share no memory.
        return
    names = f"--hosts {text_of_hosts(hosts)}"
    happened = (
        f"{names}: {len(hosts)} names of {nodes.count} host{'s' * (nodes.count > 1)}, or"
        " of hosts with the same boot id"
    )
    raise usage_error(operation, happened, f"{NAME_ONCE}; {CLONES}")
