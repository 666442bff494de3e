"""The counts of all ranks are added up."""

import json
from pathlib import Path

from tasuki.tuned.command import OPEN_MPI_PASSES_ON, passed_on
from tasuki.tuned.usage import Usage


def test_ranks_are_added_up(tmp_path: Path) -> None:
    report = tmp_path / "report"
    lines = [
        {"rank": rank, "calls": [
            {"collective": "barrier", "how": "native", "why": "few", "calls": 1, "bytes": 0},
            {"collective": "allreduce", "how": "staged", "why": "near", "calls": 4, "bytes": 32},
            {"collective": "allreduce", "how": "native", "why": "few", "calls": 5, "bytes": 0},
        ]}
        for rank in range(2)
    ]  # fmt: skip
    report.write_text("".join(json.dumps(line) + "\n" for line in lines))
    usage = Usage(report)
    assert usage.ranks_count == 2
    assert (usage.by_tasuki_count(), usage.native_count()) == (8, 12)
    assert usage.rows() == [
        ("allreduce", "native", "few", 10, 0.0),
        ("allreduce", "staged", "near", 8, 8.0),
        ("barrier", "native", "few", 2, 0.0),
    ]


def test_ranks_of_other_hosts_get_the_library_and_its_settings() -> None:
    environment = {"HOME": "here", "TASUKI_TUNED": "auto", "TASUKI_TUNED_REPORT": "report"}
    mpirun = ["mpirun", "-n", "4", "./program"]
    assert passed_on(mpirun, environment) == {OPEN_MPI_PASSES_ON: "LD_PRELOAD;TASUKI_TUNED"}
    assert passed_on(["mpirun", "-x", "OWN", "./program"], environment) == {}
    assert passed_on(["mpirun", "-n", "2", "/bin/sh", "-x", "script"], environment) != {}
    assert passed_on(mpirun, environment | {OPEN_MPI_PASSES_ON: "OWN"}) == {}


def test_nobody_reported(tmp_path: Path) -> None:
    report = tmp_path / "report"
    report.touch()
    assert Usage(report).ranks_count == 0
