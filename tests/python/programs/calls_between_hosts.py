"""Calls by every way on the cluster of tasuki/reproduce/links.py: prints what became of each
as a line of JSON, and waits for the end of its input.

Its arguments are ways. The client's own host is the first, that of the front end the second, and
each rank has one of the others; without a cluster all are this host. The calls are of LINPACK's
routine on two ranks, or, with a registration of routines/outside.idl, of those on one.
"""

import argparse
import json
import sys
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from tasuki.base.programs import DATA, require_program
from tasuki.idl.parser import parse_file
from tasuki.idl.registration import Registration, read_registration
from tasuki.reproduce.links import host
from tasuki.reproduce.ninf.hosts import FRONT_END, on_hosts_of_ranks
from tasuki.rpc.client import Server, connect
from tasuki.rpc.errors import CallError
from tasuki.rpc.programs import Launch, ServedProgram
from tasuki.rpc.server_options import ServerOptions
from tasuki.rpc.serving import FrontEnd

RANKS_COUNT = 2


@dataclass
class Served:
    """Where clients call what, and, if that is encrypted, who has signed the certificate."""

    url: str
    has_outside: bool
    ca_file: Path | None

    def outcome(self, mode: str, wire: str) -> dict[str, Any]:
        """Of calls by one way: the way that the report names and how wrong results are, or the
        error."""
        call = outside if self.has_outside else solve
        try:
            with connect(self.url, mode, wire, ca_file=self.ca_file) as server:
                return call(server)
        except CallError as fault:
            return {"failed": str(fault)}


def solve(server: Server) -> dict[str, Any]:
    """The matrix is not symmetric, and stays on the ranks for a second call."""
    generator = np.random.default_rng(1)
    matrix = generator.standard_normal((150, 150)) + 20 * np.eye(150)
    right = generator.standard_normal(150)
    routine = server.linpack.solve
    first = routine(matrix, right)
    second = routine(server.put(matrix, like=routine.A), 2 * right)
    wrong = max(np.abs(matrix @ first - right).max(), np.abs(second - 2 * first).max())
    return {"mode": routine.report["mode"], "wrong": float(wrong)}


def outside(server: Server) -> dict[str, Any]:
    """The rank calls a function of this process, and reads and writes files of it."""

    def f(x: np.ndarray, y: np.ndarray) -> None:
        y[:] = x + 1

    start = np.arange(50_000.0)
    routine = server.outside.sample
    wrong = np.abs(routine(3, f, start) - start - 3).max()
    with tempfile.TemporaryDirectory(prefix="tasuki-") as folder:
        source, result = Path(folder, "source"), Path(folder, "result")
        text = "a line of words\n" * 20_000
        source.write_text(text)
        server.outside.shout(source, result)
        wrong += result.read_text() != text.upper()
    return {"mode": routine.report["mode"], "wrong": float(wrong)}


def registration_of(file: Path | None) -> tuple[Registration, Path]:
    """What to serve, and its interface's file."""
    if file is None:
        interface = DATA / "demo" / "linpack.idl"
        program = require_program("test", "demo_linpack")
        return Registration(parse_file(interface), program, "tasuki"), interface
    return read_registration(file), file


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("ways", nargs="+")
    for option in ("--registration", "--tls-certificate", "--tls-key", "--ca-file"):
        parser.add_argument(option, type=Path)
    given = parser.parse_args()
    place = host(FRONT_END)
    registration, file = registration_of(given.registration)
    tls = ServerOptions(tls_certificate=given.tls_certificate, tls_key=given.tls_key)
    with tempfile.TemporaryDirectory(prefix="tasuki-") as folder:
        program = on_hosts_of_ranks(registration.program, Path(folder))
        served = ServedProgram(replace(registration, program=program), file)
        launch = Launch(RANKS_COUNT)
        with FrontEnd([served], launch, 0, place.address, place.command, tls) as front_end:
            scheme = "tasukis" if given.ca_file else "tasuki"
            url = f"{scheme}://{place.address}:{front_end.port}"
            calls = Served(url, given.registration is not None, given.ca_file)
            for way in given.ways:
                mode, _, wire = way.partition("/")
                outcome = calls.outcome(mode, wire or "native")
                print(json.dumps({"way": way, **outcome}), flush=True)
            sys.stdin.read()


if __name__ == "__main__":
    main()
