"""Ranks that are killed while they receive arrays, and while they send them."""

import contextlib
import os
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import tasuki
from conftest import name_of, wait_for
from demo_server import needs_server
from faulty_wire import Valve
from rank_wires import RankWires
from serving import ServeCommand
from tasuki.rpc.errors import CallError

pytestmark = needs_server
N = 2_000_000  # No connection holds what a rank sends of them.
ALL_BYTES = 4 * 8 * N  # x and y there, y and z back.
RANK_NAMES = (b"OMPI_COMM_WORLD_RANK", b"PMI_RANK")


@pytest.fixture(scope="module")
def serving(tmp_path_factory) -> Iterator[ServeCommand]:
    folder = tmp_path_factory.mktemp("exchange")
    shutil.copy(Path(__file__).with_name("routines") / "exchange.idl", folder)
    started = ServeCommand("--demo", folder, "-n", 2)
    yield started
    started.__exit__()


def ranks_of(serving: ServeCommand, module: str = "exchange") -> dict[bytes, int]:
    """The processes of a module, by the number of each."""
    found = {}
    for pid in serving.command.processes():
        if name_of(pid).startswith(f"{module}_routines"[:15]):
            with contextlib.suppress(OSError, StopIteration):  # It may have ended just now.
                variables = Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
                settings = dict(one.split(b"=", 1) for one in variables if b"=" in one)
                found[next(settings[name] for name in RANK_NAMES if name in settings)] = pid
    return found


def assert_solves(server: object) -> None:
    np.testing.assert_allclose(server.linpack.solve(np.eye(2), [1, 2]), [1, 2])


@pytest.mark.parametrize("share", [0.2, 0.7], ids=["while it receives", "while it sends"])
def test_a_rank_that_is_killed_fails_its_call_alone(serving: ServeCommand, share: float) -> None:
    other = tasuki.connect(serving.url)
    x, y = np.arange(float(N)), np.ones(N)
    valve = Valve(int(share * ALL_BYTES))
    with RankWires(serving.port, share, lambda: valve) as wires:
        client = tasuki.connect(wires.url, mode="hand-off")
        client.exchange.scale(3.0, x[:10], y[:10])  # The ranks have joined.
        before = ranks_of(serving)
        job = client.exchange.scale.submit(3.0, x, y)
        assert valve.is_reached.wait(120)
        assert_solves(other)
        os.kill(before[b"1"], signal.SIGKILL)
        valve.is_open.set()
        fault = job.exception(120)
        assert isinstance(fault, CallError) and fault.may_have_run
        # Its launcher kills the other one.
        assert "exchange on rank " in str(fault)
        assert "ended during the call, by signal 9 (Killed)" in str(fault)
        assert_solves(other)
        doubled, z = client.exchange.scale(3.0, x, y)
    np.testing.assert_array_equal(z, 3 * x)
    np.testing.assert_array_equal(doubled, 2 * y)
    assert not set(ranks_of(serving).values()) & set(before.values())


def test_a_rank_that_is_stopped_holds_up_neither_its_module_nor_others(tmp_path: Path) -> None:
    shutil.copy(Path(__file__).with_name("routines") / "exchange.idl", tmp_path)
    x = np.ones(10)
    with contextlib.ExitStack() as stack:
        serving = ServeCommand("--demo", tmp_path, "-n", 2, "--rank-timeout", "5s")
        stack.push(serving.__exit__)
        client, other = tasuki.connect(serving.url), tasuki.connect(serving.url)
        client.exchange.scale(3.0, x, x)
        stopped = ranks_of(serving)[b"1"]
        os.kill(stopped, signal.SIGSTOP)
        stack.callback(resume, stopped)  # Its launcher may have left it.
        job = client.exchange.scale.submit(3.0, x, x)
        # Else the other one may be first, and the ranks are new ones before the job begins.
        wait_for(lambda: job.progress.moved_bytes > 0, 60)
        waiting = other.exchange.scale.submit(2.0, x, x)
        assert_solves(tasuki.connect(serving.url))
        # A stopped process that is told to end is let run first, and may answer before it does.
        fault = job.exception(120)
        assert fault is None or "has not answered for 5 s" in str(fault)
        waiting.result(120)
        assert ranks_of(serving)[b"1"] != stopped


def resume(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGCONT)
