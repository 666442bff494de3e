"""A server of the demo's routines, and clients that call them, as a user starts and calls them."""

import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from demo_server import CAN_SHARE_MEMORY
from tasuki.rpc.client import Server, connect
from tasuki.rpc.errors import ArgumentError, CallError

REPOSITORY = Path(__file__).resolve().parents[3]
EXAMPLE_IN_C = REPOSITORY / "build" / "release" / "bin" / "example_linear_equations"
PROMPTLY_S = 60  # For hangs: what is waited for takes less than a second on an idle machine.


class Serving:
    """`tasuki serve --demo` on a free port."""

    def __init__(self, tasuki, ranks: int = 2) -> None:
        self._tasuki = tasuki
        self.process = tasuki.start("serve", "--demo", "-n", ranks, "--port", 0)
        line = self.process.stdout.readline()
        self.url = re.search(r"tasuki://\S+", line)[0]
        self.port = int(self.url.rpartition(":")[2])

    def connect(self) -> Server:
        return connect(self.url)

    def pids_of(self, program: str) -> list[int]:
        pids = self._tasuki.processes()
        return [pid for pid in pids if os.path.basename(_program(pid)) == program]

    def end(self, number: int = signal.SIGTERM) -> None:
        if self.process.poll() is None:
            self.process.send_signal(number)
        self.process.communicate(timeout=PROMPTLY_S)


def _program(pid: int) -> str:
    try:
        return os.readlink(f"/proc/{pid}/exe")
    except OSError:
        return ""


def wait_until(is_true: Callable[[], Any]) -> None:
    deadline_s = time.monotonic() + PROMPTLY_S
    while not is_true():
        assert time.monotonic() < deadline_s
        time.sleep(0.02)


@pytest.fixture
def serving(tasuki) -> Iterator[Serving]:
    made = Serving(tasuki)
    yield made
    made.end()
    wait_until(lambda: not tasuki.processes())


def equations(n: int, seed: int = 1) -> tuple[np.ndarray, np.ndarray]:
    generator = np.random.default_rng(seed)
    return generator.standard_normal((n, n)) + n * np.eye(n), generator.standard_normal(n)


def assert_solves(x: np.ndarray, matrix: np.ndarray, right: np.ndarray) -> None:
    np.testing.assert_allclose(matrix @ x, right, rtol=1e-9, atol=1e-9)


def test_arrays_of_any_strides_and_of_types_that_fit_are_taken(serving: Serving) -> None:
    solve = serving.connect().linpack.solve
    for n in (1, 2, 3, 200):
        matrix, right = equations(n)
        assert_solves(solve(matrix, right), matrix, right)
    matrix, right = equations(50)
    for other in (np.asfortranarray(matrix), matrix[::-1, ::-1], np.repeat(matrix, 2, 1)[:, ::2]):
        assert_solves(solve(other, right), other, right)
    assert_solves(solve(matrix, right[::-1]), matrix, right[::-1])
    integers = np.array([[2, 1], [1, 3]])
    np.testing.assert_allclose(solve(integers, [5, 10]), [1, 3])
    np.testing.assert_allclose(solve(integers.astype("float32"), [5, 10]), [1, 3])
    assert solve(np.zeros((0, 0)), np.zeros(0)).shape == (0,)


@pytest.mark.parametrize("ranks", [1, 3])
def test_any_number_of_ranks_gives_the_same(tasuki, ranks: int) -> None:
    serving = Serving(tasuki, ranks)
    matrix, right = equations(40)
    solve = serving.connect().linpack.solve
    assert_solves(solve(matrix, right), matrix, right)
    assert len(solve.report["ranks"]) == ranks
    serving.end()


def test_arguments_may_be_named_and_results_go_where_one_says(serving: Serving) -> None:
    solve = serving.connect().linpack.solve
    matrix, right = equations(5)
    x = np.empty(5)
    assert solve(5, matrix, b=right, out={"x": x}) is x
    assert_solves(x, matrix, right)
    every_second = np.zeros(10)[::2]
    solve(b=right, A=matrix, out={"x": every_second})
    np.testing.assert_array_equal(every_second, x)


def test_wrong_arguments_are_refused_before_anything_is_sent(serving: Serving) -> None:
    solve = serving.connect().linpack.solve
    matrix, right = equations(3)
    read_only = np.zeros(3)
    read_only.flags.writeable = False
    wrong: list[tuple[tuple, dict, str]] = [
        ((matrix, right[:2]), {}, r"b must have shape \(n,\) = \(3,\), and has \(2,\)"),
        ((matrix[:2], right), {}, r"A must have shape \(n, n\) = \(2, 2\), and has \(2, 3\)"),
        ((matrix,), {}, "b is missing. Remedy: give A, b"),
        ((matrix, right), {"c": 1}, "there is no argument c"),
        ((matrix.astype(complex), right), {}, "A must be of float64, and is of complex128"),
        ((matrix, ["a", "b", "c"]), {}, "b must be of float64"),
        ((-1, matrix, right), {}, r"A must have shape .*no size may be negative"),
        ((matrix, right), {"out": {"x": np.zeros(4)}}, r"x must have shape \(n,\) = \(3,\)"),
        ((matrix, right), {"out": {"x": np.zeros(3, "f4")}}, "out x must be of float64"),
        ((matrix, right), {"out": {"x": read_only}}, "out x is read-only"),
    ]
    for arguments, named, text in wrong:
        with pytest.raises(ArgumentError, match=text):
            solve(*arguments, **named)
    assert_solves(solve(matrix, right), matrix, right)


def test_what_a_server_has_is_shown_and_what_it_lacks_is_named(serving: Serving) -> None:
    server = serving.connect()
    assert "solve(n: int64, A: float64[n][n], b: float64[n]) -> x: float64[n]" in repr(server)
    assert {"lapack", "linpack"} <= set(dir(server))
    assert dir(server.linpack) == ["interface", "routines", "solve"]
    with pytest.raises(AttributeError, match="has no module blas"):
        _ = server.blas
    with pytest.raises(AttributeError, match="has no routine invert"):
        _ = server.linpack.invert


@pytest.mark.parametrize("url", ["http://localhost:1", "tasuki://", "tasuki://host:many"])
def test_what_is_no_address_is_refused(url: str) -> None:
    with pytest.raises(CallError, match=r"no address. Remedy: give tasuki://HOST:PORT"):
        connect(url)


def test_nobody_at_the_port_is_an_error() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        with pytest.raises(CallError, match="does not answer"):
            connect(f"tasuki://127.0.0.1:{unused.getsockname()[1]}")


def test_a_port_that_is_taken_is_an_error(serving: Serving, tasuki) -> None:
    result = tasuki("serve", "--demo", "--port", serving.port)
    assert result.returncode != 0
    assert "Address already in use" in result.stderr


def test_clients_at_once_wait_for_each_other(serving: Serving) -> None:
    faults = []

    def solve_some(seed: int) -> None:
        try:
            server = serving.connect()
            for i in range(5):
                matrix, right = equations(60, 10 * seed + i)
                assert_solves(server.linpack.solve(matrix, right), matrix, right)
        except BaseException as fault:
            faults.append(fault)

    threads = [threading.Thread(target=solve_some, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PROMPTLY_S * 3)
        assert not thread.is_alive()
    assert not faults


def test_ranks_go_from_client_to_client_between_calls(serving: Serving) -> None:
    servers = [serving.connect() for _ in range(3)]
    right = np.array([5.0, 10.0])
    for i in range(40):  # Each has its connections to the ranks from its last call.
        for server in servers[: 1 + i % 3]:
            x = server.linpack.solve([[2, 1], [1, 3]], right + i)
            np.testing.assert_allclose(np.array([[2, 1], [1, 3]]) @ x, right + i)
    assert len(serving.pids_of("demo_linpack")) == 2


def test_a_client_that_is_idle_holds_nobody_up(serving: Serving) -> None:
    idle = serving.connect()
    matrix, right = equations(4)
    idle.linpack.solve(matrix, right)
    before = serving.pids_of("demo_linpack")
    assert_solves(serving.connect().linpack.solve(matrix, right), matrix, right)
    del idle
    assert_solves(serving.connect().linpack.solve(matrix, right), matrix, right)
    assert serving.pids_of("demo_linpack") == before  # Nobody had to be started anew.


def test_many_clients_leave_nothing_in_the_server(serving: Serving) -> None:
    matrix, right = equations(4)
    (front_end,) = serving.pids_of("tasuki_server")

    def descriptors_count() -> int:
        return len(os.listdir(f"/proc/{front_end}/fd"))

    def call_from_new_clients(count: int) -> None:
        for _ in range(count):
            assert_solves(serving.connect().linpack.solve(matrix, right), matrix, right)
        wait_until(lambda: len(os.listdir(f"/proc/{front_end}/task")) <= 7)

    call_from_new_clients(5)
    few, ranks = descriptors_count(), serving.pids_of("demo_linpack")
    call_from_new_clients(60)
    # The front end closes connections that have ended now and then.
    wait_until(lambda: descriptors_count() <= few + 1)
    assert serving.pids_of("demo_linpack") == ranks


def test_garbage_and_connections_that_say_nothing_disturb_nobody(serving: Serving) -> None:
    silent = socket.create_connection(("127.0.0.1", serving.port))
    for garbage in (b"GET / HTTP/1.1\r\n\r\n", b"\0\0\0\5hello", b"\xff" * 1000, b"\0\0\1\0half"):
        with socket.create_connection(("127.0.0.1", serving.port)) as other:
            other.sendall(garbage)
    matrix, right = equations(4)
    assert_solves(serving.connect().linpack.solve(matrix, right), matrix, right)
    silent.close()


def test_a_rank_that_is_killed_between_calls_is_started_anew(serving: Serving) -> None:
    solve = serving.connect().linpack.solve
    matrix, right = equations(4)
    solve(matrix, right)
    os.kill(serving.pids_of("demo_linpack")[0], signal.SIGKILL)
    wait_until(lambda: len(serving.pids_of("demo_linpack")) < 2)
    deadline_s = time.monotonic() + PROMPTLY_S
    while time.monotonic() < deadline_s:  # The call that notices it fails; a later one does not.
        try:
            assert_solves(solve(matrix, right), matrix, right)
            return
        except CallError as fault:
            assert "ended" in str(fault) or "joined" in str(fault)
    pytest.fail("the ranks were not started anew")


def test_a_rank_that_is_killed_during_a_call_fails_that_call_alone(serving: Serving) -> None:
    server = serving.connect()
    matrix, right = equations(3)
    server.linpack.solve(matrix, right)
    victim = serving.pids_of("demo_linpack")[1]
    os.kill(victim, signal.SIGSTOP)  # So that the call is under way for as long as it takes.
    job = server.linpack.solve.submit(matrix, right)
    wait_until(lambda: job.progress.moved_bytes > 0)
    os.kill(victim, signal.SIGKILL)
    with pytest.raises(CallError, match="has ended during the call"):
        job.result(PROMPTLY_S)
    assert_solves(server.linpack.solve(matrix, right), matrix, right)


def test_a_client_that_goes_during_its_call_holds_nobody_up(serving: Serving) -> None:
    matrix, right = equations(3)
    serving.connect().linpack.solve(matrix, right)
    os.kill(serving.pids_of("demo_linpack")[1], signal.SIGSTOP)
    code = (
        "import numpy, sys, tasuki, time\n"
        "solve = tasuki.connect(sys.argv[1]).linpack.solve\n"
        "job = solve.submit(numpy.eye(3), numpy.ones(3))\n"
        "while job.progress.moved_bytes == 0: time.sleep(0.01)\n"
        "print('It calls.', flush=True)\n"
        "job.result()\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(REPOSITORY / "python")}
    with subprocess.Popen(
        [sys.executable, "-c", code, serving.url], env=environment, stdout=subprocess.PIPE
    ) as client:
        assert client.stdout.readline() == b"It calls.\n"
        client.kill()
    assert_solves(serving.connect().linpack.solve(matrix, right), matrix, right)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_a_server_that_ends_leaves_nothing(tasuki, number: int) -> None:
    serving = Serving(tasuki)
    matrix, right = equations(3)
    serving.connect().linpack.solve(matrix, right)
    serving.end(number)
    wait_until(lambda: not tasuki.processes())


def test_the_examples_of_the_guide_run(serving: Serving) -> None:
    environment = {**os.environ, "PYTHONPATH": str(REPOSITORY / "python")}
    program = REPOSITORY / "examples" / "linear_equations.py"
    result = subprocess.run(
        [sys.executable, program, serving.url], env=environment, capture_output=True, text=True
    )
    assert result.returncode == 0, result.stderr
    first, mode, *others = result.stdout.splitlines()[-4:]
    numbers = [line.split()[-1] for line in (first, *others)]
    assert all(float(number) < 1e-9 for number in numbers), result.stdout
    assert mode == ("memory" if CAN_SHARE_MEMORY else "hand-off")
    result = subprocess.run(
        [EXAMPLE_IN_C, str(serving.port)], capture_output=True, text=True, check=True
    )
    assert result.stdout.splitlines()[-1] == "x = 1, y = 3"


def test_messages_with_wrong_fields_end_no_more_than_their_connection(serving: Serving) -> None:
    # MessagePack: {"message": "call", "module": "linpack", "routine": "solve", "scalars": {"n":
    # bytes that are no text}}
    scalars = b"\x81\xa1n\xa2\xff\xfe"
    call = b"\x84\xa7message\xa4call\xa6module\xa7linpack\xa7routine\xa5solve\xa7scalars" + scalars
    for body in (call, b"\x81\xa7message\x01", b"\x81\xa7message\xa4join"):
        with socket.create_connection(("127.0.0.1", serving.port)) as other:
            other.sendall(len(body).to_bytes(4, "big") + body)
            other.settimeout(PROMPTLY_S)
            other.recv(1000)
    matrix, right = equations(4)
    assert_solves(serving.connect().linpack.solve(matrix, right), matrix, right)
