"""Dask: arrays scattered to worker processes, each part straight to its worker."""

from collections.abc import Iterator
from contextlib import contextmanager

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
    ):
        client.wait_for_workers(question.processes)
        workers = list(client.scheduler_info()["workers"])

        def send() -> None:
            parts = [
                client.scatter(row, workers=[worker], direct=True, hash=False, asynchronous=False)
                for row, worker in zip(array, workers, strict=True)
            ]
            client.cancel(parts)

        def call() -> None:
            client.submit(_nothing, workers=workers[:1], pure=False).result()

        yield Peer(send, call, "scatter, direct")


if __name__ == "__main__":
    answer(start)
