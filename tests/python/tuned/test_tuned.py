"""`tasuki run --tuned`: an MPI program has the same results, and Tasuki carries its collectives
out."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from tasuki.reproduce.prediction.by_messages import write_policy

PROGRAMS = Path(__file__).parent / "programs"
SECONDS = 120
MPIS = {"openmpi": ["mpiexec.openmpi", "--oversubscribe"], "mpich": ["mpiexec.mpich"]}
ENVIRONMENT = {
    **os.environ,
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "COLUMNS": "120",
}


@pytest.fixture(scope="module", name="compiled")
def compiled_programs(tmp_path_factory: pytest.TempPathFactory):
    folder = tmp_path_factory.mktemp("programs")

    def compiled(name: str, mpi: str) -> Path:
        program = folder / f"{name}-{mpi}"
        if not program.exists():
            source = PROGRAMS / f"{name}.c"
            subprocess.run([f"mpicc.{mpi}", "-w", "-O2", source, "-o", program], check=True)
        return program

    return compiled


EXCHANGES = (
    "allgather", "allgatherv", "alltoall", "alltoallv", "alltoallw", "broadcast", "gather",
    "gatherv", "scatter", "scatterv",
)  # fmt: skip
REDUCTIONS = ("allreduce", "exscan", "reduce", "reduce_scatter", "reduce_scatter_block", "scan")


def compiled_fortran(folder: Path, mpi: str, *options: str) -> Path:
    program = folder / "collectives"
    command = [f"mpifort.{mpi}", "-cpp", "-w", "-fallow-argument-mismatch", "-J", folder]
    source = PROGRAMS / "collectives.f90"
    subprocess.run([*command, *options, source, "-o", program], check=True)
    return program


def run(*arguments: object, **settings: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tasuki", "run", *map(str, arguments)]
    environment = ENVIRONMENT | settings
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=SECONDS)


def tuned(mpi: str, ranks: int, program: Path) -> subprocess.CompletedProcess[str]:
    return run("--tuned", "--", *MPIS[mpi], "-n", ranks, program)


def by_tasuki(result: subprocess.CompletedProcess[str]) -> set[str]:
    """The collectives that were carried out in node memory."""
    return {
        line.split()[0]
        for line in result.stderr.splitlines()
        if "node memory" in line and "native" not in line
    }


@pytest.mark.parametrize("mpi", MPIS)
@pytest.mark.parametrize("ranks", [2, 3])
def test_results_are_right(mpi: str, ranks: int, compiled) -> None:
    result = tuned(mpi, ranks, compiled("collectives", mpi))
    assert (result.stdout, result.returncode) == ("0 wrong\n", 0), result.stderr
    assert by_tasuki(result) == {*EXCHANGES, *REDUCTIONS, "barrier"}


@pytest.mark.parametrize("mpi", MPIS)
@pytest.mark.parametrize("module", ["mpi", "mpi_f08"])
def test_fortran(mpi: str, module: str, tmp_path: Path) -> None:
    options = ["-DF08"] if module == "mpi_f08" else []
    result = tuned(mpi, 3, compiled_fortran(tmp_path, mpi, *options))
    assert (result.stdout, result.returncode) == ("0 wrong\n", 0), result.stderr
    called = {"allreduce", "alltoallw", "barrier", "broadcast", "reduce", "reduce_scatter"}
    assert by_tasuki(result) == called
    assert "ibarrier native it does not block 3 " in re.sub(" +", " ", result.stderr)


def test_functions_for_large_counts(compiled) -> None:
    """Open MPI has none yet."""
    result = tuned("mpich", 3, compiled("large_counts", "mpich"))
    assert (result.stdout, result.returncode) == ("0 wrong\n", 0), result.stderr
    assert by_tasuki(result) == {*EXCHANGES, *REDUCTIONS}


@pytest.mark.parametrize("mpi", MPIS)
def test_ranks_of_several_nodes_share_no_memory(mpi: str, compiled) -> None:
    # By the rank, as the mpiexec of Open MPI 5.0.7 crashes if it is to start two programs.
    on_node = 'export TASUKI_NODE_NAME="node$OMPI_COMM_WORLD_RANK$PMI_RANK"; exec "$@"'
    program = ["sh", "-c", on_node, "sh", compiled("collectives", mpi)]
    result = run("--tuned", "--", *MPIS[mpi], "-n", 2, *program)
    assert (result.stdout, result.returncode) == ("0 wrong\n", 0), result.stderr
    assert "the ranks share no node" in result.stderr
    assert "node memory" not in result.stderr


SILENT = r"did not say within (\d+\.\d) s"


@pytest.mark.parametrize("mpi", MPIS)
@pytest.mark.parametrize("left_out", ["LD_PRELOAD", "TASUKI_TUNED TASUKI_PREDICT"])
def test_ranks_without_the_library_or_its_settings(mpi: str, left_out: str, compiled) -> None:
    some = f'case $OMPI_COMM_WORLD_RANK$PMI_RANK in [12]) unset {left_out};; esac; exec "$@"'
    program = ["sh", "-c", some, "sh", compiled("barriers", mpi)]
    command = ["--tuned", "--", *MPIS[mpi], "-n", 3, *program]
    result = run(*command, TASUKI_START_TIMEOUT="1s")
    assert result.returncode == 70, result.stderr
    said = re.findall(r"run --tuned: ranks 1, 2(?: \(host .*\))? " + SILENT, result.stderr)
    assert len(said) == 1 and float(said[0]) >= 1, result.stderr
    assert "/libtasuki_mpi.so. Remedy: if hosts lack that file" in result.stderr
    assert "let it pass on LD_PRELOAD, TASUKI_TUNED and TASUKI_PREDICT;" in result.stderr


@pytest.mark.parametrize("mpi", MPIS)
def test_the_first_rank_with_the_library_speaks_though_it_is_late(mpi: str, compiled) -> None:
    """Rank 2 finds out 0.3 s before rank 1 that rank 0 does not answer."""
    some = (
        "case $OMPI_COMM_WORLD_RANK$PMI_RANK in 0) unset LD_PRELOAD;;"
        ' 1) export TASUKI_START_TIMEOUT=1.8s;; esac; exec "$@"'
    )
    program = ["sh", "-c", some, "sh", compiled("barriers", mpi)]
    result = run("--tuned", "--", *MPIS[mpi], "-n", 3, *program, TASUKI_START_TIMEOUT="1s")
    assert result.returncode == 70, result.stderr
    said = re.findall(r"run --tuned: rank 0(?: \(host .*\))? " + SILENT, result.stderr)
    assert len(said) == 1 and float(said[0]) >= 7.3, result.stderr


@pytest.mark.parametrize("mpi", MPIS)
def test_a_late_answer_of_rank_0_is_accepted(mpi: str, compiled, tmp_path: Path) -> None:
    """It comes when rank 2 has told rank 3 that it ends the job; ranks 0 and 1 have time."""
    some = 'case $OMPI_COMM_WORLD_RANK$PMI_RANK in [23]) export TASUKI_START_TIMEOUT=0;; esac; "$@"'
    program = ["sh", "-c", some, "sh", compiled("late_answer", mpi)]
    told = str(tmp_path / "announced")
    result = run("--tuned", "--", *MPIS[mpi], "-n", 4, *program, ANNOUNCED=told)
    assert (result.stdout, result.returncode) == ("0 messages left\n", 0), result.stderr
    assert "did not say" not in result.stderr


@pytest.mark.parametrize("mpi", MPIS)
def test_a_wrong_time_for_the_start_is_one_error(mpi: str, compiled) -> None:
    command = ["--tuned", "--", *MPIS[mpi], "-n", 3, compiled("barriers", mpi)]
    result = run(*command, TASUKI_START_TIMEOUT="soon")
    assert result.returncode == 70, result.stderr
    assert result.stderr.count("TASUKI_START_TIMEOUT=soon is not") == 1, result.stderr


@pytest.mark.parametrize("mpi", MPIS)
def test_a_wrong_time_on_some_ranks_names_the_first(mpi: str, compiled) -> None:
    some = (
        "case $OMPI_COMM_WORLD_RANK$PMI_RANK in [12]) export TASUKI_START_TIMEOUT=soon;; esac;"
        ' exec "$@"'
    )
    program = ["sh", "-c", some, "sh", compiled("barriers", mpi)]
    result = run("--tuned", "--", *MPIS[mpi], "-n", 3, *program)
    assert result.returncode == 70, result.stderr
    said = (
        r"tasuki: rank 1(?: \(host .*\))?: reading the settings: TASUKI_START_TIMEOUT=soon is not"
    )
    assert re.search(said, result.stderr), result.stderr
    assert result.stderr.count("TASUKI_START_TIMEOUT") == 1, result.stderr


@pytest.mark.parametrize("mpi", MPIS)
@pytest.mark.parametrize("predict", ["guarded", "off"])
def test_ranks_that_share_cores_wait(mpi: str, predict: str, compiled) -> None:
    ranks = len(os.sched_getaffinity(0)) + 1
    program = compiled("waits", mpi)
    result = run("--tuned", "--predict", predict, "--", *MPIS[mpi], "-n", ranks, program)
    assert (result.stdout, result.returncode) == ("0 wrong\n", 0), result.stderr


@pytest.mark.parametrize("mpi", MPIS)
def test_what_was_predicted_is_shown(mpi: str, compiled, tmp_path: Path) -> None:
    command = ["--", *MPIS[mpi], "-n", 3, compiled("waits", mpi)]
    always = run("--tuned", "--predict", "always", *command)
    assert (always.stdout, always.returncode) == ("0 wrong\n", 0), always.stderr
    assert "predicted messages" in always.stderr
    assert re.search(r"^ *all +\d+", always.stderr, re.MULTILINE), always.stderr
    unknown = run("--tuned", "--predict-earlier", tmp_path, "--predict", "always", *command)
    assert (unknown.stdout, unknown.returncode) == ("0 wrong\n", 0)
    assert unknown.stderr.count("nothing is known of an earlier run") == 3


@pytest.mark.parametrize("mpi", MPIS)
@pytest.mark.parametrize("predict", ["always", "off"])
def test_messages_of_collectives_are_receives(
    mpi: str, predict: str, compiled, tmp_path: Path
) -> None:
    write_policy(tmp_path / "policy")
    report = tmp_path / "report"
    options = ["--policy", tmp_path / "policy", "--predict", predict]
    program = ["env", f"TASUKI_PREDICT_REPORT={report}", compiled("collectives", mpi)]
    result = run("--tuned", *options, "--", *MPIS[mpi], "-n", 3, *program)
    assert (result.stdout, result.returncode) == ("0 wrong\n", 0), result.stderr
    lines = [json.loads(line) for line in report.read_text().splitlines()]
    assert len(lines) == 3
    assert all(one["receives"] > 0 for one in lines)
    assert all(one["hit"] + one["miss"] == one["predicted"] <= one["receives"] for one in lines)
    assert any(one["predicted"] > 0 for one in lines) == (predict == "always")


@pytest.mark.parametrize("mpi", MPIS)
def test_errors_are_returned(mpi: str, compiled) -> None:
    ranks = len(os.sched_getaffinity(0)) + 1
    result = tuned(mpi, ranks, compiled("returned_errors", mpi))
    assert (result.stdout, result.returncode) == ("0 missed\n", 0), result.stderr


@pytest.mark.parametrize("mpi", MPIS)
@pytest.mark.parametrize("way", ["memory", "messages"])
def test_wrong_arguments_get_the_errors_of_the_library(
    mpi: str, way: str, compiled, tmp_path: Path
) -> None:
    command = [*MPIS[mpi], "-n", "3", str(compiled("wrong_arguments", mpi))]
    alone = subprocess.run(
        command, env=ENVIRONMENT, capture_output=True, text=True, timeout=SECONDS, check=True
    )
    policy = []
    if way == "messages":
        policy = ["--policy", tmp_path / "policy"]
        write_policy(tmp_path / "policy")
    result = run("--tuned", *policy, "--", *command)
    assert result.returncode == 0, result.stderr
    assert sorted(result.stdout.splitlines()) == sorted(alone.stdout.splitlines())
    assert "wrong arguments" in result.stderr


@pytest.mark.parametrize("mpi", MPIS)
@pytest.mark.parametrize("way", ["memory", "messages"])
def test_blocks_of_a_root_that_differ_in_size(mpi: str, way: str, compiled, tmp_path: Path) -> None:
    policy = []
    if way == "messages":
        policy = ["--policy", tmp_path / "policy"]
        write_policy(tmp_path / "policy")
    program = compiled("unequal_blocks", mpi)
    result = run("--tuned", *policy, "--", *MPIS[mpi], "-n", "3", program)
    assert (result.stdout, result.returncode) == ("0 wrong\n", 0), result.stderr


def test_a_limit_of_the_size_of_files_leaves_collectives_to_the_library(compiled) -> None:
    """MPICH's own files are shorter than 8 MiB, the memory of 8 ranks is longer."""
    limited = ["bash", "-c", 'ulimit -f 8192; exec "$@"', "bash", compiled("barriers", "mpich")]
    result = run("--tuned", "--", *MPIS["mpich"], "-n", 8, *limited)
    assert result.returncode == 0, result.stderr
    assert "the ranks share no node" in result.stderr


@pytest.mark.parametrize("ranks", [1, 2])
def test_c_and_fortran_meet_in_a_barrier(ranks: int, compiled, tmp_path: Path) -> None:
    """MPICH's mpi_f08 calls PMPI_Barrier, past the wrapper of C."""
    fortran = tmp_path / "barriers"
    subprocess.run(["mpifort.mpich", PROGRAMS / "barriers.f90", "-o", fortran], check=True)
    command = [*MPIS["mpich"], "-n", 1, compiled("barriers", "mpich"), ":", "-n", ranks, fortran]
    result = run("--tuned", "--", *command)
    assert result.returncode == 0, result.stderr
    assert re.search(rf"barrier +\w+ +node memory +{3 * (ranks + 1)} ", result.stderr)


@pytest.mark.parametrize("mpi", MPIS)
def test_what_is_left_to_the_library_is_counted_with_its_reason(mpi: str, compiled) -> None:
    result = tuned(mpi, 2, compiled("left_to_mpi", mpi))
    assert result.returncode == 0, result.stderr
    assert result.stdout.splitlines() == ["1 1 1 1"] * 2
    counted = re.sub(" +", " ", result.stderr)
    assert "allreduce native operator or datatype 4" in counted
    assert "allreduce native one rank, or ranks of another group or job 2" in counted
    assert "broadcast native no data 2" in counted
    assert "iallreduce native it does not block 2" in counted
    assert "neighbor_allgather native of neighbours 2" in counted
    if mpi == "mpich":  # Open MPI 4 has none.
        assert "allreduce_init native persistent (counted when it is made) 2" in counted


@pytest.mark.parametrize("mpi", MPIS)
@pytest.mark.parametrize("levels", ["alike", "different"])
def test_what_programs_may_do(mpi: str, levels: str, compiled) -> None:
    program = compiled("odd_collectives", mpi)
    asked = ["levels"] if levels == "different" else []
    result = run("--tuned", "--", *MPIS[mpi], "-n", 3, program, *asked)
    # The libraries that MPICH stands on may print warnings of their own.
    assert "OK" in result.stdout.splitlines(), result.stderr
    assert result.returncode == 0
    assert ("collectives are not tuned" in result.stderr.replace("\n ", "")) == bool(asked)
    assert "one of many communicators" not in result.stderr  # All have the same ranks.


@pytest.mark.parametrize("mpi", MPIS)
def test_communicators_of_the_same_ranks_share_memory(mpi: str, compiled) -> None:
    ranks = 5
    result = tuned(mpi, ranks, compiled("many_groups", mpi))
    assert (result.stdout, result.returncode) == ("OK\n", 0), result.stderr
    counted = re.sub(" +", " ", result.stderr)
    # Two calls each on 200 copies of MPI_COMM_WORLD, on 64 of 80 orders of the ranks, and on one
    # more when the others were freed.
    assert f"allreduce staged node memory {2 * ranks * (200 + 64 + 1)} " in counted
    assert f"allreduce native one of many communicators {2 * ranks * (80 - 64)} " in counted


def test_errors_of_tasukis_own_calls_are_none_of_the_programs(compiled) -> None:
    """What looks for the nodes of the ranks needs a communicator, and MPICH has 2048."""
    on_node = 'export TASUKI_NODE_NAME="node$PMI_RANK"; exec "$@"'
    program = ["sh", "-c", on_node, "sh", compiled("no_communicators_left", "mpich")]
    result = run("--tuned", "--", *MPIS["mpich"], "-n", 2, *program)
    said = "tasuki: making a communicator for tuned collectives: the MPI library has none left. "
    assert f"\n{said}Remedy: run the program without --tuned" in f"\n{result.stderr}"
    assert "the program's error handler" not in result.stdout


@pytest.mark.parametrize("mpi", MPIS)
def test_errors_of_agreeing_end_the_job(mpi: str, compiled) -> None:
    result = tuned(mpi, 2, compiled("failing_agreement", mpi))
    assert result.returncode == 70, result.stderr
    assert "run --tuned: agreeing with the other ranks: MPI reports: " in result.stderr
    assert "the program's error handler" not in result.stdout


def test_a_program_without_mpi_is_told() -> None:
    result = run("--tuned", "--", "true")
    assert result.returncode == 0
    assert "no rank has ended MPI with tuned collectives" in result.stderr


def test_the_exit_code_is_the_program_s() -> None:
    assert run("--tuned", "--", "sh", "-c", "exit 3").returncode == 3


def test_a_wrong_policy_is_told_and_the_program_runs(compiled, tmp_path: Path) -> None:
    policy = tmp_path / "policy"
    policy.write_text("tasuki policy 1\nmachine another\ntransport preloaded\nend\n")
    program = compiled("collectives", "openmpi")
    result = run("--tuned", "--policy", policy, "--", *MPIS["openmpi"], "-n", 2, program)
    assert (result.stdout, result.returncode) == ("0 wrong\n", 0)
    assert "the program runs on without tuned collectives" in result.stderr
    assert "another" in result.stderr


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--tuned", "-n", "2"], "--tuned and -n"),
        (["--tuned", "--policy", "/nowhere"], "there is no such file"),
        (["--policy", "/nowhere"], "--policy and no --tuned"),
        (["--predict", "guarded"], "--predict and no --tuned"),
        (["--predict-earlier", "/nowhere"], "--predict-earlier and no --tuned"),
        (["--predict-bounce", "1K"], "--predict-bounce and no --tuned"),
        (["--tuned", "--predict-bounce", "0"], "--predict-bounce 0: not a size"),
        (["--tuned", "--predict-bounce", "64k"], "--predict-bounce 64k: not a size"),
        (["--tuned", "--predict", "off", "--predict-bounce", "1K"], "--predict off, which does"),
        (["--tuned", "--predict-earlier", "/nowhere"], "there is no such folder"),
    ],
)
def test_wrong_options_are_refused(options: list[str], told: str) -> None:
    result = run(*options, "--", "true")
    assert result.returncode == 2
    assert told in result.stderr


def test_a_command_that_is_not_there_is_told_by_run() -> None:
    result = run("--tuned", "--", "/nowhere/program")
    assert result.returncode == 2
    assert "tasuki: run: /nowhere/program cannot be started" in result.stderr
    assert "tasuki run --tuned -- mpirun" in result.stderr


def test_a_command_with_another_preload_is_told() -> None:
    result = run("--tuned", "--", "env", "LD_PRELOAD=/nowhere/tool.so", "true")
    assert "in place of the one of tasuki run --tuned" in result.stderr


@pytest.mark.parametrize("mpi", MPIS)
def test_a_rank_that_waits_for_another_on_its_core_sleeps(mpi: str, compiled) -> None:
    core = min(os.sched_getaffinity(0))
    result = run("--tuned", "--", *MPIS[mpi], "-n", 2, compiled("late_rank", mpi), core)
    assert (result.stdout, result.returncode) == ("it sleeps\n", 0), result.stderr
