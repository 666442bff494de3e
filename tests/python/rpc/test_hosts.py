"""Client, front end and each rank on hosts of their own, by network namespaces.

That takes root and iproute2; elsewhere the same calls are made on one host.
"""

import json
import os
import re
import signal
import subprocess
import sys
import warnings
from pathlib import Path

import pytest
from conftest import PROGRAMS, Command, wait_for
from demo_server import CAN_SHARE_MEMORY, needs_server
from tasuki.reproduce.ninf.links import FIRST_RANK, can_link, linked

pytestmark = needs_server
PROGRAM = PROGRAMS / "calls_between_hosts.py"
RANKS = ("10.231.8.3", "10.231.8.4")
CONNECTED = ("hand-off", "sequential", "call-back", "relay", "buffering", "original")
WAYS = ("auto", *CONNECTED, "hand-off/xdr", "relay/xdr", "original/xdr")


@pytest.fixture
def has_hosts() -> bool:
    """Whether there are hosts; says so if not, and then the test makes its calls on this one."""
    if not can_link():
        warnings.warn("no hosts: they take root, iproute2 and the kernel's tbf", stacklevel=1)
    return can_link()


class Calls:
    """The program among its hosts; leaving the context ends it and sees that nothing is left."""

    def __init__(self, *ways: str, before: str = "") -> None:
        self.command = Command()
        program = [sys.executable, str(PROGRAM), *ways]
        if can_link():
            shell = ["sh", "-c", f'{before} exec "$0" "$@"', *program]
            program = linked(shell, FIRST_RANK + len(RANKS))
        self.process = subprocess.Popen(
            program, env=self.command.environment, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        )  # fmt: skip

    def __enter__(self) -> "Calls":
        return self

    def __exit__(self, *_: object) -> None:
        self.process.communicate(timeout=60)
        wait_for(lambda: not self.command.processes(), 60)

    def next_outcome(self) -> dict:
        return json.loads(self.process.stdout.readline())


def links_here() -> set[str]:
    """The network devices of this process's own host."""
    return set(os.listdir("/sys/class/net"))


def test_calls_by_every_way_have_the_right_results(has_hosts: bool) -> None:
    before = links_here()
    with Calls(*WAYS) as calls:
        for way in WAYS:
            found = calls.next_outcome()
            assert found["way"] == way and found.get("wrong", 1) < 1e-9, found
            expected = way.partition("/")[0]
            if expected == "auto":
                expected = "hand-off" if has_hosts else found["mode"]
            assert found["mode"] == expected
    assert links_here() == before


def test_hosts_share_no_memory(has_hosts: bool) -> None:
    with Calls("memory") as calls:
        found = calls.next_outcome()
    if has_hosts or not CAN_SHARE_MEMORY:
        assert "they are on another machine" in found["failed"]
    else:
        assert found["mode"] == "memory" and found["wrong"] < 1e-9


def test_ranks_that_cannot_be_reached_are_called_through_the_front_end(has_hosts: bool) -> None:
    cut = "".join(f"ip route add unreachable {one};" for one in RANKS)
    direct, through = ("hand-off", "sequential"), ("relay", "buffering", "original")
    with Calls(*direct, "auto", *through, before=cut) as calls:
        for way in direct:
            found = calls.next_outcome()
            said = found.get("failed", "")
            unreachable = rf"{RANKS[0]}:\d+ does not answer: No route to host.* Remedy: "
            assert bool(re.search(unreachable, said)) == has_hosts, way
        for expected in ("relay" if has_hosts else "", *through):
            found = calls.next_outcome()
            assert found["wrong"] < 1e-9 and expected in ("", found["mode"]), found


@pytest.mark.parametrize("crashing", ["the client", "the whole cluster"])
def test_nothing_is_left_after_a_crash(crashing: str, has_hosts: bool) -> None:
    before = links_here()
    with Calls("relay") as calls:
        assert calls.next_outcome()["mode"] == "relay"
        processes = calls.command.processes()
        (client,) = (one for one in processes if is_client(one))
        assert len(processes) >= len(RANKS) + (FIRST_RANK + len(RANKS) if has_hosts else 2)
        os.kill(client if crashing == "the client" else calls.process.pid, signal.SIGKILL)
    assert links_here() == before


def is_client(process: int) -> bool:
    words = Path(f"/proc/{process}/cmdline").read_bytes().split(b"\0")
    return words[0] == sys.executable.encode() and words[1] == str(PROGRAM).encode()
