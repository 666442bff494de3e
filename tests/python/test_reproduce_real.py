"""`tasuki reproduce mpcxx` with the programs of this build, class S: the numbers, not the times."""

import shutil
from pathlib import Path

import pytest
from conftest import REPOSITORY, parse_envelope
from tasuki.base.programs import find_program
from tasuki.launcher.mpiexec import mpiexec_of
from tasuki.reproduce.mpcxx.times import DETAILS
from tasuki.reproduce.mpcxx.wire import LOOPBACK, SHAPED, can_shape
from tasuki.reproduce.simulation import NODES_MAX, simulator

FORMATS = (REPOSITORY / "docs" / "formats" / "bench.md").read_text()
SECTION = FORMATS.partition("## `tasuki reproduce mpcxx`")[2]

pytestmark = pytest.mark.skipif(find_program("npb_is_tasuki") is None, reason="not built")
needs_mpi = pytest.mark.skipif(
    find_program("npb_is_mpi_ompi") is None or mpiexec_of("ompi") is None, reason="needs Open MPI"
)
needs_simulation = pytest.mark.skipif(
    simulator() is None or find_program("npb_is_mpi_smpi") is None, reason="needs SimGrid"
)


def reproduced(tasuki, *arguments: str) -> list[dict]:
    result = tasuki("reproduce", "mpcxx", "--json", *arguments)
    assert result.returncode == 0, result.stderr
    return parse_envelope(result.stdout)["results"]


def values(rows: list[dict], **wanted) -> dict:
    """By x the values of the rows whose fields are those wanted."""
    return {
        row["x"]: row["value"]
        for row in rows
        if all(row[name] == value for name, value in wanted.items())
    }


@needs_mpi
def test_times_and_their_split(tasuki):
    rows = reproduced(tasuki, "--class", "S", "--only", "fig11", "--only", "fig13", "--mpi", "ompi")
    for series in ("C++ over MPI", "Tasuki over MPI", "Tasuki native (shm)"):
        times = values(rows, name="fig11", series=series, panel="class S, this machine")
        assert list(times) == [1, 2, 4]
        for ranks, seconds in times.items():
            parts = [
                values(rows, name="fig13", series=part, panel="class S, this machine")[
                    f"{series}, {ranks}"
                ]
                for part in ("computation", "communication")
            ]
            # Each of the three is rounded to a nanosecond.
            assert sum(parts) == pytest.approx(seconds, abs=1.6e-9)
    assert all(row["verified"] for row in rows)
    assert {row["baseline"] for row in rows if row["name"] == "fig11"} == {
        None,
        "C++ over MPI",
    }
    for field in DETAILS:
        assert field in rows[0]
        assert f"`{field}`" in SECTION


@pytest.mark.same_everywhere("it simulates")
@needs_simulation
def test_simulated_clusters_up_to_32_nodes(tasuki):
    rows = reproduced(tasuki, "--class", "S", "--only", "fig11")
    nodes = [1, 2, 4, 8, 16, NODES_MAX]
    for series in ("C++ over MPI", "Tasuki over MPI"):
        simulated = [
            row
            for row in rows
            if row["series"] == series and row["panel"] == "class S, simulated Myrinet"
        ]
        assert [row["x"] for row in simulated] == nodes
        assert all(row["verified"] for row in simulated)
        # Ten iterations, each with two collective calls and a write to every other rank.
        assert simulated[nodes.index(8)]["messages"] == 10 * 8 * (2 + 7)


@needs_simulation
def test_counts_of_the_mpi_version_are_those_of_its_algorithm(tasuki):
    """4 ranks in a grid of 2 x 2: each product sends to one peer to expand, to one to fold."""
    rows = reproduced(tasuki, "--class", "S", "--only", "table5", "--only", "table7")
    sends = 2 * 15 * 26  # The timed part alone.
    for title in ("Isend", "Irecv"):
        assert values(rows, name="table5", series=title)[4] == sends
    sums_bytes = 8 * (15 * (2 + 2 * 25) + 2 * 15)
    expected_mb = (sends * 1400 // 4 * 8 + sums_bytes) / 2**20
    assert values(rows, name="table5", series="total, MB")[4] == pytest.approx(
        expected_mb, rel=1e-3
    )
    for title in ("Allreduce", "Alltoall", "Alltoallv"):
        calls = values(rows, name="table7", series=title)
        assert calls == dict.fromkeys((2, 4, 8, 16, 32), 10)


@needs_simulation
def test_counts_of_the_tasuki_version_balance(tasuki):
    """What is sent is received by a receive that was posted, and found by a test."""
    rows = reproduced(tasuki, "--class", "S", "--only", "table8")
    sends, receives, tests = (values(rows, series=title)[4] for title in ("Isend", "Irecv", "Test"))
    assert 0 < sends <= receives
    assert tests > 0
    # Each rank keeps a quarter of the keys it has: 65536 keys of 4 bytes, ten times.
    moved_mb = 10 * 65536 / 4 * 4 * 3 / 4 / 2**20
    assert moved_mb < values(rows, series="total, MB")[4] < 1.3 * moved_mb


@needs_mpi
def test_nothing_is_faster_than_the_wire_is_shaped(tasuki):
    """Long writes go through it at no more than 100 Mbit/s, on an idle machine at nearly that;
    where nothing can be shaped the figure says so."""
    rows = reproduced(tasuki, "--only", "fig5", "--mpi", "ompi")
    for series in ("MPI_Send", "Tasuki over MPI"):
        rates = values(rows, series=series)
        assert rates[1 << 20] > 0
        assert rates[1 << 20] < 12.5 * 1.1 or not can_shape()
    assert {row["panel"] for row in rows} == {SHAPED if can_shape() else LOOPBACK}
    assert not [name for name in Path("/sys/class/net").iterdir() if "tasuki" in name.name]


def test_lines_that_differ_between_tasuki_and_mpi(tasuki):
    rows = reproduced(tasuki, "--only", "lines")
    for kernel in ("CG", "IS"):
        differ, total = (values(rows, series=series)[kernel] for series in ("differ", "of"))
        assert 0 < differ < 60
        assert total > 500


def test_without_mpi_and_simulator_the_rest_runs(tasuki, tmp_path):
    (tmp_path / "sh").symlink_to(shutil.which("sh"))
    tasuki.environment["PATH"] = str(tmp_path)
    result = tasuki("reproduce", "mpcxx", "--class", "S", "--only", "fig11", "--only", "table7",
                    "--json")  # fmt: skip
    assert result.returncode == 0, result.stderr
    rows = parse_envelope(result.stdout)["results"]
    assert list(values(rows, series="Tasuki native (shm)")) == [1, 2, 4]
    assert len(rows) == 3
    assert result.stderr.count("no mpiexec of Open MPI or MPICH is in the PATH") == 1
    assert result.stderr.count("SimGrid's smpirun is not installed") == 1
