"""Clients of several servers: which one they use, what they do when it vanishes, and what not."""

import concurrent.futures
import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tasuki
from conftest import REPOSITORY, wait_for
from demo_server import needs_server
from replaceable_server import INTERFACE, ReplaceableServer
from tasuki.rpc.errors import (
    CallError,
    InterfaceChangedError,
    LostArrayError,
    LostObjectError,
)

pytestmark = needs_server
NOBODY = "tasuki://localhost:1"


@pytest.fixture(scope="module")
def second(tmp_path_factory) -> Iterator[ReplaceableServer]:
    with ReplaceableServer(tmp_path_factory.mktemp("servers") / "second", 3) as started:
        yield started


@pytest.fixture
def first(tmp_path: Path) -> Iterator[ReplaceableServer]:
    with ReplaceableServer(tmp_path / "first", 2) as started:
        yield started


def assert_runs_on(server: ReplaceableServer, factor: int, client: Any) -> None:
    scaled = client.first.scaled
    np.testing.assert_array_equal(scaled([1.0, 2.0]), [factor, 2 * factor])
    assert scaled.report["server"] == server.url


def test_the_first_server_that_answers_is_used(second: ReplaceableServer) -> None:
    for servers in (
        [NOBODY, second.url],
        f"{NOBODY},{second.url}",
        f"{NOBODY}, {second.url}",
        (second.url, NOBODY),
    ):
        client = tasuki.connect(servers)
        assert_runs_on(second, 3, client)
        assert second.url in repr(client)


def test_shells_take_several_servers(second: ReplaceableServer) -> None:
    environment = {**os.environ, "PYTHONPATH": str(REPOSITORY / "python")}
    servers = f"{NOBODY},{second.url}"
    for arguments in (["info", servers], ["call", servers, "first.scaled", "[5]"]):
        done = subprocess.run(
            [sys.executable, "-m", "tasuki", *arguments],
            env=environment, capture_output=True, text=True, timeout=300,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
    assert "15" in done.stdout


@pytest.mark.parametrize("servers", ["", [], "tasuki://a,", "tasuki://a,http://b", [""]])
def test_what_is_no_list_of_servers_is_refused(servers: Any) -> None:
    with pytest.raises(CallError, match="Remedy: give tasuki://HOST:PORT"):
        tasuki.connect(servers)


def test_nobody_answers() -> None:
    with pytest.raises(CallError) as caught:
        tasuki.connect([NOBODY, "tasuki://localhost:2"])
    for port in (1, 2):
        said = f"tasuki://localhost:{port}: connect: localhost:{port} does not answer"
        assert said in str(caught.value)
    assert not caught.value.may_have_run
    with pytest.raises(CallError, match=r"^connect: localhost:1 does not answer"):
        tasuki.connect(NOBODY)


def test_a_server_that_vanishes_before_the_first_call(first, second) -> None:
    client = first.connect(second.url)
    first.kill()
    assert_runs_on(second, 3, client)
    assert first.runs_count() == 0


def test_a_call_for_which_no_connection_can_be_made_has_not_run(first: ReplaceableServer) -> None:
    client = first.connect()
    with client._connections.one():  # As if by another thread's call.
        first.kill()
        with pytest.raises(CallError, match="; the call has not run. Remedy: ") as caught:
            client.first.scaled([5.0])
    assert not caught.value.may_have_run


def test_a_server_that_vanishes_between_calls(first, second) -> None:
    client = first.connect(NOBODY, second.url)
    assert_runs_on(first, 2, client)
    x = client.put(np.ones(2), like=client.first.scaled.x)
    counter = client.first.Counter()
    assert counter.next()[0] == 1
    first.kill()
    with pytest.raises(LostArrayError, match="the call has not run") as caught:
        client.first.scaled(x)
    assert not caught.value.may_have_run
    with pytest.raises(LostObjectError, match="the call has not run"):
        counter.next()
    assert_runs_on(second, 3, client)
    x = client.put(np.ones(2), like=client.first.scaled.x)
    np.testing.assert_array_equal(client.first.scaled(x), [3, 3])
    assert client.first.Counter().next()[0] == 1
    assert first.runs_count() == 1


def test_a_server_that_vanishes_while_a_call_waits_for_its_ranks(first, second) -> None:
    waiting = first.connect(second.url)
    under_way = first.begin(tasuki.connect(first.url))
    job = waiting.first.scaled.submit([1.0])
    wait_for(lambda: first.queued_count() == 1, 60)
    first.kill_front_end()
    first.open()
    # Client and ranks need no front end during a call, unless it lasts.
    np.testing.assert_array_equal(under_way.result(60), [2])
    np.testing.assert_array_equal(job.result(60), [3])
    assert first.runs_count() == 1


def test_a_server_that_vanishes_during_a_call(first, second) -> None:
    client = first.connect(second.url)
    count = second.runs_count()
    job = first.begin(client)
    first.kill()
    first.open()
    fault = job.exception(60)
    assert isinstance(fault, CallError) and fault.may_have_run
    assert "; the call may have run. Remedy: " in str(fault)
    assert (first.runs_count(), second.runs_count()) == (1, count)
    assert_runs_on(second, 3, client)


def test_a_call_that_fails_may_have_run(second: ReplaceableServer) -> None:
    client = tasuki.connect([second.url, NOBODY])
    count = second.runs_count()
    with pytest.raises(CallError, match="nothing to scale.*; the call may have run") as caught:
        client.first.scaled(np.zeros(0))
    assert caught.value.may_have_run
    with pytest.raises(CallError) as caught:
        client.first.scaled([1.0, 2.0], n=3)
    assert not caught.value.may_have_run
    assert second.runs_count() == count + 1


def test_a_server_that_drains(first, second) -> None:
    client = first.connect(second.url)
    assert_runs_on(first, 2, client)
    kept = client.put(np.ones(1), like=client.first.scaled.x)
    job = first.begin(tasuki.connect(first.url))
    first.drain()
    with pytest.raises(LostArrayError):
        client.first.scaled(kept)
    assert_runs_on(second, 3, client)
    assert not job.done()
    first.open()
    np.testing.assert_array_equal(job.result(60), [2])
    assert first.serving.process.wait(60) == 0


def test_a_server_that_drains_keeps_nobody_waiting(first, second) -> None:
    job = first.begin(tasuki.connect(first.url))
    queued = first.connect(second.url).first.scaled.submit([1.0])
    wait_for(lambda: first.queued_count() == 1, 60)
    first.serving.process.send_signal(signal.SIGTERM)
    np.testing.assert_array_equal(queued.result(60), [3])  # While the other one goes on.
    assert not job.done()
    first.open()
    np.testing.assert_array_equal(job.result(60), [2])


X, Y = "IN double x[n]", "OUT double y[n]"
OTHER_ARGUMENTS = INTERFACE.replace(f"{X}, {Y}", f"{Y}, {X}")
NO_SUCH_ROUTINE = INTERFACE.replace("Define scaled", "Define other")


@pytest.mark.parametrize("interface", [OTHER_ARGUMENTS, NO_SUCH_ROUTINE])
def test_a_server_of_other_routines_is_not_called(first, tmp_path: Path, interface: str) -> None:
    with ReplaceableServer(tmp_path / "other", 5, interface) as other:
        client = first.connect(other.url)
        first.kill()
        for _ in range(2):
            with pytest.raises(InterfaceChangedError, match="connect again") as caught:
                client.first.scaled([1.0])
            assert f"other arguments on {other.url} than on {first.url}" in str(caught.value)
            assert "the call has not run" in str(caught.value)
            assert not caught.value.may_have_run
        # By another connection.
        with client._connections.one(), pytest.raises(InterfaceChangedError):
            client.first.scaled([1.0])
        assert client.first.Counter().next()[0] == 1  # That takes the same there.
        assert other.runs_count() == 0


@contextlib.contextmanager
def _held_port(server: ReplaceableServer) -> Iterator[None]:
    """Nobody listens there, nor does another test that runs at the same time get the port."""
    with socket.socket() as holder:
        holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        holder.bind(("", server.serving.port))
        yield


def test_all_servers_are_dead(first, tmp_path: Path) -> None:
    with ReplaceableServer(tmp_path / "other", 5) as other:
        client = first.connect(other.url)
        assert_runs_on(first, 2, client)
        first.kill()
        other.kill()
        start_s, start_cpu_s = time.monotonic(), time.thread_time()
        with _held_port(first), _held_port(other), pytest.raises(CallError) as caught:
            client.first.scaled([1.0])
        # They are asked three times, with pauses of 0.2 and 0.8 s.
        assert time.monotonic() - start_s >= 1
        assert time.thread_time() - start_cpu_s < 0.5
        for one in (first, other):
            assert f"{one.url}: connect: localhost:{one.serving.port} does not" in str(caught.value)
        assert "; the call has not run. Remedy: start one of them" in str(caught.value)
        assert not caught.value.may_have_run
        other.restart()
        assert_runs_on(other, 5, client)


def test_a_server_that_is_started_anew_is_called_again(first: ReplaceableServer) -> None:
    client = tasuki.connect(first.url)
    assert_runs_on(first, 2, client)
    kept = client.put(np.ones(1), like=client.first.scaled.x)
    first.kill()
    first.restart()
    with pytest.raises(LostArrayError):
        client.first.scaled(kept)
    assert_runs_on(first, 2, client)


def test_all_connections_of_a_client_have_the_same_server(first, second) -> None:
    """Else an array that one of them has put there would be lost for another one."""
    client = first.connect(second.url)
    scaled = client.first.scaled
    with concurrent.futures.ThreadPoolExecutor(4) as threads:
        assert list(threads.map(lambda x: scaled([x])[0], range(8))) == [0, 2, 4, 6, 8, 10, 12, 14]
        first.kill()
        assert_runs_on(second, 3, client)
        kept = client.put(np.ones(1), like=scaled.x)
        first.restart()
        results = list(threads.map(lambda _: scaled(kept)[0], range(8)))
    assert results == [3] * 8
