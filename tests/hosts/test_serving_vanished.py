"""Hosts of a server's ranks that vanish while a client waits for the answer of a call."""

import signal
import subprocess
import sys
from pathlib import Path

from conftest import REPOSITORY, CommandOnHosts
from laboratory import Laboratory
from server_on_hosts import SERVER, ServerOnHosts, make_certificate, make_token

CLIENT, VANISHING = "h2", "h1"
# Ranks that are alive answer within a third of it, also on a machine that does other things.
RANK_TIMEOUT_S = 9
# Where a host is killed, the launcher finds out.
LONG_RANK_TIMEOUT_S = 30
SERVER_TIMEOUT_S = 9
# What it takes until the client has been told, on a machine that does other things beside.
TELLING_S = 20.0
HOST = f"host {VANISHING} with ranks 2-3"
MAY_HAVE_RUN = "; the call may have run. Remedy: "
# All but the last rank, which is on the host that vanishes, wait for that one inside MPI.
INTERFACE = """
Module waiting;
Globals {
#include <mpi.h>
#include <unistd.h>
}
Define wait(IN int seconds, OUT int *slept)
"waits until the last rank has slept"
Backend "MPI"
{
    int rank, ranks;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (rank == ranks - 1) sleep(seconds);
    MPI_Barrier(MPI_COMM_WORLD);
    *slept = seconds;
}
"""
# Begins a call, of which it tells once another one has ended, and prints how that ends.
CALLS = """
import sys, tasuki
from tasuki.rpc.errors import CallError
server = tasuki.connect(sys.argv[1], ca_file="authority.pem", token_file="token")
while True:
    try:
        server.waiting.wait(0)
        break
    except CallError as fault:  # Of ranks that were started before the host was back.
        assert not fault.may_have_run, fault
print("calls", flush=True)
try:
    server.waiting.wait(300)
except CallError as fault:
    print(fault)
"""


class Client:
    """A client whose call is under way."""

    def __init__(self, laboratory: Laboratory, folder: Path, url: str, **settings: str) -> None:
        environment = {"PYTHONPATH": str(REPOSITORY / "python"), **settings}
        script = f"cd {folder} && exec {sys.executable} -c '{CALLS}' {url}"
        command = laboratory.command(CLIENT, ["sh", "-c", script], environment)
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        assert self._process.stdout.readline() == "calls\n"

    def fault(self) -> str:
        try:
            return self._process.communicate(timeout=LONG_RANK_TIMEOUT_S + TELLING_S)[0]
        finally:
            self._process.kill()


def serve(laboratory: Laboratory, folder: Path, rank_timeout_s: int) -> ServerOnHosts:
    make_certificate(folder)
    make_token(folder, CommandOnHosts(laboratory))
    (folder / "waiting.idl").write_text(INTERFACE)
    options = ("--rank-timeout", f"{rank_timeout_s}s")
    return ServerOnHosts(laboratory, folder / "waiting.idl", "ompi", *options)


def test_a_host_that_cannot_be_reached_or_is_paused_is_named_with_its_ranks(
    laboratory: Laboratory, tmp_path: Path
) -> None:
    with serve(laboratory, tmp_path, RANK_TIMEOUT_S) as server:
        client = Client(laboratory, tmp_path, server.url)
        laboratory.cut(VANISHING)
        try:
            told = client.fault()
        finally:
            laboratory.mend(VANISHING)
        gone = f"there has been no sign of life from it for {RANK_TIMEOUT_S} s"
        assert f"call waiting: {HOST} has vanished: {gone}{MAY_HAVE_RUN}" in told
        client = Client(laboratory, tmp_path, server.url)  # The ranks are started anew.
        laboratory.signal_all(VANISHING, signal.SIGSTOP)
        try:
            told = client.fault()
        finally:
            laboratory.signal_all(VANISHING, signal.SIGCONT)
        assert f"call waiting: {HOST} has not answered for {RANK_TIMEOUT_S} s: " in told


def test_a_server_whose_host_cannot_be_reached_is_not_said_to_be_stopped(
    laboratory: Laboratory, tmp_path: Path
) -> None:
    with serve(laboratory, tmp_path, LONG_RANK_TIMEOUT_S) as server:
        timeout = f"{SERVER_TIMEOUT_S}s"
        client = Client(laboratory, tmp_path, server.url, TASUKI_SERVER_TIMEOUT=timeout)
        laboratory.cut(SERVER)
        try:
            told = client.fault()
        finally:
            laboratory.mend(SERVER)
    silence = f"has given no sign of life for {SERVER_TIMEOUT_S} s: its host does not answer"
    assert silence in told
    assert "see whether that host runs, and whether the network reaches it" in told


def test_a_host_that_is_killed_is_named_with_its_ranks(tmp_path: Path) -> None:
    with (
        Laboratory(3, kept=[Path(sys.prefix), tmp_path]) as laboratory,
        serve(laboratory, tmp_path, LONG_RANK_TIMEOUT_S) as server,
    ):
        client = Client(laboratory, tmp_path, server.url)
        laboratory.kill(VANISHING)
        server.lost.add(VANISHING)
        assert f"call waiting: {HOST} cannot be reached any more{MAY_HAVE_RUN}" in client.fault()
