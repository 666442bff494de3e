"""Client, front end and each rank on hosts of their own, by network namespaces.

That takes root and iproute2; elsewhere the same calls are made on one host.
"""

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import PROGRAMS, Command, wait_for
from demo_server import needs_server
from tasuki.reproduce.ninf.links import FIRST_RANK, can_link, linked

pytestmark = needs_server
PROGRAM = PROGRAMS / "calls_between_hosts.py"
RANKS = ("10.231.8.3", "10.231.8.4")
CONNECTED = ("hand-off", "sequential", "call-back", "relay", "buffering", "original")
WAYS = ("auto", *CONNECTED, "hand-off/xdr", "relay/xdr", "original/xdr")
needs_hosts = pytest.mark.skipif(
    not can_link(), reason="network namespaces take root, iproute2 and the kernel's tbf"
)


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


def test_calls_by_every_way_have_the_right_results() -> None:
    before = links_here()
    with Calls(*WAYS) as calls:
        for way in WAYS:
            found = calls.next_outcome()
            assert found["way"] == way and found.get("wrong", 1) < 1e-9, found
            expected = way.partition("/")[0]
            if expected == "auto":
                expected = "hand-off" if can_link() else found["mode"]
            assert found["mode"] == expected
    assert links_here() == before


@needs_hosts
def test_hosts_share_no_memory() -> None:
    with Calls("memory") as calls:
        assert "they are on another machine" in calls.next_outcome()["failed"]


@needs_hosts
def test_ranks_that_cannot_be_reached_are_called_through_the_front_end() -> None:
    cut = "".join(f"ip route add unreachable {one};" for one in RANKS)
    direct, through = ("hand-off", "sequential"), ("relay", "buffering", "original")
    with Calls(*direct, "auto", *through, before=cut) as calls:
        for way in direct:
            said = calls.next_outcome()["failed"]
            assert re.search(rf"{RANKS[0]}:\d+ does not answer: No route to host", said), way
            assert "Remedy: " in said
        for expected in ("relay", *through):
            found = calls.next_outcome()
            assert found.get("mode") == expected and found["wrong"] < 1e-9, found


@needs_hosts
@pytest.mark.parametrize("crashing", ["the client", "the whole cluster"])
def test_nothing_is_left_after_a_crash(crashing: str) -> None:
    before = links_here()
    with Calls("relay") as calls:
        assert calls.next_outcome()["mode"] == "relay"
        processes = calls.command.processes()
        (client,) = (one for one in processes if is_client(one))
        assert len(processes) >= 2 + FIRST_RANK + len(RANKS)
        os.kill(client if crashing == "the client" else calls.process.pid, signal.SIGKILL)
    assert links_here() == before


def is_client(process: int) -> bool:
    words = Path(f"/proc/{process}/cmdline").read_bytes().split(b"\0")
    return words[0] == sys.executable.encode() and words[1] == str(PROGRAM).encode()
