"""Measures calls of LINPACK on a server of its own: `python -m tasuki.reproduce.ninf.measure JSON`
prints what it has found as JSON.

A process of its own, so that it can be one of a cluster.
"""

import json
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from tasuki.base.programs import DATA, require_program
from tasuki.idl.parser import parse_file
from tasuki.idl.registration import Registration
from tasuki.reproduce.links import host
from tasuki.reproduce.ninf.hosts import FRONT_END, on_hosts_of_ranks
from tasuki.rpc.client import connect
from tasuki.rpc.programs import Launch, ServedProgram
from tasuki.rpc.remote_routine import RemoteRoutine
from tasuki.rpc.serving import FrontEnd

PROGRAM = "aplinpack"
INTERFACE = DATA / "reproduce" / "aplinpack.idl"
_CORRECT = 1e-6  # How far an element of x may be from 1.


@dataclass(frozen=True)
class Calls:
    """Calls for equations of size n, after one that is not counted."""

    mode: str
    wire: str
    ranks: int
    n: int
    repetitions: int


def question_of(calls: Calls) -> str:
    """The argument of this program."""
    return json.dumps(asdict(calls))


def measure(calls: Calls) -> list[dict[str, float]]:
    """Seconds of client, server, node and calc of each call."""
    with tempfile.TemporaryDirectory(prefix="tasuki-") as folder:
        program = on_hosts_of_ranks(require_program("reproduce ninf", PROGRAM), Path(folder))
        served = ServedProgram(Registration(parse_file(INTERFACE), program, "tasuki"), INTERFACE)
        place = host(FRONT_END)
        with FrontEnd([served], Launch(calls.ranks), 0, place.address, place.command) as front_end:
            url = f"tasuki://{place.address}:{front_end.port}"
            routine = connect(url, calls.mode, calls.wire).Aplinpack.ap_dgefasl
            problem = Problem(calls.n)
            problem.solve(routine)
            return [problem.solve(routine) for _ in range(calls.repetitions)]


class Problem:
    """Equations whose solution is 1 everywhere."""

    def __init__(self, n: int) -> None:
        self._columns = np.random.default_rng(1).uniform(-1, 1, (n, n))
        self._right = self._columns.sum(axis=0)
        self._pivots = np.zeros(n, np.int32)
        self._x = np.empty(n)

    def solve(self, routine: RemoteRoutine) -> dict[str, float]:
        """The seconds of a call. Raises ArithmeticError if its result is wrong."""
        n = len(self._right)
        start = time.perf_counter()
        routine(self._columns, n, n, self._pivots, self._right, 0, out={"b": self._x})
        client_s = time.perf_counter() - start
        if not np.abs(self._x - 1).max(initial=0) < _CORRECT:
            raise ArithmeticError(f"LINPACK of n = {n} is wrong")
        assert routine.report is not None
        return seconds_of(client_s, routine.report)


def seconds_of(client_s: float, report: dict[str, Any]) -> dict[str, float]:
    """The parts, as table 1 of the paper has them, of the slowest rank.

    In hand-off the server is the ranks.
    """
    ranks = [rank["seconds"] for rank in report["ranks"]]
    node_s = max(sum(rank.values()) for rank in ranks)
    server_s = sum(report["front_end"]["seconds"].values()) if "front_end" in report else node_s
    return {
        "client": client_s,
        "server": server_s,
        "node": node_s,
        "calc": max(rank["compute"] for rank in ranks),
    }


if __name__ == "__main__":
    print(json.dumps({"runs": measure(Calls(**json.loads(sys.argv[1])))}))
