"""A cluster on one machine: hosts, each a network namespace with a link of its own to a switch.

Where that is not possible (it takes root, iproute2 and the kernel's tbf) there is none.
"""

import os
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from tasuki.launcher.program import find_program
from tasuki.measurement.jobs import run_command

RATE = "100mbit"
TOOLS = ("unshare", "nsenter", "setpriv", "ip", "tc")
_TRIAL_S = 20.0
_SCRIPT = Path(__file__).with_name("links.sh")


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
    return run_command(linked(["true"], [RATE]), _TRIAL_S).exit_code == 0


def linked(command: Sequence[str], rates: Sequence[str]) -> list[str]:
    """The command on the first of several hosts, each of which has a link of its rate."""
    return ["unshare", "--net", "sh", str(_SCRIPT), " ".join(rates), *command]


def host(index: int) -> Host:
    """Of this process's cluster; LOCAL if it is in none."""
    processes = os.environ.get("LINK_HOSTS", "").split()
    if not processes:
        return LOCAL
    enter = ("nsenter", "--target", processes[index], "--net")
    return Host(f"10.231.8.{index + 1}", enter)
