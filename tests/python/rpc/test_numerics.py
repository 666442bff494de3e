"""The functions of Python that `tasuki serve --demo` offers."""

import importlib.util
import shutil
from collections.abc import Iterator

import numpy as np
import pytest
from conftest import Command
from demo_server import DemoServer, needs_server
from tasuki.rpc.client import Server
from tasuki.rpc.errors import CallError

pytestmark = [
    needs_server,
    pytest.mark.skipif(shutil.which("mpiexec") is None, reason="there is no mpiexec"),
]
HAS_MPI4PY = importlib.util.find_spec("mpi4py") is not None


@pytest.fixture(scope="module", params=[1, 2], ids=["1 rank", "2 ranks"])
def server(request) -> Iterator[Server]:
    with DemoServer(request.param) as started:
        yield started.connect()


def rounds_of(point: complex, most: int) -> int:
    value, rounds = 0j, 0
    while abs(value) <= 2 and rounds < most:
        value = value * value + point
        rounds += 1
    return rounds


@pytest.mark.parametrize("shape", [(1, 1), (7, 5), (0, 3)])
def test_mandelbrot(server, shape) -> None:
    found = server.numerics.mandelbrot(*shape, -2.0, 1.0, 0.4, 25)
    expected = [
        [rounds_of(-2 + 0.4 * j + 1j * (1 - 0.4 * i), 25) for j in range(shape[1])]
        for i in range(shape[0])
    ]
    np.testing.assert_array_equal(found, np.reshape(expected, shape))


def test_histogram(server) -> None:
    x = np.random.default_rng(1).standard_normal(1001)
    try:
        found = server.numerics.histogram(20, x, -2.0, 2.0)
    except CallError as fault:
        assert not HAS_MPI4PY, fault
        assert "several ranks need mpi4py: pip install mpi4py" in str(fault)
        return
    np.testing.assert_array_equal(found, np.histogram(x, 20, (-2, 2))[0])


def test_a_server_without_mpi_leaves_it_out(tmp_path) -> None:
    command = Command()
    for name in ("python3", "env", "cc"):
        (tmp_path / name).symlink_to(shutil.which(name))
    command.environment["PATH"] = str(tmp_path)
    process = command.start("serve", "--demo", "--port", 0)
    assert "tasuki://" in process.stdout.readline()
    process.terminate()
    _, errors = process.communicate(timeout=60)
    assert "numerics is left out: " in errors and "openmpi-bin" in errors
