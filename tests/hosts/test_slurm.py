"""Programs that `srun` and `sbatch` start over PMIx and PMI-2: they are one job, how they end and
signals are passed on, and what cannot become one job is refused in one line."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator

import pytest
from conftest import REPOSITORY, wait_until
from laboratory import Laboratory
from slurm import Slurm, missing_tools

FIRST = str(REPOSITORY / "build/release/bin/example_first")
WATCHED = str(REPOSITORY / "build/release/test-bin/runtime_watched_ranks")
FAULTS = str(REPOSITORY / "build/release/test-bin/runtime_faults")
# How srun joins the ranks of each MPI, and on how many nodes. MPICH 4.0.2 over UCX sometimes does
# not return from MPI_Finalize if ranks of several nodes reach it at different times.
JOINED = {
    "ompi": ("-N", "2", "--ntasks-per-node=2", "--mpi=pmix"),
    "mpich": ("-N", "1", "--ntasks-per-node=2", "--mpi=pmi2"),
}
NOT_STARTED = 69
HOST_VANISHED = 73

# What docs/guide/clusters.md shows: commands, a script, and what `srun` is refused with.
BLOCKS = re.findall(
    r"^```(sh|)\n(.*?)^```$",
    (REPOSITORY / "docs/guide/clusters.md").read_text(),
    re.MULTILINE | re.DOTALL,
)
COMMANDS = [block for language, block in BLOCKS if language == "sh" and "#!" not in block]
SRUN_LINES = re.findall(r"^(?:\w+=\S+ )?srun .*$", "".join(COMMANDS), re.MULTILINE)
NOTHING_JOINS, WRONG_MPI, *_ = (" ".join(text.split()) for language, text in BLOCKS if not language)

NOT_OVER_UCX = (
    "tasuki: opening the transport: srun has started 4 ranks, whom without MPI only tasuki run"
    " joins over UCX. Remedy: use tasuki run --transport ucx, with --hosts for several, or leave"
    " TASUKI_TRANSPORT unset."
)

pytestmark = pytest.mark.skipif(bool(missing_tools()), reason="there is no Slurm here")


@pytest.fixture(scope="module")
def slurm(laboratory: Laboratory) -> Iterator[Slurm]:
    with Slurm(laboratory, cores=2) as slurm:
        yield slurm
    wait_until(lambda: not any(map(laboratory.process_count, laboratory.names)))


@pytest.mark.parametrize("mpi", JOINED)
def test_ranks_of_srun_are_one_job(slurm, mpi):
    result = slurm.run("srun", *JOINED[mpi], FIRST)
    assert (result.returncode, result.stdout) == (0, "fib(20) = 6765\n"), result.stderr


@pytest.mark.parametrize("mpi", JOINED)
def test_the_exit_code_of_a_rank_is_passed_on(slurm, mpi):
    result = slurm.run("srun", *JOINED[mpi], FAULTS, "main_returns", "5")
    assert result.returncode == 5, result.stderr


def test_settings_reach_all_ranks(slurm):
    environment = {"TASUKI_NO_SETTING": "1"}
    result = slurm.run("srun", *JOINED["ompi"], "--label", FIRST, environment=environment)
    assert result.returncode == NOT_STARTED
    refused = re.findall(r"^(\d): tasuki: .*TASUKI_NO_SETTING", result.stderr, re.MULTILINE)
    assert sorted(refused) == ["0", "1", "2", "3"], result.stderr


def waiting(slurm: Slurm, *options: str) -> subprocess.Popen[str]:
    """srun with two ranks that wait for a signal, as each has said."""
    command = slurm.command("srun", "-n", "2", *options, FAULTS, "wait_for_signal")
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    seen = 0
    while seen < 2:
        line = process.stderr.readline()
        assert line, "srun has ended"
        seen += "waits" in line
    return process


def test_signals_are_passed_on(slurm):
    process = waiting(slurm, "-N", "2", "--mpi=pmix")
    process.send_signal(signal.SIGUSR1)  # Asks each rank for what it waits for.
    said = ""
    while "main waits" not in said:
        line = process.stderr.readline()
        assert line, said
        said += line
    process.send_signal(signal.SIGTERM)
    _, rest = process.communicate(timeout=60)
    assert process.returncode != 0, rest


@pytest.mark.skipif((os.cpu_count() or 1) < 2, reason="takes two cores")
def test_ranks_stay_on_the_cores_that_slurm_gives_them(laboratory, slurm):
    process = waiting(slurm, "-N", "1", "--nodelist=h1", "--mpi=pmix", "--cpu-bind=map_cpu:0,1")
    masks = "for pid in $(pgrep runtime_faults); do taskset -p $pid; done"
    shown = laboratory.run("h1", ["sh", "-c", masks]).stdout
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=60)
    assert sorted(re.findall(r"mask: (\w+)", shown)) == ["1", "2"], shown


@pytest.mark.parametrize(
    ("options", "settings", "said"),
    [
        (["--mpi=none"], {}, NOTHING_JOINS),
        (["--mpi=pmix"], {"TASUKI_MPI": "mpich"}, WRONG_MPI),
        (
            ["--mpi=pmi2"],
            {"TASUKI_TRANSPORT": "shm"},
            "tasuki: opening the transport: srun has started 4 ranks, whom shared memory does not"
            " join. Remedy: use tasuki run, or leave TASUKI_TRANSPORT unset.",
        ),
        (["--mpi=pmix"], {"TASUKI_TRANSPORT": "ucx"}, NOT_OVER_UCX),
        (["--mpi=none"], {"TASUKI_TRANSPORT": "ucx"}, NOT_OVER_UCX),
    ],
    ids=["nothing joins them", "the wrong MPI", "shared memory", "UCX", "UCX, and nothing"],
)
def test_ranks_that_nothing_joins_are_refused_once(slurm, options, settings, said):
    result = slurm.run("srun", "-N", "2", "-n", "4", *options, FIRST, environment=settings)
    assert (result.returncode, result.stdout) == (NOT_STARTED, ""), result.stderr
    assert [line for line in result.stderr.splitlines() if line.startswith("tasuki: ")] == [said]


@pytest.mark.parametrize("mpi", ["none", "pmix"])
def test_ranks_may_be_jobs_of_their_own(slurm, mpi):
    command = [sys.executable, "-m", "tasuki", "run", "-n", "1", "--", FIRST]
    environment = {"PYTHONPATH": str(REPOSITORY / "python")}
    options = ("-N", "2", "-n", "4", f"--mpi={mpi}")
    result = slurm.run("srun", *options, *command, environment=environment)
    assert (result.returncode, result.stdout) == (0, "fib(20) = 6765\n" * 4), result.stderr


@pytest.fixture
def folder(tmp_path):
    """A folder with the guide's ./program."""
    (tmp_path / "program").symlink_to(FIRST)
    return tmp_path


@pytest.mark.parametrize("line", SRUN_LINES)
def test_commands_of_the_guide(slurm, folder, line):
    command = line.replace("eth0", "cable")
    result = slurm.run("sh", "-c", f"cd {folder} && {command}")
    assert (result.returncode, result.stdout) == (0, "fib(20) = 6765\n"), result.stderr


def test_the_batch_script_of_the_guide(slurm, folder):
    (script,) = (block for _, block in BLOCKS if block.startswith("#!"))
    (submit,) = (block for block in COMMANDS if block.startswith("sbatch"))
    (folder / "job.sh").write_text(script)
    result = slurm.run("sh", "-c", f"cd {folder} && {submit}")
    (output,) = folder.glob("slurm-*.out")
    assert (result.returncode, output.read_text()) == (0, "fib(20) = 6765\n"), result.stderr


def test_a_host_that_vanishes_ends_the_ranks_of_the_others(laboratory, slurm):
    process = subprocess.Popen(
        slurm.command(
            *("srun", "-N", "2", "--ntasks-per-node=1", "--mpi=pmix", "--wait=1"),
            *(WATCHED, "serves", "100"),
            environment={"TASUKI_PEER_TIMEOUT": "2"},
        ),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    begun = [process.stdout.readline() for _ in range(2)]
    assert all("is process" in line for line in begun), process.communicate()
    laboratory.cut("h2")
    try:
        _, stderr = process.communicate(timeout=60)
    finally:
        laboratory.mend("h2")
    # Slurm's own process there tells the controller, which must not have ended then.
    wait_until(lambda: "slurmstepd" not in laboratory.run("h2", ["ps", "-e", "-o", "comm="]).stdout)
    assert process.returncode == HOST_VANISHED, stderr
    assert "rank 0: host h2 with rank 1 has vanished: " in stderr
    assert "main waits for the result of watched::work(double, bool) on rank 1" in stderr
