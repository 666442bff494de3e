"""Clients that wait for a server whose processes are stopped, as a host's are that is paused.

The systems of both ends go on to answer each other.
"""

import contextlib
import json
import os
import signal
import ssl
import time
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import name_of, wait_for
from demo_server import needs_server
from serving import ServeCommand, Served, build_interfaces, encrypted_server, plain_server
from tasuki.rpc.errors import CallError, ServerSilentError

pytestmark = [
    needs_server,
    pytest.mark.same_everywhere("the client's own code decides when a server has been silent"),
]
LIMIT_S = 3
MODES = ("auto", "hand-off", "call-back", "relay", "buffering", "original")
INTERFACE = """
Globals {
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
}
Define nap(IN double seconds, IN string begun, IN int64_t n, INOUT distribute(BLOCK) double x[n])
"sleeps, once the file BEGUN is there"
Backend "MPI"
{
    if (*begun != 0) fclose(fopen(begun, "w"));
    usleep((useconds_t)(seconds * 1e6));
}
"""


@dataclass
class Napping:
    """A server of the interface, and a file by which a call tells that it has begun."""

    served: Served
    begun: Path

    def connect(self, **options: str) -> Any:
        return self.served.connect(**options).silent

    def begin(self, module: Any, seconds: float, count: int = 10) -> Any:
        """A call, once it is in the routine."""
        self.begun.unlink(missing_ok=True)
        job = module.nap.submit(seconds, str(self.begun), np.ones(count))
        wait_for(self.begun.exists, 60)
        return job

    @contextlib.contextmanager
    def stopped(self, is_meant: Callable[[int], bool] = lambda _: True) -> Iterator[None]:
        """Its processes, or those that are meant, are stopped."""
        serving: ServeCommand = self.served.serving
        stopped = [one for one in serving.command.processes() if is_meant(one)]
        assert stopped
        try:
            for one in stopped:
                os.kill(one, signal.SIGSTOP)
            yield
        finally:
            for one in stopped:
                os.kill(one, signal.SIGCONT)

    def waiting_count(self) -> int:
        """Calls that wait for the ranks."""
        tls = self.served.tls
        url = self.served.serving.url.replace("tasuki", "http")
        context = ssl.create_default_context(cafile=tls[1].file) if tls else None
        with urllib.request.urlopen(f"{url}/api/ranks", context=context) as answer:
            [found] = json.load(answer)["modules"]
        return int(found["waiting"])

    def place(self) -> str:
        return self.served.serving.url.rpartition("/")[2]


@pytest.fixture(scope="module", params=[plain_server, encrypted_server])
def napping(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Napping]:
    folder = tmp_path_factory.mktemp("silent")
    build_interfaces(folder, silent=INTERFACE)
    with request.param(folder) as served:
        yield Napping(served, folder / "begun")


@pytest.fixture(autouse=True)
def limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TASUKI_SERVER_TIMEOUT", f"{LIMIT_S}s")


def is_front_end(process: int) -> bool:
    return name_of(process) == "tasuki_server"


def assert_silent(fault: BaseException | None, napping: Napping, may_have_run: bool) -> None:
    assert isinstance(fault, CallError)
    assert fault.may_have_run == may_have_run
    silence = f"call silent/nap: {napping.place()} has given no sign of life for {LIMIT_S} s: "
    assert str(fault).startswith(silence), fault
    assert "see whether that process and its host go on, then call again" in str(fault)


@pytest.mark.parametrize("mode", MODES)
def test_a_call_fails_whose_server_is_stopped(napping: Napping, mode: str) -> None:
    client = napping.connect(mode=mode)
    job = napping.begin(client, 3)
    with napping.stopped():
        assert_silent(job.exception(60), napping, may_have_run=True)
    x = np.ones(10)
    np.testing.assert_array_equal(client.nap(0, "", x), x)  # By another connection.


def test_a_call_fails_whose_arrays_a_stopped_server_does_not_take(napping: Napping) -> None:
    for mode in ("hand-off", "relay"):
        client = napping.connect(mode=mode)
        client.nap(0, "", np.ones(10))
        with napping.stopped():
            job = client.nap.submit(0, "", np.ones(4_000_000))  # No connection holds them.
            assert_silent(job.exception(60), napping, may_have_run=True)


def test_a_call_that_waits_for_ranks_fails_if_the_front_end_is_stopped(napping: Napping) -> None:
    first, second, third = napping.connect(), napping.connect(), napping.served.connect()
    computing = napping.begin(first, 4 * LIMIT_S)
    waiting = second.nap.submit(0, "", np.ones(10))
    wait_for(lambda: napping.waiting_count() == 1)
    with napping.stopped(is_front_end):
        with pytest.raises(CallError, match="^list what is kept: .* has given no sign of life"):
            _ = third.kept
        assert_silent(waiting.exception(60), napping, may_have_run=False)
    assert_silent(computing.exception(60), napping, may_have_run=True)  # Nobody watches its ranks.


def test_a_server_that_is_busy_for_longer_is_not_silent(napping: Napping) -> None:
    for mode in ("auto", "buffering"):
        first, second = napping.connect(mode=mode), napping.connect(mode=mode)
        computing = napping.begin(first, LIMIT_S + 2)
        waiting = second.nap.submit(LIMIT_S + 2, "", np.ones(10))
        for job in (computing, waiting):
            np.testing.assert_array_equal(job.result(60), np.ones(10))


def test_no_call_waits_for_other_connections_to_a_silent_server(napping: Napping) -> None:
    client = napping.connect()
    x = np.ones(10)
    both = [napping.begin(client, 1), client.nap.submit(0, "", x)]
    for job in both:
        job.result(60)
    with napping.stopped():
        assert isinstance(client.nap.submit(0, "", x).exception(60), ServerSilentError)
        fault = client.nap.submit(0, "", x).exception(60)  # The server does not greet it.
        assert isinstance(fault, CallError)
        assert not isinstance(fault, ServerSilentError)
        assert not fault.may_have_run
    np.testing.assert_array_equal(client.nap(0, "", x), x)


def test_signals_of_the_client_do_not_hold_the_watch_up(napping: Napping) -> None:
    client = napping.connect()
    x = np.ones(10)
    client.nap(0, "", x)
    deadline = time.monotonic() + 60

    def note(*_: object) -> None:
        if time.monotonic() > deadline:
            raise TimeoutError

    before = signal.signal(signal.SIGALRM, note)
    try:
        with napping.stopped(), pytest.raises(CallError) as found:
            signal.setitimer(signal.ITIMER_REAL, 0.4, 0.4)
            client.nap(0, "", x)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert_silent(found.value, napping, may_have_run=True)


def test_the_setting_lets_clients_wait(napping: Napping, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TASUKI_SERVER_TIMEOUT", "0")
    job = napping.begin(napping.connect(), 3)
    with napping.stopped(), pytest.raises(TimeoutError):
        job.exception(LIMIT_S + 2)
    np.testing.assert_array_equal(job.result(60), np.ones(10))
