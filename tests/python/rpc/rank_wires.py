"""A way to a server that is good itself, while all connections between client and ranks are faulty.

It tells the client of other ports than the ranks', and the ranks of others than the client's.
"""

import contextlib
import select
import socket
import ssl
from collections.abc import Callable
from typing import Any

import frames
from certificates import Certificate
from faulty_wire import FaultyWire, Traffic
from forwarder import Forwarder

_WAKE_UP_S = 0.05
_SEND_TIMEOUT_S = 60


class RankWires(Forwarder):
    """`traffic_of` as of FaultyWire; `tls` are the server's certificate and who has signed it."""

    def __init__(
        self,
        server_port: int,
        seed: object,
        traffic_of: Callable[[], Traffic] = Traffic,
        tls: tuple[Certificate, Certificate] | None = None,
    ) -> None:
        super().__init__(server_port)
        self._seed = seed
        self._traffic_of = traffic_of
        self._tls = tls
        self._wires: dict[int, FaultyWire] = {}  # By the port to which they lead.
        self.url = f"{'tasukis' if tls else 'tasuki'}://localhost:{self.port}"

    def __enter__(self) -> "RankWires":
        super().__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        super().__exit__()
        for one in self._wires.values():
            one.__exit__()

    def forward(self, near: socket.socket, far: socket.socket, _number: int) -> None:
        if self._tls is None:
            return self._exchange({near: far, far: near})
        own, authority = self._tls
        as_server = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        as_server.load_cert_chain(own.file, own.key)
        as_client = ssl.create_default_context(cafile=authority.file)
        with (
            as_server.wrap_socket(near, server_side=True) as client,
            as_client.wrap_socket(far, server_hostname="localhost") as server,
        ):
            self._exchange({client: server, server: client})

    def _exchange(self, ends: dict[socket.socket, socket.socket]) -> None:
        come = dict.fromkeys(ends, b"")
        is_passage = False  # A way through the front end, of which nothing but the ticket is known.
        while not self.is_over:
            readable, _, _ = select.select(list(ends), [], [], _WAKE_UP_S)
            for source in readable:
                source.settimeout(0)
                # Of TLS, something else than a message may have come, or more than one record.
                with contextlib.suppress(BlockingIOError, ssl.SSLWantReadError):
                    while True:
                        data = source.recv(1 << 16)
                        if not data:
                            return
                        come[source] += data
                ends[source].settimeout(_SEND_TIMEOUT_S)
                while not is_passage:
                    message, come[source] = frames.split(come[source])
                    if message is None:
                        break
                    is_passage = "ticket" in message
                    ends[source].sendall(frames.encoded(self.turned(message)))
                if is_passage:
                    ends[source].sendall(come[source])
                    come[source] = b""

    def turned(self, message: dict[str, Any]) -> dict[str, Any]:
        """The message with ports of faulty wires, which lead to those that it names."""
        if "call_back" in message:
            message["call_back"] = self._wire_to(message["call_back"])
        if message.get("message") == "leased":
            for rank in message["ranks"]:
                if "port" in rank:
                    rank["port"] = self._wire_to(rank["port"])
        return message

    def _wire_to(self, port: int) -> int:
        if port not in self._wires:
            wire = FaultyWire(port, f"{self._seed} {len(self._wires)}", self._traffic_of)
            self._wires[port] = wire
            wire.__enter__()
        return self._wires[port].port
