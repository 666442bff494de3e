"""How a client ends, and what becomes of it in other threads, coroutines and processes."""

import asyncio
import concurrent.futures
import copy
import gc
import multiprocessing
import os
import pickle
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from conftest import REPOSITORY, wait_for
from demo_server import DemoServer, needs_server
from tasuki.rpc.errors import ArgumentError, CallError
from test_job import A, B, Stopped, leased, under_way

pytestmark = needs_server


@pytest.fixture(scope="module")
def serving() -> Iterator[DemoServer]:
    with DemoServer(2) as started:
        yield started


def in_a_fork(work: Callable[[], Any]) -> Any:
    """What `work` returns in a fork of this process, or its error as a text."""
    ours, theirs = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            answer = work()
        except BaseException as fault:
            answer = f"{type(fault).__name__}: {fault}"
        os.write(theirs, pickle.dumps(answer))
        os._exit(0)
    os.close(theirs)
    with open(ours, "rb") as pipe:
        answer = pickle.loads(pipe.read())
    os.waitpid(child, 0)
    return answer


def test_a_client_that_is_closed_calls_no_more(serving: DemoServer) -> None:
    with serving.connect() as server:
        solve = server.linpack.solve
        kept = server.put(A, like=solve.A)
        np.testing.assert_allclose(solve(kept, B), [1, 3])
    for call in (lambda: solve(A, B), lambda: server.put(A, like=solve.A),
                 lambda: solve.submit(A, B).result(30)):  # fmt: skip
        with pytest.raises(CallError, match=r"closed; the call has not run. Remedy: tas"):
            call()
    kept.free()  # It has gone with the client.
    server.close()
    np.testing.assert_allclose(serving.connect().linpack.solve(A, B), [1, 3])


def test_a_call_that_is_under_way_survives_the_end_of_its_client(serving: DemoServer) -> None:
    server = serving.connect()
    solve = leased(serving)
    with Stopped(serving):
        job = solve.submit(np.eye(900), np.ones(900))
        under_way(job)
        solve._connections.close()
        server.close()
        assert not job.done() and job.running()
    np.testing.assert_allclose(job.result(60), np.ones(900))


def test_a_fork_calls_by_connections_of_its_own(serving: DemoServer) -> None:
    server = serving.connect()
    solve = server.linpack.solve
    kept = server.put(A, like=solve.A)
    for i in range(3):
        answer = in_a_fork(lambda i=i: solve(A, i * B).tolist())
        np.testing.assert_allclose(answer, [i, 3 * i], atol=1e-12)
        np.testing.assert_allclose(solve(kept, i * B), [i, 3 * i], atol=1e-12)

    def forget() -> list[float]:
        nonlocal kept
        del kept
        gc.collect()
        server.put(A, like=solve.A)
        return solve(A, B).tolist()

    assert len(in_a_fork(forget)) == 2
    assert "put it there. Remedy: do it there" in in_a_fork(kept.free)

    def shown_after_refusal() -> str:
        with pytest.raises(CallError):
            kept.free()
        return repr(kept)

    assert "freed" not in in_a_fork(shown_after_refusal)
    np.testing.assert_allclose(solve(kept, B), [1, 3])  # The parent has it still.


def test_a_fork_does_not_wait_for_the_jobs_of_its_parent(serving: DemoServer) -> None:
    solve = leased(serving)
    with Stopped(serving):
        job = solve.submit(np.eye(900), np.ones(900))
        under_way(job)
        for wait in (job.result, job.exception):
            assert f"under way in process {os.getpid()}" in in_a_fork(wait)
    np.testing.assert_allclose(job.result(60), np.ones(900))
    assert in_a_fork(lambda: job.result().sum()) == 900


def solve_in_a_process(url: str) -> list[float]:
    import tasuki

    return tasuki.connect(url).linpack.solve(A, B).tolist()


def test_processes_of_a_pool_connect_themselves(serving: DemoServer) -> None:
    server = serving.connect()
    with concurrent.futures.ProcessPoolExecutor(
        1, mp_context=multiprocessing.get_context("fork")
    ) as pool:
        np.testing.assert_allclose(pool.submit(solve_in_a_process, serving.url).result(60), [1, 3])
        with pytest.raises(TypeError, match=r"connections of this process. Remedy: call tasuki"):
            pool.submit(server.linpack.solve, A, B).result(60)


def test_what_belongs_to_a_process_is_neither_pickled_nor_copied(serving: DemoServer) -> None:
    server = serving.connect()
    solve = server.linpack.solve
    kept = server.put(A, like=solve.A)
    for one in (server, server.linpack, solve, kept, solve.submit(A, B)):
        for duplicate in (pickle.dumps, copy.copy, copy.deepcopy):
            with pytest.raises(TypeError, match=rf"a {type(one).__name__} has connections"):
                duplicate(one)


def test_a_coroutine_that_is_cancelled_cancels_its_call(serving: DemoServer) -> None:
    solve = leased(serving)

    async def cancel() -> None:
        job = solve.submit(np.eye(900), np.ones(900))
        waiting = asyncio.ensure_future(job)
        await asyncio.sleep(0)  # It waits from now on.
        while job.progress[0] == 0:
            await asyncio.sleep(0.01)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        assert job.cancelled()

    async def wait_in_vain() -> None:
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(solve.submit(A, B), 0.05)

    for give_up in (cancel, wait_in_vain):
        with Stopped(serving):
            asyncio.run(give_up())
        np.testing.assert_allclose(solve(A, B), [1, 3])


def test_a_job_that_is_cancelled_is_done_for_whoever_waits(serving: DemoServer) -> None:
    solve = leased(serving)
    with Stopped(serving):
        job = solve.submit(np.eye(900), np.ones(900))
        under_way(job)
        assert job.running()
        seen: list[Any] = []
        job.add_done_callback(lambda ended: seen.append(ended.progress))
        assert job.cancel() and job.cancel() and not job.running()
        done, waiting = concurrent.futures.wait([job], 30)
        assert done == {job} and not waiting
        assert list(concurrent.futures.as_completed([job], 30)) == [job]
        assert len(seen) == 1
    np.testing.assert_allclose(solve(A, B), [1, 3])


def test_a_callback_of_a_job_may_ask_for_its_progress(serving: DemoServer) -> None:
    seen: list[Any] = []
    job = serving.connect().linpack.solve.submit(A, B)
    job.add_done_callback(lambda ended: seen.append(ended.progress))
    job.result(30)
    assert wait_for(lambda: seen) == [(80, 80)]


def test_arrays_on_the_ranks_are_listed_with_shape_and_age(serving: DemoServer) -> None:
    server = serving.connect()
    solve = server.linpack.solve
    with server.put(A, like=solve.A) as first, server.put(B, like=solve.b) as second:
        assert server.arrays == [first, second]
        assert [one.shape for one in server.arrays] == [(2, 2), (2,)]
        assert 0 <= second.age_s <= first.age_s
        listed = r"RemoteArray\(float64\[2, 2\], 32 bytes, \d+ s old, on the ranks of linpack\)"
        assert re.fullmatch(listed, repr(first))
    assert server.arrays == [] and "freed" in repr(first)


def test_an_array_is_put_like_one_of_a_routine(serving: DemoServer) -> None:
    server = serving.connect()
    for like in (server.linpack.solve, A, None):
        with pytest.raises(ArgumentError, match=r"no array of a routine. Remedy: give one, as in"):
            server.put(A, like=like)


def test_modules_and_routines_are_found_by_name(serving: DemoServer) -> None:
    server = serving.connect()
    assert server.modules["linpack"].routines["solve"] is server.linpack.solve
    with pytest.raises(AttributeError, match=r"has no module blas; it has .*linpack"):
        _ = server.blas
    with pytest.raises(AttributeError, match=r"has no routine invert; it has solve"):
        _ = server.linpack.invert


def test_the_example_of_the_guide(serving: DemoServer) -> None:
    result = subprocess.run(
        [sys.executable, REPOSITORY / "examples" / "python_client.py", serving.url],
        env={"PYTHONPATH": str(REPOSITORY / "python")}, capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert result.stdout.splitlines() == [
        "[1. 3.]",
        "call solve: b must have shape (n,) = (2,), and has (1,)."
        " Remedy: give arrays of that shape.",
        "[(2, 2)]",
        "[1. 3.] [2. 6.]",
        "[1. 3.]",
        "[1. 3.] [3. 9.]",
    ], result.stderr
