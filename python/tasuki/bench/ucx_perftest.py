"""UCX's own benchmark, ucx_perftest: two processes of this host, what is measured over UCX beside.

A package of its own (ucx-utils), so it may be missing where UCX is not.
"""

import os
import socket
import subprocess
import time
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from tasuki.base.errors import CommandError
from tasuki.launcher.binding import bind_ranks
from tasuki.launcher.program import find_program

NAME = "ucx_perftest"
MISSING = f"{NAME} is not installed: apt install ucx-utils"
LATENCY, BANDWIDTH = "50.0_percentile_lat", "overall_bw"
_MEBIBYTE_OF_MEGABYTES = 1.048576
_LISTENS_WITHIN_S = 5.0
_ENDS_WITHIN_S = 60.0


class PerfTest(NamedTuple):
    """A test by UCX's name for it. `column` is what counts of its answer."""

    name: str
    size_bytes: int
    iterations: int
    column: str
    arguments: Sequence[str] = ()

    @property
    def title(self) -> str:
        return f"{NAME} {self.name}"


def find_perftest() -> str | None:
    return find_program(NAME)


def run_perftest(program: str, test: PerfTest, environment: Mapping[str, str]) -> float:
    """Nanoseconds, or 10^6 bytes in a second; `environment` is added to this process's.

    Raises CommandError if it fails.
    """
    port = _free_port()
    words = [program, *_without_mpi(program), "-p", str(port)]
    bound = [[*words, *_binding(cpus)] for cpus in bind_ranks(2, "core")]
    added = {**os.environ, **environment}
    server = subprocess.Popen(
        bound[0],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=added,
    )
    try:
        return _ask(server, bound[1], test, added)
    finally:
        server.kill()
        server.wait()


def value_of(printed: str, column: str) -> float:
    """Of the CSV that it prints, in UCX's unit. Raises ValueError, KeyError."""
    lines = [line.strip() for line in printed.splitlines() if "," in line]
    names, values = lines[-2].split(","), lines[-1].split(",")
    return float(dict(zip(names, values, strict=True))[column])


def _binding(cpus: set[int] | None) -> tuple[str, ...]:
    """To the cores of a rank of `tasuki run`."""
    return ("-c", ",".join(map(str, sorted(cpus)))) if cpus else ()


def _ask(
    server: subprocess.Popen[bytes],
    words: Sequence[str],
    test: PerfTest,
    environment: Mapping[str, str],
) -> float:
    """The client; tries again while the server does not listen yet."""
    warm_up = max(test.iterations // 10, 1)
    command = [*words, "127.0.0.1", "-t", test.name, "-s", str(test.size_bytes),
               "-n", str(test.iterations), "-w", str(warm_up), "-f", "-v",
               *test.arguments]  # fmt: skip
    listens_until = time.monotonic() + _LISTENS_WITHIN_S
    while True:
        try:
            client = subprocess.run(
                command, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                timeout=_ENDS_WITHIN_S, env=environment,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            raise _failure(test, f"it did not end within {_ENDS_WITHIN_S:g} s") from None
        if client.returncode == 0:
            break
        if server.poll() is not None or time.monotonic() > listens_until:
            said = client.stderr.strip().splitlines()
            raise _failure(test, said[-1] if said else f"it ended with {client.returncode}")
        time.sleep(0.02)
    try:
        value = value_of(client.stdout, test.column)
    except (ValueError, KeyError, IndexError):
        raise _failure(test, f"it printed no numbers but {client.stdout[:80]!r}") from None
    return value * (1e3 if test.column == LATENCY else _MEBIBYTE_OF_MEGABYTES)


def _failure(test: PerfTest, happened: str) -> CommandError:
    remedy = "run it by itself to see why, and see UCX_TLS and UCX_NET_DEVICES"
    return CommandError("bench micro", f"{test.title} failed: {happened}", remedy)


def _without_mpi(program: str) -> tuple[str, ...]:
    """Where it was built with an MPI, as on Debian 13, it waits for an mpiexec otherwise."""
    told = subprocess.run([program, "-h"], capture_output=True, text=True)
    return ("-P", "0") if " -P <0|1>" in told.stdout + told.stderr else ()


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])
