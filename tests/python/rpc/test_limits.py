"""What a server allows, and how it ends: tasuki serve with limits of its own."""

import concurrent.futures
import contextlib
import json
import os
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tasuki
from conftest import Command, wait_for
from demo_server import needs_server
from serving import ServeCommand, build_interfaces
from tasuki.rpc.errors import CallError, QueueFullError, QuotaError

pytestmark = needs_server
OVERCOMMITS = Path("/proc/sys/vm/overcommit_memory").read_text().strip() == "1"
ROUTINES = """
Globals {
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
}
Define twice(IN int64_t n, IN double x[n], OUT double y[n])
{ int64_t i; for (i = 0; i < n; ++i) y[i] = 2 * x[i]; }
Define spins(IN double seconds)
{
    struct timespec begin, now;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    do clock_gettime(CLOCK_MONOTONIC, &now);
    while (now.tv_sec - begin.tv_sec + 1e-9 * (now.tv_nsec - begin.tv_nsec) < seconds);
}
Define loops()
{ volatile int goes_on = 1; while (goes_on) ; }
Define prints(IN int count)
{ int i; for (i = 0; i < count; ++i) puts("This line is printed by a routine of a server."); }
Define sizes(IN filename source, OUT double y[1])
{ y[0] = 1; }
Define exits(IN int code)
{ exit(code); }
Define crashes()
{ abort(); }
Define fills(IN int64_t n, OUT double y[n])
{ }
"""


@pytest.fixture(scope="module")
def interfaces(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two modules of the same routines, built."""
    folder = tmp_path_factory.mktemp("limits")
    build_interfaces(folder, first=ROUTINES, second=ROUTINES)
    return folder


class Server(ServeCommand):
    """`tasuki serve` of both modules with options; ends when the context is left."""

    def __enter__(self) -> "Server":
        return self

    def connect(self) -> Any:
        return tasuki.connect(self.url)

    def pids_of(self, program: str) -> list[int]:
        def name_of(pid: int) -> str:
            try:
                return os.path.basename(os.readlink(f"/proc/{pid}/exe"))
            except OSError:
                return ""

        return [pid for pid in self.command.processes() if name_of(pid).startswith(program)]

    def await_computing(self, module: str) -> None:
        """Waits until the module's rank runs a routine that takes long."""

        def cpu_ticks() -> int:
            ticks = 0
            for pid in self.pids_of(module):
                with contextlib.suppress(OSError):
                    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
                    ticks += int(fields[11]) + int(fields[12])
            return ticks

        before = cpu_ticks()
        wait_for(lambda: cpu_ticks() > before + 5)


@pytest.fixture
def serving(interfaces: Path, request: pytest.FixtureRequest) -> Iterator[Server]:
    with Server(interfaces, *getattr(request, "param", ())) as started:
        yield started


@pytest.mark.parametrize("serving", [("--queue-limit", 1)], indirect=True)
def test_a_full_queue_refuses_at_once(serving: Server) -> None:
    looping = serving.connect().first.loops.submit()
    serving.await_computing("first")
    jobs = [serving.connect().first.spins.submit(0.0) for _ in range(2)]
    (refused,) = concurrent.futures.wait(jobs, 60, concurrent.futures.FIRST_COMPLETED).done
    fault = refused.exception()
    assert isinstance(fault, QueueFullError)
    assert "its queue is full" in str(fault) and "--queue-limit" in str(fault)
    looping.cancel()
    (queued,) = set(jobs) - {refused}
    queued.result(60)


@pytest.mark.parametrize("serving", [("--time-limit", "2s")], indirect=True)
def test_a_call_that_takes_too_long_is_ended_and_others_go_on(serving: Server) -> None:
    server, other = serving.connect(), serving.connect()
    looping = server.first.loops.submit()
    np.testing.assert_array_equal(other.second.twice([1, 2]), [2, 4])
    fault = looping.exception(60)
    assert isinstance(fault, CallError)
    assert "has taken longer than 2 s" in str(fault) and "--time-limit" in str(fault)
    np.testing.assert_array_equal(server.first.twice([1, 2]), [2, 4])


@pytest.mark.parametrize("serving", [("--memory-limit", "16000")], indirect=True)
@pytest.mark.parametrize("mode", ["auto", "relay", "original", "buffering"])
def test_a_call_that_needs_too_much_memory_is_refused(serving: Server, mode: str) -> None:
    twice = tasuki.connect(serving.url, mode=mode).first.twice
    assert len(twice(np.ones(1000))) == 1000
    with pytest.raises(CallError, match="need 16016 bytes on a rank, and the server allows 16000"):
        twice(np.ones(1001))
    assert len(twice(np.ones(1000))) == 1000


@pytest.mark.parametrize("serving", [("--memory-limit", "16000")], indirect=True)
@pytest.mark.parametrize("mode", ["auto", "relay", "original", "buffering"])
def test_files_count_in_the_memory_of_a_call(serving: Server, mode: str, tmp_path: Path) -> None:
    sizes = tasuki.connect(serving.url, mode=mode).first.sizes
    source = tmp_path / "source"
    source.write_bytes(bytes(15992))
    np.testing.assert_array_equal(sizes(str(source)), [1])
    source.write_bytes(bytes(15993))
    with pytest.raises(CallError, match="need 16001 bytes on a rank, and the server allows 16000"):
        sizes(str(source))


@pytest.mark.parametrize("serving", [("--staging-limit", "16000")], indirect=True)
def test_the_front_end_holds_so_much_of_all_calls(serving: Server) -> None:
    staged = tasuki.connect(serving.url, mode="original").first.twice
    assert len(staged(np.ones(1000))) == 1000
    with pytest.raises(CallError, match="larger --staging-limit"):
        staged(np.ones(1001))
    with pytest.raises(CallError, match="larger --staging-limit"):
        staged(np.ones(10_000_000))  # Though it is still being sent when it is refused.
    for mode in ("hand-off", "relay", "buffering"):
        twice = tasuki.connect(serving.url, mode=mode).first.twice
        assert len(twice(np.ones(1001))) == 1001


class Limited:
    """A server of one user who may ask for so much; leaving the context ends it."""

    def __init__(self, interfaces: Path, folder: Path, **limits: float) -> None:
        users = folder / "users.json"
        result = Command()("token", "ann", "--users", users)
        assert result.returncode == 0, result.stderr
        described = json.loads(users.read_text())
        described["ann"].update(limits)
        users.write_text(json.dumps(described))
        self._server = Server(interfaces, "--users", users)
        self._token = result.stdout.strip()

    def __enter__(self) -> "Limited":
        return self

    def __exit__(self, *_: object) -> None:
        self._server.__exit__()

    def connect(self, mode: str = "auto") -> Any:
        return tasuki.connect(self._server.url, token=self._token, mode=mode)

    def await_computing(self, module: str) -> None:
        self._server.await_computing(module)


def test_a_user_makes_so_many_calls_at_once(interfaces: Path, tmp_path: Path) -> None:
    with Limited(interfaces, tmp_path, calls_at_once=1) as serving:
        looping = serving.connect().first.loops.submit()
        serving.await_computing("first")
        other = serving.connect()
        with pytest.raises(QuotaError, match="calls_at_once = 1 of user ann"):
            other.second.twice([1])
        looping.cancel()
        deadline_s = time.monotonic() + 60
        while time.monotonic() < deadline_s:
            with contextlib.suppress(QuotaError):  # Until the server knows that the call is over.
                np.testing.assert_array_equal(other.second.twice([1]), [2])
                break
        else:
            pytest.fail("the user may not call any more")


def test_a_lease_without_a_call_makes_room_for_another(interfaces: Path, tmp_path: Path) -> None:
    with Limited(interfaces, tmp_path, calls_at_once=1) as serving:
        one, other = serving.connect(), serving.connect()
        for _ in range(3):
            np.testing.assert_array_equal(one.first.twice([1]), [2])
            np.testing.assert_array_equal(other.second.twice([1]), [2])
            np.testing.assert_array_equal(one.second.twice([1]), [2])
        looping = other.first.loops.submit()
        serving.await_computing("first")
        with pytest.raises(QuotaError, match="calls_at_once = 1 of user ann"):
            one.second.twice([1])
        looping.cancel()


def test_a_user_makes_so_many_calls_in_a_minute(interfaces: Path, tmp_path: Path) -> None:
    with Limited(interfaces, tmp_path, calls_per_minute=5) as serving:
        twice = serving.connect().first.twice
        for _ in range(5):
            np.testing.assert_array_equal(twice([1]), [2])
        with pytest.raises(QuotaError, match="calls_per_minute = 5 of user ann"):
            for _ in range(100_000):  # Until the ranks have told of the calls.
                twice([1])
        with pytest.raises(QuotaError):
            serving.connect().second.twice([1])


@pytest.mark.parametrize("mode", ["auto", "original"])
def test_a_user_leaves_so_much_on_the_ranks_of_all_modules(
    interfaces: Path, tmp_path: Path, mode: str
) -> None:
    refused = "quota kept_memory_bytes = 16000 of user ann"
    with Limited(interfaces, tmp_path, kept_memory_bytes=16000) as serving:
        server, other = serving.connect(mode=mode), serving.connect(mode=mode)

        def put(client: Any, module: str, count: int) -> Any:
            return client.put(np.ones(count), like=getattr(client, module).twice.x)

        kept = put(server, "first", 1500)
        with pytest.raises(QuotaError, match=f"{refused} 12000 are used"):
            put(server, "first", 501)
        with pytest.raises(QuotaError, match=refused):
            put(other, "first", 501)
        with pytest.raises(QuotaError, match=refused):
            put(other, "second", 501)
        np.testing.assert_array_equal(server.first.twice(kept), 2 * np.ones(1500))
        put(server, "first", 500).free()
        kept.free()
        assert put(server, "first", 2000).shape == (2000,)


def test_clients_on_several_modules_leave_no_more_than_the_quota(
    interfaces: Path, tmp_path: Path
) -> None:
    with Limited(interfaces, tmp_path, kept_memory_bytes=16000) as serving:
        clients = {"first": serving.connect(), "second": serving.connect()}

        def put(module: str, count: int) -> Any:
            client = clients[module]
            return client.put(np.ones(count), like=getattr(client, module).twice.x)

        held = [put("first", 100), put("second", 100)]  # From now on both clients have ranks.
        held.append(put("first", 1500))
        with pytest.raises(QuotaError, match="13600 are used"):
            put("second", 1500)
        held.append(put("second", 300))
        with pytest.raises(QuotaError, match="16000 are used"):
            put("first", 1)
        held.pop().free()
        held.append(put("second", 300))  # What was freed there makes room at once.


def test_a_users_call_takes_so_much_memory_and_time(interfaces: Path, tmp_path: Path) -> None:
    limits = {"call_memory_bytes": 16000, "call_time_s": 2}
    with Limited(interfaces, tmp_path, **limits) as serving:
        first = serving.connect().first
        with pytest.raises(CallError, match="the server allows 16000"):
            first.twice(np.ones(1001))
        with pytest.raises(CallError, match="has taken longer than 2 s"):
            first.loops()
        np.testing.assert_array_equal(first.twice([1, 2]), [2, 4])


@pytest.mark.parametrize(
    ("routine", "arguments", "how"),
    [("exits", (3,), "exit code 3"), ("crashes", (), r"signal 6 \(Aborted\)")],
)
def test_a_rank_that_ends_fails_its_call_alone(
    serving: Server, routine: str, arguments: tuple[int, ...], how: str
) -> None:
    server, other = serving.connect(), serving.connect()
    waiting = other.second.spins.submit(5.0)
    serving.await_computing("second")
    with pytest.raises(CallError, match=f"has ended during the call, by {how}"):
        getattr(server.first, routine)(*arguments)
    np.testing.assert_array_equal(server.first.twice([1, 2]), [2, 4])
    waiting.result(60)


@pytest.mark.skipif(OVERCOMMITS, reason="the system gives out memory that it has not")
def test_a_call_for_which_a_rank_has_no_memory_has_not_run(serving: Server, tmp_path: Path) -> None:
    fills = serving.connect().first.fills
    n = 2**35  # A file of a client's may have so many without using them.
    out = np.memmap(tmp_path / "y", np.float64, "w+", shape=(n,))
    with pytest.raises(
        CallError, match=r"no memory for \d+ bytes of y; the call has not run"
    ) as one:
        fills(n, out=out)
    assert not one.value.may_have_run
    assert len(fills(1)) == 1


@pytest.mark.parametrize("serving", [("--idle-limit", "0.5s", "--no-warm")], indirect=True)
def test_ranks_start_when_they_are_called_and_end_when_they_are_not(serving: Server) -> None:
    assert not serving.pids_of("first")
    server = serving.connect()
    for _ in range(2):
        np.testing.assert_array_equal(server.first.twice([1, 2]), [2, 4])
        wait_for(lambda: not serving.pids_of("first"))
    assert not serving.pids_of("second")


@pytest.mark.parametrize("serving", [("--pools", 2)], indirect=True)
def test_a_client_is_given_ranks_on_which_nobody_calls(serving: Server) -> None:
    looping = serving.connect().first.loops.submit()
    idle = serving.connect()
    np.testing.assert_array_equal(idle.first.twice([1, 2]), [2, 4])  # It keeps the ranks.
    calls_url = f"http://localhost:{serving.port}/api/calls"

    def is_computing() -> bool:  # As far as the server knows.
        with urllib.request.urlopen(calls_url, timeout=60) as answer:
            return any(one["state"] == "computing" for one in json.load(answer)["current"])

    wait_for(is_computing)
    np.testing.assert_array_equal(serving.connect().first.twice([1, 2]), [2, 4])
    assert not looping.done()
    looping.cancel()


@pytest.mark.parametrize("serving", [("--pools", 2)], indirect=True)
def test_two_groups_of_ranks_serve_two_clients_at_once(serving: Server) -> None:
    assert repr(serving.connect()).count("module first") == 1
    looping = serving.connect().first.loops.submit()
    serving.await_computing("first")
    other = serving.connect()
    kept = other.put(np.array([1.0, 2.0]), like=other.first.twice.x)
    np.testing.assert_array_equal(other.first.twice(kept), [2, 4])
    assert not looping.done()
    looping.cancel()
    np.testing.assert_array_equal(serving.connect().first.twice([1, 2]), [2, 4])


def drain(serving: Server) -> None:
    """Returns once the server has begun to end."""
    late = serving.connect()
    os.kill(serving.process.pid, signal.SIGTERM)
    with pytest.raises(CallError):
        while True:
            late.second.twice([1, 2])


def test_a_server_that_is_to_end_finishes_calls_first(serving: Server) -> None:
    job = serving.connect().first.spins.submit(5.0)
    serving.await_computing("first")
    drain(serving)
    job.result(60)
    assert serving.process.wait(60) == 0


@pytest.mark.parametrize("serving", [("--drain-limit", "0.5s")], indirect=True)
def test_a_server_waits_for_calls_no_longer_than_it_is_told(serving: Server) -> None:
    job = serving.connect().first.loops.submit()
    serving.await_computing("first")
    drain(serving)
    assert isinstance(job.exception(60), CallError)
    serving.process.wait(60)


def test_a_second_signal_ends_at_once(serving: Server) -> None:
    job = serving.connect().first.loops.submit()
    serving.await_computing("first")
    drain(serving)
    assert serving.process.poll() is None
    os.kill(serving.process.pid, signal.SIGTERM)
    assert isinstance(job.exception(60), CallError)
    assert "a second SIGTERM, or Ctrl-C, ends at once" in serving.process.communicate(timeout=60)[1]


def test_a_client_that_goes_leaves_the_queue(serving: Server) -> None:
    def counts() -> dict[str, int]:
        with urllib.request.urlopen(f"http://localhost:{serving.port}/api/status") as answer:
            return json.load(answer)["calls"]

    looping = serving.connect().first.loops.submit()
    serving.await_computing("first")
    program = f"import tasuki; tasuki.connect('{serving.url}').first.loops()"
    queued = subprocess.Popen([sys.executable, "-c", program], env=serving.command.environment)
    wait_for(lambda: counts()["queued"] == 1, 60)
    queued.kill()
    queued.wait()
    wait_for(lambda: counts()["queued"] == 0, 60)
    assert counts()["running"] == 1
    looping.cancel()


def test_routines_print_on_standard_error(interfaces: Path, tmp_path: Path) -> None:
    with open(tmp_path / "printed", "w+") as printed:
        with Server(interfaces, stderr=printed) as serving:
            prints = serving.connect().first.prints
            for _ in range(3):
                prints(10_000)  # More than any pipe holds.
        printed.seek(0)
        assert sum("printed by a routine" in line for line in printed) == 30_000


def test_no_rank_outlives_the_front_end_for_long(serving: Server) -> None:
    job = serving.connect().first.loops.submit()
    serving.await_computing("first")
    for pid in serving.pids_of("tasuki_server"):
        os.kill(pid, signal.SIGKILL)
    assert job.exception(60).may_have_run
    wait_for(lambda: not serving.command.processes(), 60)


def test_a_log_that_was_renamed_is_begun_anew(interfaces: Path, tmp_path: Path) -> None:
    log = tmp_path / "calls.log"
    with Server(interfaces, "--log", log) as serving:
        serving.connect().first.twice([1])
        log.rename(tmp_path / "calls.log.1")
        os.kill(serving.process.pid, signal.SIGHUP)
        wait_for(log.exists)
        serving.connect().second.twice([1])
        wait_for(lambda: '"second"' in log.read_text())
    for file in (log, tmp_path / "calls.log.1"):
        assert all(json.loads(line)["event"] for line in file.read_text().splitlines())
