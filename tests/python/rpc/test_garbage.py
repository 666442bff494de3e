"""Peers that say what is no message of the protocol, to the front end and to ranks, at any time."""

import contextlib
import errno
import socket
from collections.abc import Iterator
from typing import Any

import frames
import msgpack
import numpy as np
import pytest
from conftest import name_of
from demo_server import DemoServer, needs_server
from protocol_client import ProtocolClient, connected

pytestmark = needs_server
GARBAGE = {
    "no MessagePack": frames.frame_of(b"\xc1" * 20),
    "nothing": frames.frame_of(b""),
    "a list": frames.frame_of(msgpack.packb([1, 2, 3])),
    "lists in lists": frames.frame_of(b"\x91" * 10_000 + b"\x90"),
    "a long frame": (17 << 20).to_bytes(4, "big") + b"\x81" * 1000,
    "the longest frame": b"\xff" * 1000,
    "half a frame": frames.encoded({"message": "lease", "module": "linpack"})[:-3],
    "half a length": b"\x00\x00",
    "no kind": frames.encoded({"module": "linpack"}),
    "no text as kind": frames.encoded({"message": 7}),
    "an unknown kind": frames.encoded({"message": "dance"}),
}
every_garbage = pytest.mark.parametrize("garbage", GARBAGE.values(), ids=GARBAGE)


@pytest.fixture(scope="module")
def serving() -> Iterator[DemoServer]:
    with DemoServer(2) as started:
        assert_serves(started)  # The ranks have joined.
        yield started


def answer_to(peer: socket.socket, garbage: bytes) -> dict[str, Any] | None:
    """What the peer says; None if it ends the connection without a word."""
    try:
        peer.sendall(garbage)
        peer.shutdown(socket.SHUT_WR)
        return frames.receive(peer)
    except (EOFError, ConnectionError):
        return None
    except OSError as fault:
        assert fault.errno == errno.ENOTCONN, fault  # It has ended the connection before.
        return None


def assert_serves(serving: DemoServer) -> None:
    np.testing.assert_allclose(serving.connect().linpack.solve(np.eye(2), [1, 2]), [1, 2])


def ranks_of(serving: DemoServer) -> set[int]:
    return {one for one in serving.command.processes() if name_of(one) == "demo_linpack"}


@contextlib.contextmanager
def goes_on(serving: DemoServer) -> Iterator[None]:
    """What happens meanwhile, the server serves after it, by the same ranks."""
    ranks = ranks_of(serving)
    yield
    assert_serves(serving)
    assert ranks_of(serving) == ranks


@every_garbage
def test_in_place_of_hello(serving: DemoServer, garbage: bytes) -> None:
    with goes_on(serving), connected(serving.port) as peer:
        answer = answer_to(peer, garbage)
    assert answer is None or answer["happened"]


@every_garbage
def test_after_a_good_hello(serving: DemoServer, garbage: bytes) -> None:
    with goes_on(serving), ProtocolClient(serving.port) as client:
        answer = answer_to(client.front_end, garbage)
    assert answer is None or answer["happened"]


@every_garbage
def test_in_place_of_a_ticket(serving: DemoServer, garbage: bytes) -> None:
    with goes_on(serving), ProtocolClient(serving.port) as client:
        client.lease("linpack")
        for rank in client.ranks:
            with connected(rank["port"]) as peer:
                assert answer_to(peer, garbage) is None


@every_garbage
def test_in_place_of_a_call(serving: DemoServer, garbage: bytes) -> None:
    with ProtocolClient(serving.port) as client:
        client.lease("linpack")
        answer = answer_to(client.connect_to_rank(), garbage)
        assert answer is None or (answer["message"] == "failed" and answer["happened"])
        assert client.settle("linpack")["message"] == "settled"
    assert_serves(serving)


def test_who_still_listens_is_told_what_is_wrong(serving: DemoServer) -> None:
    with ProtocolClient(serving.port) as client:
        assert "no message dance" in client.ask({"message": "dance"})["happened"]
        client.lease("linpack")
        rank = client.connect_to_rank()
        rank.sendall(GARBAGE["no MessagePack"])
        failed = frames.receive(rank)
    assert failed["message"] == "failed" and "no MessagePack object" in failed["happened"]
    assert_serves(serving)
