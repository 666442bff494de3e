"""A way to a server that splits, delays and, if asked, loses the bytes which pass it, by a seed."""

import contextlib
import random
import socket
import threading
import time
from collections.abc import Iterator

_MOST_AT_ONCE_BYTES = 64 << 10
_LONGEST_DELAY_S = 0.002
_DELAYED = 0.05  # Of all pieces.


class FaultyWire:
    """Listens at `port` and passes on to the server's port what comes; leaving the context ends it.

    Once `lost_after_bytes` have passed in all, each connection ends, and so does a new one.
    """

    def __init__(self, server_port: int, seed: int, lost_after_bytes: int | None = None) -> None:
        self._server_port = server_port
        self._seed = seed
        self._left_bytes = lost_after_bytes
        self._lock = threading.Lock()
        self._sockets: list[socket.socket] = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self._threads = [threading.Thread(target=self._accept)]

    def __enter__(self) -> "FaultyWire":
        self._threads[0].start()
        return self

    def __exit__(self, *_: object) -> None:
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._threads[0].join()
        self._end_connections()
        for one in self._threads[1:]:
            one.join()
        for end in (self._listener, *self._sockets):
            end.close()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            server = socket.create_connection(("127.0.0.1", self._server_port))
            self._sockets += (client, server)
            for pair in ((client, server), (server, client)):
                own = random.Random(f"{self._seed} {len(self._threads)}")
                thread = threading.Thread(target=self._pass, args=(*pair, own))
                self._threads.append(thread)
                thread.start()

    def _pass(self, source: socket.socket, target: socket.socket, own: random.Random) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(_MOST_AT_ONCE_BYTES):
                for piece in self._pieces(data, own):
                    target.sendall(piece)
            target.shutdown(socket.SHUT_WR)

    def _pieces(self, data: bytes, own: random.Random) -> Iterator[bytes]:
        while data:
            bytes_count = own.randint(1, own.choice((1, 7, 100, 5_000, len(data))))
            piece, data = data[:bytes_count], data[bytes_count:]
            if own.random() < _DELAYED:
                time.sleep(own.uniform(0, _LONGEST_DELAY_S))
            self._count(len(piece))
            yield piece

    def _count(self, bytes_count: int) -> None:
        with self._lock:
            if self._left_bytes is None:
                return
            self._left_bytes -= bytes_count
            if self._left_bytes <= 0:
                self._end_connections()

    def _end_connections(self) -> None:
        for one in self._sockets:
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
