"""`tasuki reproduce mpcxx` on made-up programs: figures, pictures, JSON, notes, and its sums."""

import json
import os
import pty
import resource
import shutil
import signal
import struct
import subprocess
import sys
import time
from pathlib import Path

import pytest
from conftest import name_of, parse_envelope, wait_for
from tasuki.base.errors import ProgramError
from tasuki.base.programs import find_program
from tasuki.bench.baselines import solution
from tasuki.measurement.jobs import EXIT_TIMED_OUT, run_command
from tasuki.output.figure import (
    Figure,
    Point,
    Published,
    beside_paper,
    rows_of,
    short,
    table_of,
)
from tasuki.reproduce.executors import Measuring, Planning
from tasuki.reproduce.lab import Lab, Run
from tasuki.reproduce.mpcxx.figures import FIGURES, IDS
from tasuki.reproduce.mpcxx.source_lines import count_lines
from tasuki.reproduce.simulation import NODES_MAX, PLATFORMS, Cluster, run_simulated, simulator
from test_bench import SOLVED, WRONG, printing

NETWORKS = ("ethernet", "myrinet")
AS_MEASURED = Cluster("ethernet", slowdown=1)

STREAM = "\n".join(
    json.dumps({"size_bytes": size, "value": 100.0 * size, "spread": 1.0, "repetitions": 9})
    for size in (8, 16)
)


@pytest.fixture
def laboratory(installed, tmp_path):
    """A package with programs for shared memory, where neither MPI nor SimGrid is installed."""
    tools = tmp_path / "tools"
    tools.mkdir()
    for tool in ("sh", "cat", "sleep", "test"):
        (tools / tool).symlink_to(shutil.which(tool))
    installed.environment["PATH"] = str(tools)
    for kernel in ("cg", "is"):
        installed.add_program(f"npb_{kernel}_tasuki", printing({**SOLVED, "name": kernel}))
    installed.add_program("mpcxx_throughput", printing({}).replace("{}", STREAM))
    return installed


def is_picture(path) -> bool:
    data = path.read_bytes()
    width, height = struct.unpack(">II", data[16:24])
    return data.startswith(b"\x89PNG") and width > 400 and height > 300


def test_every_figure_of_the_paper_is_there():
    assert set(IDS) == {
        *(f"fig{number}" for number in range(5, 14) if number != 7),  # 7 is a listing.
        *(f"table{number}" for number in range(3, 9)),
        "overhead",
        "lines",
    }
    assert len(IDS) == len(FIGURES)


def test_json(laboratory):
    result = laboratory("reproduce", "mpcxx", "--only", "fig6", "--only", "fig8", "--class", "S",
                        "--json")  # fmt: skip
    assert result.returncode == 0, result.stderr
    found = parse_envelope(result.stdout)
    assert found["command"] == "reproduce mpcxx"
    rows = [row for row in found["results"] if row["series"] == "Tasuki native (shm)"]
    streams = [row for row in rows if row["name"] == "fig6"]
    assert [(row["size_bytes"], row["value"]) for row in streams] == [(8, 800.0), (16, 1600.0)]
    times = [row for row in rows if row["name"] == "fig8"]
    assert [row["x"] for row in times] == [1, 2, 4]
    assert all((row["value"], row["repetitions"]) == (0.25, 3) for row in times)


def test_missing_programs_are_noted_once(laboratory):
    result = laboratory("reproduce", "mpcxx", "--only", "fig8", "--only", "fig9")
    assert result.returncode == 0
    assert result.stderr.count("no mpiexec of Open MPI or MPICH is in the PATH") == 1
    assert result.stderr.count("SimGrid's smpirun is not installed") == 1


@pytest.mark.same_everywhere("what draws is the same Python package")
def test_pictures(laboratory, tmp_path):
    result = laboratory("reproduce", "mpcxx", "--only", "fig6", "--only", "fig12", "--class", "S",
                        "--plot", "--output", tmp_path)  # fmt: skip
    assert result.returncode == 0, result.stderr
    for figure in ("fig6", "fig12"):
        assert is_picture(tmp_path / f"mpcxx-{figure}.png")
        assert f"written: {tmp_path}/mpcxx-{figure}.png" in result.stderr


def test_tables(laboratory):
    shown = laboratory("reproduce", "mpcxx", "--only", "fig13", "--class", "W").stdout
    assert "fig13: IS breakdown (class A): class S, this machine" in shown
    assert "Tasuki native (shm), 2" in shown


def test_spent_budget_is_said(laboratory):
    result = laboratory("reproduce", "mpcxx", "--only", "fig6", "--budget", "0")
    assert result.returncode == 0
    assert "the budget of 0 s is spent" in result.stderr


def test_run_that_outlasts_the_budget_is_ended(laboratory):
    laboratory.add_program("npb_cg_tasuki", "sleep 100")
    result = laboratory("reproduce", "mpcxx", "--only", "fig12", "--budget", "5")
    assert result.returncode == 0
    assert "not measured, ended by its time limit" in result.stderr


def test_repetitions_of_a_run_share_the_budget(laboratory):
    """The first is kept, the second is ended; three were kept if each had the whole budget."""
    laboratory.add_program("npb_cg_tasuki", f"sleep 6; {printing(SOLVED)}")
    result = laboratory("reproduce", "mpcxx", "--only", "fig12", "--class", "S", "--budget", "11",
                        "--json")  # fmt: skip
    assert {row["repetitions"] for row in parse_envelope(result.stdout)["results"]} == {1}
    assert "repetitions before its time was up (--budget): 1 of 3" in result.stderr


def test_wrong_answer_is_a_failure_but_not_the_end(laboratory):
    laboratory.add_program("npb_cg_tasuki", printing(WRONG, exit_code=1))
    result = laboratory("reproduce", "mpcxx", "--only", "fig12", "--only", "fig13", "--class", "S",
                        "--json")  # fmt: skip
    assert result.returncode == 1
    assert "CG class S, Tasuki native (shm), 2 ranks:\n" in result.stderr
    assert "  FAILED: NPB cg class S: zeta is 8.6, expected 8.5971775078648\n" in result.stderr
    assert "3 of the runs failed" in result.stderr
    assert {row["name"] for row in parse_envelope(result.stdout)["results"]} == {"fig13"}


def test_crash_is_a_failure_but_not_the_end(laboratory):
    laboratory.add_program("mpcxx_throughput", "kill -SEGV $$")
    result = laboratory("reproduce", "mpcxx", "--only", "fig6", "--only", "fig13", "--class", "S")
    assert result.returncode == 1
    assert "throughput, fast network, Tasuki native (shm):\n  tasuki: rank" in result.stderr
    assert "fig13: IS breakdown (class A): class S, this machine" in result.stdout


@pytest.mark.parametrize(
    ("number", "to_all", "times"),
    [
        (signal.SIGINT, True, 1),
        (signal.SIGINT, False, 1),
        (signal.SIGINT, True, 3),
        (signal.SIGINT, False, 3),
        (signal.SIGTERM, False, 1),
        (signal.SIGHUP, True, 2),
    ],
)
def test_a_signal_shows_what_has_been_measured(laboratory, number, to_all, times):
    """Ctrl-C reaches the whole group of processes; `kill` one of them."""
    laboratory.add_program("npb_is_tasuki", "sleep 100")
    process = laboratory.start("reproduce", "mpcxx", "--only", "fig12", "--only", "fig13",
                               "--class", "S", "--json", start_new_session=True)  # fmt: skip
    wait_for(lambda: any("sleep" in name_of(pid) for pid in laboratory.processes()))
    for _ in range(times):
        (os.killpg if to_all else os.kill)(process.pid, number)
        time.sleep(0.1)
    stdout, stderr = process.communicate(timeout=60)
    assert process.returncode == 128 + number
    found = parse_envelope(stdout)
    assert {row["name"] for row in found["results"]} == {"fig12"}
    assert found["incomplete"]
    assert "interrupted; what had been measured until then is shown" in stderr
    assert not laboratory.processes()


def test_tables_go_to_standard_output_also_while_progress_is_on_a_terminal(laboratory):
    ours, theirs = pty.openpty()
    process = laboratory.start("reproduce", "mpcxx", "--only", "fig13", "--class", "S",
                               stderr=theirs)  # fmt: skip
    os.close(theirs)
    seen = b""
    while chunk := read_terminal(ours):
        seen += chunk
    os.close(ours)
    stdout, _ = process.communicate(timeout=60)
    assert "fig13: IS breakdown (class A): class S, this machine" in stdout
    assert b"run 3 of 3: IS class S, Tasuki native (shm), 4 ranks" in seen
    assert b"version, ranks" not in seen


def read_terminal(fd: int) -> bytes:
    """What is written next to a terminal; b"" when the last who had it open has closed it."""
    try:
        return os.read(fd, 65536)
    except OSError:
        return b""


def test_the_number_of_runs_is_said_first(laboratory):
    result = laboratory("reproduce", "mpcxx", "--only", "FIG12", "--only", "fig13", "--class", "s")
    first, second, *_ = result.stderr.splitlines()
    assert first.startswith("tasuki: reproduce mpcxx: 6 runs, less than a minute")
    assert second == "fig12: CG breakdown (class A) (0 of 6 runs done)"


def test_what_takes_hours_is_left_to_a_full_run(laboratory):
    """CG of class B, on this machine and on fewer than 32 simulated nodes."""
    arguments = ("reproduce", "mpcxx", "--only", "fig9", "--budget", "0")
    assert ": 0 runs," in laboratory(*arguments).stderr
    assert ": 3 runs," in laboratory(*arguments, "--full").stderr


def test_resumed_it_measures_only_what_is_missing(laboratory, tmp_path):
    log = tmp_path / "log"
    laboratory.add_program("npb_cg_tasuki", f"echo run >>{log}\n{printing(SOLVED)}")
    arguments = ("reproduce", "mpcxx", "--only", "fig6", "--only", "fig12", "--class", "S",
                 "--json", "--resume", tmp_path / "notes.jsonl")  # fmt: skip
    before = parse_envelope(laboratory(*arguments).stdout)["results"]
    runs = log.read_text()
    assert {row["name"] for row in before} == {"fig6", "fig12"}
    assert parse_envelope(laboratory(*arguments).stdout)["results"] == before
    assert log.read_text() == runs
    laboratory.add_program("npb_cg_tasuki", f"{printing(SOLVED)}; true")
    assert "what is in it was measured otherwise: builds was" in laboratory(*arguments).stderr


def test_unknown_figure(tasuki):
    result = tasuki("reproduce", "mpcxx", "--only", "fig99")
    assert result.returncode == 2
    assert "there is no figure or table fig99. Remedy: choose from: fig5, fig6" in result.stderr


def test_table_keeps_the_order_of_measuring():
    points = [
        Point("a", "MPI", 4, 1.0, "s"),
        Point("a", "MPI", 2, 2.0, "s"),
        Point("a", "Tasuki", 2, 3.0, "s"),
        Point("b", "MPI", 9, 4.0, "s"),
    ]
    assert table_of("a", points) == (["MPI", "Tasuki"], [[4, 1.0, None], [2, 2.0, 3.0]])


def test_lab_measures_once():
    said: list[str] = []
    lab = Lab(Measuring(100, said.append))
    for _ in range(2):
        assert lab.measured(Run("key", "title", 1, lambda left: left > 0)) is True
    assert said == ["title"]


def break_down(_: float) -> None:
    raise ProgramError("it broke", 1)


def test_lab_remembers_what_failed():
    lab = Lab(Measuring(100, lambda _: None))
    assert lab.measured(Run("slow", "title", 1, break_down)) is None
    lab.remember_failure("slower")
    assert lab.failed("slow")
    assert lab.failed("slower")
    assert not lab.failed("untried")
    assert lab.failures == ["title:\n  it broke"]


def test_lab_measures_together_what_is_not_yet_known():
    lab = Lab(Measuring(100, lambda _: None))
    lab.remember_failure("known")
    runs = [Run(key, key, 1, lambda _, key=key: key.upper()) for key in ("one", "two", "known")]
    lab.measure_together([*runs, Run("bad", "bad", 1, break_down)])
    assert [lab.measured(run) for run in runs] == ["ONE", "TWO", None]
    assert lab.failures == ["bad:\n  it broke"]


def test_plan_runs_nothing_and_counts_each_run_once():
    plan = Planning()
    lab = Lab(plan)
    for _ in range(2):
        assert lab.measured(Run("key", "title", 2.5, lambda _: 1 / 0)) is None
        lab.measure_together([Run("key", "title", 2.5, lambda _: 1 / 0)])
    assert (plan.run_count, plan.expected_s) == (1, 2.5)


def test_in_a_plan_nothing_has_failed():
    """What follows from a failure, such as leaving out larger runs, is not planned."""
    lab = Lab(Planning())
    lab.measure_together([Run("key", "title", 1, lambda _: 1 / 0)])
    assert not lab.failed("key")


def test_rows_stand_beside_their_baseline():
    figure = Figure("fig", "", "lines", "x", "s", lambda _: [], baseline_series="MPI")
    points = [
        Point("a", "MPI", 2, 2.0, "s"),
        Point("a", "Tasuki", 2, 3.0, "s"),
        Point("a", "Tasuki", 4, 3.0, "s"),
    ]
    beside = [(row["baseline"], row["ratio"]) for row in rows_of(figure, points)]
    assert beside == [(None, None), ("MPI", 1.5), (None, None)]


PAPER = Published("table 9", "a", "s", {"MPI": {2: 1.5, 8: 7.0}, "other": {2: 0.5}})


def test_what_the_paper_says_stands_beside_what_was_measured():
    figure = Figure("fig", "", "table", "x", "s", lambda _: [], published=(PAPER,))
    points = [Point("a", "MPI", 2, 2.0, "s"), Point("a", "Tasuki", 2, 3.0, "s")]
    assert table_of("a", beside_paper(figure, points)) == (
        ["MPI", "MPI, paper", "Tasuki", "other, paper"],
        [[2, 2.0, 1.5, 3.0, 0.5], [8, None, 7.0, None, None]],
    )
    rows = [(row["series"], row["x"], row["value"], row.get("paper_value"), row.get("paper_source"))
            for row in rows_of(figure, points)]  # fmt: skip
    assert rows == [
        ("MPI", 2, 2.0, 1.5, "table 9"),
        ("Tasuki", 2, 3.0, None, None),
        ("MPI", 8, None, 7.0, "table 9"),
        ("other", 2, None, 0.5, "table 9"),
    ]


def test_what_the_paper_says_is_only_for_its_own_classes(laboratory):
    arguments = ("reproduce", "mpcxx", "--only", "table3", "--only", "table8", "--json")
    rows = parse_envelope(laboratory(*arguments, "--class", "S").stdout)["results"]
    assert {row["name"] for row in rows} == {"table3"}
    assert not any("paper_value" in row for row in rows)


def test_sizes_on_an_axis_are_short():
    assert [short(size) for size in (8, 4096, 1 << 20)] == ["8", "4 Ki", "1 Mi"]


def test_lines_that_differ(tmp_path):
    folder = tmp_path / "cg"
    folder.mkdir()
    (folder / "cg_mpi.cpp").write_text("same\nold\nsame too\n")
    (folder / "cg_tasuki.cpp").write_text("// a comment\nsame\n\nnew\nnewer\nsame too\n")
    (folder / "solver.hpp").write_text("one\ntwo\n")
    assert count_lines(folder / "cg_tasuki.cpp", folder / "cg_mpi.cpp") == (2, 6)


@pytest.mark.parametrize("network", NETWORKS)
def test_platforms_state_their_parameters(network):
    text = (PLATFORMS / f"{network}.xml").read_text()
    assert f'radical="0-{NODES_MAX - 1}"' in text
    for parameter in ("bw ", "lat "):
        assert f"     {parameter}" in text


@pytest.mark.skipif(
    simulator() is None or find_program("npb_cg_mpi_smpi") is None, reason="needs SimGrid"
)
def test_the_slower_network_takes_longer():
    program = find_program("npb_cg_mpi_smpi")
    seconds = {}
    for network in NETWORKS:
        outcome = run_simulated(
            program, ("--class", "S", "--json"), 4, Cluster(network, 1), timeout_s=60
        )
        seconds[network] = solution(outcome)["communication_seconds"]
    assert seconds["ethernet"] > 3 * seconds["myrinet"] > 0


def test_command_that_takes_too_long_is_ended_with_all_it_started():
    outcome = run_command(["sh", "-c", "sleep 100 & wait"], timeout_s=0.2)
    assert outcome.exit_code == EXIT_TIMED_OUT
    assert "tasuki: ended after 0.2 s" in outcome.stderr


FORK_WITH_HOOK = """
import os
from tasuki.measurement.jobs import run_command

os.register_at_fork(after_in_child=lambda: os.write(1, b"Python runs in the child\\n"))
print("exit code", run_command(["true"]).exit_code)
"""


def test_command_is_started_without_running_python_between_fork_and_exec(tasuki):
    """That may deadlock in a process with threads, such as one that simulates several at once."""
    shown = subprocess.check_output(
        [sys.executable, "-c", FORK_WITH_HOOK], env=tasuki.environment, text=True
    )
    assert shown == "exit code 0\n"


def test_command_ends_even_if_what_started_it_is_killed(tasuki):
    script = (
        "from tasuki.measurement.jobs import run_command\n"
        "run_command(['sleep', '100'], is_apart=True)"
    )
    process = subprocess.Popen([sys.executable, "-c", script], env=tasuki.environment)
    wait_for(lambda: "sleep" in map(name_of, tasuki.processes()))
    process.kill()
    process.wait()
    wait_for(lambda: not tasuki.processes())


def test_command_that_cannot_be_executed_says_so():
    outcome = run_command(["/nothing/there"])
    assert outcome.exit_code == 126
    assert "/nothing/there cannot be executed (No such file or directory)" in outcome.stderr


needs_simulation = pytest.mark.skipif(
    simulator() is None or find_program("npb_cg_tasuki_smpi.so") is None, reason="needs SimGrid"
)


@needs_simulation
@pytest.mark.parametrize("kernel", ["cg", "is"])
def test_simulated_times_are_the_same_each_time(kernel):
    program = find_program(f"npb_{kernel}_tasuki_smpi.so")
    found = [
        solution(run_simulated(program, ("--class", "S", "--json"), 4, AS_MEASURED, timeout_s=60))
        for _ in range(2)
    ]
    assert found[0] == found[1]
    assert found[0]["compute_seconds"] > 0


@needs_simulation
@pytest.mark.parametrize("program", ["npb_cg_tasuki_smpi.so", "npb_cg_mpi_smpi"])
def test_simulated_time_is_the_stated_work_on_a_slower_processor(program):
    """Class S: 15 iterations of 26 products and 25 steps; see cg/solver.hpp and the platforms."""
    elements, rows, slowdown = 78148, 1400, 20
    slow = Cluster("ethernet", slowdown)
    work_s = 15 * (26 * elements * 0.6e-9 + 25 * rows * 2.6e-9)
    outcome = run_simulated(find_program(program), ("--class", "S", "--json"), 1, slow, 60)
    assert solution(outcome)["compute_seconds"] == pytest.approx(slowdown * work_s, rel=1e-3)


@needs_simulation
@pytest.mark.parametrize("nodes", [8, 16])
def test_simulated_bulk_data_hold_up_neither_small_messages_nor_each_other(nodes):
    """0.68 s on 16 when short messages had to wait until longer ones, matched before them, were
    there; 0.69 s on 8, where they are long enough for a rendezvous, when each had to wait for the
    one before: over MPI 0.34 and 0.52."""
    seconds = {}
    slow = Cluster("ethernet", slowdown=20)
    for name in ("npb_is_tasuki_smpi.so", "npb_is_mpi_smpi"):
        arguments = ("--class", "W", "--json")
        outcome = run_simulated(find_program(name), arguments, nodes, slow, 120)
        seconds[name] = solution(outcome)["seconds"]
    assert seconds["npb_is_tasuki_smpi.so"] < seconds["npb_is_mpi_smpi"]


@pytest.mark.same_everywhere("it simulates")
@needs_simulation
def test_simulation_of_32_nodes_does_not_slow_down_with_the_number_of_messages():
    """5 s of processor time; 400 when each received message made all later ones slower."""
    before_s = children_cpu_s()
    program = find_program("npb_cg_tasuki_smpi.so")
    found = solution(
        run_simulated(program, ("--class", "S", "--json"), NODES_MAX, AS_MEASURED, timeout_s=120)
    )
    assert found["verified"]
    assert children_cpu_s() - before_s < 90


SIMULATE_TWO = """
from tasuki.base.programs import find_program
from tasuki.reproduce.executors import Measuring
from tasuki.reproduce.lab import Lab, Run
from tasuki.reproduce.simulation import Cluster, run_simulated
from tasuki.bench.baselines import solution

program = find_program("npb_cg_mpi_smpi")
def measure(_):
    ethernet = Cluster("ethernet", 1)
    return solution(run_simulated(program, ("--class", "B", "--json"), 2, ethernet, 300))
measuring = Measuring(300, lambda _: None)
lab = Lab(measuring)
with measuring.heeding_interrupts():
    lab.measure_together([Run(key, key, 1, measure) for key in ("one", "two", "three")])
print(measuring.interrupted, lab.failures)
"""


@needs_simulation
@pytest.mark.parametrize("to_all", [True, False])
def test_interrupt_ends_the_simulations_under_way(tasuki, to_all):
    process = subprocess.Popen(
        [sys.executable, "-c", SIMULATE_TWO],
        env=tasuki.environment,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    wait_for(lambda: "smpimain" in map(name_of, tasuki.processes()), timeout_s=60)
    (os.killpg if to_all else os.kill)(process.pid, signal.SIGINT)
    stdout, _ = process.communicate(timeout=60)
    assert stdout == "True []\n"
    assert not tasuki.processes()


ONE_IS_STUBBORN = """
from tasuki.measurement.jobs import run_command
from tasuki.reproduce.executors import Measuring
from tasuki.reproduce.lab import Lab, Run

quick = Run("quick", "quick", 2, lambda _: "kept")
stubborn = Run("stubborn", "stubborn", 1, lambda _: run_command(
    ["sh", "-c", "trap '' TERM; sleep 10"], is_apart=True).exit_code)
measuring = Measuring(300, lambda _: None)
lab = Lab(measuring)
with measuring.heeding_interrupts():
    lab.measure_together([quick, stubborn])
print(measuring.interrupted, lab.measured(quick))
"""


def test_second_interrupt_loses_nothing(tasuki):
    """Not even while what was under way at the first is still ending."""
    process = subprocess.Popen(
        [sys.executable, "-c", ONE_IS_STUBBORN],
        env=tasuki.environment,
        stdout=subprocess.PIPE,
        text=True,
    )
    wait_for(lambda: "sleep" in map(name_of, tasuki.processes()))
    for _ in range(2):
        process.send_signal(signal.SIGINT)
        time.sleep(0.2)
    stdout, _ = process.communicate(timeout=60)
    assert stdout == "True kept\n"


def children_cpu_s() -> float:
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime


def test_what_outlives_its_parent_is_ended_too():
    """As a program does that smpirun has just started when it is ended itself."""
    start = time.monotonic()
    ended = run_command(["sh", "-c", "sleep 60 & echo $!"], timeout_s=1, is_apart=True)
    assert time.monotonic() - start < 30
    wait_for(lambda: not Path(f"/proc/{int(ended.stdout)}").exists())
