"""By which ways arrays reach the ranks, and what they do where ranks cannot be reached."""

import contextlib
import os
import re
import socket
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import tasuki
from demo_server import DemoServer, needs_server
from tasuki.base.programs import BUILD_TREE
from tasuki.rpc.errors import CallError

pytestmark = needs_server
# In MessagePack, the field port with a number of two bytes.
PORT = re.compile(rb"\xa4port\xcd..", re.DOTALL)
PORT_OF_NOBODY = b"\xa4port\xcd\x00\x01"


@pytest.fixture(scope="module")
def serving() -> Iterator[DemoServer]:
    with DemoServer(2) as started:
        yield started


def problem(n: int) -> tuple[np.ndarray, np.ndarray]:
    generator = np.random.default_rng(n)
    return generator.standard_normal((n, n)) + n * np.eye(n), generator.standard_normal(n)


@pytest.mark.parametrize(
    ("mode", "used"), [("auto", "hand-off"), ("hand-off",) * 2, ("relay",) * 2]
)
def test_results_are_the_same_by_any_way(serving: DemoServer, mode: str, used: str) -> None:
    solve = tasuki.connect(serving.url, mode=mode).linpack.solve
    for n in (0, 1, 40, 700):
        matrix, right = problem(n)
        np.testing.assert_allclose(matrix @ solve(matrix, right), right, atol=1e-9)
        assert solve.report["mode"] == used


def test_a_way_that_does_not_exist_is_named(serving: DemoServer) -> None:
    with pytest.raises(CallError, match=r"no mode post.*auto, hand-off or relay"):
        tasuki.connect(serving.url, mode="post")


def test_clients_by_different_ways_take_turns(serving: DemoServer) -> None:
    matrix, right = problem(20)
    servers = [tasuki.connect(serving.url, mode=mode) for mode in ("relay", "hand-off", "relay")]
    for i in range(10):
        for server in servers:
            x = server.linpack.solve(matrix, right * i)
            np.testing.assert_allclose(matrix @ x, right * i, atol=1e-9)


def test_the_front_end_keeps_little_of_what_it_passes_on(serving: DemoServer) -> None:
    (front_end,) = (
        pid for pid in serving.command.processes()
        if os.readlink(f"/proc/{pid}/exe").endswith("tasuki_server")
    )  # fmt: skip

    def most_bytes() -> int:
        status = Path(f"/proc/{front_end}/status").read_text()
        return int(status.split("VmHWM:")[1].split()[0]) << 10

    server = tasuki.connect(serving.url, mode="relay")
    before = most_bytes()
    server.put(np.ones((6000, 6000)), like=server.linpack.solve.a).free()
    assert most_bytes() - before < 16 << 20


def test_a_ticket_that_nobody_gave_out_is_not_relayed(serving: DemoServer) -> None:
    body = b"\x81\xa6ticket\xa40000"
    with socket.create_connection(("127.0.0.1", serving.port), timeout=20) as stranger:
        stranger.sendall(len(body).to_bytes(4, "big") + body)
        assert stranger.recv(1) == b""
    matrix, right = problem(3)
    server = tasuki.connect(serving.url, mode="relay")
    np.testing.assert_allclose(matrix @ server.linpack.solve(matrix, right), right, atol=1e-9)


class Wall:
    """A way to the front end from which the ranks seem to be where nobody listens."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"tasuki://127.0.0.1:{self._listener.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        self._listener.close()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                near, _ = self._listener.accept()
                far = socket.create_connection(("127.0.0.1", self._port))
                for ends in ((near, far), (far, near)):
                    threading.Thread(target=self._pass_on, args=ends, daemon=True).start()

    def _pass_on(self, source: socket.socket, target: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(1 << 16):
                target.sendall(PORT.sub(PORT_OF_NOBODY, data))
        with contextlib.suppress(OSError):
            target.shutdown(socket.SHUT_RDWR)


@pytest.mark.parametrize("mode", ["auto", "relay"])
def test_ranks_that_cannot_be_reached_are_called_through_the_front_end(
    serving: DemoServer, mode: str
) -> None:
    before = set(serving.command.processes())
    with contextlib.closing(Wall(serving.port)) as wall:
        solve = tasuki.connect(wall.url, mode=mode).linpack.solve
        matrix, right = problem(300)
        for _ in range(2):
            np.testing.assert_allclose(matrix @ solve(matrix, right), right, atol=1e-9)
            assert solve.report["mode"] == "relay"
    assert set(serving.command.processes()) == before  # Ranks that wait need no new start.


def test_a_client_that_wants_no_relay_says_whom_it_cannot_reach(serving: DemoServer) -> None:
    with contextlib.closing(Wall(serving.port)) as wall:
        solve = tasuki.connect(wall.url, mode="hand-off").linpack.solve
        with pytest.raises(CallError, match=r"127.0.0.1:1 does not answer"):
            solve(*problem(3))


def test_the_example_in_c_by_relay(serving: DemoServer) -> None:
    program = BUILD_TREE / "bin" / "example_kept"
    result = subprocess.run(
        [program, str(serving.port), "relay"], capture_output=True, text=True, timeout=60
    )
    assert result.stdout.startswith("x = 1, y = 3\n"), result.stderr
