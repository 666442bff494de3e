"""Dask: arrays scattered to worker processes, each part straight to its worker."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import numpy as np
from distributed import Client, LocalCluster
from questions import Peer, Question, answer, array_of


def _nothing() -> None:
    pass


@contextmanager
def start(question: Question) -> Iterator[Peer]:
    array = array_of(question)
    with (
        LocalCluster(
            n_workers=question.processes,
            threads_per_worker=1,
            memory_limit=0,
            dashboard_address=None,
        ) as cluster,
        Client(cluster) as client,
        ThreadPoolExecutor(question.processes) as threads,
    ):
        client.wait_for_workers(question.processes)
        workers = list(client.scheduler_info()["workers"])

        kept: list[Any] = []

        def scatter(row: np.ndarray, worker: str) -> Any:
            return client.scatter(row, workers=[worker], direct=True, hash=False)

        def send() -> None:
            kept[:] = threads.map(scatter, array, workers)

        def release() -> None:
            client.cancel(kept)
            kept.clear()

        def call() -> None:
            client.submit(_nothing, workers=workers[:1], pure=False).result()

        yield Peer(send, call, "scatter, direct, all at once", release)


if __name__ == "__main__":
    answer(start)
