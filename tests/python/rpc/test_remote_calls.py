"""Calls from Python of a server's routines: their results, and what goes wrong with them."""

import contextlib
import os
import socket
import threading
from collections.abc import Iterator

import numpy as np
import pytest
import tasuki
from demo_server import DemoServer, connect_to, needs_server
from tasuki.idl.parser import parse_text
from tasuki.rpc.errors import ArgumentError, CallError
from tasuki.rpc.remote_routine import RemoteRoutine

pytestmark = needs_server


@pytest.fixture(scope="module", params=[1, 2, 3])
def solve(request):
    with DemoServer(request.param) as server:
        yield server.connect().linpack.solve


@pytest.fixture(scope="module")
def server() -> Iterator[DemoServer]:
    with DemoServer(2) as started:
        yield started


def problem(n: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(n)
    return rng.standard_normal((n, n)) + n * np.eye(n), rng.standard_normal(n)


def require_solution(x, a, b) -> None:
    assert x.shape == b.shape and x.dtype == np.float64
    np.testing.assert_allclose(np.asarray(a, float) @ x, b, atol=1e-9)


@pytest.mark.parametrize("n", [1, 3, 200])
def test_linear_equations(solve, n):
    a, b = problem(n)
    require_solution(solve(a, b), a, b)


def test_no_equations_have_an_empty_solution(solve):
    assert solve(np.zeros((0, 0)), np.zeros(0)).shape == (0,)


def test_memory_in_any_order(solve):
    a, b = problem(60)
    large = np.zeros((120, 180))
    large[::2, 1::3] = a
    for one in (np.asfortranarray(a), large[::2, 1::3], a[::-1, ::-1], a.T, a[:, ::-1]):
        before = one.copy()
        require_solution(solve(one, b), one, b)
        require_solution(solve(one, b[::-1]), one, b[::-1])
        np.testing.assert_array_equal(one, before)


@pytest.mark.parametrize("kind", ["float32", "int32", "int64"])
def test_numbers_of_other_types(solve, kind):
    a = (problem(20)[0] * 10).astype(kind)
    b = np.arange(20).astype(kind)
    require_solution(solve(a, b), a, b)


def test_results_in_the_callers_memory(solve):
    a, b = problem(50)
    whole = np.full(150, 7.0)
    x = whole[::-3]
    assert solve(a, b, out={"x": x}) is x
    require_solution(x, a, b)
    assert (whole[1::3] == 7).all() and (whole[::3] == 7).all()


def test_a_report_tells_the_seconds_of_each_rank(solve):
    assert solve(*problem(3)) is not None
    for rank in solve.report["ranks"]:
        assert set(rank["seconds"]) == {"receive", "compute", "send"}
        assert all(seconds >= 0 for seconds in rank["seconds"].values())


def test_a_singular_matrix_is_an_error_and_one_of_no_numbers_has_no_solution(solve):
    for matrix in (np.ones((3, 3)), np.zeros((1, 1))):
        with pytest.raises(CallError, match="the matrix is singular"):
            solve(matrix, np.ones(len(matrix)))
    assert np.isnan(solve(np.full((3, 3), np.nan), np.ones(3))).all()
    require_solution(solve(np.eye(3), np.ones(3)), np.eye(3), np.ones(3))


def test_a_wrong_argument_is_found_before_the_server_is_asked(server):
    solve = server.connect().linpack.solve
    with pytest.raises(TypeError, match=r"b must have shape \(n,\) = \(3,\), and has \(2,\)"):
        solve(np.eye(3), np.zeros(2))
    assert solve.report is None
    require_solution(solve(np.eye(3), np.ones(3)), np.eye(3), np.ones(3))


def test_unknown_names(server):
    connected = server.connect()
    with pytest.raises(AttributeError, match=rf"{server.url} has no module blas"):
        connected.blas  # noqa: B018
    with pytest.raises(AttributeError, match="module linpack has no routine invert"):
        connected.linpack.invert  # noqa: B018
    assert {"linpack", "put", "close"} <= set(dir(connected))
    assert dir(connected.linpack) == ["interface", "routines", "solve"]
    assert "solve(n: int64, A: float64[n][n], b: float64[n]) -> x: float64[n]" in repr(connected)


@pytest.mark.parametrize(
    "url",
    ["", "http://localhost:7777", "tasuki://", "tasuki://a:b", "tasuki://a/b", "tasuki://a:99999",
     "a:b", "a/b", 7777, b"tasuki://a", None, [7777]],
)  # fmt: skip
def test_a_wrong_address_is_shown_how_to_be_right(url):
    with pytest.raises(CallError, match="is no address.* Remedy: give tasuki://HOST:PORT"):
        tasuki.connect(url)


def test_what_an_address_cannot_use_is_refused_and_no_password_is_shown():
    with pytest.raises(CallError, match="the address of localhost has a user") as refused:
        tasuki.connect("tasuki://ann:secret@localhost:1")
    assert "secret" not in str(refused.value)
    with pytest.raises(CallError, match="ca_file is for servers that speak TLS"):
        tasuki.connect("tasuki://localhost:1", ca_file="ca.pem")


def test_host_and_port_are_an_address(server):
    connected = tasuki.connect(server.url.removeprefix("tasuki://"))
    require_solution(connected.linpack.solve(np.eye(3), np.ones(3)), np.eye(3), np.ones(3))


def test_nobody_answers():
    with socket.socket() as bound:  # So that nobody else is given the port.
        bound.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{bound.getsockname()[1]}"
        with pytest.raises(CallError, match=f"{address} does not answer: Connection refused"):
            tasuki.connect(f"tasuki://{address}")


def test_a_host_that_does_not_exist():
    with pytest.raises(
        CallError, match="nowhere.invalid has no address.* HOST:PORT or tasuki://HOST:PORT"
    ):
        tasuki.connect("tasuki://nowhere.invalid")


@contextlib.contextmanager
def peer_that_says(text: bytes) -> Iterator[str]:
    """The address of a server that is none of Tasuki's."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        ended = threading.Event()

        def answer() -> None:
            peer, _ = listener.accept()
            with peer:
                peer.sendall(text)
                ended.wait()

        thread = threading.Thread(target=answer)
        thread.start()
        yield f"tasuki://127.0.0.1:{listener.getsockname()[1]}"
        ended.set()
        thread.join()


def test_a_port_that_speaks_http():
    refused = pytest.raises(CallError, match="does the peer speak Tasuki's protocol")
    with peer_that_says(b"HTTP/1.1 400 Bad Request\r\n\r\n") as url, refused:
        tasuki.connect(url)


def test_a_port_that_says_nothing():
    with peer_that_says(b"") as url, pytest.raises(CallError, match="did nothing for too long"):
        tasuki.connect(url)


def test_clients_at_once(server):
    faults: list[Exception] = []

    def work() -> None:
        try:
            solve = server.connect().linpack.solve
            for n in range(1, 41):
                a, b = problem(n)
                require_solution(solve(a, b), a, b)
        except Exception as fault:
            faults.append(fault)

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not faults


def test_garbage_ends_its_own_connection_only(server):
    solve = server.connect().linpack.solve
    for garbage in (b"GET / HTTP/1.1\r\n\r\n", b"\0\0\0\5hello", b"\xff" * 100, os.urandom(999),
                    b"\0\0\0\1\x80", b"\0\0\1\0" + b"\x91" * 256):  # fmt: skip
        # The server may end the connection before all is said.
        with contextlib.suppress(OSError), connect_to(server.port) as stranger:
            stranger.sendall(garbage)
            stranger.shutdown(socket.SHUT_WR)
            while stranger.recv(4096):
                pass
        require_solution(solve(np.eye(2), np.ones(2)), np.eye(2), np.ones(2))


def test_an_argument_may_be_named_self() -> None:
    interface = parse_text("Define f(IN int self, OUT int *y) CalcOrder self { }").routines[0]
    routine = RemoteRoutine(None, "URL", "m", interface)
    for call in (routine, routine.submit):
        with pytest.raises(ArgumentError, match="self must be an integer, not 'x'"):
            call(**{"self": "x"})
    assert routine.expected_s(**{"self": 3}) is None


@pytest.mark.parametrize(("computation_s", "expected_s"), [(0.5, 2.0), (9e-4, None)])
def test_a_call_that_was_too_short_tells_no_time(computation_s: float, expected_s: float) -> None:
    interface = parse_text("Define f(IN int n, OUT int *y) CalcOrder n { }").routines[0]
    routine = RemoteRoutine(None, "URL", "m", interface)
    routine._report = {"operations_per_s": 4.0, "seconds": {"computation": computation_s}}
    assert routine.expected_s(n=8) == expected_s


def test_the_time_of_a_call_that_cannot_be_is_not_expected() -> None:
    interface = parse_text("Define f(IN int n, OUT int *y) CalcOrder n { }").routines[0]
    routine = RemoteRoutine(None, "URL", "m", interface)
    with pytest.raises(ArgumentError, match="n = -5 makes n negative. Remedy: give other integers"):
        routine.expected_s(n=-5)
    with pytest.raises(ArgumentError, match="no integer m. Remedy: its integers are: n"):
        routine.expected_s(m=5)
