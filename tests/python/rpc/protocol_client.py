"""A client that speaks the protocol message by message, and so may say what no good client does."""

import ctypes
import hashlib
import os
import socket
import ssl
import struct
import subprocess
from pathlib import Path
from typing import Any

import frames

_TIMEOUT_S = 60
_RESET_WHEN_CLOSED = struct.pack("ii", 1, 0)


class ProtocolClient:
    """A connection to the front end, after `hello`, and connections to ranks or in their place.

    With `ca_file` it speaks TLS, for which it needs the command openssl.
    """

    def __init__(self, port: int, ca_file: Path | None = None, **hello: str) -> None:
        self._port = port
        self._is_encrypted = ca_file is not None
        self.front_end = connected(port, ca_file)
        self._sockets = [self.front_end]
        self._processes: list[subprocess.Popen] = []
        self._listener: socket.socket | None = None
        self._shown: ctypes.Array | None = None  # What a rank finds in this process's memory.
        self.ranks: list[dict[str, Any]] = []
        greeting = self.ask({"message": "hello", "protocol": 1, **hello})
        assert greeting["message"] == "hello", greeting

    def __enter__(self) -> "ProtocolClient":
        return self

    def __exit__(self, *_: object) -> None:
        for one in self._processes:
            one.kill()
            one.wait()
        for one in self._sockets:
            one.close()

    def reset(self) -> None:
        """Ends all connections as a system does whose program has vanished."""
        for one in self._sockets:
            if one.family != socket.AF_UNIX:
                one.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET_WHEN_CLOSED)
        self.__exit__()

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

    def await_ranks(self) -> int:
        """The port where ranks shall call back: `call_back` of the lease."""
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._listener.settimeout(_TIMEOUT_S)
        self._sockets.append(self._listener)
        return self._listener.getsockname()[1]

    def reach_rank(self, rank: int = 0) -> socket.socket:
        """A connection on which no ticket has been said; a rank that calls back says its own."""
        if self._listener:
            made, _ = self._listener.accept()
            made.settimeout(_TIMEOUT_S)
        else:
            port = self.ranks[rank].get("port", self._port)  # Through the front end: none.
            made = self._encrypted(port, rank) if self._is_encrypted else connected(port)
        self._sockets.append(made)
        return made

    def connect_to_rank(self, rank: int = 0, ticket: str | None = None) -> socket.socket:
        """A connection on which the rank's ticket has been said, or another one."""
        made = self.reach_rank(rank)
        if self._listener:
            assert frames.receive(made)["ticket"] == self.ranks[rank]["ticket"]
        else:
            made.sendall(frames.encoded({"ticket": ticket or self.ranks[rank]["ticket"]}))
        return made

    def share_memory_with_rank(self, rank: int = 0) -> socket.socket:
        """A connection with the ticket said; the rank may read the memory of this process."""
        made = self.reach_rank(rank)
        ticket = self.ranks[rank]["ticket"]
        self._shown = ctypes.create_string_buffer(ticket.encode())
        offer = {"process": os.getpid(), "address": ctypes.addressof(self._shown)}
        made.sendall(frames.encoded({"ticket": ticket, "memory": offer}))
        welcome = frames.receive(made)
        assert "memory" in welcome, welcome
        return made

    def _encrypted(self, port: int, rank: int) -> socket.socket:
        """By a key made from the ticket, which Python's ssl cannot before 3.13."""
        identity, key = (
            hashlib.sha256(f"tasuki {what} {self.ranks[rank]['ticket']}".encode()).hexdigest()
            for what in ("identity", "key")
        )
        suite = ("-tls1_3", "-ciphersuites", "TLS_AES_128_GCM_SHA256")
        words = ("-quiet", *suite, "-psk_identity", identity, "-psk", key)
        near, far = socket.socketpair()
        with far:
            openssl = subprocess.Popen(
                ["openssl", "s_client", "-connect", f"127.0.0.1:{port}", *words],
                stdin=far, stdout=far, stderr=subprocess.DEVNULL,
            )  # fmt: skip
        self._processes.append(openssl)
        near.settimeout(_TIMEOUT_S)
        return near


def connected(port: int, ca_file: Path | None = None) -> socket.socket:
    made = socket.create_connection(("127.0.0.1", port), timeout=_TIMEOUT_S)
    if ca_file is None:
        return made
    context = ssl.create_default_context(cafile=ca_file)
    return context.wrap_socket(made, server_hostname="localhost")


def is_ended(peer: socket.socket) -> bool:
    """Waits for what the peer does next: does it end the connection, without a word?"""
    try:
        return peer.recv(1) == b""
    except ConnectionError:
        return True
