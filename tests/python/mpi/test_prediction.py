"""What ranks do while they wait changes no result, and each reports what it has received."""

import subprocess
from pathlib import Path
from typing import Any

import pytest
import reported
from mpis import MPIS, Mpi
from preloaded import PROGRAMS

MODES = ("off", "guarded", "always", "fixed")
ROUNDS = 30
RECEIVES = 7 * ROUNDS  # By each rank.


@pytest.fixture(name="program", scope="module", params=MPIS, ids=lambda mpi: mpi.name)
def compiled_program(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Mpi, Path]:
    mpi = request.param
    folder = tmp_path_factory.mktemp("receives")
    command = [mpi.compiler, "-w", PROGRAMS / "receives.c", "-o", "receives"]
    subprocess.run(command, cwd=folder, check=True)
    return mpi, folder / "receives"


def reports(
    program: tuple[Mpi, Path], folder: Path, ranks: int, mode: str, **settings: str
) -> tuple[subprocess.CompletedProcess[str], list[dict[str, Any]]]:
    """Runs the program with the library preloaded, and returns what each rank reports."""
    mpi, executable = program
    command = [mpi.mpiexec, "-n", str(ranks), executable, str(ROUNDS)]
    return reported.reports(command, folder, mode, **settings)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("ranks", [2, 3])
def test_results_are_right_and_receives_are_counted(
    program: tuple[Mpi, Path], tmp_path: Path, ranks: int, mode: str
) -> None:
    ended, lines = reports(program, tmp_path, ranks, mode)
    assert ended.returncode == 0, ended.stderr
    assert f"{RECEIVES} received, 0 wrong" in ended.stdout
    assert [line["rank"] for line in lines] == list(range(ranks))
    for line in lines:
        assert (line["ranks"], line["mode"], line["receives"]) == (ranks, mode, RECEIVES)
        waits = line["waits"]
        assert waits["count"] == sum(waits["log2_ns"]) > RECEIVES
        assert waits["total_ns"] > 0
        assert line["cpu_s"] > 0
        assert line["hit"] + line["miss"] == line["predicted"] <= line["idle"]
        assert line["committed"] + sum(line["redone"].values()) == 3 * line["predicted"]
    predicted = sum(line["predicted"] for line in lines)
    if mode == "always":
        # How many messages are there before they are waited for is a matter of time.
        assert predicted > 0
    if mode in ("off", "fixed"):
        assert predicted == 0


def test_an_unknown_mode_is_told_and_nothing_is_predicted(
    program: tuple[Mpi, Path], tmp_path: Path
) -> None:
    ended, lines = reports(program, tmp_path, 2, "sometimes")
    assert ended.returncode == 0
    assert ended.stderr.count("sometimes is none of its values") == 1
    assert {line["mode"] for line in lines} == {"off"}


def test_a_report_that_cannot_be_written_is_told(program: tuple[Mpi, Path], tmp_path: Path) -> None:
    nowhere = str(tmp_path / "nowhere" / "report")
    ended, _ = reports(program, tmp_path, 2, "off", TASUKI_PREDICT_REPORT=nowhere)
    assert ended.returncode == 0
    assert f"cannot write {nowhere}" in ended.stderr


def test_an_earlier_run_is_followed(program: tuple[Mpi, Path], tmp_path: Path) -> None:
    events = tmp_path / "events"
    events.mkdir()
    recorded, _ = reports(program, tmp_path, 3, "always", TASUKI_PROFILE_FOLDER=str(events))
    assert recorded.returncode == 0, recorded.stderr
    followed, lines = reports(program, tmp_path, 3, "always", TASUKI_PREDICT_EARLIER=str(events))
    assert f"{RECEIVES} received, 0 wrong" in followed.stdout
    assert "tasuki:" not in followed.stderr
    assert sum(line["hit"] for line in lines) > 0


def test_an_earlier_run_of_other_ranks_is_told(program: tuple[Mpi, Path], tmp_path: Path) -> None:
    ended, lines = reports(program, tmp_path, 2, "always", TASUKI_PREDICT_EARLIER=str(tmp_path))
    assert ended.returncode == 0
    assert ended.stderr.count("it has no events of rank") == 2
    assert len(lines) == 2
