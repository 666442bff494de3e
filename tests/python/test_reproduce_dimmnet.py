"""`tasuki reproduce dimmnet` on made-up programs, and once on those of this build."""

import shutil

import pytest
from conftest import REPOSITORY, parse_envelope
from measuring_programs import answering
from tasuki.base.programs import find_program
from tasuki.launcher.binding import cores_allowed
from tasuki.output import place
from tasuki.reproduce.dimmnet.applications import DETAILS
from tasuki.reproduce.dimmnet.paper import NOW, Bandwidths
from tasuki.reproduce.dimmnet.times import ideal_speedup
from tasuki.reproduce.dimmnet.what_if import modelled_communication
from test_bench import printing
from test_reproduce import is_picture

SECTION = (
    (REPOSITORY / "docs" / "formats" / "bench.md")
    .read_text()
    .partition("## `tasuki reproduce dimmnet`")[2]
    .partition("\n## ")[0]
)
SORTED = {
    "name": "radixsort",
    "keys": 1000,
    "radix": 10,
    "implementation": "tasuki",
    "transport": "shm",
    "ranks": 2,
    "verified": True,
    "seconds": 0.25,
    "mops": 4.0,
    "compute_seconds": 0.18,
    "communication_seconds": 0.05,
    "wait_seconds": 0.02,
    "sequential_seconds": 0.4,
    "speedup": 1.6,
    "messages": 100,
    "bytes": 8_000_000,
    "checked": "keys",
    "count": 1000,
    "expected": 1000,
    "per_rank": [],
}
FLAGS_NS = {"linear": 900.0, "flag_tree": 400.0, "flag_tree_multicast": 300.0,
            "flag_exchange": 200.0}  # fmt: skip


@pytest.fixture
def laboratory(installed, tmp_path):
    """A package with programs for shared memory, where no MPI is installed."""
    tools = tmp_path / "tools"
    tools.mkdir()
    for tool in ("sh", "cat", "sleep", "test"):
        (tools / tool).symlink_to(shutil.which(tool))
    installed.environment["PATH"] = str(tools)
    installed.add_program("radixsort_tasuki", printing(SORTED))
    installed.add_program("lu_tasuki", printing({**SORTED, "name": "lu"}))
    installed.add_program("tasuki_measure", answering(FLAGS_NS, chosen="flag_exchange"))
    return installed


def rows_of(laboratory, *arguments: str) -> list[dict]:
    result = laboratory("reproduce", "dimmnet", "--json", *arguments)
    assert result.returncode == 0, result.stderr
    return parse_envelope(result.stdout)["results"]


def test_barriers_by_flags(laboratory):
    rows = rows_of(laboratory, "--only", "fig1", "-n", "2,3")
    found = {(row["algorithm"], row["ranks"]): row for row in rows}
    assert set(found) == {
        (name, ranks) for name in FLAGS_NS if name != "linear" for ranks in (2, 3)
    }
    row = found["flag_tree", 3]
    assert (row["value"], row["unit"]) == (pytest.approx(0.4), "us")
    assert row["seconds"] == pytest.approx(4e-7)
    assert (row["collective"], row["message_bytes"]) == ("barrier", 0)
    assert row["oversubscribed"] is (len(cores_allowed()) < 3)


def test_tables_and_figures_show_the_same_runs(laboratory):
    rows = rows_of(laboratory, "--only", "table2", "--only", "times", "--only", "fig2", "-n", "2")
    sorts = [row for row in rows if row.get("application") == "radixsort"]
    assert {row["series"]: row["value"] for row in sorts if row["name"] == "times"} == {
        "time, s": 0.25,
        "computation, s": 0.18,
        "communication, s": 0.05,
        "waiting, s": 0.02,
        "speed-up": 1.6,
    }
    assert [row["value"] for row in sorts if row["name"] == "fig2"] == [1.6]
    shares = {row["series"]: row for row in sorts if row["name"] == "table2"}
    assert shares["computation, %"]["value"] == pytest.approx(72)
    assert shares["communication, %"]["value"] == pytest.approx(20)
    assert shares["waiting, %"]["value"] == pytest.approx(8)
    assert shares["communication, %"]["paper_value"] == 18.3
    for field in (*DETAILS, "application", "oversubscribed"):
        assert field in sorts[0]
        assert f"`{field}`" in SECTION


def test_what_if(laboratory):
    """4 MB leave each rank in 0.04 s at 100 MB/s and are read in 0.01 s at 400, besides 0.2 s of
    computation and waiting."""
    rows = rows_of(laboratory, "--only", "whatif", "-n", "1,2", "--bandwidth", "100:400")
    found = {(row["x"], row["series"]): row["value"] for row in rows
             if row.get("application") == "lu"}  # fmt: skip
    assert found["100:400", "communication, %"] == pytest.approx(20)
    assert found["100:400", "speed-up"] == pytest.approx(0.4 / 0.25)
    assert found["as measured", "speed-up"] == pytest.approx(1.6)


def test_what_if_of_the_paper(laboratory):
    """What it gives itself as its start, and near what it gives for other bandwidths."""
    rows = [row for row in rows_of(laboratory, "--only", "whatif") if "paper_value" in row]
    assert len(rows) == 2 * 7
    for row in rows:
        if row["x"] == "11:26" or (row["x"] == "190:35" and row["series"] == "speed-up"):
            assert row["value"] == pytest.approx(row["paper_value"])
        elif "reading alone" in row["panel"] and row["x"] != "190:466":
            assert row["value"] == pytest.approx(row["paper_value"], rel=0.25)


def test_model_reads_and_sends_in_turn():
    assert modelled_communication(SORTED, Bandwidths(200, 200)) == pytest.approx(0.04)
    assert modelled_communication({**SORTED, "bytes": 0}, NOW) == 0


@pytest.mark.parametrize("text", ["100", "100:0", "100:x", "100:inf", "1:2:3"])
def test_bad_bandwidths(tasuki, text):
    result = tasuki("reproduce", "dimmnet", "--bandwidth", text)
    assert result.returncode == 2
    assert f"--bandwidth {text} is no pair of bandwidths" in result.stderr


@pytest.mark.same_everywhere("what draws is the same Python package")
def test_pictures(laboratory, tmp_path):
    result = laboratory("reproduce", "dimmnet", "-n", "1,2,3", "--plot", "--output", tmp_path)
    assert result.returncode == 0, result.stderr
    assert result.stderr.count("no mpiexec of Open MPI or MPICH is in the PATH") == 1
    for figure in ("fig1", "fig2"):
        assert is_picture(tmp_path / f"dimmnet-{figure}.png")


def test_a_run_that_fails_is_said_and_the_rest_goes_on(laboratory):
    laboratory.add_program("tasuki_measure", "exit 3")
    result = laboratory("reproduce", "dimmnet", "--only", "fig1", "--only", "fig2", "-n", "2",
                        "--json")  # fmt: skip
    assert result.returncode == 1
    assert "barrier, Tasuki, 2 ranks:\n" in result.stderr
    assert "the measuring job ended at" in result.stderr
    assert {row["name"] for row in parse_envelope(result.stdout)["results"]} == {"fig2"}


def test_measuring_job_that_hangs_is_ended_with_the_budget(laboratory):
    laboratory.add_program("tasuki_measure", "sleep 100")
    result = laboratory("reproduce", "dimmnet", "--only", "fig1", "-n", "2", "--budget", "5")
    assert result.seconds < 90
    assert "not measured, ended by its time limit or by what was left of the" in result.stderr
    assert result.returncode == 0


def test_numbers_of_ranks_that_share_cores_are_never_mixed(monkeypatch):
    monkeypatch.setattr(place, "cores_allowed", lambda: [{0}, {1}])
    assert [place.is_oversubscribed(ranks) for ranks in (1, 2, 3)] == [False, False, True]
    assert place.place_of(2) != place.place_of(3)
    assert "2 cores" in place.place_of(8)


def test_ideal_speedup_ends_with_the_cores():
    cores = len(cores_allowed())
    assert [ideal_speedup(ranks) for ranks in (1, cores, 2 * cores)] == [1, cores, cores]


def test_bad_ranks(tasuki):
    result = tasuki("reproduce", "dimmnet", "-n", "2..x")
    assert result.returncode == 2
    assert "reproduce dimmnet: -n 2..x is no list or range" in result.stderr


@pytest.mark.skipif(find_program("radixsort_tasuki") is None, reason="not built")
def test_real_runs(tasuki):
    result = tasuki("reproduce", "dimmnet", "-n", "2", "--keys", "20000", "--size", "64",
                    "--only", "times", "--only", "fig1", "--json")  # fmt: skip
    assert result.returncode == 0, result.stderr
    rows = parse_envelope(result.stdout)["results"]
    runs = [row for row in rows if row["name"] == "times"]
    assert {row["application"] for row in runs} >= {"radixsort"}
    assert all(row["verified"] for row in runs)
    barriers = {row["algorithm"]: row["seconds"] for row in rows if row["name"] == "fig1"}
    assert all(0 < barriers[name] < 10 for name in ("flag_tree", "flag_tree_multicast"))
