"""Bare TCP connections of this machine, by Python's sockets: what calls are measured beside."""

import multiprocessing
import socket
import threading
import time
from typing import Any

import numpy as np

_MESSAGE_BYTES = 64


def _serve(listener: socket.socket, most_bytes: int) -> None:
    """Takes blocks of announced length into memory that is mapped, and answers each by a byte."""
    connection, _ = listener.accept()
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    memory = np.ones(max(most_bytes, _MESSAGE_BYTES), np.uint8)
    view = memoryview(memory)
    while head := connection.recv(8, socket.MSG_WAITALL):
        left = int.from_bytes(head, "big")
        done = 0
        while done < left:
            done += connection.recv_into(view[done:left], left - done, socket.MSG_WAITALL)
        connection.sendall(b"x")


class RawSockets:
    """Processes that take data, one connection to each; leaving the context ends them."""

    def __init__(self, count: int, bytes_each: int) -> None:
        self._bytes_each = bytes_each
        context = multiprocessing.get_context("fork")
        self._connections: list[socket.socket] = []
        self._processes: list[Any] = []
        for _ in range(count):
            with socket.create_server(("127.0.0.1", 0)) as listener:
                process = context.Process(target=_serve, args=(listener, bytes_each), daemon=True)
                process.start()
                self._processes.append(process)
                connection = socket.create_connection(listener.getsockname())
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._connections.append(connection)

    def __enter__(self) -> "RawSockets":
        return self

    def __exit__(self, *_: object) -> None:
        for connection in self._connections:
            connection.close()
        for process in self._processes:
            process.join()

    def round_trip_s(self) -> float:
        """Seconds of a message of a few bytes and its answer, over the first connection."""
        start = time.perf_counter()
        _exchange(self._connections[0], memoryview(bytes(_MESSAGE_BYTES)))
        return time.perf_counter() - start

    def send_s(self, data: np.ndarray) -> float:
        """Seconds until each process has its part of the data, all at once."""
        view = memoryview(data).cast("B")
        threads = [
            threading.Thread(
                target=_exchange,
                args=(one, view[index * self._bytes_each : (index + 1) * self._bytes_each]),
            )
            for index, one in enumerate(self._connections)
        ]
        start = time.perf_counter()
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return time.perf_counter() - start


def _exchange(connection: socket.socket, part: memoryview) -> None:
    connection.sendall(len(part).to_bytes(8, "big"))
    connection.sendall(part)
    connection.recv(1)
