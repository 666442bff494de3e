"""Calls whose bytes arrive in pieces and late, and whose connections end at any byte."""

import random
from collections.abc import Iterator

import numpy as np
import pytest
import tasuki
from demo_server import DemoServer, needs_server
from faulty_wire import FaultyWire, Traffic, wire_seeds
from tasuki.rpc.errors import CallError

pytestmark = needs_server
N = 40
SEEDS = wire_seeds(range(20))
# More than the messages and arrays of a call have.
CALL_BYTES = 60_000
MODES = ("relay", "buffering", "original")  # All bytes pass by the server's one port.


@pytest.fixture(scope="module")
def serving() -> Iterator[DemoServer]:
    with DemoServer(2) as started:
        yield started


def solve(port: int, mode: str, wire: str) -> None:
    generator = np.random.default_rng(N)
    matrix = generator.standard_normal((N, N)) + N * np.eye(N)
    wanted = generator.standard_normal(N)
    server = tasuki.connect(f"tasuki://localhost:{port}", mode=mode, wire=wire)
    for _ in range(2):
        np.testing.assert_allclose(server.linpack.solve(matrix, matrix @ wanted), wanted)


@pytest.mark.parametrize("seed", SEEDS)
def test_pieces_that_come_late_make_no_difference(serving: DemoServer, seed: int) -> None:
    with FaultyWire(serving.port, seed) as wire:
        solve(wire.port, MODES[seed % len(MODES)], ("native", "xdr")[seed // 3 % 2])


@pytest.mark.parametrize("seed", SEEDS)
def test_a_connection_that_ends_at_any_byte_is_an_error(serving: DemoServer, seed: int) -> None:
    traffic = Traffic(random.Random(seed).randrange(CALL_BYTES), ends_all=True)
    with FaultyWire(serving.port, seed, lambda: traffic) as wire, pytest.raises(CallError):
        while True:  # Until it happens.
            solve(wire.port, MODES[seed % len(MODES)], "native")
    solve(serving.port, "auto", "native")  # The server goes on.
