"""Clients that stop in the midst of a call, as a laptop does that is closed."""

import contextlib
import time
from collections.abc import Iterator
from pathlib import Path

import frames
import numpy as np
import pytest
import tasuki
from conftest import wait_for
from demo_server import needs_server
from faulty_wire import FaultyWire, Valve
from protocol_client import ProtocolClient, is_ended
from serving import ServeCommand, build_interfaces
from tasuki.rpc.errors import CallError, QuotaError

pytestmark = [
    needs_server,
    pytest.mark.same_everywhere("the server's own code decides whom a slow client holds up"),
]
TWICE = """
Define twice(IN int64_t n, IN distribute(BLOCK) double x[n], OUT distribute(BLOCK) double y[n])
Backend "MPI"
{ int64_t i; for (i = 0; i < tasuki_layout(x)->local_extents[0]; ++i) y[i] = 2 * x[i]; }
"""
N = 6_000_000
ARRAY_BYTES = 8 * N


@pytest.fixture(scope="module")
def serving(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServeCommand]:
    folder = tmp_path_factory.mktemp("slow")
    build_interfaces(folder, slow=TWICE)
    command = ServeCommand(folder, "--client-timeout", "2s")
    yield command
    command.__exit__()


@pytest.mark.parametrize("mode", ["relay", "buffering", "original"])
@pytest.mark.parametrize("stops_after_bytes", [ARRAY_BYTES // 2, ARRAY_BYTES + ARRAY_BYTES // 4])
def test_a_client_that_stops_holds_up_nobody(
    serving: ServeCommand, mode: str, stops_after_bytes: int
) -> None:
    x = np.ones(N)
    valve = Valve(stops_after_bytes)
    with FaultyWire(serving.port, 0, lambda: valve) as wire:
        slow = tasuki.connect(f"tasuki://localhost:{wire.port}", mode=mode)
        job = slow.slow.twice.submit(x)
        assert valve.is_reached.wait(60)
        other = tasuki.connect(serving.url)
        np.testing.assert_array_equal(other.slow.twice([1.0, 2.0]), [2, 4])
    assert isinstance(job.exception(60), CallError)


@pytest.mark.parametrize("mode", ["buffering", "original"])
def test_a_client_that_stops_is_told_which_option_it_was(serving: ServeCommand, mode: str) -> None:
    call = {"message": "call", "call": 1, "routine": "twice", "scalars": {"n": N}}
    with ProtocolClient(serving.port) as client:
        client.lease("slow", routine="twice", mode=mode, through=mode)
        rank = client.connect_to_rank()
        rank.sendall(frames.encoded(call) + bytes(1000))
        assert is_ended(rank)
        settled = client.settle("slow")
    assert "has sent and taken less than 1 KiB/s for 2 s" in settled["happened"]
    assert "--client-timeout" in settled["remedy"]


@pytest.mark.parametrize("rest", [b"", b"\x81", bytes(30)])
def test_a_message_that_does_not_end_ends_the_connection(
    serving: ServeCommand, rest: bytes
) -> None:
    with ProtocolClient(serving.port) as client:
        client.front_end.sendall((64 << 10).to_bytes(4, "big") + rest)
        assert is_ended(client.front_end)


def test_a_client_that_sends_too_much_is_not_listened_to(serving: ServeCommand) -> None:
    with ProtocolClient(serving.port) as client:
        client.front_end.sendall(((64 << 10) + 1).to_bytes(4, "big"))
        assert is_ended(client.front_end)


def test_a_client_may_be_silent(serving: ServeCommand) -> None:
    with ProtocolClient(serving.port) as client:
        time.sleep(3)  # More than the time in which a message has to come.
        assert client.ask({"message": "interfaces"})["message"] == "interfaces"


def test_a_users_clients_have_so_many_connections(tmp_path: Path) -> None:
    build_interfaces(tmp_path, few="Define f() { }")
    serving = ServeCommand(tmp_path, "--connection-limit", "2", "--no-warm")
    with contextlib.ExitStack() as stack:
        stack.push(serving.__exit__)
        clients = [ProtocolClient(serving.port) for _ in range(2)]
        with pytest.raises(QuotaError, match="--connection-limit"):
            tasuki.connect(serving.url)
        for one in clients:
            one.reset()
        wait_for(lambda: can_connect(serving.port))


def can_connect(port: int) -> bool:
    try:
        with ProtocolClient(port):
            return True
    except AssertionError:  # The server has not noticed yet that others have gone.
        return False


def test_many_short_calls_hold_nobody_up(serving: ServeCommand) -> None:
    twice = tasuki.connect(serving.url, mode="hand-off").slow.twice
    end_s = time.monotonic() + 5  # More than the time in which a client has to move something.
    while time.monotonic() < end_s:
        np.testing.assert_array_equal(twice([1.0, 2.0]), [2, 4])
