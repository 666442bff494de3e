"""The hosts of a job: which ranks run where.

Ranks are dealt to the hosts in the order in which these are named: the first host gets the first
ranks.
"""

import os
import re
from collections.abc import Sequence
from typing import NamedTuple

from tasuki.base.errors import CommandError, usage_error

# A name, an address, or an IPv6 address in brackets; then the number of ranks. None begins with a
# dash: an agent would take it for an option.
_HOST = re.compile(r"(?P<name>\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9_][A-Za-z0-9_.-]*)(?::(?P<count>\d+))?")
_IN_FILE = re.compile(r"(?P<name>\S+?)(?::(?P<count>\d+)|\s+slots\s*=\s*(?P<slots>\d+).*)?")


class Host(NamedTuple):
    """A host by its name or address, and how many ranks run there; None where nobody has said."""

    name: str
    rank_count: int | None


def parse_hosts(text: str) -> list[Host]:
    """The hosts of "a:2,b:2". Raises CommandError (exit code 2) if that is no list of hosts."""
    hosts = []
    for word in text.split(","):
        found = _HOST.fullmatch(word.strip())
        if found is None:
            raise _not_hosts(f"--hosts {text}: {word!r} is no host")
        hosts.append(_host(found["name"], found["count"], f"--hosts {text}"))
    return hosts


def text_of_hosts(hosts: Sequence[Host]) -> str:
    """What parse_hosts reads."""
    return ",".join(
        host.name if host.rank_count is None else f"{host.name}:{host.rank_count}" for host in hosts
    )


def read_host_file(path: str) -> list[Host]:
    """The hosts of a file with one on each line, as "a", "a:2" or "a slots=2"; what follows a # is
    no part of it. Raises CommandError (exit code 2) if there is no such file or no host in it."""
    try:
        with open(path, encoding="utf-8") as file:
            lines = file.read().splitlines()
    except (OSError, UnicodeDecodeError) as failure:
        why = getattr(failure, "strerror", None) or "it is no text"
        what = f"--hostfile {path} cannot be read: {why}"
        raise usage_error("run", what, "give a file with a host on each line") from failure
    hosts = []
    for number, line in enumerate(lines, start=1):
        text = line.partition("#")[0].strip()
        if not text:
            continue
        found = _IN_FILE.fullmatch(text)
        if found is None or _HOST.fullmatch(found["name"]) is None:
            raise _not_hosts(f"--hostfile {path}, line {number}: {text!r} is no host")
        count = found["count"] or found["slots"]
        hosts.append(_host(found["name"], count, f"--hostfile {path}, line {number}"))
    if not hosts:
        raise _not_hosts(f"--hostfile {path} names no host")
    return hosts


def place_ranks(hosts: Sequence[Host], rank_count: int | None) -> list[Host]:
    """The hosts that get ranks, each with its number of them.

    Without `rank_count` each host gets what it was given, or one. With it, hosts that were given
    numbers are filled in their order, and hosts that were not share the ranks evenly. Raises
    CommandError (exit code 2) if there are more ranks than the hosts were given room for.
    """
    if rank_count is None:
        return [host._replace(rank_count=host.rank_count or 1) for host in hosts]
    if all(host.rank_count is None for host in hosts):
        each, more = divmod(rank_count, len(hosts))
        counts = [each + (index < more) for index in range(len(hosts))]
    else:
        counts = []
        for host in hosts:
            counts.append(min(host.rank_count or 1, rank_count - sum(counts)))
        if sum(counts) < rank_count:
            what = f"-n {rank_count}: the hosts have room for {sum(counts)} ranks"
            raise usage_error("run", what, "give them more, as in: --hosts a:4,b:4")
    return [
        host._replace(rank_count=count)
        for host, count in zip(hosts, counts, strict=True)
        if count > 0
    ]


def ranks_of(hosts: Sequence[Host]) -> int:
    """Those of all hosts together. Requires: placed by place_ranks."""
    return sum(host.rank_count or 1 for host in hosts)


def most_ranks_of(hosts: Sequence[Host]) -> int:
    """Those of the fullest host. Requires: some, placed by place_ranks."""
    return max(host.rank_count or 1 for host in hosts)


def with_ranks(hosts: Sequence[Host]) -> list[tuple[Host, range]]:
    """Each host with the ranks that it gets."""
    placed = []
    first = 0
    for host in hosts:
        count = host.rank_count or 1
        placed.append((host, range(first, first + count)))
        first += count
    return placed


def title_of(host: Host, ranks: range) -> str:
    """As in "host b with ranks 2-3"."""
    shown = f"rank {ranks[0]}" if len(ranks) == 1 else f"ranks {ranks[0]}-{ranks[-1]}"
    return f"host {host.name} with {shown}"


def is_this_host(name: str) -> bool:
    own = os.uname().nodename
    return name in ("localhost", "127.0.0.1", own, own.partition(".")[0])


def _host(name: str, count: str | None, where: str) -> Host:
    if count is not None and int(count) < 1:
        raise _not_hosts(f"{where}: host {name} would have no rank")
    return Host(name, int(count) if count is not None else None)


def _not_hosts(what: str) -> CommandError:
    return usage_error("run", what, "name hosts and their numbers of ranks, as in: a:2,b:2")
