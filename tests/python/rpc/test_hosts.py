"""Client, front end and each rank on hosts of their own, by network namespaces."""

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from certificates import make_authority, make_certificate, needs_openssl
from conftest import PROGRAMS, Command, wait_for
from demo_server import needs_server
from serving import build_interfaces
from tasuki.reproduce.links import can_link, linked
from tasuki.reproduce.ninf.hosts import FIRST_RANK, rates_for

needs_hosts = pytest.mark.skipif(
    not can_link(), reason="hosts take root, iproute2 and the kernel's tbf"
)
pytestmark = [needs_server, pytest.mark.takes_root, needs_hosts]
PROGRAM = PROGRAMS / "calls_between_hosts.py"
FRONT_END = "10.231.8.2"
RANKS = ("10.231.8.3", "10.231.8.4")
CUT = "".join(f"ip route add unreachable {one};" for one in RANKS)
CONNECTED = ("hand-off", "sequential", "call-back", "relay", "buffering", "original")
WAYS = ("auto", *CONNECTED, "hand-off/xdr", "relay/xdr", "original/xdr")


class Calls:
    """The program among its hosts; leaving the context ends it and sees that nothing is left."""

    def __init__(self, *ways: str, before: str = "") -> None:
        self.command = Command()
        shell = ["sh", "-c", f'{before} exec "$0" "$@"', sys.executable, str(PROGRAM), *ways]
        self.process = subprocess.Popen(
            linked(shell, rates_for(len(RANKS))), env=self.command.environment, text=True,
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
            assert found["mode"] == way.partition("/")[0].replace("auto", "hand-off")
    assert links_here() == before


def test_hosts_share_no_memory() -> None:
    with Calls("memory") as calls:
        assert "they are on another machine" in calls.next_outcome()["failed"]


def test_ranks_that_cannot_be_reached_are_called_through_the_front_end() -> None:
    direct, through = ("hand-off", "sequential"), ("relay", "buffering", "original")
    with Calls(*direct, "auto", *through, before=CUT) as calls:
        for _ in direct:
            found = calls.next_outcome()
            unreachable = rf"{RANKS[0]}:\d+ does not answer: No route to host.* Remedy: "
            assert re.search(unreachable, found.get("failed", "")), found
        for expected in ("relay", *through):
            found = calls.next_outcome()
            assert found["wrong"] < 1e-9 and found["mode"] == expected, found


def options_of_tls(folder: Path) -> tuple[str, ...]:
    """For a front end on its host of the cluster."""
    authority = make_authority(folder, "authority")
    own = make_certificate(folder, authority, "server", f"IP:{FRONT_END}")
    files = {"--tls-certificate": own.file, "--tls-key": own.key, "--ca-file": authority.file}
    return tuple(str(word) for option in files.items() for word in option)


@needs_openssl
def test_encrypted_calls_by_every_way(tmp_path: Path) -> None:
    with Calls(*CONNECTED, *options_of_tls(tmp_path)) as calls:
        for way in CONNECTED:
            found = calls.next_outcome()
            assert found.get("wrong", 1) < 1e-9 and found["mode"] == way, found


@pytest.fixture(scope="module")
def outside(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The registration of routines that call functions of the client, and use its files."""
    folder = tmp_path_factory.mktemp("outside")
    interface = Path(__file__).with_name("routines") / "outside.idl"
    build_interfaces(folder, outside=interface.read_text())
    return folder / "outside.routines.json"


@needs_openssl
@pytest.mark.parametrize("is_encrypted", [False, True])
def test_ranks_call_clients_and_use_their_files(
    outside: Path, tmp_path: Path, is_encrypted: bool
) -> None:
    options = options_of_tls(tmp_path) if is_encrypted else ()
    with Calls(*CONNECTED, "--registration", str(outside), *options) as calls:
        for way in CONNECTED:
            found = calls.next_outcome()
            assert found.get("wrong", 1) == 0 and found["mode"] == way, found


def test_ranks_that_cannot_be_reached_call_clients_and_use_their_files(outside: Path) -> None:
    through = ("auto", "relay", "buffering", "original")
    words = (*through, "call-back", "--registration", str(outside))
    with Calls(*words, before=CUT) as calls:
        for way in through:
            found = calls.next_outcome()
            assert found.get("wrong", 1) == 0, found
            assert found["mode"] == way.replace("auto", "relay")
        assert "failed" in calls.next_outcome()


@pytest.mark.parametrize("crashing", ["the client", "the whole cluster"])
def test_nothing_is_left_after_a_crash(crashing: str) -> None:
    before = links_here()
    with Calls("relay") as calls:
        assert calls.next_outcome()["mode"] == "relay"
        processes = calls.command.processes()
        (client,) = (one for one in processes if is_client(one))
        assert len(processes) >= len(RANKS) + FIRST_RANK + len(RANKS)
        os.kill(client if crashing == "the client" else calls.process.pid, signal.SIGKILL)
    assert links_here() == before


def is_client(process: int) -> bool:
    try:
        words = Path(f"/proc/{process}/cmdline").read_bytes().split(b"\0")
    except OSError:  # It has ended just now.
        return False
    return words[0] == sys.executable.encode() and words[1] == str(PROGRAM).encode()
