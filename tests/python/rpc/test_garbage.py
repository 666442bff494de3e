"""Peers that say what is no message of the protocol, to the front end and to ranks, at any time.

They do so as they are and by TLS, straight to the ranks and through the front end. Nobody else
notices, and the ranks go on.
"""

import contextlib
import errno
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import frames
import msgpack
import numpy as np
import pytest
import tasuki
from certificates import make_authority, make_certificate, needs_openssl
from conftest import name_of
from demo_server import DemoServer, needs_server
from protocol_client import ProtocolClient, connected

pytestmark = [needs_server, needs_openssl]
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
HALVES = (GARBAGE["half a frame"], GARBAGE["half a length"])
every_garbage = pytest.mark.parametrize("garbage", GARBAGE.values(), ids=GARBAGE)


# Where a client's connections for calls lead: to the ranks, or to the front end in their place.
WAYS = ({}, {"through": "relay"}, {"through": "buffering"}, {"through": "original"})
every_way = pytest.mark.parametrize("way", WAYS, ids=lambda way: way.get("through", "hand-off"))


class GarbageServer(DemoServer):
    """Two ranks of each module; with `ca_file` it speaks TLS alone."""

    def __init__(self, ca_file: Path | None = None, *options: object) -> None:
        super().__init__(2, *options)
        self.ca_file = ca_file
        self.assert_serves()  # The ranks have joined.

    def peer(self) -> socket.socket:
        return connected(self.port, self.ca_file)

    def client(self) -> ProtocolClient:
        return ProtocolClient(self.port, self.ca_file)

    def assert_serves(self) -> None:
        server = tasuki.connect(self.url, ca_file=self.ca_file)
        np.testing.assert_allclose(server.linpack.solve(np.eye(2), [1, 2]), [1, 2])

    def ranks(self) -> set[int]:
        return {one for one in self.command.processes() if name_of(one) == "demo_linpack"}

    @contextlib.contextmanager
    def goes_on(self) -> Iterator[None]:
        """What happens meanwhile, the server serves after it, by the same ranks."""
        before = self.ranks()
        yield
        self.assert_serves()
        assert self.ranks() == before


@pytest.fixture(scope="module")
def plain() -> Iterator[GarbageServer]:
    with GarbageServer() as started:
        yield started


@pytest.fixture(scope="module")
def encrypted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GarbageServer]:
    folder = tmp_path_factory.mktemp("certificates")
    authority = make_authority(folder, "authority")
    own = make_certificate(folder, authority, "server", "DNS:localhost")
    options = ("--tls-certificate", own.file, "--tls-key", own.key)
    with GarbageServer(authority.file, *options) as started:
        yield started


@pytest.fixture(params=["plain", "encrypted"])
def serving(request: pytest.FixtureRequest) -> GarbageServer:
    return request.getfixturevalue(request.param)


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


@every_garbage
def test_in_place_of_hello(serving: GarbageServer, garbage: bytes) -> None:
    with serving.goes_on(), serving.peer() as peer:
        answer = answer_to(peer, garbage)
    assert answer is None or answer["happened"]


@every_garbage
def test_in_place_of_encryption(encrypted: GarbageServer, garbage: bytes) -> None:
    with encrypted.goes_on(), connected(encrypted.port) as peer:
        answer = answer_to(peer, garbage)
    assert answer is None or "TLS" in answer["happened"]


@every_garbage
def test_after_a_good_hello(serving: GarbageServer, garbage: bytes) -> None:
    with serving.goes_on(), serving.client() as client:
        answer = answer_to(client.front_end, garbage)
    assert answer is None or answer["happened"]


@every_garbage
def test_in_place_of_a_ticket(serving: GarbageServer, garbage: bytes) -> None:
    with serving.goes_on(), serving.client() as client:
        client.lease("linpack")
        for rank in client.ranks:
            with connected(rank["port"]) as peer:
                assert answer_to(peer, garbage) is None


@every_way
@every_garbage
def test_in_place_of_a_call(serving: GarbageServer, way: dict[str, str], garbage: bytes) -> None:
    with serving.goes_on(), serving.client() as client:
        client.lease("linpack", **way)
        rank = client.connect_to_rank()
        if serving.ca_file is not None and garbage in HALVES:
            rank.sendall(garbage)  # openssl ends both directions of a connection at once.
        else:
            answer = answer_to(rank, garbage)
            assert answer is None or (answer["message"] == "failed" and answer["happened"])
            assert client.settle("linpack")["message"] == "settled"


def test_who_still_listens_is_told_what_is_wrong(plain: GarbageServer) -> None:
    with plain.goes_on(), plain.client() as client:
        assert "no message dance" in client.ask({"message": "dance"})["happened"]
        client.lease("linpack")
        rank = client.connect_to_rank()
        rank.sendall(GARBAGE["no MessagePack"])
        failed = frames.receive(rank)
    assert failed["message"] == "failed" and "no MessagePack object" in failed["happened"]


@pytest.mark.parametrize("wire", ["native", "xdr"])
def test_ranks_that_get_different_copies_of_an_array_are_started_anew(
    serving: GarbageServer, wire: str
) -> None:
    message: dict[str, Any] = {"message": "call", "call": 1, "routine": "solve"}
    message |= {"scalars": {"n": 2}, "wire": wire}
    number = ">f8" if wire == "xdr" else "=f8"

    def settled(*copies: list[float]) -> dict[str, Any]:
        with serving.client() as client:
            client.lease("linpack")
            ranks = [client.connect_to_rank(rank) for rank in range(2)]
            for rank, row, b in zip(ranks, np.eye(2), copies, strict=True):
                rank.sendall(frames.encoded(message) + np.array([*row, *b], number).tobytes())
            for rank in ranks:
                assert frames.receive(rank)["message"] == "results"
            return client.settle("linpack")

    with serving.goes_on():
        assert "happened" not in settled([1, 2], [1, 2])
    before = serving.ranks()
    assert "something else than rank 0" in settled([1, 2], [1, 3])["happened"]
    serving.assert_serves()
    assert not serving.ranks() & before
