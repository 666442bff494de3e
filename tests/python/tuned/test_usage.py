"""The counts of all ranks are added up."""

import json
from pathlib import Path

import pytest
from tasuki.tuned.command import passing_on
from tasuki.tuned.usage import Usage


def test_ranks_are_added_up(tmp_path: Path) -> None:
    report = tmp_path / "report"
    lines = [
        {"rank": rank, "ranks": 2, "calls": [
            {"collective": "barrier", "how": "native", "why": "few", "calls": 1, "bytes": 0},
            {"collective": "allreduce", "how": "staged", "why": "near", "calls": 4, "bytes": 32},
            {"collective": "allreduce", "how": "native", "why": "few", "calls": 5, "bytes": 0},
        ]}
        for rank in range(2)
    ]  # fmt: skip
    report.write_text("".join(json.dumps(line) + "\n" for line in lines))
    usage = Usage(report)
    assert usage.ranks_count == 2
    assert usage.ranks_text() == "2 ranks"
    assert (usage.by_tasuki_count(), usage.native_count()) == (8, 12)
    assert usage.rows() == [
        ("allreduce", "native", "few", 10, 0.0),
        ("allreduce", "staged", "near", 8, 8.0),
        ("barrier", "native", "few", 2, 0.0),
    ]


def usage_of(report: Path, *ranks: tuple[int, int]) -> Usage:
    """Of ranks, each with the size of its MPI_COMM_WORLD, that called nothing."""
    lines = [json.dumps({"rank": rank, "ranks": size, "calls": []}) for rank, size in ranks]
    report.write_text("\n".join(lines))
    return Usage(report)


def test_ranks_of_other_hosts_are_said_to_be_missing(tmp_path: Path) -> None:
    report = tmp_path / "report"
    said = "the 2 of 4 ranks that ended MPI on this host"
    assert usage_of(report, (0, 4), (1, 4)).ranks_text() == said
    assert usage_of(report, (2, 4), (3, 4)).ranks_text() == said
    spawned = ((0, 2), (1, 2), (0, 1))
    assert usage_of(report, *spawned).ranks_text() == "3 ranks"


SETTING = "OMPI_MCA_mca_base_env_list"


def test_ranks_of_other_hosts_get_the_library_and_its_settings() -> None:
    environment = {"HOME": "here", "TASUKI_TUNED": "auto", "TASUKI_TUNED_REPORT": "report"}
    mpirun = ["mpirun", "-n", "4", "./program"]
    assert passing_on(mpirun, environment) == (mpirun, {SETTING: "LD_PRELOAD;TASUKI_TUNED"})
    given = ["mpirun", "-x", "OWN", "./program"]
    assert passing_on(given, environment) == (given, {})
    of_program = ["mpirun", "-n", "2", "/bin/sh", "-x", "script"]
    assert passing_on(of_program, environment)[1] != {}


def test_what_the_user_gives_ranks_of_other_hosts_is_kept() -> None:
    environment = {"TASUKI_TUNED": "auto"}
    mpirun = ["mpirun", "./program"]
    _, settings = passing_on(mpirun, environment | {SETTING: "OWN;TASUKI_TUNED=off"})
    assert settings == {SETTING: "OWN;TASUKI_TUNED=off;LD_PRELOAD"}
    given = ["mpirun", "--mca", "mca_base_env_list", "OWN;A=1", "-n", "4", "./program"]
    command, _ = passing_on(given, environment)
    assert command == [*given[:3], "OWN;A=1;LD_PRELOAD;TASUKI_TUNED", *given[4:]]
    of_program = ["mpirun", "/bin/sh", "mca_base_env_list", "OWN"]
    assert passing_on(of_program, environment)[0] == of_program


def test_each_part_of_a_job_has_options_of_the_launcher() -> None:
    environment = {"TASUKI_TUNED": "auto"}
    first = ["mpirun", "-n", "1", "/bin/sh", "-x", "script", ":", "-n", "1"]
    given = [*first, "-x", "OWN", "./program"]
    assert passing_on(given, environment) == (given, {})
    of_program = [*first, "/bin/sh", "-x", "script"]
    assert passing_on(of_program, environment)[1] == {SETTING: "LD_PRELOAD;TASUKI_TUNED"}
    mca = ["--mca", "mca_base_env_list"]
    command, settings = passing_on([*first, *mca, "A", "sh", ":", *mca, "B", "sh"], environment)
    added = "LD_PRELOAD;TASUKI_TUNED"
    assert command == [*first, *mca, f"A;{added}", "sh", ":", *mca, f"B;{added}", "sh"]
    assert settings == {SETTING: added}


@pytest.mark.parametrize(
    "options",
    [
        ["--output-filename", "test"],  # As a program that there is.
        ["--map-by", "node"],
        ["--mca", "btl", "env"],
        ["--wdir", "/tmp", "-n", "2"],
        ["--not-known-here", "3"],
    ],
)
def test_values_of_options_are_no_programs(options: list[str]) -> None:
    given = ["mpirun", *options, "-x", "OWN", "./program"]
    assert passing_on(given, {"TASUKI_TUNED": "auto"}) == (given, {})


@pytest.mark.parametrize(
    "program",
    [
        ["--wdir", "/tmp", "./not-there"],
        ["--oversubscribe", "folder/not-there"],
        ["-n", "2", "not-there"],  # On this host.
        ["--map-by", "node", "-np", "2", "not-there"],
    ],
)
def test_words_of_a_program_that_cannot_be_run_here_are_its_own(program: list[str]) -> None:
    given = ["mpirun", *program, "-x", "1"]
    assert passing_on(given, {"TASUKI_TUNED": "auto"}) == (
        given,
        {SETTING: "LD_PRELOAD;TASUKI_TUNED"},
    )


@pytest.mark.parametrize("launcher", ["mpirun", "/opt/bin/mpiexec.openmpi", "prterun"])
def test_words_before_the_launcher_are_not_its_own(launcher: str) -> None:
    given = ["env", "A=1", launcher, "-x", "OWN", "sh"]
    assert passing_on(given, {"TASUKI_TUNED": "auto"}) == (given, {})


def test_nobody_reported(tmp_path: Path) -> None:
    report = tmp_path / "report"
    report.touch()
    assert Usage(report).ranks_count == 0
