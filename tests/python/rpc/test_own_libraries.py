"""Tasuki's own lu, radixsort, sssp and cg, as `tasuki serve --demo` offers them."""

import heapq
from collections.abc import Iterator

import numpy as np
import pytest
from demo_server import DemoServer, needs_server
from tasuki.rpc.client import Server
from tasuki.rpc.errors import CallError

pytestmark = needs_server


@pytest.fixture(scope="module", params=[1, 3], ids=["1 rank", "3 ranks"])
def server(request) -> Iterator[Server]:
    with DemoServer(request.param) as started:
        yield started.connect()


def random(*shape: int) -> np.ndarray:
    return np.random.default_rng(sum(shape)).standard_normal(shape)


def has(server: Server, name: str) -> None:
    if name not in dir(server):
        pytest.skip(f"{name} is not part of this build")


# ---- lu ----------------------------------------------------------------------------------------

# Blocks have 64 columns.
SIZES = [0, 1, 2, 64, 65, 200, 321]


@pytest.mark.parametrize("n", SIZES)
def test_lu_factors_a_matrix(server, n) -> None:
    has(server, "lu")
    a = random(n, n)
    factors, pivots = server.lu.factor(a)
    rows = np.arange(n)
    for row, other in enumerate(pivots):
        rows[[row, other]] = rows[[other, row]]
    product = (np.tril(factors, -1) + np.eye(n)) @ np.triu(factors)
    np.testing.assert_allclose(product, a[rows], atol=1e-12)
    assert np.abs(np.tril(factors, -1)).max(initial=0) <= 1  # As partial pivoting has it.


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("r", [0, 1, 5])
def test_lu_solves_equations_at_once_and_by_factors_that_stay(server, n, r) -> None:
    has(server, "lu")
    a, b = random(n, n), random(n, r)
    expected = np.linalg.solve(a, b)
    np.testing.assert_allclose(server.lu.solve(a, b), expected, rtol=1e-7, atol=1e-10)
    factors, pivots = server.lu.factor(a)
    with server.put(factors, like=server.lu.substitute.LU) as kept:
        for right_side, solution in ((b, expected), (-b, -expected)):
            found = server.lu.substitute(kept, pivots, right_side)
            np.testing.assert_allclose(found, solution, rtol=1e-7, atol=1e-10)


def test_lu_says_that_a_matrix_is_singular_and_later_calls_go_on(server) -> None:
    has(server, "lu")
    singular = random(70, 70)
    singular[:, 66] = 0
    with pytest.raises(CallError, match="the matrix is singular"):
        server.lu.solve(singular, random(70, 1))
    with pytest.raises(CallError, match="the matrix is singular"):
        server.lu.factor(np.zeros((3, 3)))
    np.testing.assert_allclose(
        server.lu.solve(2 * np.eye(3), np.ones((3, 1))), np.full((3, 1), 0.5)
    )


def test_lu_refuses_pivots_that_are_none(server) -> None:
    has(server, "lu")
    with pytest.raises(CallError, match="pivots are not those of a factor"):
        server.lu.substitute(np.eye(2), [0, 2], np.ones((2, 1)))


# ---- radixsort ---------------------------------------------------------------------------------


@pytest.mark.parametrize("count", [0, 1, 2, 3, 1000, 100_001])
def test_radixsort_sorts_all_bits(server, count) -> None:
    generator = np.random.default_rng(count)
    keys = generator.integers(0, 2**32, count, dtype=np.uint32)
    keys[: count // 10] = 2**32 - 1
    np.testing.assert_array_equal(server.radixsort.sort(keys), np.sort(keys))
    signed = keys.view(np.int32)
    np.testing.assert_array_equal(server.radixsort.sort_signed(signed), np.sort(signed))


# ---- sssp --------------------------------------------------------------------------------------

Graph = tuple[np.ndarray, np.ndarray, np.ndarray]


def random_graph(nodes: int, arcs: int) -> Graph:
    generator = np.random.default_rng(nodes + arcs)
    begins = np.sort(generator.integers(0, arcs + 1, nodes + 1))
    begins[0], begins[-1] = 0, arcs
    targets = generator.integers(0, nodes, arcs, dtype=np.int32)
    weights = generator.integers(0, 2**32, arcs, dtype=np.uint32)
    return begins, targets, weights


def distances_of(graph: Graph, source: int) -> list[int]:
    """Dijkstra's algorithm."""
    begins, targets, weights = graph
    distances = [-1] * (len(begins) - 1)
    heap = [(0, source)]
    while heap:
        distance, node = heapq.heappop(heap)
        if distances[node] >= 0:
            continue
        distances[node] = distance
        for arc in range(begins[node], begins[node + 1]):
            heapq.heappush(heap, (distance + int(weights[arc]), int(targets[arc])))
    return distances


@pytest.mark.parametrize("shape", [(1, 0), (2, 1), (3, 9), (50, 60), (300, 1500)])
def test_sssp_finds_all_distances(server, shape) -> None:
    has(server, "sssp")
    graph = random_graph(*shape)
    for source in {0, shape[0] - 1}:
        found = server.sssp.shortest_paths(*graph, source)
        assert list(found) == distances_of(graph, source)


def test_sssp_knows_a_town(server) -> None:
    has(server, "sssp")
    nodes, arcs = (int(count[0]) for count in server.sssp.town_size())
    graph = server.sssp.town_graph(nodes, arcs)
    assert (len(graph[0]), len(graph[1])) == (nodes + 1, arcs)
    found = server.sssp.town_paths(nodes, source=17)
    assert list(found) == distances_of(graph, 17)
    with pytest.raises(CallError, match=f"the town has {nodes} nodes, not 3"):
        server.sssp.town_paths(3, 0)


@pytest.mark.parametrize(
    ("graph", "source", "fault"),
    [
        (([0], [], []), 0, "the graph has no nodes"),
        (([0, 1], [0], [1]), 1, "there is no node 1: they are 0 to 0"),
        (([0, 1], [0], [1]), -1, "there is no node -1"),
        (([0, 1], [-1], [1]), 0, r"targets\[0\] = -1 is no node: there are 1"),
        (([0, 1], [1], [1]), 0, r"targets\[0\] = 1 is no node: there are 1"),
        (([0, 2, 1], [0], [1]), 0, r"begins\[2\] is less than the one before"),
        (([0, 2], [0], [1]), 0, "begins go from 0 to 2, and there are 1 targets"),
    ],
)
def test_sssp_says_what_is_wrong_with_a_graph(server, graph, source, fault) -> None:
    has(server, "sssp")
    with pytest.raises(CallError, match=fault):
        arrays = map(np.array, graph, (np.int64, np.int32, np.uint32))
        server.sssp.shortest_paths(*arrays, source)


# ---- cg ----------------------------------------------------------------------------------------


def compressed(matrix: np.ndarray) -> Graph:
    rows, columns = np.nonzero(matrix)
    begins = np.searchsorted(rows, np.arange(len(matrix) + 1))
    return begins, columns.astype(np.int32), matrix[rows, columns]


def positive_definite(n: int) -> np.ndarray:
    """With few elements, of both signs, and a diagonal that outweighs them."""
    sparse = np.where(np.random.default_rng(n).random((n, n)) < 0.2, random(n, n), 0)
    symmetric = sparse + sparse.T
    return symmetric + np.diag(np.abs(symmetric).sum(1) + 1)


@pytest.mark.parametrize("n", [1, 2, 3, 50, 200])
def test_cg_solves_sparse_equations(server, n) -> None:
    a, b = positive_definite(n), random(n)
    x, steps, residual = server.cg.solve(*compressed(a), b, tolerance=1e-12, most_steps=10 * n)
    np.testing.assert_allclose(a @ x, b, atol=1e-9)
    assert 0 < steps[0] <= 10 * n
    np.testing.assert_allclose(residual[0], np.linalg.norm(b - a @ x), atol=1e-12)


def test_cg_tells_how_far_it_came(server) -> None:
    a, b = positive_definite(50), random(50)
    x, steps, residual = server.cg.solve(*compressed(a), b, tolerance=1e-12, most_steps=1)
    assert steps[0] == 1
    np.testing.assert_allclose(residual[0], np.linalg.norm(b - a @ x))
    assert residual[0] > 1e-6
    x, steps, _ = server.cg.solve(*compressed(a), 0 * b, tolerance=0.0, most_steps=9)
    assert steps[0] == 0 and not x.any()


@pytest.mark.parametrize(
    ("matrix", "tolerance", "fault"),
    [
        (([0, 1, 2], [0, 1], [1.0, -1.0]), 1e-9, "the matrix is not positive definite"),
        (([0, 1, 2], [0, 2], [1.0, 1.0]), 1e-9, r"columns\[1\] = 2 is no column .* of 2 rows"),
        (([0, 2, 1], [0], [1.0]), 1e-9, r"begins\[1\] is greater than the one behind it"),
        (([0, 1, 3], [0, 1], [1.0, 1.0]), 1e-9, "begins go from 0 to 3, and there are 2 values"),
        (([0, 1, 2], [0, 1], [1.0, 1.0]), float("nan"), "tolerance must be 0 or more"),
    ],
)
def test_cg_says_what_is_wrong(server, matrix, tolerance, fault) -> None:
    with pytest.raises(CallError, match=fault):
        server.cg.solve(*matrix, [0.0, 1.0], tolerance, 10)


def test_cg_solves_the_benchmark(server) -> None:
    zeta, expected, is_verified, seconds = (float(one[0]) for one in server.cg.npb_s())
    assert (is_verified, expected) == (1, 8.5971775078648) and seconds > 0
    np.testing.assert_allclose(zeta, expected, rtol=1e-10)
