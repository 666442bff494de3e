"""`tasuki reproduce mpcxx` with the programs of this build, class S: the numbers, not the times."""

import shutil

import pytest
from conftest import REPOSITORY, parse_envelope
from tasuki.base.programs import find_program
from tasuki.launcher.mpiexec import mpiexec_of
from tasuki.reproduce.mpcxx.times import DETAILS
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
    result = tasuki("reproduce", "mpcxx", "--json", *arguments, timeout_s=300)
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
    rows = reproduced(tasuki, "--class", "S", "--only", "fig9", "--only", "fig13", "--mpi", "ompi")
    for series in ("MPI", "Tasuki over MPI", "Tasuki over shm"):
        times = values(rows, name="fig9", series=series, panel="class S, this machine")
        assert list(times) == [1, 2, 4]
        for ranks, seconds in times.items():
            parts = [
                values(rows, name="fig13", series=part)[f"{series}, {ranks}"]
                for part in ("computation", "communication")
            ]
            # Each of the three is rounded to a nanosecond.
            assert sum(parts) == pytest.approx(seconds, abs=1.6e-9)
    assert all(row["verified"] for row in rows)
    assert {row["baseline"] for row in rows if row["name"] == "fig9"} == {None, "MPI"}
    for field in DETAILS:
        assert field in rows[0]
        assert f"`{field}`" in SECTION


@needs_simulation
def test_simulated_clusters_up_to_32_nodes(tasuki):
    rows = reproduced(tasuki, "--class", "S", "--only", "fig11")
    nodes = [1, 2, 4, 8, 16, NODES_MAX]
    for series in ("MPI", "Tasuki over MPI"):
        simulated = [
            row
            for row in rows
            if row["series"] == series and row["panel"] == "class S, simulated myrinet"
        ]
        assert [row["x"] for row in simulated] == nodes
        assert all(row["verified"] for row in simulated)
        # Ten iterations, each with two collective calls and a write to every other rank.
        assert simulated[nodes.index(8)]["messages"] == 10 * 8 * (2 + 7)


@needs_mpi
def test_counts_of_the_mpi_version_are_those_of_its_algorithm(tasuki):
    """4 ranks in a grid of 2 x 2: each product sends to one peer to expand, to one to fold."""
    rows = reproduced(tasuki, "--class", "S", "--only", "table5", "--mpi", "ompi")
    products = (15 + 1) * 26  # With the untimed iteration.
    for title in ("sends", "receives"):
        assert values(rows, series=title) == dict.fromkeys(range(4), 2 * products)
    segment_bytes = 1400 // 4 * 8
    assert values(rows, series="average size, bytes") == dict.fromkeys(range(4), segment_bytes)
    assert set(values(rows, series="probes").values()) == {0}


@needs_mpi
def test_counts_of_the_tasuki_version_balance(tasuki):
    """What is sent is received by a receive that was posted, and found by a test."""
    rows = reproduced(tasuki, "--class", "S", "--only", "table8", "--mpi", "ompi")
    sends, receives, tests = (
        values(rows, series=title) for title in ("sends", "receives", "tests")
    )
    assert 0 < sum(sends.values()) <= sum(receives.values())
    assert all(tests[rank] > 0 for rank in range(4))
    # Each rank keeps a quarter of the keys it has: 65536 keys of 4 bytes, ten times and once more.
    moved_mb = 11 * 65536 * 4 * 3 / 4 / 1e6
    sent_mb = sum(values(rows, series="sent, MB").values())
    assert moved_mb < sent_mb < 1.3 * moved_mb


def test_lines_that_differ_between_the_twins(tasuki):
    rows = reproduced(tasuki, "--only", "lines")
    for kernel in ("CG", "IS"):
        differ, total = (values(rows, series=series)[kernel] for series in ("differ", "of"))
        assert 0 < differ < 60
        assert total > 500


def test_without_mpi_and_simulator_the_rest_runs(tasuki, tmp_path):
    (tmp_path / "sh").symlink_to(shutil.which("sh"))
    tasuki.environment["PATH"] = str(tmp_path)
    result = tasuki("reproduce", "mpcxx", "--class", "S", "--only", "fig9", "--only", "table7",
                    "--json", timeout_s=120)  # fmt: skip
    assert result.returncode == 0, result.stderr
    rows = parse_envelope(result.stdout)["results"]
    assert list(values(rows, series="Tasuki over shm")) == [1, 2, 4]
    assert len(rows) == 3
    assert result.stderr.count("no mpiexec of Open MPI or MPICH is in the PATH") == 1
    assert result.stderr.count("SimGrid's smpirun is not installed") == 1
