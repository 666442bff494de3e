"""Sizes that are no sizes, as arguments make them: negative, too large, divided by zero."""

from collections.abc import Iterator
from typing import Any

import frames
import numpy as np
import pytest
import tasuki
from demo_server import needs_server
from protocol_client import ProtocolClient
from serving import ServeCommand, build_interfaces
from tasuki.rpc.errors import ArgumentError

pytestmark = needs_server
ROUTINES = """
Define quotient(IN int64_t n, IN double x[12 / n], OUT double y[1]) { y[0] = 12 / n; }
Define rest(IN int64_t n, IN double x[12 % n], OUT double y[1]) { y[0] = 12 % n; }
Define cube(IN int64_t n, IN double x[n ^ 3], OUT double y[1]) { y[0] = n; }
Define less(IN int64_t n, IN double x[n - 5], OUT double y[1]) { y[0] = n - 5; }
"""
BAD_SIZES = [
    ("quotient", 0, "12 / n divides by zero", "by zero"),
    ("rest", 0, "12 % n divides by zero", "by zero"),
    ("quotient", -3, r"\(12 / n,\) = \(-4,\), and no size may be negative", "-4"),
    ("less", 3, r"\(n - 5,\) = \(-2,\), and no size may be negative", "-2"),
    ("cube", 2**22, r"n \^ 3 does not fit into 64 bits with n = 4194304", "64 bits"),
    ("cube", 2**20, "which no memory can hold", ""),
]


@pytest.fixture(scope="module")
def serving(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServeCommand]:
    folder = tmp_path_factory.mktemp("sizes")
    build_interfaces(folder, sizes=ROUTINES)
    command = ServeCommand(folder)
    yield command
    command.__exit__()


@pytest.mark.parametrize(("routine", "n", "said", "_"), BAD_SIZES)
def test_a_client_finds_bad_sizes(
    serving: ServeCommand, routine: str, n: int, said: str, _: str
) -> None:
    sizes = tasuki.connect(serving.url).sizes
    with pytest.raises(ArgumentError, match=said):
        getattr(sizes, routine)(n, np.ones(3))
    np.testing.assert_array_equal(sizes.quotient(4, np.ones(3)), [3])


def result_of(serving: ServeCommand, routine: str, n: Any) -> dict[str, Any]:
    """What the rank answers to a client that does not compute sizes."""
    with ProtocolClient(serving.port) as client:
        client.lease("sizes")
        rank = client.connect_to_rank()
        call = {"message": "call", "call": 1, "routine": routine, "scalars": {"n": n}}
        rank.sendall(frames.encoded(call) + bytes(24))
        return frames.receive(rank)


@pytest.mark.parametrize(("routine", "n", "_", "said"), BAD_SIZES)
def test_a_rank_finds_bad_sizes(
    serving: ServeCommand, routine: str, n: int, _: str, said: str
) -> None:
    answer = result_of(serving, routine, n)
    assert answer["message"] == "failed" and said in answer["happened"], answer
    sizes = tasuki.connect(serving.url).sizes
    np.testing.assert_array_equal(sizes.quotient(4, np.ones(3)), [3])


@pytest.mark.parametrize("n", [float("nan"), float("inf"), 1.5, "3", None, 2**63])
def test_a_rank_takes_no_size_that_is_no_integer(serving: ServeCommand, n: Any) -> None:
    assert result_of(serving, "quotient", n)["message"] == "failed"
    sizes = tasuki.connect(serving.url).sizes
    np.testing.assert_array_equal(sizes.quotient(4, np.ones(3)), [3])
