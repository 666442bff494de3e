"""`tasuki bench sssp`: the row, its documentation, what reaches the program, errors."""

import lzma
import re
import runpy
import shutil
import sys

import pytest
from conftest import REPOSITORY, parse_envelope
from tasuki.base.programs import DATA, find_program
from test_bench import FORMATS, SORTED, printing

SEARCHED = {
    **{key: value for key, value in SORTED.items() if key not in ("keys", "radix", "passes")},
    "name": "sssp",
    "graph": "town.gr.xz",
    "nodes": 8011,
    "arcs": 23478,
    "source": 1,
    "method": "delta",
    "partition": "metis",
    "delta": 341,
    "cut": 540,
    "phases": 78,
    "reached": 8000,
    "unreached": 11,
    "checked": "distances as Dijkstra's",
}
for field in ("count", "expected"):
    del SEARCHED[field]
SEARCHED |= {"right_distances": 8011, "expected": 8011}  # The value is right before `expected`.


def test_json(installed):
    installed.add_program("sssp_tasuki", printing(SEARCHED))
    found = parse_envelope(installed("bench", "sssp", "--json").stdout)
    assert (found["command"], found["ranks"], found["transport"]) == ("bench sssp", 2, "shm")
    (row,) = found["results"]
    assert (row["name"], row["value"], row["unit"]) == ("sssp_tasuki", 0.25, "s")
    for name in set(SEARCHED) - {"name"}:
        assert row[name] == SEARCHED[name]
        assert f"`{name}`" in FORMATS


def test_threads_are_measured_in_turn_with_the_ratio(installed):
    baseline = SEARCHED | {"implementation": "openmp", "transport": "2 threads", "seconds": 0.5}
    installed.add_program("sssp_tasuki", printing(SEARCHED))
    installed.add_program(
        "sssp_openmp", f"TASUKI_RANK=$((OMP_NUM_THREADS - 2))\n{printing(baseline)}"
    )
    ours, theirs = parse_envelope(installed("bench", "sssp", "--threads", "--json").stdout)[
        "results"
    ]
    assert (ours["baseline"], ours["ratio"]) == ("sssp_openmp", 0.5)
    assert theirs["name"] == "sssp_openmp"
    assert "time / sssp_openmp" in installed("bench", "sssp", "--threads").stdout
    refused = installed("bench", "sssp", "--threads", "--impl", "both")
    assert refused.returncode == 1
    assert "--threads and --impl ask for different baselines" in refused.stderr


def test_table_tells_phases_and_what_is_unreached(installed):
    installed.add_program("sssp_tasuki", printing(SEARCHED))
    shown = installed("bench", "sssp").stdout
    assert "shortest paths in town.gr.xz, ranks: 2" in shown
    assert re.search(r"phases +78\b", shown)
    assert re.search(r" reached +8000\b", shown)
    assert re.search(r"unreached +11\b", shown)


def test_options_reach_the_program(installed):
    installed.add_program("sssp_tasuki", 'echo "$TASUKI_RANK/$TASUKI_SIZE $*" >&2; exit 9')
    plain = installed("bench", "sssp", "-n", "1")
    assert re.search(r"0/1 --graph \S+/data/town.gr.xz --json\n", plain.stderr)
    wanted = ("--method", "in", "--partition", "block", "--source", "3", "--delta", "7")
    full = installed("bench", "sssp", "roads.gr", *wanted, "--speedup", "-n", "1")
    assert full.returncode == 9
    assert f"0/1 --graph roads.gr {' '.join(wanted)} --speedup --json\n" in full.stderr


def test_failure_shows_both_values(installed):
    wrong = SEARCHED | {"verified": False, "right_distances": 8010}
    installed.add_program("sssp_tasuki", printing(wrong, exit_code=1))
    result = installed("bench", "sssp", "--json")
    assert result.returncode == 1
    assert "distances as Dijkstra's is 8010, expected 8011" in result.stderr


def test_not_built_says_what_is_needed(installed):
    result = installed("bench", "sssp")
    assert result.returncode != 0
    assert "liblzma-dev" in result.stderr


def with_program(installed):
    program = find_program("sssp_tasuki")
    if program is None:
        pytest.skip("sssp_tasuki is not built")
    (installed.package / "bin").mkdir()
    shutil.copy(program, installed.package / "bin")
    return installed


def test_the_graph_that_is_shipped_is_searched(installed):
    result = with_program(installed)("bench", "sssp", "--speedup", "--json")
    (row,) = parse_envelope(result.stdout)["results"]
    assert (row["verified"], row["right_distances"], row["unreached"]) == (True, 8011, 0)
    assert set(row) >= set(SEARCHED)
    assert row["speedup"] == pytest.approx(row["sequential_seconds"] / row["seconds"], rel=1e-3)


BROKEN = {
    "header.gr": (b"p xx 1 1\n", r"header.gr:1: 'p xx 1 1' is not a header. Remedy: begin with"),
    "node.gr": (b"p sp 2 1\na 1 3 1\n", r"node.gr:2: node 3 is out of range. Remedy: make it"),
    "weight.gr": (b"p sp 2 1\na 1 2 -1\n", r"weight.gr:2: weight -1 is negative. Remedy: make it"),
    "count.gr": (b"p sp 2 2\na 1 2 1\n", r"count.gr:2: the file ends after 1 of the 2 arcs"),
    "cut.gr.xz": (
        lzma.compress(b"p sp 1 0\n")[:-9],
        r"cut.gr.xz: the .xz file is truncated. Remedy: get",
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_broken_graphs_are_one_error(installed, tmp_path, name):
    content, message = BROKEN[name]
    (tmp_path / name).write_bytes(content)
    result = with_program(installed)("bench", "sssp", str(tmp_path / name), "-n", "3", "--json")
    assert result.returncode == 1
    assert result.stdout == ""
    assert len(re.findall(message, result.stderr)) == 1
    assert result.stderr.count("sssp: ") == 1


def test_the_shipped_graph_is_what_its_maker_makes(tmp_path):
    made = tmp_path / "town.gr.xz"
    arguments, sys.argv = sys.argv, ["road_graph.py", str(made)]
    try:
        runpy.run_path(str(REPOSITORY / "tools" / "road_graph.py"), run_name="__main__")
    finally:
        sys.argv = arguments
    assert lzma.open(made).read() == lzma.open(DATA / "town.gr.xz").read()
