"""Programs in C, C++, Fortran, GridRPC and Ninf that have several servers, and cancel calls."""

import ctypes
import json
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tasuki
from conftest import REPOSITORY, wait_for
from demo_server import DemoServer, needs_server
from replaceable_server import ReplaceableServer
from tasuki.base.programs import BUILD_TREE, find_library
from test_grid_rpc import GRID, OK, Handle

pytestmark = needs_server
NOBODY = "tasuki://localhost:1"


@pytest.fixture(scope="module")
def second(tmp_path_factory) -> Iterator[ReplaceableServer]:
    with ReplaceableServer(tmp_path_factory.mktemp("servers") / "second", 3) as started:
        yield started


@pytest.fixture
def first(tmp_path: Path) -> Iterator[ReplaceableServer]:
    with ReplaceableServer(tmp_path / "first", 2) as started:
        yield started


class Argument(ctypes.Structure):
    """tasuki_argument."""

    _fields_ = (
        ("memory", ctypes.c_void_p),
        ("type", ctypes.c_char_p),
        ("extents", ctypes.c_void_p),
        ("dimensions", ctypes.c_size_t),
        ("is_column_major", ctypes.c_int),
        ("is_read_only", ctypes.c_int),
        ("stride_bytes", ctypes.c_void_p),
        ("kept", ctypes.c_char_p),
        ("text_bytes", ctypes.c_size_t),
    )


class ClientInC:
    """A client of the C interface, which calls first.scaled."""

    def __init__(self, url: str) -> None:
        self.library = ctypes.CDLL(str(find_library("tasuki_client")))
        self.library.tasuki_client_open.restype = ctypes.c_void_p
        for name in ("call_routine", "error", "error_kind", "server", "make", "call_method"):
            getattr(self.library, f"tasuki_client_{name}").restype = ctypes.c_char_p
        self.client = ctypes.c_void_p(self.library.tasuki_client_open(url.encode()))
        assert self.client, self.error()

    def __enter__(self) -> "ClientInC":
        return self

    def __exit__(self, *_: object) -> None:
        self.library.tasuki_client_close(self.client)

    def __getattr__(self, name: str) -> Callable[..., Any]:
        function = getattr(self.library, f"tasuki_client_{name}")
        return lambda *arguments: function(self.client, *arguments)

    def error(self) -> dict[str, Any]:
        """The thread's last one; what it tells in other ways is the same."""
        told = json.loads(self.library.tasuki_client_error())
        assert self.library.tasuki_client_may_have_run() == told["may_have_run"]
        assert self.library.tasuki_client_error_kind().decode() == told["kind"]
        return told

    def scaled(self) -> float | dict[str, Any]:
        """Of 1; or the error."""
        n, x, y = ctypes.c_int64(1), ctypes.c_double(1), ctypes.c_double()
        arguments = (Argument * 3)(*(Argument(ctypes.addressof(one)) for one in (n, x, y)))
        report = self.call_routine(b"first/scaled", arguments, 3)
        return self.error() if report is None else y.value

    def next(self, counter: bytes) -> int | dict[str, Any]:
        number = ctypes.c_int()
        arguments = (Argument * 1)(Argument(ctypes.addressof(number)))
        report = self.call_method(counter, b"next", arguments, 1)
        return self.error() if report is None else number.value

    def in_thread(self) -> "InThread":
        return InThread(self.scaled)


class InThread:
    """Work of another thread."""

    def __init__(self, work: Callable[[], Any]) -> None:
        self._found: list[Any] = []
        self._thread = threading.Thread(target=lambda: self._found.append(work()))
        self._thread.start()

    def result(self) -> Any:
        self._thread.join(60)
        return self._found[0]


def test_a_cancel_without_a_call_disturbs_nothing(second: ReplaceableServer) -> None:
    with ClientInC(second.url) as client:
        client.cancel()
        counter = client.make(b"first/Counter")
        assert client.next(counter) == 1
        client.cancel()
        assert client.is_connected() and client.next(counter) == 2
        assert client.scaled() == 3


def test_a_call_after_one_that_was_cancelled_goes_on(second: ReplaceableServer) -> None:
    with ClientInC(second.url) as client:
        counter = client.make(b"first/Counter")
        for _ in range(2):
            second.close()
            count = second.runs_count()
            call = client.in_thread()
            wait_for(lambda count=count: second.runs_count() > count, 60)
            client.cancel()
            fault = call.result()
            assert (fault["kind"], fault["may_have_run"]) == ("cancelled", True)
            assert fault["happened"] == "the call was cancelled; the call may have run"
            second.open()
            assert client.scaled() == 3
        lost = client.next(counter)
        assert (lost["kind"], lost["may_have_run"]) == ("lost-object", False)


@pytest.mark.parametrize("way", ["cancel", "end"])
def test_a_call_that_waits_for_its_ranks_is_cancelled(second, way: str) -> None:
    job = second.begin(tasuki.connect(second.url))
    count = second.runs_count()
    with ClientInC(second.url) as client:
        call = client.in_thread()
        wait_for(lambda: second.queued_count() == 1, 60)
        getattr(client, way)()
        fault = call.result()
        assert fault["kind"] == "cancelled"
        assert fault["happened"] == "the call was cancelled; the call has not run"
        second.open()
        np.testing.assert_array_equal(job.result(60), [3])
        wait_for(lambda: second.queued_count() == 0, 60)
        assert second.runs_count() == count
        after = client.scaled()
        assert after == 3 if way == "cancel" else after["kind"] == "cancelled"


def test_a_client_that_has_ended_calls_no_more(second: ReplaceableServer) -> None:
    with ClientInC(second.url) as client:
        client.end()
        assert not client.is_connected()
        for _ in range(2):
            assert client.scaled()["happened"] == "the call was cancelled; the call has not run"


def test_c_tells_whether_a_call_may_have_run(first, second) -> None:
    with ClientInC(f"{first.url},{second.url}") as client:
        assert client.scaled() == 2 and client.server().decode() == first.url
        first.close()
        count = first.runs_count()
        call = client.in_thread()
        wait_for(lambda: first.runs_count() > count, 60)
        first.kill()
        fault = call.result()
        assert (fault["kind"], fault["may_have_run"]) == ("call", True)
        assert client.scaled() == 3 and client.server().decode() == second.url


EXAMPLES = {
    "C": (
        [BUILD_TREE / "bin" / "example_servers"],
        "x = 1, y = 3 on ",
        "it has not run: call: tasuki: ",
    ),
    "C++": (
        [BUILD_TREE / "bin" / "example_servers_cpp"],
        "x = 1, y = 3 on ",
        "may have run: 0; call; tasuki: ",
    ),
    "Python": (
        [sys.executable, REPOSITORY / "examples" / "several_servers.py"],
        "[1. 1.] on ",
        "may have run: False; ",
    ),
}


@pytest.mark.parametrize("language", EXAMPLES)
def test_the_examples_go_on_on_another_server(language: str) -> None:
    command, solved, failed = EXAMPLES[language]
    with DemoServer(1) as one, DemoServer(1) as other:
        environment = {**os.environ, "PYTHONPATH": str(REPOSITORY / "python")}
        with subprocess.Popen(
            [*command, f"{one.url},{other.url}"],
            env=environment, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        ) as program:  # fmt: skip

            def printed() -> str:
                program.stdin.write("\n")
                program.stdin.flush()
                return program.stdout.readline().strip()

            assert printed() == solved + one.url
            one.kill()
            assert printed() == solved + other.url
            other.kill()
            told = printed()
            assert told.startswith(f"{failed}find a server: none of 2 serves this client: ")
            assert f"{one.url}: " in told and f"{other.url}: " in told
            assert program.communicate(timeout=60) == ("", None)


def test_grid_rpc_has_several_default_servers(first, second, tmp_path: Path) -> None:
    config = tmp_path / "client.conf"
    config.write_text(f"server {NOBODY},{first.url}\nserver {second.url}\n")
    grid = GRID
    assert grid.initialize(str(config).encode()) == OK
    try:
        handle = Handle()
        assert grid.function_handle_default(ctypes.byref(handle), b"scaled") == OK
        n, x, y = ctypes.c_int64(1), (ctypes.c_double * 1)(1), (ctypes.c_double * 1)()
        assert grid.call(ctypes.byref(handle), n, x, y) == OK and y[0] == 2
        first.close()
        count = first.runs_count()
        session = grid.begin(handle, n, x, y)
        wait_for(lambda: first.runs_count() > count, 60)
        first.kill()
        assert grid.wait(session) == "SESSION_FAILED"
        assert grid.get_error(session) == "COMMUNICATION_FAILED"
        assert "; the call may have run. Remedy: " in grid.text()
        assert grid.call(ctypes.byref(handle), n, x, y) == OK and y[0] == 3
    finally:
        assert grid.finalize() == OK


def test_grid_rpc_says_of_a_session_that_was_cancelled_whether_it_may_have_run(second) -> None:
    grid = GRID
    assert grid.initialize(None) == OK
    try:
        handle = grid.handle(second.url, "scaled")
        n, x, y = ctypes.c_int64(1), (ctypes.c_double * 1)(1), (ctypes.c_double * 1)()
        job = second.begin(tasuki.connect(second.url))
        session = grid.begin(handle, n, x, y)
        wait_for(lambda: second.queued_count() == 1, 60)
        assert grid.cancel(session) == OK and grid.wait(session) == "SESSION_FAILED"
        assert grid.get_error(session) == "SESSION_FAILED"
        assert "the call was cancelled; the call has not run" in grid.text()
        second.open()
        np.testing.assert_array_equal(job.result(60), [3])
        assert grid.call(ctypes.byref(handle), n, x, y) == OK and y[0] == 3
    finally:
        assert grid.finalize() == OK


CPP = r"""
#include <cstdio>
#include <string>
#include <tasuki/remote.hpp>

int main(int, char** argv) {
  tasuki::rpc::Server server(argv[1]);
  const double x[1] = {1};
  for (int letter = std::getchar(); letter != EOF; letter = std::getchar()) {
    try {
      const std::vector<double> y = server.call("first/scaled", 1, x);
      std::printf("%g on %s\n", y[0], server.url().c_str());
    } catch (const tasuki::rpc::call_error& error) {
      std::printf("%d %s\n", error.may_have_run(), error.what());
    }
    std::fflush(stdout);
  }
}
"""


@pytest.mark.skipif(shutil.which("c++") is None, reason="no C++ compiler")
def test_cpp_has_several_servers(first, second, tmp_path: Path) -> None:
    library = find_library("tasuki_client")
    (tmp_path / "servers.cpp").write_text(CPP)
    subprocess.run(
        ["c++", "-std=c++20", "-O0", f"-I{REPOSITORY / 'include'}", "servers.cpp", str(library),
         f"-Wl,-rpath,{library.parent}", "-o", "servers"],
        cwd=tmp_path, check=True, timeout=300,
    )  # fmt: skip
    with subprocess.Popen(
        [tmp_path / "servers", f"{first.url},{second.url}"],
        text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    ) as program:  # fmt: skip

        def ask() -> None:
            program.stdin.write("c")
            program.stdin.flush()

        ask()
        assert program.stdout.readline() == f"2 on {first.url}\n"
        first.close()
        count = first.runs_count()
        ask()
        wait_for(lambda: first.runs_count() > count, 60)
        first.kill()
        told = program.stdout.readline()
        assert told.startswith("1 ") and "; the call may have run. " in told
        ask()
        assert program.stdout.readline() == f"3 on {second.url}\n"
        program.communicate(timeout=60)
