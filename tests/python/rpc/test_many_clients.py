"""Many clients one after the other, and 64 at once, on two ranks: nothing grows in any process."""

import gc
import os
import resource
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np
import pytest
import tasuki
from certificates import needs_openssl
from conftest import name_of, wait_for
from demo_server import needs_server
from process_use import ProcessUse, use_of
from serving import Served, Serving, build_interfaces, encrypted_server, plain_server

pytestmark = [needs_server, needs_openssl]
TWICE = """
Define twice(IN int64_t n, IN distribute(BLOCK) double x[n], OUT distribute(BLOCK) double y[n])
Backend "MPI"
{ int64_t i; for (i = 0; i < tasuki_layout(x)->local_extents[0]; ++i) y[i] = 2 * x[i]; }
"""
# One after the other. By TLS each client makes three connections, which take most of its 10 ms.
CLIENTS_COUNT = {"plain": 1000, "encrypted": 400}
AT_ONCE_COUNT = 64
WARM_UP_COUNT = 50
IDLE_THREADS_COUNT = 8  # Of a process that serves nobody; Open MPI has some of its own.


def call(served: Served, mode: str) -> None:
    """By a client of its own, which is gone then."""
    np.testing.assert_array_equal(served.connect(mode=mode).many.twice([1, 2]), [2, 4])


def call_often(served: Served, mode: str, count: int) -> None:
    for _ in range(count):
        call(served, mode)
    threads = [threading.Thread(target=call, args=(served, mode)) for _ in range(AT_ONCE_COUNT)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
        assert not thread.is_alive()
    gc.collect()


def uses_of(served: Served) -> dict[int, ProcessUse]:
    """Of the front end, the ranks, their launcher, the command, and this process."""
    return {pid: use_of(pid) for pid in (*served.serving.command.processes(), os.getpid())}


def threads_counts(served: Served) -> list[int]:
    """Of each process of the server."""
    return [use_of(pid).threads_count for pid in served.serving.command.processes()]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    made = tmp_path_factory.mktemp("many")
    build_interfaces(made, many=TWICE)
    with pytest.MonkeyPatch.context() as patch:
        # What the C library keeps for threads of servers would grow with how many there were ever.
        patch.setenv("MALLOC_ARENA_MAX", "2")
        yield made


@pytest.fixture(scope="module")
def plain(folder: Path) -> Iterator[Served]:
    with plain_server(folder) as started:
        yield started


@pytest.fixture(scope="module")
def encrypted(folder: Path) -> Iterator[Served]:
    with encrypted_server(folder) as started:
        yield started


@pytest.mark.same_everywhere("only the server's own code keeps anything of a client")
@pytest.mark.parametrize("mode", ["auto", "relay"])
@pytest.mark.parametrize("encryption", CLIENTS_COUNT)
def test_many_clients_leave_nothing(
    request: pytest.FixtureRequest, encryption: str, mode: str
) -> None:
    served: Served = request.getfixturevalue(encryption)
    for _ in range(3):  # So that as many threads at once as ever have had their memory.
        call_often(served, mode, WARM_UP_COUNT)
    # Connections that have ended, and their threads, are gone within moments.
    wait_for(lambda: max(threads_counts(served)) <= IDLE_THREADS_COUNT, 60)
    before = uses_of(served)
    call_often(served, mode, CLIENTS_COUNT[encryption])
    for pid, most in before.items():
        wait_for(partial(is_within, pid, most), 60)
    assert uses_of(served).keys() == before.keys()


SOFT_LIMIT = 128
IDLE_CLIENTS_COUNT = 300


def test_as_many_clients_as_descriptors_permit_are_there_at_once(folder: Path) -> None:
    """The front end raises its limit; the ranks have the one that the server was started with."""
    first, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (SOFT_LIMIT, hard))
    try:
        serving = Serving(folder)
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))  # Of this process.
        with serving:
            clients = [tasuki.connect(serving.url) for _ in range(IDLE_CLIENTS_COUNT)]
            np.testing.assert_array_equal(clients[-1].many.twice([1, 2]), [2, 4])
            ranks = [pid for pid in serving.command.processes() if name_of(pid) == "many_routines"]
            limits = {resource.prlimit(pid, resource.RLIMIT_NOFILE)[0] for pid in ranks}
            assert limits == {SOFT_LIMIT}
            del clients
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (first, hard))


def is_within(pid: int, most: ProcessUse) -> bool:
    return use_of(pid).is_within(most)
