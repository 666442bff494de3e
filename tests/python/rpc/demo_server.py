"""A `tasuki serve --demo` for tests."""

import socket
from pathlib import Path
from typing import Any

import pytest
import tasuki
from serving import ServeCommand
from tasuki.base.programs import find_library, find_program

NEEDED = (
    find_program("tasuki_server"),
    find_program("demo_linpack"),
    find_library("tasuki_client"),
)
needs_server = pytest.mark.skipif(None in NEEDED, reason="not built")

_PTRACE_SCOPE = Path("/proc/sys/kernel/yama/ptrace_scope")
# Whether processes of one user may read each other's memory here.
CAN_SHARE_MEMORY = not _PTRACE_SCOPE.exists() or int(_PTRACE_SCOPE.read_text()) == 0
needs_shared_memory = pytest.mark.skipif(not CAN_SHARE_MEMORY, reason="this system forbids it")


class DemoServer(ServeCommand):
    """The command with so many ranks of each module; leaving the context ends it."""

    def __init__(self, ranks: int = 2, *options: object, **settings: str) -> None:
        super().__init__("--demo", "-n", ranks, *options, **settings)

    def __enter__(self) -> "DemoServer":
        return self

    def connect(self) -> Any:
        return tasuki.connect(self.url)

    def await_free_ranks(self) -> None:
        """Waits until the lease of every client that has gone has ended, on all ranks of linpack.

        The front end answers `settle` after the lease, for which it has ended those before.
        """
        with connect_to(self.port) as client:
            for message in (_HELLO, _LEASE, _SETTLE):
                client.sendall(len(message).to_bytes(4, "big") + message)
                head = _receive(client, 4)
                answer = _receive(client, int.from_bytes(head, "big"))
                assert b"happened" not in answer, answer


# MessagePack: {"message": "hello", "protocol": 1}; {"message": "lease", "module": "linpack"}, and
# that with "settle".
_HELLO = b"\x82\xa7message\xa5hello\xa8protocol\x01"
_LEASE = b"\x82\xa7message\xa5lease\xa6module\xa7linpack"
_SETTLE = b"\x82\xa7message\xa6settle\xa6module\xa7linpack"


def _receive(client: socket.socket, size: int) -> bytes:
    data = b""
    while len(data) < size:
        part = client.recv(size - len(data))
        assert part, "the server has ended the connection"
        data += part
    return data


def connect_to(port: int) -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), timeout=60)
