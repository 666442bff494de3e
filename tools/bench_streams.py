"""Measures whether several bare connections to one process are faster than one.

`python tools/bench_streams.py` measures on the loopback. A block goes from one process to another
over 1, 2 or 4 connections, in turn, each with a thread of its own at both ends. `--listen ADDRESS`
and `--connect ADDRESS` are the two ends by themselves, for a link between two hosts.
"""

import argparse
import multiprocessing
import socket
import statistics
import threading
import time
from collections.abc import Callable

PORT = 7799
BLOCK_BYTES = 256 << 20
STREAMS = (1, 2, 4)
ROUNDS = 4
BLOCKS = 3  # Over the same connections; the first one does not count.


def receive(connection: socket.socket, part: memoryview) -> None:
    """Fills the part."""
    while part:
        part = part[connection.recv_into(part, len(part), socket.MSG_WAITALL) :]


def connected(host: str) -> socket.socket:
    """Paced like a client's connection to a rank: not at all on one machine (socket.cpp)."""
    made = socket.create_connection((host, PORT))
    if made.getsockname()[0] == made.getpeername()[0]:
        made.setsockopt(socket.IPPROTO_TCP, socket.TCP_CONGESTION, b"reno")
    return made


def at_once(work: Callable, connections: list[socket.socket], block: bytearray) -> None:
    """Does the work with each connection and its part of the block, each on a thread."""
    count = len(block) // len(connections)
    view = memoryview(block)
    threads = [
        threading.Thread(target=work, args=(one, view[i * count : (i + 1) * count]))
        for i, one in enumerate(connections)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def listen(listener: socket.socket) -> None:
    """The end that receives; acknowledges each block."""
    block = bytearray(BLOCK_BYTES)
    for streams in STREAMS * ROUNDS:
        connections = [listener.accept()[0] for _ in range(streams)]
        for _ in range(BLOCKS):
            at_once(receive, connections, block)
            connections[0].sendall(b"1")


def connect(host: str) -> None:
    """The end that sends and measures."""
    block = bytearray(BLOCK_BYTES)
    rates: dict[int, list[float]] = {streams: [] for streams in STREAMS}
    for streams in STREAMS * ROUNDS:
        connections = [connected(host) for _ in range(streams)]
        for index in range(BLOCKS):
            begin = time.perf_counter()
            at_once(socket.socket.sendall, connections, block)
            connections[0].recv(1)
            if index > 0:
                rates[streams].append(BLOCK_BYTES / (time.perf_counter() - begin) / 1e9)
        for one in connections:
            one.close()
    for streams, found in rates.items():
        print(
            f"{streams} connections: {statistics.median(found):.2f} GB/s, at best {max(found):.2f}"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--listen", metavar="ADDRESS")
    parser.add_argument("--connect", metavar="ADDRESS")
    asked = parser.parse_args()
    if asked.connect:
        return connect(asked.connect)
    listener = socket.create_server((asked.listen or "127.0.0.1", PORT))
    if asked.listen:
        return listen(listener)
    other = multiprocessing.get_context("fork").Process(target=listen, args=(listener,))
    other.start()
    connect("127.0.0.1")
    other.join()
    return None


if __name__ == "__main__":
    main()
