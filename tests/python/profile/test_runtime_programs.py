"""`tasuki profile` of programs of Tasuki's runtime, by the ranks that `tasuki run` starts."""

import json
import signal
from collections import Counter
from pathlib import Path

import pytest
from cases import rows_named
from conftest import wait_for
from tasuki.base.programs import BUILD_TREE, find_plugin, find_program
from tasuki.profile.analysis import Analysis
from tasuki.profile.event_file import event_files
from tasuki.profile.job_events import JobEvents
from tasuki.profile.runtime_totals import RuntimeTotals

PROGRAM = BUILD_TREE / "test-bin" / "profiled_ranks"
PATIENCE_S = 120

pytestmark = pytest.mark.skipif(not PROGRAM.is_file(), reason="not built")
TRANSPORTS: list[tuple[str, ...]] = [()]
if find_plugin("transport_mpi_ompi") is not None:
    TRANSPORTS.append(("--transport", "mpi"))


def ranks_of(*case: object, transport: tuple[str, ...] = ()) -> tuple[object, ...]:
    return ("tasuki", "run", "-n", "2", *transport, PROGRAM, *case)


def by_function(report: str, name: str, field: str = "calls") -> dict[str, int]:
    found: dict[str, int] = {}
    for row in rows_named(report, name):
        found[row["function"]] = found.get(row["function"], 0) + row[field]
    return found


@pytest.mark.parametrize("transport", TRANSPORTS, ids=lambda one: one[-1] if one else "shm")
def test_calls_waits_messages_and_collectives(tasuki, tmp_path, transport):
    report = tmp_path / "a.json"
    ended = tasuki("profile", "-o", report, "--", *ranks_of("calls", transport=transport))
    assert ended.returncode == 0, ended.stderr
    calls = by_function(report.read_text(), "function")
    assert calls["square"] == 13 and calls["square_by_first"] == 3
    assert calls["the result of square"] == 13
    assert calls["barrier"] == 2 and calls["allreduce"] == 10
    collectives = rows_named(report.read_text(), "collective")
    assert {one["function"] for one in collectives} == {"barrier", "allreduce"}
    assert all(one["algorithm"] for one in collectives)
    pairs = {
        (one["source"], one["destination"]): one for one in rows_named(report.read_text(), "pair")
    }
    assert pairs[0, 1]["value"] > 1 << 20 and pairs[1, 0]["messages"] >= 14
    loads = {one["rank"]: one for one in rows_named(report.read_text(), "load")}
    assert (loads[0]["called"], loads[1]["called"]) == (3, 14)
    assert rows_named(report.read_text(), "state") == []


def test_ranks_of_one_process(tasuki, tmp_path):
    report = tmp_path / "a.json"
    tasuki.environment |= {"TASUKI_TRANSPORT": "loopback", "TASUKI_LOOPBACK_RANKS": "2"}
    ended = tasuki("profile", "-o", report, "--", PROGRAM, "calls")
    assert ended.returncode == 0, ended.stderr
    loads = {one["rank"]: one for one in rows_named(report.read_text(), "load")}
    assert (loads[0]["called"], loads[1]["called"]) == (3, 14)
    assert rows_named(report.read_text(), "state") == []


def test_tables_page_and_trace(tasuki, tmp_path):
    page, trace = tmp_path / "a.html", tmp_path / "trace.json"
    ended = tasuki("profile", "-o", page, "--trace", trace, "--", *ranks_of("calls"))
    assert ended.returncode == 0, ended.stderr
    for title in (
        "What each rank did",
        "Functions that other ranks called",
        "What fibers waited for",
        "Collectives, all ranks",
        "Who sends to whom",
    ):
        assert title in ended.stderr
    assert "the result of square_by_first" in page.read_text()
    assert '"library":"Tasuki"' in page.read_text()
    slices = [one for one in json.loads(trace.read_text())["traceEvents"] if one["ph"] == "X"]
    assert {one["name"] for one in slices} >= {"square", "the result of square", "allreduce"}


def predictions(tasuki, trace: Path) -> dict[tuple[str, str], dict]:
    """By predictor and form the row of `tasuki predict`."""
    ended = tasuki("predict", trace, "--json")
    assert ended.returncode == 0, ended.stderr
    rows = json.loads(ended.stdout)["results"]
    return {(one["predictor"], one["form"]): one for one in rows}


def messages_in(trace: Path) -> list[dict]:
    return [json.loads(line) for line in trace.read_text().splitlines()[1:]]


@pytest.mark.parametrize("transport", TRANSPORTS, ids=lambda one: one[-1] if one else "shm")
def test_received_messages_are_recorded(tasuki, tmp_path, transport):
    trace = tmp_path / "trace.jsonl"
    ended = tasuki("profile", "--record", trace, "--", *ranks_of("calls", transport=transport))
    assert ended.returncode == 0, ended.stderr
    messages = messages_in(trace)
    called = [one for one in messages if one["rank"] == 1 and one["source"] == 0]
    counts = Counter(one["tag"] for one in called)
    # Calls of square, of square_by_first, and of a lambda with a long argument.
    assert {10, 3, 1} <= set(counts.values())
    longest = max(called, key=lambda one: one["bytes"])
    assert counts[longest["tag"]] == 1 and 1 << 20 < longest["bytes"] < (1 << 20) + 256
    assert not any(one["bytes"] > 1 << 20 for one in messages if one is not longest)
    found = predictions(tasuki, trace)
    assert found["posted", "whole"]["prediction_rate"] == 0
    assert found["history", "whole"]["prediction_rate"] > 0.5


@pytest.mark.skipif(len(TRANSPORTS) < 2, reason="without an MPI all ranks share their memory")
def test_the_messages_of_a_kernel_are_predicted(tasuki, tmp_path):
    trace = tmp_path / "trace.jsonl"
    kernel = find_program("npb_cg_tasuki")
    ranks = ("tasuki", "run", "-n", "4", "--transport", "mpi", "--no-node-shm", kernel)
    ended = tasuki("profile", "--record", trace, "--", *ranks, "--class", "S")
    assert ended.returncode == 0, ended.stderr
    messages = messages_in(trace)
    assert {one["rank"] for one in messages} == {0, 1, 2, 3}
    assert all(one["source"] != one["rank"] for one in messages)
    assert all(one["posted_ns"] <= one["arrival_ns"] for one in messages)
    assert any(one["was_there"] for one in messages)
    found = predictions(tasuki, trace)
    assert found["history", "whole"]["success_free"] > found["maximum", "whole"]["success_free"]


def test_collectives_of_the_runtime_are_tuned_already(tasuki, tmp_path):
    report = tmp_path / "a.json"
    command = ("profile", "-o", report, "--beside-tuned", "--", *ranks_of("calls"))
    ended = tasuki(*command)
    assert ended.returncode == 2
    assert "the program's collectives are those of Tasuki's runtime already" in ended.stderr
    assert "Remedy: leave the option out" in ended.stderr
    assert "a second time" not in ended.stderr
    assert by_function(report.read_text(), "function")["square"] == 13


def test_a_killed_program_leaves_its_profile(tasuki, tmp_path):
    report = tmp_path / "a.json"
    ended = tasuki("profile", "-o", report, "--", *ranks_of("killed"))
    assert ended.returncode != 0
    assert by_function(report.read_text(), "function")["square"] == 13
    states = {one["rank"]: one["state"] for one in rows_named(report.read_text(), "rank")}
    assert states[1] == "running"


def test_a_hanging_program_is_asked_by_a_signal(tasuki, tmp_path):
    mark, said = tmp_path / "hangs", tmp_path / "said"
    with said.open("w") as errors:
        started = tasuki.start("profile", "--", *ranks_of("hang", mark), stderr=errors)
        wait_for(mark.exists, PATIENCE_S)

        def is_told() -> bool:
            started.send_signal(signal.SIGUSR1)
            return "the result of square" in said.read_text()

        wait_for(is_told, PATIENCE_S)
        started.terminate()
        started.communicate(timeout=PATIENCE_S)
    lines = [line.split() for line in said.read_text().splitlines()]
    waiting = [line for line in lines if line[1:5] == ["the", "result", "of", "square"]]
    assert any(line[0] == "0" and line[-2:] == ["rank", "1"] for line in waiting), lines


def test_the_time_without_waiting_is_that_of_the_function_alone(tasuki, tmp_path):
    tasuki.environment["TASUKI_PROFILE_FOLDER"] = str(tmp_path)
    ended = tasuki("run", "-n", "2", PROGRAM, "calls")
    assert ended.returncode == 0, ended.stderr
    totals = RuntimeTotals(Analysis(JobEvents(event_files(Path(tmp_path)))))
    found = {one.name: one for one in totals.called}
    assert found["square"].busy_s == found["square"].seconds
    assert 0 < found["square_by_first"].busy_s < found["square_by_first"].seconds
