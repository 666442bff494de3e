"""Calls of LINPACK's routine by every way, on the cluster of tasuki/reproduce/ninf/links.py:
prints what became of each as a line of JSON, and waits for the end of its input.

Its arguments are ways. The client's own host is the first, that of the front end the second, and
each rank has one of the others; without a cluster all are this host.
"""

import json
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from tasuki.base.programs import DATA, require_program
from tasuki.idl.parser import parse_file
from tasuki.idl.registration import Registration
from tasuki.reproduce.ninf.links import FRONT_END, host, on_hosts_of_ranks
from tasuki.rpc.client import connect
from tasuki.rpc.errors import CallError
from tasuki.rpc.programs import Launch, ServedProgram
from tasuki.rpc.serving import FrontEnd

RANKS_COUNT = 2
INTERFACE = DATA / "demo" / "linpack.idl"


def outcome(url: str, mode: str, wire: str) -> dict[str, Any]:
    """Of calls by one way: the way that the report names and how wrong results are, or the error.

    The matrix is not symmetric, and stays on the ranks for a second call."""
    generator = np.random.default_rng(1)
    matrix = generator.standard_normal((150, 150)) + 20 * np.eye(150)
    right = generator.standard_normal(150)
    try:
        with connect(url, mode, wire) as server:
            solve = server.linpack.solve
            first = solve(matrix, right)
            second = solve(server.put(matrix, like=solve.A), 2 * right)
    except CallError as fault:
        return {"failed": str(fault)}
    wrong = max(np.abs(matrix @ first - right).max(), np.abs(second - 2 * first).max())
    return {"mode": solve.report["mode"], "wrong": float(wrong)}


def main(ways: list[str]) -> None:
    place = host(FRONT_END)
    with tempfile.TemporaryDirectory(prefix="tasuki-") as folder:
        program = on_hosts_of_ranks(require_program("test", "demo_linpack"), Path(folder))
        served = ServedProgram(Registration(parse_file(INTERFACE), program, "tasuki"), INTERFACE)
        launch = Launch(RANKS_COUNT)
        with FrontEnd([served], launch, 0, place.address, place.command) as front_end:
            url = f"tasuki://{place.address}:{front_end.port}"
            for way in ways:
                mode, _, wire = way.partition("/")
                print(json.dumps({"way": way, **outcome(url, mode, wire or "native")}), flush=True)
            sys.stdin.read()


if __name__ == "__main__":
    main(sys.argv[1:])
