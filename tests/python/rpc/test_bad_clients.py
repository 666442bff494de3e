"""Clients that vanish, say nothing more, or little, at any stage of a call: others are served."""

import contextlib
import itertools
import json
import socket
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import frames
import numpy as np
import pytest
import tasuki
from demo_server import needs_server
from protocol_client import ProtocolClient, connected
from serving import ServeCommand, build_interfaces

pytestmark = needs_server
ROUTINES = """
Define twice(IN int64_t n, IN double x[n], OUT double y[n])
{ int64_t i; for (i = 0; i < n; ++i) y[i] = 2 * x[i]; }
Define loops()
{ volatile int goes_on = 1; while (goes_on) ; }
"""
N = 4_000_000  # Of which no connection holds the numbers.
BYTE_INTERVAL_S = 1


@dataclass
class BadClient:
    """How far it has come: `peer` is with whom it speaks, and would hear `rest` next."""

    client: ProtocolClient | None
    peer: socket.socket
    rest: bytes
    reads: bool = False  # It does not take what it gets, in place of not giving what it should.

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


def frame_of_call(routine: str, **scalars: int) -> bytes:
    """Long enough for nobody to wait for all of it, byte by byte."""
    message = {"message": "call", "call": 1, "routine": routine, "scalars": scalars}
    return frames.encoded({**message, "unknown": 1000 * "-"})


def before_hello(port: int, _: str) -> BadClient:
    return BadClient(None, connected(port), frames.encoded({"message": "hello", "protocol": 1}))


def after_hello(port: int, module: str) -> BadClient:
    client = ProtocolClient(port)
    return BadClient(client, client.front_end, lease_of(module))


def lease_of(module: str) -> bytes:
    return frames.encoded({"message": "lease", "module": module})


def after_the_lease(port: int, module: str) -> BadClient:
    client = ProtocolClient(port)
    client.lease(module)
    peer = connected(client.ranks[0]["port"])
    return BadClient(client, peer, frames.encoded({"ticket": client.ranks[0]["ticket"]}))


def after_the_ticket(port: int, module: str) -> BadClient:
    client = ProtocolClient(port)
    client.lease(module)
    return BadClient(client, client.connect_to_rank(), frame_of_call("twice", n=N))


def in_the_midst_of_in(port: int, module: str) -> BadClient:
    made = after_the_ticket(port, module)
    made.peer.sendall(made.rest + bytes(4 * N))
    made.rest = bytes(4 * N)
    return made


def while_it_computes(port: int, module: str) -> BadClient:
    made = after_the_ticket(port, module)
    made.peer.sendall(frame_of_call("loops"))
    made.rest = frame_of_call("twice", n=N)
    return made


def in_the_midst_of_out(port: int, module: str) -> BadClient:
    made = after_the_ticket(port, module)
    made.peer.sendall(made.rest + bytes(8 * N))
    assert frames.receive(made.peer)["message"] == "results"
    made.reads = True
    return made


STAGES = (
    before_hello,
    after_hello,
    after_the_lease,
    after_the_ticket,
    in_the_midst_of_in,
    while_it_computes,
    in_the_midst_of_out,
)
Begin = Callable[[int, str], BadClient]
MANNERS = ("gone", "reset", "silent", "slow")


def module_of(stage: Begin, manner: str) -> str:
    return f"{manner}_{stage.__name__}"


@pytest.fixture(scope="module")
def serving(tmp_path_factory) -> Iterator[ServeCommand]:
    """A server with a module for each bad client; all of them have come so far at once."""
    source, folder = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("served")
    build_interfaces(source, one=ROUTINES)
    registration = json.loads((source / "one.routines.json").read_text())
    for stage, manner in itertools.product(STAGES, MANNERS):
        name = module_of(stage, manner)
        registration["interface"]["module"] = name
        (folder / f"{name}.routines.json").write_text(json.dumps(registration))
    serving = ServeCommand(folder, "--time-limit", "3s")
    is_over = threading.Event()
    cases = list(itertools.product(STAGES, MANNERS))
    with ThreadPoolExecutor(2 * len(cases)) as pool:
        try:
            begun = [
                (manner, pool.submit(stage, serving.port, module_of(stage, manner)))
                for stage, manner in cases
            ]
            for manner, bad in begun:
                pool.submit(misbehave, bad.result(60), manner, is_over)
            yield serving
        finally:
            is_over.set()
            serving.__exit__()


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


@pytest.mark.parametrize("manner", MANNERS)
@pytest.mark.parametrize("stage", STAGES)
def test_others_are_served(serving: ServeCommand, stage: Begin, manner: str) -> None:
    server = tasuki.connect(serving.url)
    job = server.modules[module_of(stage, manner)].twice.submit([1, 2])
    np.testing.assert_array_equal(job.result(45), [2, 4])
