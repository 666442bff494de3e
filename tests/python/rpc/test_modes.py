"""By which ways arrays reach the ranks, and what they do where ranks cannot be reached."""

import contextlib
import os
import re
import shutil
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import tasuki
from conftest import Command, wait_for
from demo_server import CAN_SHARE_MEMORY, DemoServer, needs_server, needs_shared_memory
from tasuki.base.programs import BUILD_TREE
from tasuki.rpc.errors import ArgumentError, CallError, LostArrayError

pytestmark = needs_server
# In MessagePack, the field port with a number of two bytes.
PORT = re.compile(rb"\xa4port\xcd..", re.DOTALL)
PORT_OF_NOBODY = b"\xa4port\xcd\x00\x01"


@pytest.fixture(scope="module")
def serving() -> Iterator[DemoServer]:
    with DemoServer(2) as started:
        yield started


@pytest.fixture(scope="module")
def layouts(tmp_path_factory) -> Iterator[str]:
    """Serves routines/layouts.idl on three ranks."""
    command = Command()
    folder = shutil.copytree(
        Path(__file__).with_name("routines"), tmp_path_factory.mktemp("served") / "routines"
    )
    process = command.start("serve", folder / "layouts.idl", "-n", 3, "--port", 0)
    yield re.search(r"tasuki://\S+", process.stdout.readline())[0]
    process.terminate()
    process.communicate(timeout=60)
    wait_for(lambda: not command.processes())


def problem(n: int) -> tuple[np.ndarray, np.ndarray]:
    generator = np.random.default_rng(n)
    return generator.standard_normal((n, n)) + n * np.eye(n), generator.standard_normal(n)


CONNECTED = ("hand-off", "sequential", "call-back", "relay", "buffering", "original")
WAYS = ("memory", *CONNECTED) if CAN_SHARE_MEMORY else CONNECTED
WAYS_AND_WIRES = [*((way, "native") for way in WAYS), *((way, "xdr") for way in CONNECTED)]


@pytest.mark.parametrize(("mode", "wire"), WAYS_AND_WIRES)
def test_results_are_the_same_by_any_way(serving: DemoServer, mode: str, wire: str) -> None:
    solve = tasuki.connect(serving.url, mode=mode, wire=wire).linpack.solve
    for n in (0, 1, 40, 700):
        matrix, right = problem(n)
        np.testing.assert_allclose(matrix @ solve(matrix, right), right, atol=1e-9)
        assert (solve.report["mode"], solve.report["wire"]) == (mode, wire)
        assert len(solve.report["ranks"]) == 2


def test_the_way_that_is_chosen_is_the_fastest_there_is(serving: DemoServer) -> None:
    for wire, mode in (("native", WAYS[0]), ("xdr", "hand-off")):
        solve = tasuki.connect(serving.url, wire=wire).linpack.solve
        solve(*problem(3))
        assert solve.report["mode"] == mode


@needs_shared_memory
def test_arrays_of_any_strides_are_read_from_memory(layouts: str) -> None:
    deal = tasuki.connect(layouts, mode="memory").layouts.deal
    (matrix, small, sums), (doubled, *_) = dealt(900, 400)
    padded = np.empty((1800, 500))[::2, :400]
    padded[:] = matrix
    for given in (matrix, padded, np.asfortranarray(matrix)):
        result = np.full_like(padded, np.nan)
        deal(given, small, sums, out={"A": result})
        np.testing.assert_array_equal(result, doubled)
        assert deal.report["mode"] == "memory"
    backwards = matrix[::-1, ::-1]
    np.testing.assert_array_equal(deal(backwards, small, sums)[0], backwards * 2)


def test_memory_is_not_shared_by_xdr(serving: DemoServer) -> None:
    server = tasuki.connect(serving.url, mode="memory", wire="xdr")
    with pytest.raises(CallError, match=r"share memory.*choose the mode hand-off or auto"):
        server.linpack.solve(*problem(3))


def dealt(m: int, n: int) -> tuple[np.ndarray, ...]:
    """What deal of routines/layouts.idl gives three ranks' clients, from its arguments."""
    matrix = np.arange(m * n, dtype=float).reshape(m, n)
    small = (np.arange(m) % 60 - 30).astype(np.int8)
    sums = np.arange(n, dtype=np.float32) % 5
    owner = np.arange(m) // 2 % 3
    fields = owner[None, :] + 1j * np.arange(n)[:, None]
    counts = np.array([sums.sum(), small[0] * 2 if m else 0, 3], np.int16)
    return (matrix, small, sums), (matrix * 2, small * 2, fields, counts)


@pytest.mark.parametrize(("mode", "wire"), WAYS_AND_WIRES)
def test_all_types_and_layouts_pass(layouts: str, mode: str, wire: str) -> None:
    deal = tasuki.connect(layouts, mode=mode, wire=wire).layouts.deal
    for m, n in ((0, 0), (1, 1), (7, 10), (1000, 331)):
        given, expected = dealt(m, n)
        for got, wanted in zip(deal(*given), expected, strict=True):
            np.testing.assert_array_equal(got, wanted)
        transposed = np.asfortranarray(given[0])[::-1, ::-1]
        np.testing.assert_array_equal(deal(transposed, *given[1:])[0], 2 * transposed)


@pytest.mark.parametrize(("mode", "wire"), WAYS_AND_WIRES)
def test_arrays_are_kept_and_refused_by_any_way(layouts: str, mode: str, wire: str) -> None:
    server = tasuki.connect(layouts, mode=mode, wire=wire)
    deal = server.layouts.deal
    (matrix, small, sums), (_, _, _, counts) = dealt(40, 9)
    kept = server.put(small, like=deal.b)
    for factor in (1, 2):  # b is doubled where it lies.
        got = deal(matrix, kept, sums)
        assert got[3][1] == small[0] * 2 * factor
    kept.free()
    with pytest.raises(LostArrayError):
        deal(matrix, kept, sums)
    np.testing.assert_array_equal(deal(matrix, small, sums)[3], counts)


@pytest.mark.parametrize("mode", WAYS)
def test_a_routine_that_fails_is_reported_by_any_way(layouts: str, mode: str) -> None:
    server = tasuki.connect(layouts, mode=mode)
    for rank, kind, text in ((0, 0, "nothing for 300000"), (2, 1, "ended during the call")):
        with pytest.raises(CallError, match=text):
            server.layouts.fail(np.ones(300_000), rank, kind)
        server.layouts.fail(np.ones(300_000), 3, 0)


@pytest.mark.parametrize("mode", WAYS)
def test_a_server_ends_whatever_its_ranks_compute(mode: str) -> None:
    with DemoServer(2) as serving:
        job = tasuki.connect(serving.url, mode=mode).linpack.solve.submit(*problem(4000))
        wait_for(lambda: job.progress[0] > 0 or mode == "memory")
        time.sleep(0.5)
        serving.process.send_signal(signal.SIGINT)
        serving.process.wait(timeout=60)
        assert job.exception(60) is not None  # Nobody has waited for its end.


@pytest.mark.parametrize("mode", ["buffering", "original"])
def test_calls_through_the_front_end_are_cancelled(serving: DemoServer, mode: str) -> None:
    server = tasuki.connect(serving.url, mode=mode)
    job = server.linpack.solve.submit(*problem(3000))
    wait_for(lambda: job.progress[0] > 0)
    assert job.cancel()
    matrix, right = problem(20)
    np.testing.assert_allclose(matrix @ server.linpack.solve(matrix, right), right, atol=1e-9)


def test_a_form_of_numbers_that_does_not_exist_is_named(serving: DemoServer) -> None:
    with pytest.raises(ArgumentError, match=r"no wire format ascii.*native or xdr"):
        tasuki.connect(serving.url, wire="ascii")


def test_a_way_that_does_not_exist_is_named(serving: DemoServer) -> None:
    with pytest.raises(ArgumentError, match=r"no mode post.*auto, memory, hand-off"):
        tasuki.connect(serving.url, mode="post")


def test_clients_by_different_ways_take_turns(serving: DemoServer) -> None:
    matrix, right = problem(20)
    servers = [tasuki.connect(serving.url, mode=mode) for mode in ("relay", "hand-off", "relay")]
    for i in range(10):
        for server in servers:
            x = server.linpack.solve(matrix, right * i)
            np.testing.assert_allclose(matrix @ x, right * i, atol=1e-9)


@pytest.mark.parametrize("mode", ["relay", "buffering"])
def test_the_front_end_keeps_little_of_what_it_passes_on(serving: DemoServer, mode: str) -> None:
    (front_end,) = (
        pid for pid in serving.command.processes()
        if os.readlink(f"/proc/{pid}/exe").endswith("tasuki_server")
    )  # fmt: skip

    def most_bytes() -> int:
        status = Path(f"/proc/{front_end}/status").read_text()
        return int(status.split("VmHWM:")[1].split()[0]) << 10

    server = tasuki.connect(serving.url, mode=mode)
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


@pytest.mark.parametrize(("mode", "wire"), [("relay", "native"), ("buffering", "xdr")])
def test_the_example_in_c_by_other_ways(serving: DemoServer, mode: str, wire: str) -> None:
    program = BUILD_TREE / "bin" / "example_kept"
    result = subprocess.run(
        [program, str(serving.port), mode, wire], capture_output=True, text=True, timeout=60
    )
    assert result.stdout.startswith("x = 1, y = 3\n"), result.stderr
