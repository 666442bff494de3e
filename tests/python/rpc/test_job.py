"""Calls that are under way while the client does something else, and how they are ended."""

import asyncio
import concurrent.futures
import contextlib
import os
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tasuki
from conftest import REPOSITORY, wait_for
from demo_server import DemoServer, needs_server
from tasuki.base.programs import BUILD_TREE
from tasuki.rpc.errors import ArgumentError, CallError
from tasuki.rpc.job import Job

pytestmark = needs_server
A = np.array([[2.0, 1.0], [1.0, 3.0]])
B = np.array([5.0, 10.0])


@pytest.fixture(scope="module")
def serving() -> Iterator[DemoServer]:
    with DemoServer(2) as started:
        yield started


def ranks_of(serving: DemoServer) -> list[int]:
    def is_rank(pid: int) -> bool:
        try:
            return Path(os.readlink(f"/proc/{pid}/exe")).name == "demo_linpack"
        except OSError:
            return False

    return [pid for pid in serving.command.processes() if is_rank(pid)]


class Stopped:
    """Stops a rank, so that calls are under way for as long as a test needs."""

    def __init__(self, serving: DemoServer) -> None:
        self._serving = serving

    def __enter__(self) -> None:
        # Those of the call before may still be ending.
        self._rank = wait_for(lambda: len(ranks := ranks_of(self._serving)) == 2 and ranks[1])
        os.kill(self._rank, signal.SIGSTOP)

    def __exit__(self, *_: object) -> None:
        if self._rank in ranks_of(self._serving):
            with contextlib.suppress(ProcessLookupError):  # It may have been killed just now.
                os.kill(self._rank, signal.SIGCONT)


def test_a_job_gives_its_result(serving: DemoServer) -> None:
    solve = serving.connect().linpack.solve
    job = solve.submit(A, B)
    assert isinstance(job, concurrent.futures.Future)
    np.testing.assert_allclose(job.result(30), [1, 3])
    assert job.done() and not job.cancel() and not job.cancelled()
    assert job.progress == (8 * (4 + 4 + 2), 8 * (4 + 4 + 2))  # To two ranks, which need all of B.
    out = np.zeros(2)
    assert solve.submit(A, B, out={"x": out}).result(30) is out
    np.testing.assert_allclose(out, [1, 3])


def test_jobs_go_on_at_once_and_in_any_thread(serving: DemoServer) -> None:
    solve = serving.connect().linpack.solve
    jobs = [solve.submit(A, B * i) for i in range(12)]
    for i, job in enumerate(concurrent.futures.wait(jobs, 60).done):
        assert job.exception() is None, i
    for i, job in enumerate(jobs):
        np.testing.assert_allclose(job.result(), [i, 3 * i], atol=1e-12)


def test_a_job_may_be_awaited(serving: DemoServer) -> None:
    solve = serving.connect().linpack.solve

    async def both() -> list[np.ndarray]:
        return await asyncio.gather(solve.submit(A, B), solve.submit(A, 2 * B))

    first, second = asyncio.run(both())
    np.testing.assert_allclose(second, 2 * first)


def test_wrong_arguments_of_a_job_are_errors_at_once(serving: DemoServer) -> None:
    with pytest.raises(ArgumentError):
        serving.connect().linpack.solve.submit(A, B[:1])


def test_one_server_serves_many_threads(serving: DemoServer) -> None:
    solve = serving.connect().linpack.solve
    faults: list[BaseException] = []

    def call() -> None:
        try:
            for i in range(10):
                np.testing.assert_allclose(solve(A, B * i), [i, 3 * i], atol=1e-12)
        except BaseException as fault:
            faults.append(fault)

    threads = [threading.Thread(target=call) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not faults


def leased(serving: DemoServer) -> Any:
    """A routine whose ranks are leased to its client: a rank that is stopped could not end the
    lease of another. Its progress is that of connections, byte by byte."""
    solve = tasuki.connect(serving.url, mode="hand-off").linpack.solve
    np.testing.assert_allclose(solve(A, B), [1, 3])
    return solve


def under_way(job: Job) -> None:
    wait_for(lambda: job.progress[0] > 0)


def test_a_job_that_is_cancelled_ends_and_the_next_call_goes_on(serving: DemoServer) -> None:
    solve = leased(serving)
    n = 2000
    with Stopped(serving):
        job = solve.submit(np.eye(n), np.ones(n))
        under_way(job)
        moved, total = job.progress
        assert 0 < moved < total == 8 * (n * n + 2 * n + n)
        assert job.cancel() and job.cancelled()
        with pytest.raises(concurrent.futures.CancelledError):
            job.result(1)
        assert job.progress == (moved, total)
        np.testing.assert_allclose(solve(A, B), [1, 3])


def test_a_job_whose_rank_ends_has_the_error(serving: DemoServer) -> None:
    solve = leased(serving)
    with Stopped(serving):
        job = solve.submit(np.eye(900), np.ones(900))
        under_way(job)
        os.kill(ranks_of(serving)[1], signal.SIGKILL)
        assert isinstance(job.exception(30), CallError)
    np.testing.assert_allclose(solve(A, B), [1, 3])


def test_numbers_that_are_none_are_sent_as_they_are(tmp_path: Path) -> None:
    from test_own_routines import Serving

    file = tmp_path / "echo.idl"
    file.write_text(
        "Define echo(IN double x, IN scomplex z, OUT double *y, OUT float *r)\n"
        "{ *y = x; *r = __real__ z; }\n"
    )
    with Serving(file) as server:
        for x in (np.nan, np.inf, -np.inf):
            y, r = server.echo.echo(x, complex(x, 1))
            np.testing.assert_array_equal([y[0], r[0]], [x, x])


@pytest.mark.parametrize("waits_for", ["its results", "another client"])
def test_ctrl_c_ends_a_call_that_waits(serving: DemoServer, waits_for: str) -> None:
    other = leased(serving)
    code = (
        "import sys, numpy, tasuki\n"
        "solve = tasuki.connect(sys.argv[1]).linpack.solve\n"
        "if sys.argv[2] == 'its results': solve([[2, 1], [1, 3]], [5, 10])\n"
        "print('ready', flush=True)\n"
        "print(input(), flush=True)\n"
        "try:\n"
        "    solve(numpy.eye(1500), numpy.ones(1500))\n"
        "except KeyboardInterrupt:\n"
        "    print('interrupted', flush=True)\n"
        "input()\n"
        "print(solve([[2, 1], [1, 3]], [5, 10]))\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(REPOSITORY / "python")}
    client = subprocess.Popen(
        [sys.executable, "-c", code, serving.url, waits_for], env=environment, text=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    assert client.stdout.readline() == "ready\n"
    with Stopped(serving):
        client.stdin.write("calls\n")
        client.stdin.flush()
        assert client.stdout.readline() == "calls\n"
        for _ in range(10):  # While it still sends, a signal may go unnoticed.
            time.sleep(0.5)
            client.send_signal(signal.SIGINT)
            if select.select([client.stdout], [], [], 5)[0]:
                break
        assert client.stdout.readline() == "interrupted\n"
    rest, errors = client.communicate("go on\n", timeout=60)
    np.testing.assert_allclose(other(A, B), [1, 3])
    assert rest.split() == ["[1.", "3.]"], errors


def test_the_example_in_c_shows_progress_and_is_cancelled(serving: DemoServer) -> None:
    port = str(serving.port)
    program = BUILD_TREE / "bin" / "example_progress"
    result = subprocess.run([program, port], input="", capture_output=True, text=True, timeout=60)
    assert result.stdout == "x[0] = 1\n"
    for end in ("c\n", "e\n", None):
        leased(serving)
        # A rank that is stopped could not end the lease of that client.
        serving.await_free_ranks()
        with Stopped(serving):
            other = subprocess.Popen(
                [program, port, "1500"],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            )  # fmt: skip
            before = "0"
            while True:  # Until it has sent what can be sent, and waits.
                other.stdin.write("p\n")
                other.stdin.flush()
                moved, _, total, _ = other.stdout.readline().split()
                if moved == before != "0":
                    break
                before = moved
                time.sleep(0.3)
            assert int(moved) < int(total) == 8 * (1500 * 1500 + 3 * 1500)
            if end is None:
                other.send_signal(signal.SIGINT)
            _, errors = other.communicate(end, timeout=60)
            assert other.returncode == 1
            assert ("cancelled" if end else "interrupted") in errors
