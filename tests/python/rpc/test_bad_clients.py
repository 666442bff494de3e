"""Clients that vanish, say nothing more, or little, at any stage of a call, by any way:
others are served.
"""

import contextlib
import ctypes
import gc
import itertools
import json
import mmap
import socket
import tempfile
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import frames
import numpy as np
import pytest
import tasuki
from certificates import make_authority, make_certificate, needs_openssl
from conftest import name_of, wait_for
from demo_server import CAN_SHARE_MEMORY, needs_server
from process_use import GROWTH_KIB, ProcessUse, use_of
from protocol_client import ProtocolClient, connected
from serving import ServeCommand, build_interfaces

pytestmark = [
    needs_server,
    needs_openssl,
    pytest.mark.same_everywhere("the server's own code decides whom a bad client holds up"),
]
ROUTINES = """
Globals {
#include <stdlib.h>
#include <unistd.h>
}
Define twice(IN int64_t n, IN double x[n], OUT double y[n])
{ int64_t i; for (i = 0; i < n; ++i) y[i] = 2 * x[i]; }
Define fill(IN int64_t n, OUT double y[n])
{ int64_t i; for (i = 0; i < n; ++i) y[i] = i; }
Define waits()
{ for (;;) sleep(1); }
Define asks(IN int64_t n, f(IN double x[n], OUT double y[n]), OUT double y[n])
{ double *x = calloc(n, sizeof *x); f(x, y); free(x); }
Define reads(IN filename file)
{ if (access(file, R_OK) != 0) tasuki_fail("there is no file"); }
Define writes(OUT filename file)
{ if (truncate(file, 32000000) != 0) tasuki_fail("there is no file"); }
"""
N = 4_000_000  # Of which no connections hold the numbers, nor the bytes of the file.
N_OF_IN = 1_000  # On two pages.
BYTE_INTERVAL_S = 1


@dataclass
class BadClient:
    """How far it has come: `peer` is with whom it speaks, and would hear `rest` next."""

    client: ProtocolClient | None
    peer: socket.socket
    rest: bytes
    reads: bool = False  # It does not take what it gets, in place of not giving what it should.
    memory: mmap.mmap | None = None  # Which a rank may read.

    def vanish(self) -> None:
        self.peer.close()
        if self.client:
            self.client.__exit__()

    def reset(self) -> None:
        if self.client:
            self.client.reset()
        self.peer.close()

    def dribble(self) -> None:
        """One byte; raises OSError or EOFError once the other end has had enough."""
        if self.reads:
            frames.receive_bytes(self.peer, 1)
        elif self.rest:
            self.peer.sendall(self.rest[:1])
            self.rest = self.rest[1:]


def long_frame(message: str, **fields: Any) -> bytes:
    """Long enough for nobody to wait for all of it, byte by byte."""
    return frames.encoded({"message": message, **fields, "unknown": 1000 * "-"})


def frame_of_call(routine: str, n: int | None = None, **fields: Any) -> bytes:
    scalars = {} if n is None else {"n": n}
    return long_frame("call", call=1, routine=routine, scalars=scalars, **fields)


class Way(NamedTuple):
    """How clients reach the ranks."""

    mode: str
    ca_file: Path | None = None

    def begin(self, port: int) -> ProtocolClient:
        return ProtocolClient(port, self.ca_file)

    def lease(self, port: int, module: str) -> ProtocolClient:
        client = self.begin(port)
        if self.mode == "call-back":
            client.lease(module, call_back=client.await_ranks())
        elif self.mode in ("hand-off", "memory"):
            client.lease(module)
        else:
            client.lease(module, through=self.mode)
        return client


def before_hello(port: int, way: Way, _: str) -> BadClient:
    hello = frames.encoded({"message": "hello", "protocol": 1})
    return BadClient(None, connected(port, way.ca_file), hello)


def after_hello(port: int, way: Way, module: str) -> BadClient:
    client = way.begin(port)
    return BadClient(client, client.front_end, lease_of(module))


def lease_of(module: str) -> bytes:
    return frames.encoded({"message": "lease", "module": module})


def after_the_lease(port: int, way: Way, module: str) -> BadClient:
    """Whoever has not called back has a ticket to say; a client that was called, to hear."""
    client = way.lease(port, module)
    ticket = frames.encoded({"ticket": client.ranks[0]["ticket"]})
    return BadClient(client, client.reach_rank(), ticket, reads=way.mode == "call-back")


def after_the_ticket(port: int, way: Way, module: str) -> BadClient:
    client = way.lease(port, module)
    share = way.mode == "memory"
    peer = client.share_memory_with_rank() if share else client.connect_to_rank()
    return BadClient(client, peer, frame_of_call("twice", N_OF_IN))


def in_the_midst_of_in(port: int, way: Way, module: str) -> BadClient:
    made = after_the_ticket(port, way, module)
    made.peer.sendall(made.rest + bytes(4 * N_OF_IN))
    made.rest = bytes(4 * N_OF_IN)
    return made


def while_it_computes(port: int, way: Way, module: str) -> BadClient:
    made = after_the_ticket(port, way, module)
    made.peer.sendall(frame_of_call("waits"))
    return made


def in_the_midst_of_out(port: int, way: Way, module: str) -> BadClient:
    made = after_the_ticket(port, way, module)
    made.peer.sendall(frame_of_call("fill", N))
    assert frames.receive(made.peer)["message"] == "results"
    made.reads = True
    return made


def in_the_midst_of_keep(port: int, way: Way, module: str) -> BadClient:
    made = after_the_ticket(port, way, module)
    about = {"routine": "twice", "scalars": {"n": N_OF_IN}, "parameter": "x", "array": 32 * "a"}
    made.peer.sendall(long_frame("keep", call=1, **about) + bytes(4 * N_OF_IN))
    made.rest = bytes(4 * N_OF_IN)
    return made


def in_a_callback(port: int, way: Way, module: str) -> BadClient:
    made = after_the_ticket(port, way, module)
    made.peer.sendall(frame_of_call("asks", N_OF_IN))
    asked = frames.receive(made.peer)
    assert asked["message"] == "callback", asked
    made.rest = long_frame("returned", bytes=8 * N_OF_IN)
    return made


def in_the_midst_of_an_in_file(port: int, way: Way, module: str) -> BadClient:
    made = after_the_ticket(port, way, module)
    made.peer.sendall(frame_of_call("reads", files={"file": 2000}) + bytes(1000))
    made.rest = bytes(1000)
    return made


def in_the_midst_of_an_out_file(port: int, way: Way, module: str) -> BadClient:
    made = after_the_ticket(port, way, module)
    made.peer.sendall(frame_of_call("writes"))
    assert frames.receive(made.peer)["files"]["file"] == 8 * N
    made.reads = True
    return made


def place_of(address: int) -> dict[str, Any]:
    """Of an array in this process's memory."""
    return {"address": address, "first_offset_bytes": 0, "stride_bytes": [8]}


def whose_memory_vanishes(port: int, way: Way, module: str) -> BadClient:
    """Of the two pages of an array the rank can read the first alone."""
    made = after_the_ticket(port, way, module)
    with tempfile.TemporaryFile() as file:
        file.truncate(2 * mmap.PAGESIZE)
        made.memory = mmap.mmap(file.fileno(), 2 * mmap.PAGESIZE)
        file.truncate(mmap.PAGESIZE)
    address = ctypes.addressof(ctypes.c_char.from_buffer(made.memory))
    assert mmap.PAGESIZE < 8 * N_OF_IN
    made.peer.sendall(frame_of_call("twice", N_OF_IN, memory={"x": place_of(address)}))
    assert frames.receive(made.peer)["message"] == "failed"
    made.rest = b""
    return made


def before_it_has_taken_results(port: int, way: Way, module: str) -> BadClient:
    """It reads them from the rank's memory, and does not say that it has."""
    made = after_the_ticket(port, way, module)
    made.peer.sendall(frame_of_call("fill", N, memory={"y": place_of(0)}))
    assert "y" in frames.receive(made.peer)["memory"]
    made.rest = long_frame("taken")
    return made


STAGES = (
    after_the_lease,
    after_the_ticket,
    in_the_midst_of_in,
    while_it_computes,
    in_the_midst_of_out,
)
FURTHER_STAGES = (
    in_the_midst_of_keep,
    in_a_callback,
    in_the_midst_of_an_in_file,
    in_the_midst_of_an_out_file,
)
MEMORY_STAGES = (after_the_ticket, whose_memory_vanishes, before_it_has_taken_results)
FIRST_STAGES = (before_hello, after_hello)  # They are the same by all ways that are not encrypted.
Begin = Callable[[int, Way, str], BadClient]
MANNERS = ("gone", "reset", "silent", "slow")
WAYS = {
    **({"memory": MEMORY_STAGES} if CAN_SHARE_MEMORY else {}),
    "hand-off": FIRST_STAGES + STAGES + FURTHER_STAGES,
    "call-back": STAGES,
    "relay": STAGES,  # Where the front end passes on bytes that mean nothing to it.
    "buffering": STAGES + FURTHER_STAGES,
    "original": STAGES + FURTHER_STAGES,
    "hand-off by TLS": FIRST_STAGES + STAGES,
    "relay by TLS": STAGES,
}
CASES = [
    (way, stage, manner)
    for way, stages in WAYS.items()
    for stage, manner in itertools.product(stages, MANNERS)
]
Case = tuple[str, Begin, str]
BEGINNERS_COUNT = 8  # At once: a lease without a call does not last for long.
TRIES_COUNT = 10
PATIENCE_S = 120
RANK_NAME = "one_routines"
IDLE_COUNT = 8  # Of descriptors, or of threads, of a process that serves nobody.
OF_RANK_COUNT = 4  # Of a front end's descriptors: a connection, and three for what is printed.


def module_of(case: Case) -> str:
    way, stage, manner = case
    return f"{way}_{stage.__name__}_{manner}".replace("-", "_").replace(" ", "_")


class Served:
    """A server with a module for each bad client. All of these have come so far, and for each
    there is a good client of the same way that calls the same module.
    """

    def __init__(
        self, folder: Path, cases: list[Case], ca_file: Path | None, *options: object
    ) -> None:
        self._ca_file = ca_file
        self._serving = ServeCommand(folder, "--no-warm", "--time-limit", "3s", *options)
        self._is_over = threading.Event()
        self._dawdling: list[threading.Thread] = []
        try:
            with ThreadPoolExecutor(BEGINNERS_COUNT) as pool:
                self._dawdling = list(pool.map(self._begin, cases))
            self.jobs = {case: self._call(case) for case in cases}
        except BaseException:
            self.__exit__()
            raise

    def __enter__(self) -> "Served":
        return self

    def __exit__(self, *_: object) -> None:
        self._end_clients()
        self._serving.__exit__()

    def _end_clients(self) -> None:
        self._is_over.set()
        for one in self._dawdling:
            one.join()

    def expect_nothing_left(self) -> None:
        """Ends all clients. Then each process has what it needs when it serves nobody, and the
        front end what it needs for each rank, too.

        How much memory the front end has follows from the clients at once: each is told of all
        modules.
        """
        for job in self.jobs.values():
            job.result(PATIENCE_S)
        ranks_count = len(self.jobs)
        self._end_clients()
        self.jobs.clear()
        gc.collect()
        wait_for(lambda: len(self._uses(RANK_NAME)) == ranks_count, PATIENCE_S)
        wait_for(
            lambda: is_idle(self._uses("tasuki_server"), OF_RANK_COUNT * ranks_count), PATIENCE_S
        )
        wait_for(lambda: is_idle(self._uses(RANK_NAME)), PATIENCE_S)
        memories_kib = [use.memory_kib for use in self._uses(RANK_NAME)]
        assert max(memories_kib) <= min(memories_kib) + GROWTH_KIB

    def _uses(self, name: str) -> list[ProcessUse]:
        return [use_of(pid) for pid in self._serving.command.processes() if name_of(pid) == name]

    def _mode_of(self, case: Case) -> str:
        return case[0].partition(" ")[0]

    def _begin(self, case: Case) -> threading.Thread:
        """Returns: what the bad client goes on with once it has come so far."""
        args = (self._come_so_far(case), case[-1], self._is_over)
        thread = threading.Thread(target=misbehave, args=args)
        thread.start()
        return thread

    def _come_so_far(self, case: Case) -> BadClient:
        """Comes again if it was too late for its ticket, on a slow machine."""
        way = Way(self._mode_of(case), self._ca_file)
        for _ in range(TRIES_COUNT):
            with contextlib.suppress(OSError, EOFError):
                return case[1](self._serving.port, way, module_of(case))
        raise AssertionError(f"no client has come so far: {case}")

    def _call(self, case: Case) -> tasuki.rpc.job.Job:
        server = tasuki.connect(self._serving.url, ca_file=self._ca_file, mode=self._mode_of(case))
        return server.modules[module_of(case)].twice.submit([1, 2])


def is_idle(uses: list[ProcessUse], more_count: int = 0) -> bool:
    most = IDLE_COUNT + more_count
    return all(use.descriptors_count <= most and use.threads_count <= most for use in uses)


def misbehave(bad: BadClient, manner: str, is_over: threading.Event) -> None:
    if manner == "gone":
        return bad.vanish()
    if manner == "reset":
        return bad.reset()
    with contextlib.suppress(OSError, EOFError):
        while not is_over.wait(BYTE_INTERVAL_S):
            if manner == "slow":
                bad.dribble()
    is_over.wait()
    bad.vanish()


@pytest.fixture(scope="module")
def folder_of(tmp_path_factory: pytest.TempPathFactory) -> Callable[[list[Case]], Path]:
    """Makes a folder with a module for each case."""
    source = tmp_path_factory.mktemp("source")
    build_interfaces(source, one=ROUTINES)
    registration = json.loads((source / "one.routines.json").read_text())

    def folder_of(cases: list[Case]) -> Path:
        made = tmp_path_factory.mktemp("served")
        for case in cases:
            registration["interface"]["module"] = module_of(case)
            (made / f"{module_of(case)}.routines.json").write_text(json.dumps(registration))
        return made

    return folder_of


def cases_of(are_encrypted: bool) -> list[Case]:
    return [case for case in CASES if case[0].endswith("by TLS") == are_encrypted]


@pytest.fixture(scope="module")
def plain(folder_of: Callable[[list[Case]], Path]) -> Iterator[Served]:
    cases = cases_of(are_encrypted=False)
    with Served(folder_of(cases), cases, None) as served:
        yield served


@pytest.fixture(scope="module")
def encrypted(
    folder_of: Callable[[list[Case]], Path], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Served]:
    cases = cases_of(are_encrypted=True)
    folder = tmp_path_factory.mktemp("certificates")
    authority = make_authority(folder, "authority")
    own = make_certificate(folder, authority, "server", "DNS:localhost")
    options = ("--tls-certificate", own.file, "--tls-key", own.key)
    with Served(folder_of(cases), cases, authority.file, *options) as served:
        yield served


@pytest.mark.parametrize("case", cases_of(are_encrypted=False), ids=module_of)
def test_others_are_served(plain: Served, case: Case) -> None:
    np.testing.assert_array_equal(plain.jobs[case].result(PATIENCE_S), [2, 4])


@pytest.mark.parametrize("case", cases_of(are_encrypted=True), ids=module_of)
def test_others_are_served_by_tls(encrypted: Served, case: Case) -> None:
    np.testing.assert_array_equal(encrypted.jobs[case].result(PATIENCE_S), [2, 4])


@pytest.mark.parametrize("encryption", ["plain", "encrypted"])
def test_nothing_is_left(request: pytest.FixtureRequest, encryption: str) -> None:
    request.getfixturevalue(encryption).expect_nothing_left()
