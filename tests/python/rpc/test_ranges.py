"""Arguments of which a part travels, by every way to the ranks."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import tasuki
from conftest import Command, wait_for
from demo_server import CAN_SHARE_MEMORY, needs_server
from tasuki.rpc.errors import ArgumentError

pytestmark = needs_server
CONNECTED = ("hand-off", "sequential", "call-back", "relay", "buffering", "original")
WAYS = ("memory", *CONNECTED) if CAN_SHARE_MEMORY else CONNECTED
WAYS_AND_WIRES = [*((way, "native") for way in WAYS), *((way, "xdr") for way in CONNECTED)]


@pytest.fixture(scope="module")
def url(tmp_path_factory) -> Iterator[str]:
    """Serves routines/ranges.idl on three ranks."""
    command = Command()
    source = Path(__file__).with_name("routines")
    folder = shutil.copytree(source, tmp_path_factory.mktemp("served") / "routines")
    process = command.start("serve", folder / "ranges.idl", "-n", 3, "--port", 0)
    yield re.search(r"tasuki://\S+", process.stdout.readline())[0]
    process.terminate()
    process.communicate(timeout=60)
    wait_for(lambda: not command.processes())


@pytest.mark.parametrize(("mode", "wire"), WAYS_AND_WIRES)
def test_only_the_elements_of_the_range_travel(url: str, mode: str, wire: str) -> None:
    deal = tasuki.connect(url, mode=mode, wire=wire).ranges.deal
    generator = np.random.default_rng(1)
    for m, n, lower, upper, step in (
        (0, 0, 0, 0, 1),
        (1, 1, 0, 1, 1),
        (7, 10, 2, 7, 2),
        (9, 9, 4, 4, 3),
        (300, 211, 5, 200, 1),
        (300, 211, 0, 211, 7),
    ):
        rows = generator.standard_normal((m, n))
        tiles = generator.integers(-100, 100, (m, n)).astype(np.int8)
        same = generator.standard_normal(n) + 1j
        result = deal(lower, upper, step, rows, tiles, same)
        ranged = slice(lower, upper, step)
        parts = ((slice(lower, upper), slice(0, n, step)), (ranged, slice(lower, upper)), ranged)
        arrays = (rows, tiles, same)
        for given, part, got, seen in zip(
            arrays, parts, result[:-1:2], result[1:-1:2], strict=True
        ):
            expected_seen = np.zeros_like(given)
            expected_seen[part] = given[part]
            np.testing.assert_array_equal(seen, expected_seen)
            expected = given.copy()
            expected[part] += 1
            np.testing.assert_array_equal(got, expected)
        index = np.zeros(n, np.int32)
        index[ranged] = np.arange(n)[ranged]
        np.testing.assert_array_equal(result[-1], index)


def test_what_is_not_in_the_range_is_neither_read_nor_written(url: str) -> None:
    deal = tasuki.connect(url).ranges.deal
    index = np.full(20, -1, np.int32)
    ones = np.ones((20, 20))
    deal(4, 9, 2, ones, ones.astype(np.int8), np.ones(20), out={"index": index})
    expected = np.full(20, -1)
    expected[4:9:2] = (4, 6, 8)
    np.testing.assert_array_equal(index, expected)
    sent = deal.report["bytes"]["sent"]
    assert sent == 5 * 10 * 8 + 3 * 5 * 1 + 3 * 3 * 16  # The last goes to all three ranks.


@pytest.mark.parametrize("mode", ["hand-off", "buffering", "original"])
def test_all_of_an_array_that_is_put_travels(url: str, mode: str) -> None:
    server = tasuki.connect(url, mode=mode)
    deal, same = server.ranges.deal, np.ones(8)
    rows = np.arange(64.0).reshape(8, 8)
    kept = server.put(rows, like=deal.rows)
    seen = deal(1, 7, 3, kept, rows.astype(np.int8), same)[1]
    np.testing.assert_array_equal(seen, rows)


@pytest.mark.parametrize(
    ("lower", "upper", "step"), [(0, 9, 1), (-1, 4, 1), (5, 4, 1), (0, 8, 0), (8, 0, -1)]
)
def test_ranges_outside_of_the_array_are_refused_before_anything_is_sent(
    url: str, lower: int, upper: int, step: int
) -> None:
    square = np.ones((8, 8))
    deal = tasuki.connect(url).ranges.deal
    with pytest.raises(ArgumentError, match=r"rows.*a range needs 0 <= lower <= upper <= size"):
        deal(lower, upper, step, square, square.astype(np.int8), np.ones(8))
    assert deal.report is None
