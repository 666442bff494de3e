"""A client that speaks the protocol message by message, and so may say what no good client does."""

import socket
import struct
from typing import Any

import frames

_TIMEOUT_S = 60
_RESET_WHEN_CLOSED = struct.pack("ii", 1, 0)


class ProtocolClient:
    """A connection to the front end, after `hello`, and connections to ranks."""

    def __init__(self, port: int, **hello: str) -> None:
        self.front_end = connected(port)
        self._sockets = [self.front_end]
        self.ranks: list[dict[str, Any]] = []
        greeting = self.ask({"message": "hello", "protocol": 1, **hello})
        assert greeting["message"] == "hello", greeting

    def __enter__(self) -> "ProtocolClient":
        return self

    def __exit__(self, *_: object) -> None:
        for one in self._sockets:
            one.close()

    def reset(self) -> None:
        """Ends all connections as a system does whose program has vanished."""
        for one in self._sockets:
            one.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET_WHEN_CLOSED)
            one.close()

    def ask(self, message: dict[str, Any]) -> dict[str, Any]:
        self.front_end.sendall(frames.encoded(message))
        return frames.receive(self.front_end)

    def lease(self, module: str, **fields: Any) -> None:
        """`ranks` have ports and tickets then."""
        leased = self.ask({"message": "lease", "module": module, **fields})
        assert leased["message"] == "leased", leased
        self.ranks = leased["ranks"]

    def settle(self, module: str) -> dict[str, Any]:
        """The lease has ended then, on all ranks."""
        return self.ask({"message": "settle", "module": module})

    def connect_to_rank(self, rank: int = 0, ticket: str | None = None) -> socket.socket:
        """A connection that has said the rank's ticket, or another one."""
        made = connected(self.ranks[rank]["port"])
        self._sockets.append(made)
        made.sendall(frames.encoded({"ticket": ticket or self.ranks[rank]["ticket"]}))
        return made


def connected(port: int) -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), timeout=_TIMEOUT_S)


def is_ended(peer: socket.socket) -> bool:
    """Waits for what the peer does next: does it end the connection, without a word?"""
    try:
        return peer.recv(1) == b""
    except ConnectionError:
        return True
