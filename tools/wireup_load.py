"""Measures what the start of a job over UCX costs its wire-up server.

`python tools/wireup_load.py --ranks 1000` runs the server, and in a second process ranks that say
what those of a real job say, from their start to their end, each with `--peers` others to reach.
Nothing but the server is measured: the ranks start at once and do no more.
"""

import argparse
import multiprocessing
import multiprocessing.connection
import resource
import socket
import struct
import time
from collections.abc import Callable

from tasuki.launcher.event_loop import EventLoop
from tasuki.launcher.job_states import FINISHED
from tasuki.launcher.wireup_server import WireupServer

HELLO_WORD = 0x5441534D
ALLGATHER, SUM, PUBLISH, ASK, FINISH = range(1, 6)
ADDRESS_BYTES = 215  # Of UCX 1.13 with all that it finds on a machine with one interface.
ADDRESS_ANSWER_BYTES = 12 + ADDRESS_BYTES


class Rank:
    def __init__(self, server: str, rank: int) -> None:
        place, key = server.split()
        host, _, port = place.rpartition(":")
        self.socket = socket.create_connection((host, int(port)))
        self.socket.sendall(struct.pack("=II32s", HELLO_WORD, rank, key.encode()))
        self.received_bytes = 0

    def say(self, word: int, argument: int, block: bytes = b"") -> None:
        self.socket.sendall(struct.pack("=II", word, argument) + block)

    def take(self, count: int) -> bytes:
        self.received_bytes += count
        received = bytearray()
        while len(received) < count:
            received += self.socket.recv(count - len(received))
        return bytes(received)

    def take_runs(self, block_bytes: int) -> None:
        _, runs = struct.unpack("=II", self.take(8))
        self.take(runs * (4 + block_bytes))


def ask_in_turn(ranks: list[Rank], peers: int) -> None:
    """For one address at a time, as a tree or a dissemination does."""
    for step in range(peers):
        for number, rank in enumerate(ranks):
            rank.say(ASK, (number + (1 << step)) % len(ranks))
        for rank in ranks:
            rank.take(ADDRESS_ANSWER_BYTES)


def ask_at_once(ranks: list[Rank], peers: int) -> None:
    """For all addresses, as an alltoall by direct messages does."""
    for number, rank in enumerate(ranks):
        others = ((number + 1 + step) % len(ranks) for step in range(peers))
        rank.socket.sendall(b"".join(struct.pack("=II", ASK, other) for other in others))
    for rank in ranks:
        rank.take(peers * ADDRESS_ANSWER_BYTES)


def start_and_end(
    server: str, rank_count: int, per_node: int, peers: int, ask: Callable, answer
) -> None:
    """All ranks of a job: what their transport says, in its order (ucx_transport.cpp)."""
    begun = time.monotonic()
    ranks = [Rank(server, rank) for rank in range(rank_count)]

    def allgather(block_of) -> None:
        for number, rank in enumerate(ranks):
            block = block_of(number)
            rank.say(ALLGATHER, len(block), block)
        for rank in ranks:
            rank.take_runs(len(block_of(0)))

    def of_node(number: int, block_bytes: int) -> bytes:
        return (number // per_node).to_bytes(8, "little") + bytes(block_bytes - 8)

    def of_first(number: int, block_bytes: int) -> bytes:
        is_first = number % per_node == 0
        return of_node(number + per_node, block_bytes) if is_first else bytes(block_bytes)

    allgather(lambda number: of_node(number, 24))  # The node, the build,
    if rank_count > per_node:
        allgather(lambda number: of_first(number, 148))  # the cards of watchers,
    allgather(lambda number: of_first(number, 16))  # the memory file of the node,
    allgather(lambda _: bytes(8))  # and whether it was opened.
    for rank in ranks:
        rank.say(PUBLISH, ADDRESS_BYTES, bytes(ADDRESS_BYTES))
    started = time.monotonic()
    ask(ranks, peers)
    asked = time.monotonic()
    for rank in ranks:
        rank.say(SUM, 16, bytes(16))
    for rank in ranks:
        rank.take(20)
        rank.say(FINISH, 0)
    ended = time.monotonic()
    answer.send(
        (started - begun, asked - started, ended - asked, sum(r.received_bytes for r in ranks))
    )


def serve(rank_count: int, per_node: int, peers: int, ask: Callable) -> None:
    server = WireupServer(rank_count)
    loop = EventLoop()
    server.attach(loop)
    receiver, sender = multiprocessing.Pipe(duplex=False)
    work = (server.setting, rank_count, per_node, peers, ask, sender)
    process = multiprocessing.Process(target=start_and_end, args=work)
    process.start()
    while any(server.state(rank) != FINISHED for rank in range(rank_count)):
        loop.run_once(None)
    start_s, ask_s, end_s, received_bytes = receiver.recv()
    process.join()
    server.close()
    print(
        f"{rank_count} ranks on {-(-rank_count // per_node)} nodes: start {start_s:.3f} s, "
        f"{peers} addresses each {ask_s:.3f} s, end {end_s:.3f} s; "
        f"{received_bytes / rank_count:.0f} bytes to each rank, "
        f"{received_bytes / 1e6:.1f} MB in all"
    )


def main() -> None:
    line = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    line.add_argument("--ranks", type=int, default=1000)
    line.add_argument("--ranks-per-node", type=int, default=64)
    line.add_argument("--peers", type=int, default=10, help="addresses that each rank asks for")
    line.add_argument("--at-once", action="store_true", help="each asks for all of them at once")
    asked = line.parse_args()
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    ask = ask_at_once if asked.at_once else ask_in_turn
    serve(asked.ranks, asked.ranks_per_node, asked.peers, ask)


if __name__ == "__main__":
    main()
