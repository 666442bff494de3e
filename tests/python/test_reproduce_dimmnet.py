"""`tasuki reproduce dimmnet` on made-up programs, and once on those of this build."""

import shutil

import pytest
from conftest import REPOSITORY, parse_envelope
from measuring_programs import answering
from tasuki.base.programs import find_program
from tasuki.launcher.binding import cores_allowed
from tasuki.output import place
from tasuki.reproduce.dimmnet.times import DETAILS, ideal_speedup
from tasuki.reproduce.dimmnet.what_if import _curve, effective_bandwidth, modelled_seconds
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
    rows = rows_of(laboratory, "--only", "barrier", "-n", "2,3")
    found = {(row["algorithm"], row["ranks"]): row for row in rows}
    assert set(found) == {
        (name, ranks) for name in FLAGS_NS if name != "linear" for ranks in (2, 3)
    }
    row = found["flag_tree", 3]
    assert (row["value"], row["unit"]) == (pytest.approx(0.4), "us")
    assert row["seconds"] == pytest.approx(4e-7)
    assert (row["collective"], row["message_bytes"]) == ("barrier", 0)
    assert row["oversubscribed"] is (len(cores_allowed()) < 3)


def test_table_and_figures_show_the_same_runs(laboratory):
    rows = rows_of(laboratory, "--only", "table2", "--only", "fig1", "--only", "fig2", "-n", "2")
    sorts = [row for row in rows if row["application"] == "radixsort"]
    assert {row["series"]: row["value"] for row in sorts if row["name"] == "table2"} == {
        "time, s": 0.25,
        "computation, s": 0.18,
        "communication, s": 0.05,
        "waiting, s": 0.02,
        "speed-up": 1.6,
    }
    assert sum(row["value"] for row in sorts if row["name"] == "fig1") == pytest.approx(0.25)
    assert [row["value"] for row in sorts if row["name"] == "fig2"] == [1.6]
    for field in (*DETAILS, "application", "oversubscribed"):
        assert field in sorts[0]
        assert f"`{field}`" in SECTION


def test_what_if(laboratory):
    """4 MB leave each rank: in 0.04 s at 100 MB/s, besides 0.2 s of computation and waiting."""
    rows = rows_of(laboratory, "--only", "whatif", "-n", "1,2", "--bandwidth", "100")
    found = {row["x"]: row for row in rows if row["application"] == "lu"}
    assert list(found) == [80, 100]  # 80 MB/s is what was measured.
    assert found[100]["modelled_seconds"] == pytest.approx(0.24)
    assert found[100]["value"] == pytest.approx(0.4 / 0.24)
    assert (found[80]["measured"], found[100]["measured"]) == (True, False)
    assert found[80]["value"] == pytest.approx(1.6)


def test_model_gives_the_measured_time_at_the_measured_bandwidth():
    assert modelled_seconds(SORTED, effective_bandwidth(SORTED)) == pytest.approx(0.25)
    assert effective_bandwidth({**SORTED, "bytes": 0}) is None


def test_pictures(laboratory, tmp_path):
    result = laboratory("reproduce", "dimmnet", "-n", "1,2,3", "--plot", "--output", tmp_path)
    assert result.returncode == 0, result.stderr
    assert result.stderr.count("no mpiexec of Open MPI or MPICH is in the PATH") == 1
    for figure in ("barrier", "fig1", "fig2", "whatif"):
        assert is_picture(tmp_path / f"dimmnet-{figure}.png")


def test_a_run_that_fails_is_said_and_the_rest_goes_on(laboratory):
    laboratory.add_program("tasuki_measure", "exit 3")
    result = laboratory("reproduce", "dimmnet", "--only", "barrier", "--only", "fig2", "-n", "2",
                        "--json")  # fmt: skip
    assert result.returncode == 1
    assert "barrier, Tasuki, 2 ranks:\n" in result.stderr
    assert "the measuring job ended at" in result.stderr
    assert {row["name"] for row in parse_envelope(result.stdout)["results"]} == {"fig2"}


def test_measuring_job_that_hangs_is_ended_with_the_budget(laboratory):
    laboratory.add_program("tasuki_measure", "sleep 100")
    result = laboratory("reproduce", "dimmnet", "--only", "barrier", "-n", "2", "--budget", "1")
    assert result.seconds < 20
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
    assert "reproduce dimmnet: -n 2..x is no range of ranks" in result.stderr


@pytest.mark.skipif(find_program("radixsort_tasuki") is None, reason="not built")
def test_real_runs(tasuki):
    result = tasuki("reproduce", "dimmnet", "-n", "2", "--keys", "20000", "--size", "64",
                    "--only", "table2", "--only", "barrier", "--json")  # fmt: skip
    assert result.returncode == 0, result.stderr
    rows = parse_envelope(result.stdout)["results"]
    runs = [row for row in rows if row["name"] == "table2"]
    assert {row["application"] for row in runs} >= {"radixsort"}
    assert all(row["verified"] for row in runs)
    barriers = {row["algorithm"]: row["seconds"] for row in rows if row["name"] == "barrier"}
    assert all(0 < barriers[name] < 0.1 for name in ("flag_tree", "flag_tree_multicast"))


def test_a_slow_machine_has_its_place_on_the_axis():
    slow = {**SORTED, "spread": None, "repetitions": 1}
    slow["communication_seconds"] = SORTED["bytes"] / SORTED["ranks"] / 0.3e6
    assert [point.x for point in _curve("", slow, (), {})] == [0.3]
