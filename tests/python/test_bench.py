"""`tasuki bench`: results of native programs in the envelope, wrong answers, documented names."""

import json
import re

import pytest
from conftest import REPOSITORY, parse_envelope
from tasuki.bench.micro import parse_rows
from tasuki.bench.npb import CLASSES, spread
from tasuki.native import find_native

FORMATS = (REPOSITORY / "docs" / "formats" / "bench.md").read_text()
SOLVED = {
    "name": "cg",
    "class": "S",
    "implementation": "tasuki",
    "transport": "shm",
    "ranks": 2,
    "verified": True,
    "seconds": 0.25,
    "mops": 266.0,
    "compute_seconds": 0.2,
    "communication_seconds": 0.05,
    "messages": 1000,
    "bytes": 8000000,
    "checked": "zeta",
    "zeta": 8.5971775078648,
    "expected": 8.5971775078648,
    "per_rank": [],
}
WRONG = {**SOLVED, "verified": False, "zeta": 8.6}


def printing(found: dict, exit_code: int = 0) -> str:
    """A program of which rank 0 prints `found`."""
    return (
        "test ${TASUKI_RANK:-${OMPI_COMM_WORLD_RANK:-$PMI_RANK}} = 0 || exit 0\n"
        f"cat <<'END'\n{json.dumps(found)}\nEND\nexit {exit_code}"
    )


def test_npb_json(installed):
    installed.add_program("npb_cg_tasuki", printing(SOLVED))
    result = installed("bench", "npb", "cg", "--class", "S", "-n", "2", "--repetitions", "3",
                       "--json")  # fmt: skip
    found = parse_envelope(result.stdout)
    assert (found["command"], found["ranks"], found["transport"]) == ("bench npb", 2, "shm")
    (row,) = found["results"]
    assert (row["name"], row["value"], row["unit"]) == ("npb_cg_tasuki", 0.25, "s")
    assert (row["repetitions"], row["spread"]) == (3, 0)
    for field in set(SOLVED) - {"name"}:
        assert row[field] == SOLVED[field]
        assert f"`{field}`" in FORMATS or field == "zeta"


def test_npb_passes_class_and_ranks_on(installed):
    installed.add_program("npb_is_tasuki", 'echo "$TASUKI_RANK/$TASUKI_SIZE $*" >&2; exit 9')
    result = installed("bench", "npb", "is", "--class", "W", "-n", "1")
    assert result.returncode == 9
    assert "0/1 --class W --json\n" in result.stderr


def test_npb_table(installed):
    installed.add_program("npb_cg_tasuki", printing(SOLVED))
    shown = installed("bench", "npb", "cg", "--class", "S").stdout
    assert "NPB CG class S, ranks: 2" in shown
    assert "npb_cg_tasuki" in shown


def test_wrong_answer_is_failed_with_both_values(installed):
    installed.add_program("npb_cg_tasuki", printing(WRONG, exit_code=1))
    result = installed("bench", "npb", "cg", "--class", "S", "--json")
    assert result.returncode == 1
    assert result.stdout == ""
    assert "FAILED: NPB cg class S: zeta is 8.6, expected 8.5971775078648" in result.stderr


def test_crash_is_named(installed):
    installed.add_program("npb_cg_tasuki", "kill -SEGV $$")
    result = installed("bench", "npb", "cg")
    assert result.returncode == 139
    assert re.search(r"rank \d \(pid \d+\) was killed by signal 11", result.stderr)


def test_no_result_is_an_error(installed):
    installed.add_program("npb_cg_tasuki", "true")
    result = installed("bench", "npb", "cg")
    assert result.returncode == 1
    assert "the program printed no result" in result.stderr


MICRO = [
    {"name": "put_8B", "value": 60.0, "unit": "ns", "spread": 2.0, "repetitions": 9,
     "baseline": "cache_line", "baseline_value": 50.0, "level": "near", "goal": 60.0,
     "goal_is": "at_most"},
    {"name": "bulk_put_1M", "value": 9000.0, "unit": "MB/s", "spread": 10.0, "repetitions": 9,
     "baseline": "memcpy", "baseline_value": 10000.0, "goal": 9500.0, "goal_is": "at_least"},
]  # fmt: skip


@pytest.mark.parametrize("lines", [json.dumps(MICRO), "\n".join(map(json.dumps, MICRO))])
def test_micro_rows(lines):
    near, bulk = parse_rows(lines)
    assert (near["ratio"], near["ok"]) == (1.2, True)
    assert (bulk["ratio"], bulk["ok"]) == (0.9, False)


def test_micro_json(installed):
    script = printing({}).replace("{}", json.dumps(MICRO))
    installed.add_program("bench_micro", script)
    result = installed("bench", "micro", "--mpi", "none", "--json")
    found = parse_envelope(result.stdout)
    assert [row["name"] for row in found["results"]] == ["put_8B", "bulk_put_1M"]
    assert "NO" in installed("bench", "micro", "--mpi", "none").stdout


def documented_micro_names() -> set[str]:
    section = FORMATS.partition("## `tasuki bench micro`")[2].partition("\n## ")[0]
    table = section.partition("| name | unit |")[2]
    return set(re.findall(r"^\| `(\w+)`", table, re.MULTILINE))


def test_the_names_of_the_issue_are_documented():
    assert documented_micro_names() == set(
        "put_8B get_8B atomic_8B invoke_inline invoke_fiber fiber_switch ainvoke_oneway"
        " ainvoke_oneway_unaggregated bulk_put_SIZE bulk_get_SIZE barrier allreduce_8B"
        " mpi_write_SIZE".split()
    )


@pytest.mark.skipif(find_native("bench_micro") is None, reason="not built")
def test_what_the_program_emits_is_documented_and_the_other_way_round(tasuki):
    result = tasuki("run", "-n", "1", find_native("bench_micro"), "--list")
    emitted = {re.sub(r"^((?:bulk|mpi)_\w+)_\d+[BKM]$", r"\1_SIZE", name)
               for name in result.stdout.split()}  # fmt: skip
    assert emitted == documented_micro_names()


def test_spread():
    assert spread([1.0]) is None
    assert spread([1.0, 2.0, 3.0, 4.0, 5.0]) == 2.0


@pytest.mark.skipif(find_native("npb_cg_tasuki") is None, reason="not built")
@pytest.mark.parametrize("kernel", ["cg", "is"])
def test_the_kernels_of_this_build(tasuki, kernel):
    found = parse_envelope(tasuki("bench", "npb", kernel, "--class", CLASSES[0], "--json").stdout)
    (row,) = found["results"]
    assert row["verified"] is True
    assert row["ranks"] == 2
