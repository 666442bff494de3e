"""The routines of LAPACK that `tasuki serve --demo` offers, beside NumPy's."""

from collections.abc import Iterator

import numpy as np
import pytest
from demo_server import DemoServer, needs_server
from tasuki.rpc.errors import CallError

pytestmark = needs_server


@pytest.fixture(scope="module")
def lapack() -> Iterator:
    with DemoServer(2) as started:
        yield started.connect().lapack


def random(*shape: int) -> np.ndarray:
    return np.random.default_rng(sum(shape)).standard_normal(shape)


@pytest.mark.parametrize("shape", [(5, 3, 7), (1, 1, 1), (4, 0, 2), (0, 2, 3), (60, 50, 40)])
def test_dgemm(lapack, shape) -> None:
    m, k, n = shape
    a, b = random(m, k), random(k, n)
    np.testing.assert_allclose(lapack.dgemm(a, b), a @ b, atol=1e-12)


@pytest.mark.parametrize("shape", [(6, 2), (1, 1), (40, 40), (0, 3), (3, 0)])
def test_dgesv(lapack, shape) -> None:
    n, r = shape
    a, b = random(n, n) + n * np.eye(n), random(n, r)
    np.testing.assert_allclose(a @ lapack.dgesv(a, b), b, atol=1e-9)


def test_a_singular_matrix_is_an_error_and_later_calls_go_on(lapack) -> None:
    with pytest.raises(CallError, match="the matrix is singular"):
        lapack.dgesv(np.zeros((2, 2)), np.ones((2, 1)))
    np.testing.assert_allclose(lapack.dgesv(2 * np.eye(2), np.ones((2, 1))), [[0.5], [0.5]])


@pytest.mark.parametrize("n", [0, 1, 6, 50])
def test_dsyev(lapack, n) -> None:
    a = random(n, n) + random(n, n).T
    a += a.T
    values, vectors = lapack.dsyev(a)
    np.testing.assert_allclose(values, np.linalg.eigvalsh(a), atol=1e-9)
    np.testing.assert_allclose(a @ vectors, vectors * values, atol=1e-9)


@pytest.mark.parametrize("shape", [(5, 3), (3, 5), (4, 4), (0, 3), (60, 20)])
def test_dgesvd(lapack, shape) -> None:
    a = random(*shape)
    u, s, vt = lapack.dgesvd(a)
    np.testing.assert_allclose(u * s @ vt, a, atol=1e-9)
    np.testing.assert_allclose(s, np.linalg.svd(a, compute_uv=False), atol=1e-9)
