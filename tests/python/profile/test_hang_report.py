"""Who waits for whom: cycles, ranks that have not come, stopped and ended ones."""

import io
import os
import re
import signal
import subprocess
import sys

import pytest
from cases import analysed
from conftest import REPOSITORY, wait_for
from event_writer import WrittenRank
from tasuki.profile.call_sites import SiteName
from tasuki.profile.hang_report import HangReport
from tasuki.profile.progress_state import ranks_text

SECOND = 10**9
MILLISECOND = 10**6


def running(count: int) -> list[WrittenRank]:
    ranks = [WrittenRank(rank, count) for rank in range(count)]
    for rank in ranks:
        rank.fields["state"] = 1
    return ranks


def report(folder, ranks, asks_system=False) -> HangReport:
    return HangReport(analysed(folder, ranks, now_ns=10 * SECOND), asks_system)


def lines(found: HangReport) -> list[tuple]:
    return [tuple(line) for line in found.lines()]


def test_a_cycle_of_receives(tmp_path):
    ranks = running(4)
    for rank in range(3):
        ranks[rank].call("MPI_Recv", SECOND, 0, source=(rank + 1) % 3, tag=rank)
    ranks[3].call("MPI_Recv", 2 * SECOND, 0, source=0, tag=9)
    assert report(tmp_path, ranks).findings() == [
        "deadlock: rank 0 waits in MPI_Recv for rank 1, rank 1 waits in MPI_Recv for rank 2,"
        " rank 2 waits in MPI_Recv for rank 0"
    ]


def test_a_cycle_of_sends_and_a_wait(tmp_path):
    ranks = running(2)
    ranks[0].call("MPI_Send", SECOND, 0, destination=1, tag=1)
    request = ranks[1].start("MPI_Irecv", SECOND, SECOND + 1, source=0, tag=2)
    ranks[1].call("MPI_Wait", 2 * SECOND, 0, request=request)
    found = report(tmp_path, ranks)
    assert found.findings() == [
        "deadlock: rank 0 waits in MPI_Send for rank 1, rank 1 waits in MPI_Wait for rank 0"
    ]
    assert lines(found) == [
        ("0", "MPI_Send", 9.0, "rank 1 to receive with tag 1", "app+0x1000"),
        ("1", "MPI_Wait", 8.0, "a message from rank 0 with tag 2", "app+0x1000"),
    ]


def test_all_receive_from_anybody(tmp_path):
    ranks = running(2)
    for rank in ranks:
        rank.call("MPI_Recv", SECOND, 0, source=-2, tag=-2)
    (finding,) = report(tmp_path, ranks).findings()
    assert finding.startswith("deadlock: rank 0 waits in MPI_Recv for rank 1")


def test_a_receive_from_anybody_is_no_deadlock_while_one_computes(tmp_path):
    ranks = running(3)
    ranks[0].call("MPI_Recv", SECOND, 0, source=-2, tag=-2)
    ranks[1].call("MPI_Recv", SECOND, 0, source=0, tag=1)
    ranks[2].call("MPI_Send", SECOND, SECOND + 1, destination=1, tag=5)
    assert report(tmp_path, ranks).findings() == [
        "ranks 0-1 wait for rank 2: its last call, 9.0 s ago, was MPI_Send in app+0x1000"
    ]


def test_a_message_under_way_is_not_waited_for(tmp_path):
    ranks = running(2)
    ranks[0].call("MPI_Send", SECOND, 0, destination=1, tag=1)
    ranks[1].call("MPI_Recv", SECOND, 0, source=0, tag=1)
    found = report(tmp_path, ranks)
    assert found.findings() == []
    assert [line[3] for line in lines(found)] == ["the data", "the data"]


def test_a_rank_has_not_come_to_a_collective(tmp_path):
    ranks = running(4)
    for rank in ranks:
        rank.communicators.append((50, 3, 0, 0, b"workers"))
        rank.call("MPI_Barrier", SECOND, SECOND + 5, communicator=1)
    del ranks[3].communicators[1], ranks[3].events[:]
    for rank in (0, 2):
        ranks[rank].call("MPI_Allreduce", 2 * SECOND, 0, communicator=1)
    found = report(tmp_path, ranks)
    assert found.findings() == [
        "rank 1 has not come to MPI_Allreduce (collective 2 on workers), in which ranks 0, 2 are;"
        " its last call, 9.0 s ago, was MPI_Barrier in app+0x1000"
    ]
    assert ("0, 2", "MPI_Allreduce", 8.0, "rank 1 to enter it", "app+0x1000") in lines(found)


def test_ranks_disagree_about_a_collective(tmp_path):
    ranks = running(2)
    ranks[0].call("MPI_Barrier", SECOND, 0)
    ranks[1].call("MPI_Allreduce", SECOND, 0)
    assert report(tmp_path, ranks).findings() == [
        "ranks 0-1 call MPI_Allreduce or MPI_Barrier as collective 1 on MPI_COMM_WORLD:"
        " all ranks must call the same"
    ]


def test_a_collective_and_a_receive_wait_for_each_other(tmp_path):
    ranks = running(2)
    ranks[0].call("MPI_Barrier", SECOND, 0)
    ranks[1].call("MPI_Recv", SECOND, 0, source=0, tag=1)
    assert report(tmp_path, ranks).findings() == [
        "deadlock: rank 0 waits in MPI_Barrier for rank 1, rank 1 waits in MPI_Recv for rank 0",
        "rank 1 has not come to MPI_Barrier (collective 1 on MPI_COMM_WORLD), in which rank 0 is;"
        " it is in MPI_Recv in app+0x1000 since 9.0 s",
    ]


def test_others_have_called_finalize(tmp_path):
    ranks = running(2)
    ranks[0].call("MPI_Finalize", SECOND, 0)
    ranks[1].call("MPI_Recv", SECOND, 0, source=0, tag=1)
    first, second = report(tmp_path, ranks).findings()
    assert first.startswith("deadlock: rank 0 waits in MPI_Finalize for rank 1, rank 1 waits in")
    assert second.startswith("rank 1 has not come to MPI_Finalize")


def test_ranks_have_not_come_to_what_makes_a_communicator(tmp_path):
    ranks = running(3)
    ranks[0].call("MPI_Comm_split", SECOND, 2 * SECOND)
    ranks[0].call("MPI_Comm_split", 3 * SECOND, 0)
    ranks[1].call("MPI_Comm_split", SECOND, 2 * SECOND)
    ranks[2].call("MPI_Comm_split", SECOND, 2 * SECOND)
    ranks[2].call("MPI_Comm_split", 3 * SECOND, 0)
    assert report(tmp_path, ranks).findings() == [
        "rank 1 has not come to MPI_Comm_split (collective 2 on MPI_COMM_WORLD), in which ranks"
        " 0, 2 are; its last call, 8.0 s ago, was MPI_Comm_split in app+0x1000"
    ]


def test_a_non_blocking_collective_is_waited_for(tmp_path):
    ranks = running(2)
    request = ranks[0].start("MPI_Ibarrier", SECOND, SECOND + 1)
    ranks[0].call("MPI_Wait", 2 * SECOND, 0, request=request)
    ranks[1].call("MPI_Test", SECOND, SECOND + 1)
    found = report(tmp_path, ranks)
    assert lines(found)[0][3] == "rank 1 to call MPI_Ibarrier"
    assert found.findings()[0].startswith("rank 0 waits for rank 1: its last call, 9.0 s ago")


def test_a_combined_send_and_receive_waits_for_both(tmp_path):
    ranks = running(3)
    ranks[0].call("MPI_Sendrecv", SECOND, 0, destination=1, source=2, tag=4)
    (line, *_) = lines(report(tmp_path, ranks))
    assert line[3] == "rank 1 to receive with tag 4 and a message from rank 2"


def test_a_process_is_gone(tmp_path):
    ended = subprocess.run([sys.executable, "-c", "import os; print(os.getpid())"],
                           capture_output=True, text=True)  # fmt: skip
    ranks = running(2)
    for rank, process_id in zip(ranks, (os.getpid(), int(ended.stdout)), strict=True):
        rank.fields |= {"host": os.uname().nodename.encode(), "process_id": process_id}
    ranks[0].call("MPI_Recv", SECOND, 0, source=1, tag=1)
    ranks[1].call("MPI_Send", SECOND, 2 * SECOND, destination=0, tag=2)
    assert report(tmp_path, ranks, asks_system=True).findings() == [
        f"the process of rank 1 (pid {int(ended.stdout)}) has ended without MPI_Finalize;"
        " its last call, 8.0 s ago, was MPI_Send in app+0x1000"
    ]


def test_a_process_is_stopped(tmp_path):
    sleeper = subprocess.Popen(["sleep", "1000"])
    try:
        sleeper.send_signal(signal.SIGSTOP)
        ranks = running(1)
        ranks[0].fields |= {"host": os.uname().nodename.encode(), "process_id": sleeper.pid}
        ranks[0].call("MPI_Barrier", SECOND, SECOND + 1)
        found = wait_for(lambda: report(tmp_path, ranks, asks_system=True).findings())
        assert found == ["rank 0 is stopped by a signal"]
    finally:
        sleeper.kill()
        sleeper.wait()


def test_ranks_that_have_finished_or_called_nothing(tmp_path):
    ranks = running(3)
    ranks[0].fields["state"] = 2
    ranks[2].call("MPI_Recv", SECOND, 0, source=1, tag=1)
    found = report(tmp_path, ranks)
    assert [line[:2] for line in lines(found)] == [("1", "(not in MPI)"), ("2", "MPI_Recv")]
    assert found.findings() == ["rank 2 waits for rank 1: it has called nothing so far"]


def test_rows(tmp_path):
    ranks = running(2)
    ranks[0].call("MPI_Recv", SECOND, 0, source=1, tag=7)
    ranks[1].call("MPI_Recv", SECOND, 0, source=0, tag=7)
    first, second, finding = report(tmp_path, ranks).rows()
    assert (first["name"], first["rank"], first["peers"]) == ("state", 0, [1])
    assert second["waits_for"] == "a message from rank 0 with tag 7"
    assert finding["name"] == "finding" and finding["value"].startswith("deadlock")


def test_the_example_of_the_guide(tmp_path, monkeypatch):
    ranks = running(4)
    for rank, written in enumerate(ranks):
        written.sites.append((0x401010, 0))
        if rank < 2:
            written.call("MPI_Recv", 441 * MILLISECOND, 0, source=1 - rank, tag=3)
        else:
            written.call("MPI_Barrier", 441 * MILLISECOND, 0, site=1)
    names = [SiteName("dead", 0, "main", f"dead.c:{line}") for line in (3, 4)]
    monkeypatch.setattr("tasuki.profile.analysis.named_sites", lambda _: names)
    monkeypatch.setenv("COLUMNS", "100")
    printed = io.StringIO()
    HangReport(analysed(tmp_path, ranks, now_ns=3 * SECOND), asks_system=False).print(printed)
    guide = (REPOSITORY / "docs" / "guide" / "profile.md").read_text()
    (example,) = re.findall(r"^```\n(Ranks .*?)^```$", guide, re.MULTILINE | re.DOTALL)
    shown = [line.strip() for line in printed.getvalue().splitlines()]
    assert [line.strip() for line in example.splitlines()] == shown[: example.count("\n")]


@pytest.mark.parametrize(
    ("ranks", "text"),
    [((3,), "rank 3"), ((0, 1, 2, 5), "ranks 0-2, 5"), ((7, 5), "ranks 5, 7")],
)
def test_text_of_ranks(ranks, text):
    assert ranks_text(ranks) == text
