"""Arrays that stay on the ranks between calls."""

import gc
import os
import re
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from conftest import parse_envelope, wait_for
from demo_server import DemoServer, needs_server
from tasuki.base.programs import BUILD_TREE
from tasuki.rpc.errors import ArgumentError, CallError, LostArrayError, QuotaError
from test_job import ranks_of

pytestmark = needs_server
N = 60
LIMIT_BYTES = 100_000  # Room for three matrices of N x N.


@pytest.fixture(scope="module")
def serving() -> Iterator[DemoServer]:
    with DemoServer(3, "--keep-limit", LIMIT_BYTES) as started:
        yield started


@pytest.fixture
def server(serving: DemoServer):
    return serving.connect()


def problem(seed: int = 1) -> tuple[np.ndarray, np.ndarray]:
    generator = np.random.default_rng(seed)
    return generator.standard_normal((N, N)) + N * np.eye(N), generator.standard_normal(N)


def test_an_array_that_was_put_serves_any_number_of_calls(server) -> None:
    matrix, right = problem()
    solve = server.linpack.solve
    kept = server.put(matrix[::-1], like=solve.A)
    assert kept.shape == (N, N) and kept.dtype == np.float64 and kept.nbytes == 8 * N * N
    for factor in range(3):
        x = solve(kept, right * factor)
        np.testing.assert_allclose(matrix[::-1] @ x, right * factor, atol=1e-9)
    assert server.arrays == [kept]


def test_numpy_does_not_take_what_is_on_the_ranks_for_an_object(server) -> None:
    kept = server.put(problem()[0], like=server.linpack.solve.A)
    with pytest.raises(CallError, match="is not in this process"):
        np.asarray(kept)


def test_a_put_array_is_not_sent_again(server) -> None:
    matrix, right = problem()
    kept = server.put(matrix, like=server.linpack.solve.a)
    server.linpack.solve(kept, right)
    report = server.linpack.solve.report
    assert report["bytes"] == {"sent": 3 * 8 * N, "received": 8 * N}  # b to each rank, x from one.
    server.linpack.solve(matrix, right)
    assert server.linpack.solve.report["bytes"]["sent"] == 8 * N * N + 3 * 8 * N


def test_other_clients_may_call_meanwhile(serving: DemoServer, server) -> None:
    matrix, right = problem()
    kept = server.put(matrix, like=server.linpack.solve.a)
    np.testing.assert_allclose(serving.connect().linpack.solve(np.eye(2), [1, 2]), [1, 2])
    np.testing.assert_allclose(matrix @ server.linpack.solve(kept, right), right, atol=1e-9)


def test_a_freed_array_is_lost_and_others_stay(server) -> None:
    matrix, right = problem()
    solve = server.linpack.solve
    with server.put(matrix, like=solve.a) as first:
        second = server.put(2 * matrix, like=solve.a)
    with pytest.raises(LostArrayError, match="it was freed"):
        solve(first, right)
    np.testing.assert_allclose(2 * matrix @ solve(second, right), right, atol=1e-9)
    assert server.arrays == [second]
    first.free()  # Once more does nothing.


def test_what_nobody_refers_to_makes_room(server) -> None:
    matrix, right = problem()
    for seed in range(12):
        kept = server.put(problem(seed)[0], like=server.linpack.solve.a)
        del kept
        gc.collect()
    np.testing.assert_allclose(matrix @ server.linpack.solve(matrix, right), right, atol=1e-9)


def test_there_is_room_for_so_much_and_a_client_that_goes_makes_room(serving: DemoServer) -> None:
    for _ in range(3):
        server = serving.connect()
        wait_for(lambda server=server: not server.kept)  # By those that have gone before.
        kept = [server.put(problem(seed)[0], like=server.linpack.solve.a) for seed in range(3)]
        with pytest.raises(QuotaError, match=r"larger --keep-limit"):
            server.put(problem()[0], like=server.linpack.solve.a)
        matrix, right = problem(2)
        np.testing.assert_allclose(matrix @ server.linpack.solve(kept[2], right), right, atol=1e-9)
        del kept, server
        gc.collect()


def test_an_array_that_can_never_have_room_is_refused_before_it_is_sent(
    serving: DemoServer, tmp_path: Path
) -> None:
    rows = 20_000
    # Of zeros that are nowhere: it would take minutes to send them.
    large = np.memmap(tmp_path / "large", np.float64, "w+", shape=(rows, rows))
    server = serving.connect()
    with pytest.raises(
        QuotaError, match=f"has {large.nbytes} bytes .*keep {LIMIT_BYTES} at most"
    ) as caught:
        server.put(large, like=server.linpack.solve.a)
    assert "--keep-limit" in caught.value.remedy and not caught.value.may_have_run
    matrix, right = problem()
    np.testing.assert_allclose(matrix @ server.linpack.solve(matrix, right), right, atol=1e-9)


def test_an_array_of_another_shape_or_type_is_refused(server) -> None:
    matrix, right = problem()
    with pytest.raises(ArgumentError, match=r"A must have shape \(n, n\)"):
        server.put(matrix[:-1], like=server.linpack.solve.a)
    with pytest.raises(ArgumentError, match="must be of float64"):
        server.put(matrix.astype(complex), like=server.linpack.solve.a)
    kept = server.put(right, like=server.linpack.solve.b)
    with pytest.raises(ArgumentError, match=r"b must have shape"):
        server.linpack.solve(matrix[:2, :2], kept)
    with pytest.raises(AttributeError, match="has no array n"):
        _ = server.linpack.solve.n


def test_a_result_may_stay_on_the_ranks(server) -> None:
    matrix, right = problem()
    solve = server.linpack.solve
    x = server.put(np.zeros(N), like=solve.x)
    assert solve(matrix, right, out={"x": x}) is x
    assert solve.report["bytes"]["received"] == 0


def test_what_all_clients_have_left_is_listed_and_freed(serving: DemoServer, server) -> None:
    matrix, right = problem()
    kept = server.put(matrix, like=server.linpack.solve.A)
    [own] = [one for one in server.kept if one.name == kept.kept]
    assert (own.module, own.what, own.shape, own.dtype) == (
        "linpack", "solve.A", (N, N), "float64",
    )  # fmt: skip
    assert own.nbytes == kept.nbytes and own.left_s is None and own.client == "127.0.0.1"
    assert own.age_s >= own.unused_s >= 0 and not own.is_being_freed
    other = serving.connect()
    [seen] = [one for one in other.kept if one.name == kept.kept]
    assert seen.free() and not seen.free()
    assert kept.kept not in [one.name for one in server.kept]
    with pytest.raises(LostArrayError, match=r"it was freed by somebody at 127\.0\.0\.1"):
        server.linpack.solve(kept, right)


def test_a_shell_lists_and_frees_what_was_left(serving: DemoServer, server, tasuki) -> None:
    kept = server.put(problem()[0], like=server.linpack.solve.A)
    shown = wait_for(
        lambda: kept.kept in (text := tasuki("kept", serving.url).stdout) and text, timeout_s=60
    )
    assert f"float64[{N}, {N}]" in shown and "no limit" in shown
    rows = parse_envelope(tasuki("kept", serving.url, "--json").stdout)["results"]
    [row] = [one for one in rows if one["name"] == kept.kept]
    assert (row["kind"], row["value"], row["unit"]) == ("array", kept.nbytes, "bytes")
    assert (row["module"], row["what"], row["shape"]) == ("linpack", "solve.A", [N, N])
    freed = tasuki("kept", serving.url, "--free", kept.kept)
    assert (freed.returncode, freed.stderr) == (0, "") and kept.kept not in freed.stdout
    again = tasuki("kept", serving.url, "--free", kept.kept)
    assert again.returncode == 1 and "you have no such array or object" in again.stderr


def test_ranks_that_are_started_anew_have_lost_them(serving: DemoServer, server) -> None:
    matrix, right = problem()
    kept = server.put(matrix, like=server.linpack.solve.a)
    rank = ranks_of(serving)[0]
    os.kill(rank, signal.SIGKILL)
    wait_for(lambda: rank not in serving.command.processes())
    with pytest.raises(LostArrayError, match="started anew"):
        while True:  # The call that notices the loss of the rank may fail otherwise.
            try:
                server.linpack.solve(kept, right)
            except LostArrayError:
                raise
            except Exception as fault:
                assert "ended" in str(fault) or "joined" in str(fault)


def test_the_example_in_c(serving: DemoServer) -> None:
    program: Path = BUILD_TREE / "bin" / "example_kept"
    result = subprocess.run(
        [program, str(serving.port)], capture_output=True, text=True, timeout=60
    )
    assert (
        result.stdout == "x = 1, y = 3\nx = 2, y = 6\nsolve's matrix is there\nlost-array\n"
    ), result.stderr


def test_an_array_that_no_call_uses_for_long_is_freed() -> None:
    keep_s = 4
    options = ("--keep-time", f"{keep_s}s", "--keep-limit", LIMIT_BYTES)
    with DemoServer(3, *options) as serving:
        server, other = serving.connect(), serving.connect()
        matrix, right = problem()
        solve = server.linpack.solve
        used, idle, _ = (server.put(matrix, like=solve.A) for _ in range(3))
        longest_s, last_s = 0.0, time.monotonic()
        while not has_room(other, matrix):
            begin_s = time.monotonic()
            try:
                np.testing.assert_allclose(matrix @ solve(used, right), right, atol=1e-9)
            except LostArrayError:
                # A slow machine: it was not used for so long.
                assert max(longest_s, time.monotonic() - last_s) > keep_s / 2
                break
            longest_s, last_s = max(longest_s, time.monotonic() - last_s), begin_s
        with pytest.raises(LostArrayError, match=r"its time is over.*\(--keep-time\)"):
            solve(idle, right)
        again = server.put(matrix, like=solve.A)
        np.testing.assert_allclose(matrix @ solve(again, right), right, atol=1e-9)


def has_room(client, matrix: np.ndarray) -> bool:
    """Do the ranks keep another array?"""
    try:
        client.put(matrix, like=client.linpack.solve.A).free()
    except QuotaError:
        return False
    return True


def test_memory_is_given_back_though_nobody_calls() -> None:
    count = 2400
    with DemoServer(2, "--keep-time", "1s") as serving:
        server = serving.connect()
        server.linpack.solve(*problem())  # The ranks are there then.
        before_bytes = rank_bytes(serving, "VmRSS")
        kept = server.put(np.ones((count, count)), like=server.linpack.solve.A)
        assert rank_bytes(serving, "VmHWM") > before_bytes + kept.nbytes / 2  # It was there.
        wait_for(lambda: rank_bytes(serving, "VmRSS") < before_bytes + kept.nbytes / 2)


def rank_bytes(serving: DemoServer, field: str) -> int:
    """The memory of all ranks: `VmRSS` now, `VmHWM` at most."""
    ranks = ranks_of(serving)
    assert len(ranks) == 2
    texts = [Path(f"/proc/{one}/status").read_text() for one in ranks]
    return sum(1024 * int(re.search(rf"{field}:\s*(\d+)", one)[1]) for one in texts)
