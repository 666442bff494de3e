"""`tasuki bench`: results of compiled programs in the envelope, wrong answers, documented names."""

import json
import re
import shutil

import pytest
from conftest import REPOSITORY, parse_envelope
from tasuki.base.programs import find_program
from tasuki.bench.baselines import spread
from tasuki.bench.goals import GOALS, add_goal
from tasuki.bench.micro_over_ucx import PAIRS
from tasuki.bench.npb import CLASSES, KERNELS
from tasuki.launcher.mpiexec import mpiexec_of

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


def printing(found: object, exit_code: int = 0) -> str:
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
    result = installed("bench", "npb", "is", "--class", "W", "-n", "1", "--exchange", "keys")
    assert result.returncode == 9
    assert "0/1 --class W --exchange keys --json\n" in result.stderr


def test_npb_cg_has_no_choice_of_what_is_exchanged(installed):
    result = installed("bench", "npb", "cg", "--exchange", "keys")
    assert result.returncode == 1
    assert "cg has no choice of what is exchanged. Remedy: drop --exchange." in result.stderr


def test_npb_table(installed):
    installed.add_program("npb_cg_tasuki", printing(SOLVED))
    shown = installed("bench", "npb", "cg", "--class", "S").stdout
    assert "NPB CG class S, ranks: 2" in shown
    assert "npb_cg_tasuki" in shown
    assert "spread" not in shown
    again = installed("bench", "npb", "cg", "--class", "S", "--repetitions", "3").stdout
    assert "spread" in again


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


SORTED = {
    "name": "radixsort",
    "keys": 1000,
    "radix": 256,
    "passes": 4,
    "implementation": "tasuki",
    "transport": "shm",
    "ranks": 2,
    "verified": True,
    "seconds": 0.25,
    "mops": 0.004,
    "compute_seconds": 0.2,
    "communication_seconds": 0.03,
    "wait_seconds": 0.02,
    "messages": 1000,
    "bytes": 8000000,
    "sequential_seconds": 0.4,
    "speedup": 1.6,
    "checked": "keys sorted",
    "count": 1000,
    "expected": 1000,
    "per_rank": [],
}


FACTORED = {
    **{key: value for key, value in SORTED.items() if key not in ("keys", "radix", "passes")},
    "name": "lu",
    "n": 512,
    "block": 32,
    "checked": "||PA - LU|| / (n ||A|| eps)",
    "residual": 0.01,
    "expected": 16,
}
FACTORED.pop("count")
FACTORED["expected"] = FACTORED.pop("expected")  # Right behind the value.


def test_lu_json(installed):
    installed.add_program("lu_tasuki", printing(FACTORED))
    result = installed("bench", "lu", "--size", "512", "--block", "32", "--speedup", "--json")
    found = parse_envelope(result.stdout)
    assert (found["command"], found["ranks"], found["transport"]) == ("bench lu", 2, "shm")
    (row,) = found["results"]
    assert (row["name"], row["value"], row["unit"]) == ("lu_tasuki", 0.25, "s")
    for field in set(FACTORED) - {"name"}:
        assert row[field] == FACTORED[field]
        assert f"`{field}`" in FORMATS


def test_lu_passes_its_options_on(installed):
    installed.add_program("lu_tasuki", 'echo "$TASUKI_RANK/$TASUKI_SIZE $*" >&2; exit 9')
    result = installed("bench", "lu", "-n", "1", "--size", "5", "--speedup")
    assert result.returncode == 9
    assert "0/1 --size 5 --block 48 --speedup --json\n" in result.stderr


def test_lu_failed_shows_both_values(installed):
    wrong = {**FACTORED, "verified": False, "residual": 20}
    installed.add_program("lu_tasuki", printing(wrong, exit_code=1))
    result = installed("bench", "lu", "--json")
    assert result.returncode == 1
    assert "||PA - LU|| / (n ||A|| eps) is 20, expected 16" in result.stderr


def test_lu_not_built_says_what_is_needed(installed):
    result = installed("bench", "lu")
    assert result.returncode != 0
    assert "libopenblas-dev" in result.stderr


@pytest.mark.skipif(find_program("lu_tasuki") is None, reason="not built")
@pytest.mark.parametrize("option", ["--size", "--block"])
def test_the_bounds_of_lu_are_those_of_its_program(tasuki, option):
    refused = tasuki("bench", "lu", "-n", "1", option, "0")
    assert refused.returncode == 2
    assert f"tasuki: lu: {option}: Value 0 not in range" in refused.stderr


@pytest.mark.skipif(find_program("radixsort_tasuki") is None, reason="not built")
def test_a_size_that_no_program_takes_fails_all_that_need_it(tasuki):
    result = tasuki("reproduce", "dimmnet", "-n", "1", "--keys", "-1", "--only", "table2")
    assert result.returncode == 1
    assert "--keys: Value -1 not in range" in result.stderr


def test_radixsort_json(installed):
    installed.add_program("radixsort_tasuki", printing(SORTED))
    result = installed("bench", "radixsort", "--keys", "1000", "--radix", "256", "--json")
    found = parse_envelope(result.stdout)
    assert (found["command"], found["ranks"], found["transport"]) == ("bench radixsort", 2, "shm")
    (row,) = found["results"]
    assert (row["name"], row["value"], row["unit"]) == ("radixsort_tasuki", 0.25, "s")
    section = FORMATS.partition("## `tasuki bench radixsort`")[2].partition("\n## ")[0]
    npb_section = FORMATS.partition("## `tasuki bench npb`")[2].partition("\n## ")[0]
    for field in set(SORTED) - {"name"}:
        assert row[field] == SORTED[field]
        assert f"`{field}`" in section + npb_section


def test_radixsort_table(installed):
    installed.add_program("radixsort_tasuki", printing(SORTED))
    shown = installed("bench", "radixsort", "--keys", "1000", "--radix", "256", "--speedup").stdout
    assert "radix sort of 1000 keys, radix 256, ranks: 2" in shown
    assert re.search(r"waiting, s +0\.02", shown)
    assert re.search(r"speed-up +1\.6", shown)


def test_radixsort_passes_its_options_on(installed):
    installed.add_program("radixsort_tasuki", 'echo "$TASUKI_RANK/$TASUKI_SIZE $*" >&2; exit 9')
    result = installed("bench", "radixsort", "-n", "1", "--keys", "5", "--speedup")
    assert result.returncode == 9
    assert "0/1 --keys 5 --radix 10 --speedup --json\n" in result.stderr


def test_radixsort_failed_names_problem_and_values(installed):
    wrong = {**SORTED, "verified": False, "checked": "keys out of order", "count": 3, "expected": 0}
    installed.add_program("radixsort_tasuki", printing(wrong, exit_code=1))
    result = installed("bench", "radixsort", "--json")
    assert result.returncode == 1
    assert result.stdout == ""
    said = "FAILED: radixsort keys 1000 radix 256 passes 4: keys out of order is 3, expected 0"
    assert said in result.stderr


MICRO = [
    {"name": "put_8B", "value": 66.0, "unit": "ns", "spread": 0.02, "repetitions": 9,
     "baseline": "cache line one way", "baseline_value": 50.0, "ratio": 1.32, "level": "near",
     "cache_line_ns": 50.0},
    {"name": "bulk_put_1MB", "value": 9.6, "unit": "GB/s", "spread": 0.1, "repetitions": 9,
     "baseline": "memcpy", "baseline_value": 10.0, "ratio": 0.96, "level": "near",
     "cache_line_ns": 50.0},
]  # fmt: skip


def test_micro_json(installed):
    installed.add_program("bench_micro", printing(MICRO))
    found = parse_envelope(installed("bench", "micro", "--mpi", "none", "--json").stdout)
    put, bulk = found["results"]
    assert (put["name"], put["goal"], put["goal_is"], put["ok"]) == ("put_8B", 60, "at_most", False)
    assert (bulk["goal"], bulk["goal_is"], bulk["ok"]) == (9.5, "at_least", True)


def test_micro_table(installed):
    installed.add_program("bench_micro", printing(MICRO))
    shown = installed("bench", "micro", "--mpi", "none").stdout
    assert "<= 60 (1.2 c)" in shown
    assert "NO" in shown


UNMEASURED = {"name": "put_8B", "value": None, "unit": "ns", "repetitions": 0, "level": None,
              "cache_line_ns": None, "missing": "no samples agreed"}  # fmt: skip


def test_micro_says_what_could_not_be_measured(installed):
    installed.add_program("bench_micro", printing([*MICRO[1:], UNMEASURED]))
    found = parse_envelope(installed("bench", "micro", "--mpi", "none", "--json").stdout)
    _, put = found["results"]
    assert (put["value"], put["repetitions"], put["missing"]) == (None, 0, "no samples agreed")
    shown = installed("bench", "micro", "--mpi", "none").stdout
    assert "\nput_8B could not be measured: no samples agreed.\n" in shown


def test_micro_goals_are_for_two_ranks(installed):
    installed.add_program("bench_micro", printing(MICRO))
    found = parse_envelope(installed("bench", "micro", "-n", "4", "--mpi", "none", "--json").stdout)
    assert not any("goal" in row for row in found["results"])


@pytest.mark.parametrize("mpi", ["ompi", "mpich"])
def test_micro_without_common_memory(tasuki, mpi):
    """Beside MPI_Put too, whose window MPICH wants to have back before it ends."""
    if mpiexec_of(mpi) is None or find_program(f"bench_micro_{mpi}") is None:
        pytest.skip("needs this MPI, also when building")
    command = ("bench", "micro", "--transport", "mpi", "--mpi", mpi, "--only", "put_8B")
    result = tasuki(*command, "--json")
    assert result.returncode == 0, result.stderr
    put, *_ = parse_envelope(result.stdout)["results"]
    assert put["name"] == "put_8B"
    assert put["value"] > 0
    assert put["baseline"] is None, "there is no cache line that both ranks see"


def test_micro_over_mpi_needs_one(installed):
    installed.add_program("bench_micro", printing(MICRO))
    result = installed("bench", "micro", "--transport", "mpi", "--mpi", "none")
    assert result.returncode == 2
    assert "--transport mpi needs an MPI" in result.stderr


@pytest.mark.skipif(shutil.which("mpiexec.openmpi") is None, reason="needs Open MPI")
def test_micro_beside_mpi_runs_over_shm_and_as_a_stream(installed, tmp_path):
    """mpiexec starts the ranks, whose transport is shm all the same where MPI is the baseline."""
    installed.add_program(
        "bench_micro_ompi",
        f"cd {tmp_path}; rank=$OMPI_COMM_WORLD_RANK\n"
        'echo "$TASUKI_RANK/$TASUKI_SIZE $TASUKI_TRANSPORT $TASUKI_NODE_SHM" > $2.$rank\n'
        "test $2 = stream || readlink /proc/self/fd/$TASUKI_JOB_FD >> $2.$rank\n"
        "test $2 = stream || test $TASUKI_JOB_FILE ="
        " $(stat -L -c %d:%i /proc/self/fd/$TASUKI_JOB_FD) || exit 1\n"
        "test $rank = 1 || echo []",
    )
    result = installed("bench", "micro", "--mpi", "ompi", "--json")
    assert parse_envelope(result.stdout)["results"] == []
    for rank in range(2):
        shm = (tmp_path / f"shm.{rank}").read_text()
        assert shm == f"{rank}/2 shm \n/memfd:tasuki-job (deleted)\n"
        assert (tmp_path / f"stream.{rank}").read_text() == "/ mpi 0\n"


# Answers as bench_micro --only NAME does; it lists how it was run.
OVER_UCX = """test $TASUKI_RANK = 0 || exit 0
echo "$TASUKI_NODE_SHM $UCX_TLS $*" >> {list}
unit=ns; case $4 in ucx_write*) unit=MB/s; esac
echo '[{{"name": "'$4'", "value": 3000, "unit": "'$unit'", "spread": 0.1, "repetitions": 30}}]'"""
# The server waits to be ended; the client prints CSV as UCX does.
PERFTEST = """case "$*" in
-h) printf '%b' "{help}"; exit 0;;
*127.0.0.1*) ;;
*) exec sleep 100;;
esac
echo "$UCX_TLS $*" >> {list}
echo iterations,50.0_percentile_lat,avg_lat,overall_lat,avg_bw,overall_bw,avg_mr,overall_mr
echo 100,2.5,9,9,9,4000,9,9"""


@pytest.fixture
def over_ucx(installed, tmp_path):
    installed.add_program("bench_micro", OVER_UCX.format(list=tmp_path / "runs"))
    installed.environment.pop("UCX_TLS", None)

    def add_perftest(help_text="", text=PERFTEST):
        folder = tmp_path / "peers"
        folder.mkdir()
        program = folder / "ucx_perftest"
        program.write_text("#!/bin/sh\n" + text.format(help=help_text, list=tmp_path / "tests"))
        program.chmod(0o755)
        installed.environment["PATH"] = f"{folder}:{installed.environment['PATH']}"

    installed.add_perftest = add_perftest
    return installed


def test_micro_over_ucx_takes_turns_with_perftest(over_ucx, tmp_path):
    over_ucx.add_perftest(help_text="  -P <0|1>  disable/enable MPI mode")
    result = over_ucx("bench", "micro", "--transport", "ucx", "--only", "put_8B", "--json")
    found = parse_envelope(result.stdout)
    assert (found["ranks"], found["transport"]) == (2, "ucx")
    (put,) = found["results"]
    assert (put["name"], put["value"], put["unit"], put["repetitions"]) == ("put_8B", 3000, "ns", 5)
    assert (put["baseline"], put["baseline_value"]) == ("ucx_perftest ucp_put_lat", 2500)
    assert (put["ratio"], put["goal"], put["ok"]) == (1.2, pytest.approx(2775), False)
    assert (tmp_path / "runs").read_text() == "0 tcp --suite shm --only put_8B\n" * 5
    tests = (tmp_path / "tests").read_text().splitlines()
    assert len(tests) == 5
    assert all("-t ucp_put_lat -s 8 -n 20000" in line for line in tests)
    assert all(line.startswith("tcp -P 0 -p ") for line in tests)


def test_micro_over_ucx_compares_streams_by_bytes(over_ucx, tmp_path):
    over_ucx.add_perftest()
    over_ucx.environment["UCX_TLS"] = "all"
    shown = over_ucx("bench", "micro", "--transport", "ucx", "--only", "ucx_write_1MB", "--json")
    write, beside_messages = parse_envelope(shown.stdout)["results"]
    assert (write["name"], write["baseline"]) == ("ucx_write_1MB", "ucx_perftest ucp_put_bw")
    assert write["baseline_value"] == pytest.approx(4000 * 1.048576), "UCX counts mebibytes"
    assert (write["goal_is"], write["ok"]) == ("at_least", False)
    assert beside_messages["name"] == "ucx_write_1MB_vs_messages"
    assert beside_messages["baseline"] == "ucx_perftest ucp_am_bw"
    assert (tmp_path / "runs").read_text() == "0 all --suite stream --only ucx_write_1MB\n" * 10
    assert (tmp_path / "tests").read_text().startswith("all -p ")


def test_micro_over_ucx_without_perftest_says_so(over_ucx):
    command = ("bench", "micro", "--transport", "ucx", "--only", "message_8B")
    over_ucx.environment["PATH"] = "/nowhere"
    (row,) = parse_envelope(over_ucx(*command, "--json").stdout)["results"]
    assert (row["value"], row["baseline"], row["ratio"]) == (3000, None, None)
    assert row["missing_baseline"] == "ucx_perftest is not installed: apt install ucx-utils"
    shown = over_ucx(*command).stdout
    assert "\nWithout a baseline: ucx_perftest is not installed: apt install ucx-utils.\n" in shown


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("case $* in *127.0.0.1*) echo 'no such device' >&2;; esac; exit 3", "no such device"),
        ("case $* in -p*127.0.0.1*) echo nothing;; -p*) exec sleep 100;; esac", "no numbers"),
    ],
)
def test_micro_over_ucx_where_perftest_fails(over_ucx, text, said):
    over_ucx.add_perftest(text=text)
    result = over_ucx("bench", "micro", "--transport", "ucx", "--only", "get_8B")
    assert result.returncode == 1
    assert "tasuki: bench micro: ucx_perftest ucp_get failed: " in result.stderr
    assert said in result.stderr


def test_micro_over_ucx_is_for_two_ranks(over_ucx):
    result = over_ucx("bench", "micro", "--transport", "ucx", "-n", "4")
    assert result.returncode == 2
    assert "--transport ucx is measured with 2 ranks. Remedy: leave -n out." in result.stderr


def test_every_row_over_ucx_is_documented_with_its_test():
    section = FORMATS.partition("### Over UCX")[2].partition("\n## ")[0]
    for pair in PAIRS:
        name = re.sub(r"_\d+[KM]B", "_SIZE", pair.name)
        assert re.search(rf"^\| `{pair.test.name}`.* \| `{name}` \|", section, re.MULTILINE)


def test_micro_names_that_do_not_exist(installed):
    installed.add_program("bench_micro", printing([]))
    result = installed("bench", "micro", "--mpi", "none", "--only", "pit")
    assert result.returncode == 1
    assert "--only pit: no results: no name begins so" in result.stderr
    assert result.stdout == ""


def test_micro_without_rows_is_an_error(installed):
    installed.add_program("bench_micro", "true")
    result = installed("bench", "micro", "--mpi", "none")
    assert result.returncode == 1
    assert "tasuki: bench micro: the program printed no rows" in result.stderr


@pytest.mark.parametrize(
    ("name", "value", "baseline_value", "ok"),
    [
        ("bulk_get_4KB", 94.0, 100.0, False),
        ("bulk_put_private_64KB", 91.0, 100.0, True),
        ("ainvoke_oneway", 59.0, None, False),
        ("fiber_switch", 15.0, None, True),
        ("call_1_ranks_cpp", 14.9, 10.0, True),
        ("call_1_ranks_cpp", 15.1, 10.0, False),
        ("call_1_ranks_python", 29.9, 10.0, True),
        ("call_1_ranks_python", 30.1, 10.0, False),
        ("call_1_ranks_python_beside_flight", 2.4, 10.0, True),
        ("call_1_ranks_python_beside_flight", 2.6, 10.0, False),
        ("send_2_ranks_hand-off", 9.1, 10.0, True),
        ("send_2_ranks_hand-off", 8.9, 10.0, False),
        ("send_2_ranks_hand-off_beside_buffering", 15.1, 10.0, True),
        ("send_2_ranks_hand-off_beside_buffering", 14.9, 10.0, False),
        ("send_2_ranks_hand-off_beside_flight", 18.1, 10.0, True),
        ("send_2_ranks_hand-off_beside_flight", 17.9, 10.0, False),
        ("send_2_ranks_hand-off_beside_dask", 35.1, 10.0, True),
        ("send_2_ranks_hand-off_beside_dask", 34.9, 10.0, False),
        ("send_2_ranks_memory", 8.1, 10.0, True),
        ("send_2_ranks_memory", 7.9, 10.0, False),
        ("send_2_ranks_memory_beside_ray", 20.1, 10.0, True),
        ("send_2_ranks_memory_beside_ray", 19.9, 10.0, False),
        ("memory_client", 64.0, None, True),
        ("memory_client", 64.1, None, False),
        ("memory_front_end", 16.0, None, True),
        ("memory_front_end", 16.1, None, False),
        ("memory_rank", 32.0, None, True),
        ("memory_rank", 32.1, None, False),
    ],
)
def test_goals(name, value, baseline_value, ok):
    assert add_goal({"name": name, "value": value, "baseline_value": baseline_value})["ok"] is ok


@pytest.mark.parametrize(
    ("size_bytes", "value", "ok"),
    [(256, 77.0, True), (256, 76.0, False), (512, 94.0, False), (1 << 20, 96.0, True)],
)
def test_goal_of_streams_goes_by_the_size_that_the_program_gives(size_bytes, value, ok):
    row = {"name": "mpi_write_SIZE", "value": value, "baseline_value": 100.0}
    assert add_goal(row | {"size_bytes": size_bytes})["ok"] is ok


def test_barrier_goal_is_the_stricter_one():
    row = {"name": "barrier", "value": 100.0, "cache_line_ns": 80.0, "baseline_value": 190.0}
    assert add_goal(row)["goal"] == pytest.approx(120.0)
    assert add_goal(row | {"baseline_value": 90.0})["goal"] == 90.0


def test_no_goal_without_what_it_depends_on():
    assert "goal" not in add_goal({"name": "put_8B", "value": 1.0, "baseline_value": None})
    assert "goal" not in add_goal({"name": "get_8B", "value": 1.0, "baseline_value": None})


@pytest.mark.parametrize(
    "name", ["call_2_ranks_python_beside_ray", "send_2_ranks_original", "return_2_ranks_hand-off"]
)
def test_other_calls_have_no_goal(name):
    assert "goal" not in add_goal({"name": name, "value": 1.0, "baseline_value": 1.0})


def test_each_goal_of_calls_is_for_a_row_that_is_documented():
    section = FORMATS.partition("## `tasuki bench rpc`")[2].partition("\n## ")[0]
    for goal in GOALS:
        name = goal.pattern.partition("_beside_")[0]
        if name.startswith(("call_", "send_", "memory_")):
            general = re.sub(r"_(\d|\\d\+)_ranks", "_R_ranks", name)
            general = re.sub(r"^(send_R_ranks)_.*", r"\1_MODE", general)
            general = re.sub(r"^memory_.*", "memory_PROCESS", general)
            assert f"| `{general}` |" in section


def documented_micro_names() -> set[str]:
    section = FORMATS.partition("## `tasuki bench micro`")[2].partition("\n## ")[0]
    table = section.partition("| name | unit |")[2].partition("\n### ")[0]
    return set(re.findall(r"^\| `(\w+)`", table, re.MULTILINE))


def test_the_names_that_users_rely_on_are_documented():
    assert documented_micro_names() >= set(
        "put_8B get_8B atomic_8B invoke_inline invoke_fiber fiber_switch ainvoke_oneway"
        " ainvoke_oneway_unaggregated bulk_put_SIZE bulk_get_SIZE barrier allreduce_8B"
        " mpi_write_SIZE word_put block_put_N".split()
    )


@pytest.mark.skipif(find_program("bench_micro_ompi") is None, reason="not built")
def test_what_the_program_emits_is_documented_and_the_other_way_round(tasuki):
    emitted = set()
    for suite in ("shm", "stream"):
        listed = tasuki("run", "-n", "2", "--transport", "mpi", "--mpi", "ompi",
                        find_program("bench_micro_ompi"), "--suite", suite, "--list")  # fmt: skip
        assert listed.returncode == 0, listed.stderr
        emitted |= {
            re.sub(
                r"^block_put_\d+",
                "block_put_N",
                re.sub(r"^((?:bulk|mpi|view)(?:_\w+)?)_\d+(?:[KM]B?|B)$", r"\1_SIZE", name),
            )  # fmt: skip
            for name in listed.stdout.split()
        }
    assert emitted == documented_micro_names()


def test_spread():
    assert spread([1.0]) is None
    assert spread([1.0, 2.0, 3.0, 4.0, 5.0]) == pytest.approx(1 / 3)


@pytest.mark.skipif(find_program("npb_cg_tasuki") is None, reason="not built")
@pytest.mark.parametrize("kernel", KERNELS)
def test_the_kernels_of_this_build(tasuki, kernel):
    command = ("bench", "npb", kernel, "--class", CLASSES[0], "-n", "4", "--json")
    found = parse_envelope(tasuki(*command).stdout)
    (row,) = found["results"]
    assert row["verified"] is True
    assert row["ranks"] == 4
