"""Arrow Flight: record batches to a server in each process, at the best number of streams."""

import multiprocessing
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import numpy as np
import pyarrow as pa
from pyarrow import flight
from questions import Peer, Question, answer, array_of, seconds

_STREAMS = (1, 2, 4)  # To each process.
_BATCH_MIB = (1, 4, 16, 64)


class _Server(flight.FlightServerBase):
    """Takes streams of batches, without keeping them, and answers actions at once."""

    def do_put(self, _context: Any, _descriptor: Any, reader: Any, _writer: Any) -> None:
        while True:
            try:
                reader.read_chunk()
            except StopIteration:
                return

    def do_action(self, _context: Any, _action: Any) -> list[bytes]:
        return [b"done"]


def _serve(port: Any) -> None:
    server = _Server("grpc://127.0.0.1:0")
    port.send(server.port)
    server.serve()


class _Client:
    """Connections to the servers, `streams` to each, and the batches that go by each."""

    def __init__(self, ports: list[int], array: np.ndarray, streams: int, batch_mib: int) -> None:
        self._streams = []
        batch_count = (batch_mib << 20) // 8
        for port, row in zip(ports, array, strict=True):
            for part in np.array_split(row, streams):
                batches = [
                    pa.record_batch([pa.array(part[i : i + batch_count])], names=["a"])
                    for i in range(0, len(part), batch_count)
                ]
                self._streams.append((flight.connect(f"grpc://127.0.0.1:{port}"), batches))
        self._threads = ThreadPoolExecutor(len(self._streams))

    def send(self) -> None:
        list(self._threads.map(_put, self._streams))

    def call(self) -> None:
        list(self._streams[0][0].do_action("nothing"))


def _put(stream: tuple[Any, list[Any]]) -> None:
    client, batches = stream
    descriptor = flight.FlightDescriptor.for_path("a")
    writer, _ = client.do_put(descriptor, batches[0].schema)
    for batch in batches:
        writer.write_batch(batch)
    writer.close()


@contextmanager
def start(question: Question) -> Iterator[Peer]:
    context = multiprocessing.get_context("spawn")
    ports, processes = [], []
    for _ in range(question.processes):
        here, there = context.Pipe()
        processes.append(context.Process(target=_serve, args=(there,), daemon=True))
        processes[-1].start()
        ports.append(here.recv())
    array = array_of(question)
    measured = []
    for streams in _STREAMS:
        for batch_mib in _BATCH_MIB:
            client = _Client(ports, array, streams, batch_mib)
            client.send()
            best_s = min(seconds(client.send) for _ in range(2))
            measured.append((best_s, streams, batch_mib, client))
    _, streams, batch_mib, best = min(measured, key=lambda one: one[0])
    measured.clear()
    yield Peer(best.send, best.call, f"{streams} streams, batches of {batch_mib} MiB")
    for process in processes:
        process.terminate()


if __name__ == "__main__":
    answer(start)
