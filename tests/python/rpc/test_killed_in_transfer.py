"""A rank that is killed in the middle of a transfer through the front end, in both directions.

The transfer stands still meanwhile: who would go on with it is stopped.
"""

import contextlib
import json
import os
import re
import signal
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tasuki
from conftest import name_of, wait_for
from demo_server import needs_server
from serving import ServeCommand, build_interfaces
from stalled_ranks import is_sent_to, sends
from tasuki.rpc.errors import CallError
from test_killed_ranks import assert_solves, ranks_of

pytestmark = needs_server
THROUGH = ("relay", "buffering", "original")
N = 4_000_000  # No connection holds a rank's half of them.
MODULE = "gated"
INTERFACE = """
Globals {
#include <stdlib.h>
#include <unistd.h>
}
Define twice(IN int64_t n, IN distribute(BLOCK) double x[n], OUT distribute(BLOCK) double y[n])
"ends once the file GATE is there"
Backend "MPI"
{
    int64_t i;
    for (i = 0; i < tasuki_layout(x)->local_extents[0]; ++i) y[i] = 2 * x[i];
    while (access(getenv("GATE"), F_OK) != 0) usleep(1000);
}
"""


@dataclass(frozen=True)
class Gated:
    """A server of the interface on two ranks, and of others."""

    serving: ServeCommand
    gate: Path

    def front_end(self) -> int:
        processes = self.serving.command.processes()
        [found] = [one for one in processes if name_of(one) == "tasuki_server"]
        return found

    def has_received_all(self) -> bool:
        with urllib.request.urlopen(f"http://127.0.0.1:{self.serving.port}/api/ranks") as answer:
            modules = json.load(answer)["modules"]
        [ranks] = [one["ranks"] for one in modules if one["module"] == MODULE]
        return [one["state"] for one in ranks] == ["computing", "computing"]


@pytest.fixture(scope="module")
def gated(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Gated]:
    folder = tmp_path_factory.mktemp(MODULE)
    build_interfaces(folder, **{MODULE: INTERFACE})
    gate = folder / "gate"
    serving = ServeCommand("--demo", folder, "-n", 2, GATE=str(gate))
    yield Gated(serving, gate)
    serving.__exit__()


@contextlib.contextmanager
def fails_alone(gated: Gated, mode: str) -> Iterator[tuple[Any, int]]:
    """Gives the routine and a rank of it, which the context kills: then its call has failed."""
    client, other = (tasuki.connect(gated.serving.url, mode=one) for one in (mode, "auto"))
    gated.gate.touch()
    client.gated.twice(np.ones(10))  # The ranks have joined.
    before = ranks_of(gated.serving, MODULE)
    jobs: list[Any] = []
    yield lambda: jobs.append(client.gated.twice.submit(np.ones(N))), before[b"1"]
    fault = jobs[0].exception(120)
    assert isinstance(fault, CallError) and fault.may_have_run
    assert re.search("on rank 1.* ended during the call", str(fault)), fault
    assert_solves(other)
    np.testing.assert_array_equal(client.gated.twice(np.ones(N)), 2 * np.ones(N))
    assert not set(ranks_of(gated.serving, MODULE).values()) & set(before.values())


@pytest.mark.parametrize("mode", THROUGH)
def test_while_it_receives(gated: Gated, mode: str) -> None:
    with fails_alone(gated, mode) as (submit, rank):
        os.kill(rank, signal.SIGSTOP)
        submit()
        wait_for(lambda: is_sent_to(rank), 60)
        assert_solves(tasuki.connect(gated.serving.url))
        os.kill(rank, signal.SIGKILL)


@pytest.mark.parametrize("mode", THROUGH)
def test_while_it_sends(gated: Gated, mode: str) -> None:
    with fails_alone(gated, mode) as (submit, rank):
        gated.gate.unlink()
        submit()
        wait_for(gated.has_received_all, 60)
        front_end = gated.front_end()
        os.kill(front_end, signal.SIGSTOP)
        try:
            gated.gate.touch()
            wait_for(lambda: sends(rank), 60)
            os.kill(rank, signal.SIGKILL)
        finally:
            os.kill(front_end, signal.SIGCONT)
