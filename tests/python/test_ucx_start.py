"""What a rank over UCX does where another never gets ready: here the test is its launcher."""

import os
import socket
import struct
import subprocess

import pytest
from tasuki.base.programs import find_program

HELLO, HEAD = struct.Struct("=II32s"), struct.Struct("=II")
ALLGATHER, PUBLISH = 1, 3
KEY = "0" * 32
PROGRAM = find_program("tasuki_measure")


def _take(peer: socket.socket, count: int) -> bytes:
    taken = b""
    while len(taken) < count and (more := peer.recv(count - len(taken))):
        taken += more
    return taken


def _answer_until_published(peer: socket.socket) -> None:
    """As if the other rank had given the same in each round."""
    _take(peer, HELLO.size)
    while head := _take(peer, HEAD.size):
        word, argument = HEAD.unpack(head)
        block = _take(peer, argument)
        if word == PUBLISH:
            return
        assert word == ALLGATHER
        peer.sendall(struct.pack("=III", ALLGATHER, 1, 2) + block)


@pytest.mark.skipif(PROGRAM is None, reason="not built")
def test_a_rank_that_hangs_at_its_start_is_not_waited_for_without_end():
    server = socket.create_server(("127.0.0.1", 0))
    server.settimeout(30)
    settings = {
        "TASUKI_TRANSPORT": "ucx", "TASUKI_RANK": "0", "TASUKI_SIZE": "2", "TASUKI_NODE_SHM": "0",
        "TASUKI_START_TIMEOUT": "1s", "UCX_TLS": "tcp",
        "TASUKI_WIREUP": f"127.0.0.1:{server.getsockname()[1]} {KEY}",
    }  # fmt: skip
    rank = subprocess.Popen(
        [PROGRAM],
        env=os.environ | settings,
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        peer, _ = server.accept()
        _answer_until_published(peer)
        _, errors = rank.communicate('{"command": "machine"}\n', timeout=30)
    finally:
        rank.kill()
    assert "joining the job: not all ranks have joined within 1 s" in errors
