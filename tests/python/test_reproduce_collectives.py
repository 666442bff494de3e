"""`tasuki reproduce collectives` on made-up programs, and once on those of this build."""

import io
import json
import shutil
import tracemalloc
from pathlib import Path
from types import SimpleNamespace

import pytest
from conftest import REPOSITORY, parse_envelope
from measuring_programs import answering
from tasuki.base.programs import find_program
from tasuki.launcher.binding import cores_allowed
from tasuki.launcher.mpiexec import mpiexec_of
from tasuki.measurement.jobs import EXIT_TIMED_OUT, Job, Outcome
from tasuki.measurement.measurer import Cell
from tasuki.output.figure import Point, beside_paper, map_table_of
from tasuki.reproduce.collectives import cluster, searches
from tasuki.reproduce.collectives.by_nodes import networks
from tasuki.reproduce.collectives.figures import FIGURES, LONG
from tasuki.reproduce.collectives.graphs import counts_in
from tasuki.reproduce.collectives.paper import USA
from tasuki.reproduce.collectives.road_graph import write_road_file, write_roads
from tasuki.reproduce.collectives.simulated import RANKS, SIZES
from tasuki.reproduce.command import choose
from tasuki.reproduce.executors import Measuring
from tasuki.reproduce.lab import Lab
from tasuki.reproduce.races import Inspection, Library
from tasuki.reproduce.simulation import Cluster, run_simulated, simulator
from test_bench import printing
from test_reproduce import is_picture

SECTION = (
    (REPOSITORY / "docs" / "formats" / "bench.md")
    .read_text()
    .partition("## `tasuki reproduce collectives`")[2]
    .partition("\n## ")[0]
)
OWN_NS = {"linear": 900.0, "recursive_doubling": 500.0, "staged": 200.0}
MPI_NS = {"native": 800.0, "linear": 900.0, "nonoverlapping": 2000.0, "recursive_doubling": 400.0}
SOLVED = {
    "name": "sssp",
    "graph": "town.gr.xz",
    "nodes": 8011,
    "arcs": 23478,
    "source": 1,
    "method": "both",
    "partition": "block",
    "implementation": "tasuki",
    "transport": "shm",
    "ranks": 2,
    "phases": 286,
    "verified": True,
    "seconds": 0.5,
    "compute_seconds": 0.5,
    "communication_seconds": 0.0,
    "wait_seconds": 0.0,
    "messages": 898,
    "bytes": 24448,
    "checked": "distances as Dijkstra's",
    "right_distances": 8011,
    "expected": 8011,
    "per_rank": [],
    "search_seconds": [0.4, 0.5, 0.6],
}
ROW_FIELDS = ("panel", "series", "x", "name", "value", "unit", "spread", "repetitions", "baseline",
              "baseline_value", "ratio")  # fmt: skip
# An mpiexec that calls itself Open MPI and starts its program three words before the end once.
MPIEXEC = """
if test "$1" = --version; then echo "mpiexec (Open MPI) 4.1.4"; exit; fi
while test "$1" != -n; do shift; done
shift 2
export OMPI_COMM_WORLD_RANK=0
exec "$@"
"""


@pytest.fixture
def laboratory(installed, tmp_path):
    """A package with made-up programs, and an Open MPI that starts one process."""
    tools = tmp_path / "tools"
    tools.mkdir()
    for tool in ("sh", "cat", "sleep", "test", "grep"):
        (tools / tool).symlink_to(shutil.which(tool))
    mpiexec = tools / "mpiexec"
    mpiexec.write_text(f"#!/bin/sh\n{MPIEXEC}")
    mpiexec.chmod(0o755)
    installed.environment["PATH"] = str(tools)
    installed.add_program("tasuki_measure", answering(OWN_NS, "staged", "Tasuki"))
    installed.add_program("mpi_measure_ompi", answering(MPI_NS, "native", "Open MPI v4.1.4"))
    installed.add_program("sssp_tasuki", printing(SOLVED))
    installed.add_program("sssp_mpi_ompi", printing(SOLVED))
    return installed


def rows_of(laboratory, *arguments: str) -> list[dict]:
    result = laboratory("reproduce", "collectives", "--json", "-n", "2", "--size", "4", "--size",
                        "4K", "--cell-seconds", "0", *arguments)  # fmt: skip
    assert result.returncode == 0, result.stderr
    return parse_envelope(result.stdout)["results"]


def test_every_figure_of_the_paper_is_there():
    ids = {figure.figure_id for figure in FIGURES}
    paper = {*(f"fig{number}" for number in range(1, 7)), *(f"table{n}" for n in range(2, 6))}
    assert ids >= paper | {"sim_best"}
    assert all(f"`{figure_id}`" in SECTION for figure_id in ids - {"bay", "fig2", "fig5", "table3",
                                                                   "table4"})  # fmt: skip


def test_searches_on_the_users_graphs_are_left_to_a_full_run():
    """They take minutes each; who names them gets them."""
    usual = {figure.figure_id for figure in choose("collectives", FIGURES, (), LONG)}
    assert usual == {figure.figure_id for figure in FIGURES} - {"ny", "bay", "fla"}
    assert [figure.figure_id for figure in choose("collectives", FIGURES, ("NY",), LONG)] == ["ny"]


def test_all_algorithms_of_both_libraries(laboratory):
    rows = rows_of(laboratory, "--only", "allreduce")
    found = {
        (row["library"], row["algorithm"]): row for row in rows if row["message_bytes"] == 4096
    }
    assert set(found) == {("Tasuki", name) for name in OWN_NS} | {
        ("Open MPI v4.1.4", name) for name in MPI_NS
    }
    row = found["Open MPI v4.1.4", "recursive_doubling"]
    assert (row["paper_name"], row["series"]) == ("AL3", "AL3 recursive_doubling")
    assert row["seconds"] == pytest.approx(4e-7)
    assert row["ratio"] == pytest.approx(0.5)  # Beside the default.
    assert (row["collective"], row["ranks"]) == ("allreduce", 2)
    assert row["oversubscribed"] is (len(cores_allowed()) < 2)
    assert found["Open MPI v4.1.4", "native"]["paper_name"] == "AL0"
    for field in row:
        assert f"`{field}`" in SECTION or field in ROW_FIELDS


def test_resumed_it_measures_only_what_is_missing(laboratory, tmp_path):
    notes = tmp_path / "notes.jsonl"
    arguments = ("--road-ranks", "2", "--only", "best_by_size", "--only", "ny", "--resume", notes)
    before = rows_of(laboratory, *arguments)
    # As if it had been stopped while the last run, one of Tasuki's, was written.
    notes.write_text(notes.read_text()[:-30])
    log = tmp_path / "log"
    laboratory.add_program("sssp_tasuki", f"echo run >>{log}\n{printing(SOLVED)}")
    laboratory.add_program("sssp_mpi_ompi", "exit 9")  # Nobody is to start it.
    assert rows_of(laboratory, *arguments) == before
    assert log.read_text()
    laboratory.add_program("sssp_tasuki", "exit 9")
    assert rows_of(laboratory, *arguments) == before
    result = laboratory("reproduce", "collectives", "--only", "allreduce", "--resume", notes)
    assert result.returncode == 1
    assert "what is in it was measured otherwise: sizes was [4, 4096]" in result.stderr


def test_where_the_default_is_beaten_and_by_how_much(laboratory):
    rows = rows_of(laboratory, "--only", "best_by_size")
    cell = {
        row["series"]: row["value"]
        for row in rows
        if row["x"] == 4 and row["panel"].startswith("alltoall")
    }
    assert cell["the library's best"] == "AL3 recursive_doubling"
    assert cell["ratio"] == pytest.approx(2)
    assert cell["default is"] == "beaten"
    assert cell["Tasuki's best"] == "staged"
    assert cell["its ratio"] == pytest.approx(4)


def test_an_algorithm_that_breaks_the_job_does_not_take_what_was_measured(laboratory):
    script = answering(MPI_NS, "native", "Open MPI v4.1.4").replace(
        """*'"algorithm": "linear"'*)""",
        """*'"alltoall", "message_bytes": 4, "algorithm": "linear"'*) exit 7 ;;\n"""
        """*'"algorithm": "linear"'*)""",
    )
    laboratory.add_program("mpi_measure_ompi", script)
    result = laboratory("reproduce", "collectives", "--json", "-n", "2", "--size", "4",
                        "--cell-seconds", "0", "--only", "allreduce", "--only",
                        "alltoall")  # fmt: skip
    assert result.returncode == 1
    assert "alltoall, Open MPI, 2 ranks:\n" in result.stderr
    found = {
        (row["collective"], row["library"]) for row in parse_envelope(result.stdout)["results"]
    }
    assert found == {("allreduce", "Open MPI v4.1.4"), ("allreduce", "Tasuki"),
                     ("alltoall", "Tasuki")}  # fmt: skip


FORCED = """
test "$OMPI_MCA_coll_tuned_use_dynamic_rules$OMPI_MCA_coll_tuned_alltoall_algorithm" != 12 || exit 5
test -z "$TASUKI_POLICY" || test "$TASUKI_POLICY" = default ||
  grep -q -e "^allreduce 2 any linear - forced" -e "^machine made up" "$TASUKI_POLICY" || exit 6
"""


def test_roads_with_each_algorithm(laboratory):
    """Open MPI is told the number of the algorithm, Tasuki the name in a policy file."""
    for name in ("sssp_tasuki", "sssp_mpi_ompi"):
        laboratory.add_program(name, FORCED + printing(SOLVED))
    result = laboratory("reproduce", "collectives", "--json", "--road-ranks", "2", "--only", "ny")
    assert result.returncode == 1
    assert result.stderr.count("alltoall by Open MPI, 2 ranks, nonoverlapping:\n") == 1
    assert "1 of the runs failed" in result.stderr
    assert "the made-up town that comes with Tasuki stands in for NY" in result.stderr
    rows = parse_envelope(result.stdout)["results"]
    by_mpi = {row["x"] for row in rows if row["library"] == "Open MPI v4.1.4"}
    assert by_mpi == {"AL0 (default)", "AL1 linear", "AL2 nonoverlapping",
                      "AL3 recursive_doubling"}  # fmt: skip
    by_tasuki = {row["x"] for row in rows if row["library"] == "Tasuki"}
    assert by_tasuki == {"built-in policy", *OWN_NS}
    (failed,) = (row for row in rows if row["value"] is None)
    assert (failed["collective"], failed["algorithm"]) == ("alltoall", "nonoverlapping")
    assert (failed["missing"], failed["seconds"]) == ("failed", None)
    rows.remove(failed)
    assert all(row["verified"] and row["seconds"] == 0.5 for row in rows)
    assert all(row["repetitions"] == 3 for row in rows)  # Of the searches of one run.
    default = "built-in policy"
    beside = {row["baseline"] for row in rows if row["library"] == "Tasuki"}
    assert beside == {None, default}
    for field in failed:
        assert f"`{field}`" in SECTION or field in ROW_FIELDS


LISTED = [{"algorithm": name, "unavailable": "", "value": number}
          for number, name in enumerate(("linear", "ring"), start=1)]  # fmt: skip


def outcomes_of(monkeypatch, ends: dict[str, int], cells: list[Cell]) -> list[dict]:
    """What comes of searches over MPI, where jobs of the algorithm with such a number, "" being the
    default, end with such an exit code."""

    def run(job, timeout_s):
        assert timeout_s == 20
        number = "".join(v for name, v in job.environment.items() if name.endswith("_algorithm"))
        return Outcome(ends.get(number, 0), json.dumps(SOLVED), "it broke")

    monkeypatch.setattr(searches, "run_job", run)
    monkeypatch.setattr(searches, "job_of", lambda *_: Job("sssp", (), 2))
    monkeypatch.setattr(searches, "inspect", lambda *_: Inspection("", "", LISTED))
    monkeypatch.setattr(searches, "find_mpiexec", lambda _: ("ompi", ""))
    lab = Lab(Measuring(1000, lambda _: None))
    made = searches.Searches(lab, "ompi", repetitions=2, limit_s=20)
    library = Library("Open MPI", None)
    found = [made.solve(searches.Search(library, cell, Path("NY.gr")))[1] for cell in cells]
    assert len(lab.failures) == sum(code not in (0, EXIT_TIMED_OUT) for code in ends.values())
    return [{one.algorithm: outcome for one, outcome in each.items()} for each in found]


CELL = Cell("allreduce", 2, 8)


def test_what_takes_too_long_or_fails_says_so_in_the_place_of_its_time(monkeypatch):
    (found,) = outcomes_of(monkeypatch, {"1": EXIT_TIMED_OUT, "2": 7}, [CELL])
    assert found["native"].solved["repetitions"] == 6  # Searches of two runs.
    assert [found[name].missing for name in ("linear", "ring")] == ["over 20 s", "failed"]


def test_where_the_default_takes_too_long_the_others_are_not_tried(monkeypatch):
    cells = [CELL, CELL._replace(collective="alltoall"), CELL._replace(ranks=3)]
    found = outcomes_of(monkeypatch, {"": EXIT_TIMED_OUT}, cells)
    missing = [[outcome.missing for outcome in each.values()] for each in found]
    assert missing == [["over 20 s", "not tried", "not tried"], ["not tried"] * 3,
                       ["over 20 s", "not tried", "not tried"]]  # fmt: skip


def test_graphs_of_the_user(laboratory, tmp_path):
    (tmp_path / "BAY.gr").write_text("")
    result = laboratory("reproduce", "collectives", "--json", "--road-ranks", "2", "--only", "bay",
                        "--only", "fla", "--graphs", tmp_path)  # fmt: skip
    assert result.returncode == 0, result.stderr
    assert {row["name"] for row in parse_envelope(result.stdout)["results"]} == {"bay"}
    assert f"FLA.gr.xz is not in {tmp_path}: nothing is shown of FLA" in result.stderr


@pytest.mark.same_everywhere("what draws is the same Python package")
def test_pictures(laboratory, tmp_path):
    result = laboratory("reproduce", "collectives", "-n", "2", "--size", "4", "--cell-seconds", "0",
                        "--road-ranks", "2", "--only", "allreduce", "--only", "best", "--only",
                        "ny", "--plot", "--output", tmp_path)  # fmt: skip
    assert result.returncode == 0, result.stderr
    for figure in ("allreduce", "best", "ny"):
        assert is_picture(tmp_path / f"collectives-{figure}.png")


def test_no_line_of_a_file_is_longer_than_a_page(laboratory):
    """Many curves become lines, many columns several tables, long texts are folded."""
    for name in ("tasuki_measure", "mpi_measure_ompi"):
        times = {f"an_algorithm_with_a_name_{k}": 100.0 + k for k in range(9)}
        laboratory.add_program(name, answering({**MPI_NS, **times}, "native", "Open MPI v4.1.4"))
    result = laboratory("reproduce", "collectives", "-n", "2", "--cell-seconds", "0", "--only",
                        "allreduce", "--only", "best_by_size", "--size", "4", "--size",
                        "64K")  # fmt: skip
    assert result.returncode == 0, result.stderr
    lines = [line.rstrip() for line in result.stdout.splitlines()]
    assert max(map(len, lines)) <= 100
    turned = [line.split() for line in lines]
    assert ["size,", "bytes", "4", "64", "Ki"] in turned
    assert ["AL9", "an_algorithm_with_a_name_5", "0.105", "0.105"] in turned
    title = "best_by_size: Best algorithm by size: allreduce, 2 ranks, a core for each"
    assert lines.count(title) == 2  # Its columns are too many for one.


def test_table_of_a_map_says_how_far_each_name_reaches():
    points = [
        Point("a", "8", size, name, "")
        for size, name in ((4, "tree"), (1024, "tree"), (4096, "ring"), (1 << 20, "ring"))
    ]
    points.append(Point("a", "9", 4, "tree", ""))
    _, rows = map_table_of("a", points)
    assert rows == [["8", "tree to 1 Ki, then ring"], ["9", "tree"]]


def test_simulated_sizes_and_ranks():
    assert (SIZES[0], SIZES[-1]) == (4, 1 << 20)
    assert (RANKS[0], RANKS[-1]) == (2, 1024)


@pytest.mark.skipif(find_program("tasuki_explain") is None, reason="not built")
def test_simulated_clusters(tasuki):
    """A few bytes want few rounds."""
    result = tasuki("reproduce", "collectives", "--size", "4", "--only", "sim_allreduce",
                    "--only", "networks", "--json")  # fmt: skip
    assert result.returncode == 0, result.stderr
    rows = parse_envelope(result.stdout)["results"]
    sources = [row for row in rows if row["series"] == "source"]
    assert {row["x"] for row in sources} == {"gigabit_ethernet", "200g"}
    times = {
        row["algorithm"]: row["seconds"]
        for row in rows
        if row["name"] == "sim_allreduce" and (row["network"], row["ranks"]) == ("200g", 64)
    }
    assert times["recursive_doubling"] < times["linear"] < times["ring"]
    assert all(row["contention"] for row in rows if row["name"] == "sim_allreduce")


@pytest.mark.skipif(
    find_program("mpi_measure_ompi") is None or mpiexec_of("ompi") is None, reason="needs Open MPI"
)
def test_real_races(tasuki):
    result = tasuki("reproduce", "collectives", "-n", "2", "--size", "64", "--cell-seconds", "0.02",
                    "--only", "alltoall", "--mpi", "ompi", "--json")  # fmt: skip
    assert result.returncode == 0, result.stderr
    rows = parse_envelope(result.stdout)["results"]
    for library in ("Tasuki", "Open MPI"):
        names = {row["algorithm"] for row in rows if row["library"].startswith(library)}
        assert names >= {"linear", "pairwise", "modified_bruck", "linear_sync", "two_proc"}
    assert all(0 < row["seconds"] < 10 for row in rows)


needs_simulation = pytest.mark.skipif(
    simulator() is None or find_program("sssp_mpi_smpi") is None, reason="needs SimGrid"
)


@needs_simulation
def test_a_few_bytes_on_simulated_nodes_are_as_the_paper_says(tasuki):
    """The default, linear and linear with sync are alike, pairwise and Bruck take longer."""
    result = tasuki("reproduce", "collectives", "--only", "fig3", "-n", "1", "--json")
    assert result.returncode == 0, result.stderr
    rows = parse_envelope(result.stdout)["results"]
    found = {(row["paper_name"], row["ranks"]): row["value"] for row in rows}
    for name in ("AL0", "AL4"):
        assert {ranks for one, ranks in found if one == name} == {2, 3, 4, 5, 6, 7, 8}
    assert {ranks for name, ranks in found if name == "AL5"} == {2}
    for ranks in (4, 8):
        assert found["AL0", ranks] == found["AL1", ranks] < found["AL3", ranks]
        assert found["AL4", ranks] == pytest.approx(found["AL1", ranks], rel=0.01)
        assert found["AL3", ranks] < found["AL2", ranks]
    assert found["AL2", 8] == pytest.approx(10_000 * 7 * 25e-6, rel=0.01)  # A message a step.


@needs_simulation
def test_linear_with_sync_takes_longer_the_fewer_requests_it_may_have(monkeypatch):
    """A program whose blocks are in the wrong places fails, and has no time then."""
    case = cluster.Case("alltoall", "AL4", 5)
    monkeypatch.setattr(cluster, "cases_of", lambda _: [case])

    def seconds(requests_max: int) -> float:
        variables = {"ALLTOALL_MAX_REQUESTS": str(requests_max)}
        monkeypatch.setattr(cluster, "VARIABLES", {("alltoall", "AL4"): variables})
        lab = Lab(Measuring(1000, lambda _: None))
        return cluster.SimulatedCluster(lab).loops("alltoall", 4)[case]

    assert seconds(1) > seconds(2) > seconds(3) > seconds(4) == seconds(5) == seconds(0)


@needs_simulation
def test_searches_on_simulated_nodes(tasuki, tmp_path):
    write_road_file(500, tmp_path / "SETO.gr")
    result = tasuki("reproduce", "collectives", "--only", "fig5", "--graphs", tmp_path, "--json")
    assert result.returncode == 0, result.stderr
    rows = parse_envelope(result.stdout)["results"]
    assert {row["panel"] for row in rows} == {"SETO.gr"}
    assert all(row["verified"] and row["nodes"] == 500 for row in rows)
    assert len({row["phases"] for row in rows}) == 1
    assert len(rows) == 5 * 7 + 1


def roads_of(node_count: int) -> tuple[str, list[tuple[int, int, int]]]:
    """The line of the counts, and the arcs."""
    file = io.StringIO()
    write_roads(node_count, file)
    _, counts, *arcs = file.getvalue().splitlines()
    return counts, [tuple(map(int, arc.split()[1:])) for arc in arcs]


@needs_simulation
@pytest.mark.parametrize("setting", ["abc", "-1", "2x", "99999999999", ""])
def test_linear_with_sync_refuses_what_is_no_number_of_requests(setting):
    program = find_program("repeated_collective_smpi")
    outcome = run_simulated(program, ("alltoall", "4", "1"), 2, Cluster(cluster.NETWORK, 1.0), 60,
                            {"ALLTOALL_MAX_REQUESTS": setting})  # fmt: skip
    assert outcome.exit_code != 0
    assert f"ALLTOALL_MAX_REQUESTS={setting} is no number of requests. Remedy" in outcome.stderr


def test_road_networks_stand_beside_the_papers(tmp_path):
    """Its third column, too: arcs for each node."""
    (figure,) = (figure for figure in FIGURES if figure.figure_id == "table4")
    (tmp_path / "SETO.gr").write_text("p sp 4 6\n")
    points = networks(SimpleNamespace(graph_of=lambda road: tmp_path / f"{road.file_name}.gr"))
    shown = {(point.series, point.x): point.value for point in beside_paper(figure, points)}
    assert shown["arcs / nodes", "Seto"] == 1.5
    for title in ("nodes", "arcs", "arcs / nodes"):
        assert {x for series, x in shown if series == f"{title}, paper"} == {
            "Seto", "California", "USA"
        }  # fmt: skip
    assert shown["arcs / nodes, paper", "USA"] == pytest.approx(USA.arcs / USA.nodes, rel=1e-5)


@pytest.mark.parametrize("node_count", [2, 3, 7, 100, 1000, 5000])
def test_made_roads_are_connected_and_counted(node_count):
    counts, arcs = roads_of(node_count)
    assert counts == f"p sp {node_count} {len(arcs)}"
    assert {(v, u, w) for u, v, w in arcs} == set(arcs)
    neighbours = {node: [] for node in range(1, node_count + 1)}
    for one, other, length in arcs:
        assert length >= 1
        neighbours[one].append(other)
    reached, new = {1}, [1]
    while new:
        new = [v for u in new for v in neighbours[u] if v not in reached and not reached.add(v)]
    assert len(reached) == node_count


def test_made_roads_are_as_many_as_in_the_usa_and_always_the_same():
    counts, arcs = roads_of(40_000)
    assert len(arcs) / 40_000 == pytest.approx(USA.arcs / USA.nodes, rel=0.01)
    assert roads_of(40_000) == (counts, arcs)


def test_making_roads_takes_the_memory_of_a_row():
    class Nowhere(io.StringIO):
        def write(self, text):
            return len(text)

        def writelines(self, lines):
            for _ in lines:
                pass

    def peak_bytes(node_count):
        tracemalloc.start()
        write_roads(node_count, Nowhere())
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return peak

    assert peak_bytes(90_000) < 4 * peak_bytes(10_000)  # 9 times as many nodes, rows of 3 times.


def test_command_that_makes_roads(tasuki, tmp_path):
    result = tasuki("reproduce", "roads", tmp_path / "made.gr", "--nodes", "1000")
    assert result.returncode == 0, result.stderr
    assert "made.gr: 1,000 nodes, " in result.stdout
    assert counts_in(tmp_path / "made.gr").nodes == 1000
    result = tasuki("reproduce", "roads", tmp_path / "none" / "made.gr", "--nodes", "1000")
    assert result.returncode == 1
    assert "cannot be written: No such file or directory" in result.stderr
