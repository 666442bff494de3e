"""A cluster on one machine: client, front end and ranks on hosts of their own, each with a link of
100 Mbit/s to a switch.

Where that is not possible (it takes root, iproute2 and the kernel's tbf) there is none.
"""

import os
import stat
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from tasuki.launcher.program import find_program
from tasuki.measurement.jobs import run_command

RATE = "100mbit"
TOOLS = ("unshare", "nsenter", "setpriv", "ip", "tc")
CLIENT, FRONT_END, FIRST_RANK = range(3)  # Their hosts.
_TRIAL_S = 20.0
_SCRIPT = Path(__file__).with_name("links.sh")
_ON_HOST = """#!/bin/sh
# Runs a rank's program on the host of the rank.
set -- $LINK_HOSTS -- "$@"
shift $((TASUKI_RANK + {first_rank}))
host=$1
until [ "$1" = -- ]; do shift; done
shift
exec nsenter --target "$host" --net "{program}" "$@"
"""


class Host(NamedTuple):
    """Where something runs: `command` precedes what is to run there."""

    address: str
    command: tuple[str, ...] = ()


LOCAL = Host("127.0.0.1")


@cache
def can_link() -> bool:
    """Can such a cluster be made here?"""
    if not all(find_program(tool) for tool in TOOLS):
        return False
    return run_command(linked(["true"], 1), _TRIAL_S).exit_code == 0


def linked(command: Sequence[str], hosts_count: int) -> list[str]:
    """The command on the client's host, among so many hosts."""
    return ["unshare", "--net", "sh", str(_SCRIPT), RATE, str(hosts_count), *command]


def host(index: int) -> Host:
    """Of this process's cluster; LOCAL if it is in none."""
    processes = os.environ.get("LINK_HOSTS", "").split()
    if not processes:
        return LOCAL
    enter = ("nsenter", "--target", processes[index], "--net")
    return Host(f"10.231.8.{index + 1}", enter)


def on_hosts_of_ranks(program: Path, folder: Path) -> Path:
    """A program in `folder` that starts `program` on the host of its rank; the program itself if
    this process is in no cluster."""
    if host(FIRST_RANK) == LOCAL:
        return program
    script = folder / program.name
    script.write_text(_ON_HOST.format(first_rank=FIRST_RANK, program=program))
    script.chmod(script.stat().st_mode | stat.S_IXUSR)
    return script
