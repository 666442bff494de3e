"""What the server writes down of calls, which go past its front end."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tasuki
from conftest import Command, wait_for
from demo_server import DemoServer, needs_server
from server_log import events_in
from tasuki.rpc.errors import CallError
from test_own_routines import Serving

pytestmark = needs_server
A = np.array([[2.0, 1.0], [1.0, 3.0]])
B = np.array([5.0, 10.0])


class Log:
    """The file of `tasuki serve --log`."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def events(self, name: str) -> list[dict[str, Any]]:
        return events_in(self.file, name)

    def calls(self, count: int) -> list[dict[str, Any]]:
        """Waits until there are so many."""
        wait_for(lambda: len(self.events("call")) >= count)
        calls = self.events("call")
        assert len(calls) == count
        return calls


@pytest.fixture
def log(tmp_path: Path) -> Log:
    return Log(tmp_path / "calls.log")


@pytest.fixture
def serving(log: Log) -> Iterator[DemoServer]:
    with DemoServer(2, "--log", log.file) as started:
        yield started


def test_a_call_is_written_down_with_its_times_and_bytes(serving: DemoServer, log: Log) -> None:
    n = 300
    solve = serving.connect().linpack.solve
    solve(np.eye(n), np.ones(n))
    (call,) = log.calls(1)
    assert (call["module"], call["routine"], call["kind"]) == ("linpack", "solve", "call")
    assert (call["state"], call["client"]["host"]) == ("done", "127.0.0.1")
    bytes_in, bytes_out = 8 * (n * n + 2 * n), 8 * n  # b goes to both ranks.
    assert call["bytes"] == {"received": bytes_in, "sent": bytes_out, "total": bytes_in + bytes_out}
    assert call["mode"] == solve.report["mode"]
    assert len(call["ranks"]) == 2
    for told, reported in zip(call["ranks"], solve.report["ranks"], strict=True):
        assert told["state"] == "done"
        assert told["seconds"]["compute"] == pytest.approx(reported["seconds"]["compute"])
        assert told["threads"] == reported["threads"] >= 1
    assert call["seconds"]["client"] >= max(sum(r["seconds"].values()) for r in call["ranks"])
    assert call["begin"] <= call["time"] <= call["begin"] + 60


def test_a_report_tells_where_the_time_went(serving: DemoServer) -> None:
    solve = serving.connect().linpack.solve
    solve(A, B)
    first = solve.report["seconds"]
    solve(A, B)
    second = solve.report["seconds"]
    assert first["client"] > first["front_end"] > 0
    assert second["front_end"] == 0  # The ranks are leased: nobody was asked.
    computed = [rank["seconds"]["compute"] for rank in solve.report["ranks"]]
    assert second["client"] > second["computation"] == max(computed)


@pytest.mark.parametrize("mode", ["sequential", "call-back", "relay", "buffering", "original"])
def test_every_way_to_the_ranks_is_written_down(serving: DemoServer, log: Log, mode: str) -> None:
    server = tasuki.connect(serving.url, mode=mode)
    server.linpack.solve(A, B)
    (call,) = log.calls(1)
    assert (call["mode"], call["state"]) == (mode, "done")
    assert (call["seconds"]["front_end"] > 0) == (mode in ("buffering", "original"))


def test_every_call_of_many_is_counted(serving: DemoServer, log: Log) -> None:
    solve = serving.connect().linpack.solve
    for _ in range(700):
        solve(A, B)
    serving.await_free_ranks()

    def calls_count() -> int:
        return sum(call.get("calls", 1) for call in log.events("call"))

    wait_for(lambda: calls_count() >= 700)  # A thread of the server's writes the log.
    assert calls_count() == 700
    assert {call["state"] for call in log.events("call")} == {"done"}


def test_calls_that_fail_say_why(tmp_path: Path, log: Log) -> None:
    file = tmp_path / "faults.idl"
    file.write_text(
        "Globals {\n#include <stdlib.h>\n#include <tasuki/routines.h>\n}\n"
        'Define fails(IN int n) { tasuki_fail("it is singular"); }\n'
        "Define ends(IN int n) { exit(n); }\n"
    )
    serving = Serving(file, "--log", log.file)
    with serving as server:
        for routine, text in ((server.faults.fails, "singular"), (server.faults.ends, "ended")):
            with pytest.raises(CallError, match=text):
                routine(0)
    first, second = log.calls(2)
    assert (first["routine"], first["state"]) == ("fails", "failed")
    assert "it is singular" in first["happened"]
    assert (second["routine"], second["state"]) == ("ends", "failed")
    assert "ended" in second["happened"]


def test_connections_and_refusals_are_written_down(serving: DemoServer, log: Log) -> None:
    server = serving.connect()
    wait_for(lambda: log.events("connect"))
    client = log.events("connect")[0]["client"]
    assert not log.events("disconnect")
    del server
    wait_for(lambda: log.events("disconnect"))
    assert log.events("disconnect")[0]["client"] == client


def test_a_log_that_cannot_be_written_is_an_error(tasuki: Command, tmp_path: Path) -> None:
    result = tasuki("serve", "--demo", "--port", 0, "--log", tmp_path / "none" / "log")
    assert result.returncode != 0
    assert "open the log" in result.stderr and "may write" in result.stderr
