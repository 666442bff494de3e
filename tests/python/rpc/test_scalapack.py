"""The routines of ScaLAPACK that `tasuki serve --demo` offers, beside NumPy's.

The same C runs here with narrow blocks, so that small matrices are divided on every grid.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from serving import Serving
from tasuki.base.errors import CommandError
from tasuki.base.programs import DATA
from tasuki.idl.libraries import scalapack_of
from tasuki.rpc.client import Server
from tasuki.rpc.errors import CallError

SOURCE = DATA / "demo" / "scalapack.idl"
DISTRIBUTION = "distribute(CYCLIC(64), CYCLIC(64))"
BLOCK_EXTENT = 3
# Ranks -> module -> ranks along the rows and columns of a matrix, as C counts them. Matrices of a
# module have several grids in turn.
GRIDS = {
    1: {"single": [(1, 1)]},
    2: {"rows": [(2, 1)], "columns": [(1, 2)]},
    4: {"square": [(2, 2)], "mixed": [(2, 2), (1, 4), (4, 1)]},
}


def is_there() -> bool:
    try:
        return bool(scalapack_of(["mpicc"]))
    except (CommandError, OSError):
        return False


pytestmark = pytest.mark.skipif(not is_there(), reason="there is no ScaLAPACK")


def source_of(name: str, grids: list[tuple[int, int]]) -> str:
    """Each routine has the next one of the grids."""
    source = SOURCE.read_text().replace("Module scalapack;", f"Module {name};")
    assert source.count(DISTRIBUTION) == source.count("CYCLIC(64), ") > 0
    head, *routines = source.split("Define ")
    for index, routine in enumerate(routines):
        rows, columns = grids[index % len(grids)]
        onto = f"{DISTRIBUTION.replace('64', str(BLOCK_EXTENT))} onto grid({rows}, {columns})"
        routines[index] = routine.replace(DISTRIBUTION, onto)
    return "Define ".join([head, *routines])


@pytest.fixture(scope="module", params=GRIDS, ids=lambda ranks: f"{ranks} ranks")
def server(request, tmp_path_factory) -> Iterator[Server]:
    """One with a module for each grid of so many ranks."""
    folder = tmp_path_factory.mktemp("scalapack")
    for name, grids in GRIDS[request.param].items():
        (folder / f"{name}.idl").write_text(source_of(name, grids))
    with Serving(folder, "-n", request.param) as connected:
        yield connected


@pytest.fixture
def modules(server) -> list[Any]:
    names = [name for served in GRIDS.values() for name in served if name in dir(server)]
    return [getattr(server, name) for name in names]


def random(*shape: int) -> np.ndarray:
    return np.random.default_rng(sum(shape)).standard_normal(shape)


# Sizes: a multiple of the blocks or not; fewer elements than ranks, or none.
@pytest.mark.parametrize(
    "shape", [(5, 3, 7), (1, 1, 1), (2, 13, 1), (4, 0, 2), (0, 2, 3), (12, 12, 12), (40, 31, 23)]
)
def test_pdgemm(modules, shape) -> None:
    m, k, n = shape
    a, b = random(m, k), random(k, n)
    for module in modules:
        np.testing.assert_allclose(module.pdgemm(a, b), a @ b, atol=1e-13)
        transposed = module.pdgemm(np.asfortranarray(a), b[:, ::-1])
        np.testing.assert_allclose(transposed, a @ b[:, ::-1], atol=1e-13)


@pytest.mark.parametrize("shape", [(7, 2), (1, 1), (2, 9), (12, 12), (0, 3), (3, 0), (40, 5)])
def test_pdgesv(modules, shape) -> None:
    n, r = shape
    a, b = random(n, n), random(n, r)
    for module in modules:
        x = module.pdgesv(a, b)
        np.testing.assert_allclose(x, np.linalg.solve(a, b), rtol=1e-9, atol=1e-11)


def test_a_singular_matrix_is_an_error_and_later_calls_go_on(modules) -> None:
    singular = random(7, 7)
    singular[:, 4] = 0
    for module in modules:
        with pytest.raises(CallError, match="the matrix is singular"):
            module.pdgesv(singular, random(7, 1))
        np.testing.assert_allclose(
            module.pdgesv(2 * np.eye(7), np.ones((7, 1))), np.full((7, 1), 0.5)
        )


@pytest.mark.parametrize("n", [0, 1, 2, 7, 12, 40])
def test_pdsyev(modules, n) -> None:
    a = random(n, n)
    symmetric = np.tril(a) + np.tril(a, -1).T
    for module in modules:
        values, vectors = module.pdsyev(a)  # What is above the diagonal is not read.
        np.testing.assert_allclose(values, np.linalg.eigvalsh(symmetric), atol=1e-12)
        np.testing.assert_allclose(symmetric @ vectors, vectors * values, atol=1e-12)
        np.testing.assert_allclose(vectors.T @ vectors, np.eye(n), atol=1e-12)


@pytest.mark.parametrize("shape", [(5, 3), (3, 5), (1, 1), (2, 7), (0, 3), (12, 12), (40, 13)])
def test_pdgesvd(modules, shape) -> None:
    a = random(*shape)
    for module in modules:
        u, s, vt = module.pdgesvd(a)
        np.testing.assert_allclose(u * s @ vt, a, atol=1e-12)
        np.testing.assert_allclose(s, np.linalg.svd(a, compute_uv=False), atol=1e-12)
        np.testing.assert_allclose(u.T @ u, np.eye(min(shape)), atol=1e-12)
        np.testing.assert_allclose(vt @ vt.T, np.eye(min(shape)), atol=1e-12)


def test_arrays_stay_as_they_were_on_the_ranks(server, modules) -> None:
    a, b = random(10, 10), random(10, 2)
    for module in modules:
        kept = server.put(a, like=module.pdgesv.A)
        for _ in range(2):  # The first call leaves the matrix as it was.
            np.testing.assert_allclose(module.pdgesv(kept, b), np.linalg.solve(a, b), atol=1e-10)
