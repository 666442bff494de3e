"""`tasuki profile` of real MPI programs, by the compilers and launchers of each MPI there is."""

import json
import shlex
import shutil
import signal
import subprocess
from pathlib import Path

import pytest
from cases import rows_named
from conftest import wait_for
from tasuki.base.programs import find_plugin

PROGRAMS = Path(__file__).parent / "programs"
PATIENCE_S = 120  # Ranks that poll need long to start on a busy machine.
MPIS = {"ompi": "openmpi", "mpich": "mpich"}
RUN_AS_ROOT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}

pytestmark = pytest.mark.skipif(find_plugin("libtasuki_mpi") is None, reason="not built")


class Mpi:
    """The compiler and the launcher of one MPI."""

    def __init__(self, name: str, folder: Path) -> None:
        self.name = name
        self._folder = folder

    def compiled(self, program: str, *options: str) -> Path:
        path = self._folder / f"{program}{len(list(self._folder.iterdir()))}"
        compiler = f"mpicc.{MPIS[self.name]}"
        subprocess.run(
            [compiler, "-g", *options, PROGRAMS / f"{program}.c", "-o", path], check=True
        )
        return path

    def launch(self, rank_count: int, *command: object) -> tuple[str, ...]:
        crowded = ("--oversubscribe",) if self.name == "ompi" else ()
        launcher = f"mpiexec.{MPIS[self.name]}"
        return (launcher, *crowded, "-n", str(rank_count), *map(str, command))


@pytest.fixture(params=MPIS)
def mpi(request, tmp_path, tasuki) -> Mpi:
    if shutil.which(f"mpicc.{MPIS[request.param]}") is None:
        pytest.skip("needs that MPI")
    tasuki.environment |= RUN_AS_ROOT
    return Mpi(request.param, tmp_path)


def sums(report: str, name: str, by: str, field: str) -> dict:
    """Of the rows with that name the sums of a field by another."""
    found: dict = {}
    for row in rows_named(report, name):
        found[row[by]] = found.get(row[by], 0) + row[field]
    return found


def line_of(program: str, text: str) -> int:
    """The line in which the text comes first."""
    lines = (PROGRAMS / f"{program}.c").read_text().splitlines()
    return next(number for number, line in enumerate(lines, start=1) if text in line)


def test_calls_messages_and_waiting(tasuki, mpi):
    program = mpi.compiled("exchange")
    ended = tasuki("profile", "--json", "--", *mpi.launch(4, program))
    assert ended.returncode == 0, ended.stderr
    assert all(f"rank {rank} is done" in ended.stderr for rank in range(4))
    calls = sums(ended.stdout, "function", "function", "calls")
    expected = {"MPI_Isend": 40, "MPI_Irecv": 40, "MPI_Waitall": 40, "MPI_Send": 1, "MPI_Recv": 1,
                "MPI_Barrier": 4, "MPI_Allreduce": 4, "MPI_Init": 4, "MPI_Finalize": 4}  # fmt: skip
    assert {name: calls.get(name) for name in expected} == expected
    received = sums(ended.stdout, "function", "function", "received_bytes")
    assert (received["MPI_Irecv"], received["MPI_Recv"]) == (40 * 800, 4)
    pairs = {
        (row["source"], row["destination"]): (row["messages"], row["value"])
        for row in rows_named(ended.stdout, "pair")
    }
    ring = {(rank, (rank + 1) % 4): (10, 8000) for rank in range(4)}
    assert pairs == ring | {(0, 1): (11, 8004)}
    waits = {row["rank"]: row["late_sender_s"] for row in rows_named(ended.stdout, "function")
             if row["function"] == "MPI_Recv"}  # fmt: skip
    assert set(waits) == {1} and waits[1] > 0
    regions = {(row["rank"], row["level"]) for row in rows_named(ended.stdout, "region")}
    assert regions == {(rank, 1) for rank in range(4)}


@pytest.mark.parametrize("options", [("-no-pie",), ("-pie", "-fPIE")])
def test_call_sites_have_names(tasuki, mpi, options):
    program = mpi.compiled("exchange", *options)
    ended = tasuki("profile", "--json", "--", *mpi.launch(2, program))
    sites = {row["function"]: row["site"] for row in rows_named(ended.stdout, "site")}
    # A call that takes several lines is at one of them.
    first = line_of("exchange", "MPI_Irecv(")
    assert sites["MPI_Irecv"] in {f"ring (exchange.c:{line})" for line in (first, first + 1)}
    assert sites["MPI_Barrier"] == f"late_sender (exchange.c:{line_of('exchange', 'MPI_Barrier')})"


def test_call_sites_of_a_program_without_symbols(tasuki, mpi):
    program = mpi.compiled("exchange", "-s")
    ended = tasuki("profile", "--json", "--", *mpi.launch(2, program))
    sites = {row["function"]: row["site"] for row in rows_named(ended.stdout, "site")}
    assert sites["MPI_Barrier"].startswith(f"{program.name}+0x")


def test_received_messages_tell_the_room_that_their_receives_had(tasuki, mpi, tmp_path):
    trace = tmp_path / "trace.jsonl"
    command = mpi.launch(4, mpi.compiled("exchange"))
    ended = tasuki("profile", "--record", trace, "--", *command)
    assert ended.returncode == 0, ended.stderr
    messages = [json.loads(line) for line in trace.read_text().splitlines()[1:]]
    rooms = {(one["tag"], one["bytes"], one["posted_bytes"]) for one in messages}
    assert rooms == {(5, 800, 1600), (7, 4, 8)}


@pytest.mark.parametrize(
    ("way", "said"),
    [
        ("deadlock", "deadlock: rank 0 waits in MPI_Recv for rank 1, rank 1 waits in MPI_Recv"),
        ("missing", "rank 1 has not come to MPI_Allreduce (collective 2 on MPI_COMM_WORLD)"),
    ],
)
def test_a_hanging_program(tasuki, mpi, tmp_path, way, said):
    program = mpi.compiled("stuck")
    shown = tmp_path / "stderr"
    with shown.open("w") as stderr:
        command = mpi.launch(2, program, way)
        process = tasuki.start("profile", "--every", "1", "--", *command, stderr=stderr)
    try:
        wait_for(lambda: said in shown.read_text(), PATIENCE_S)
        before = len(shown.read_text())
        process.send_signal(signal.SIGUSR1)
        wait_for(lambda: said in shown.read_text()[before:], PATIENCE_S)
    finally:
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=PATIENCE_S)
    # The last report is made when the program has ended.
    assert said in shown.read_text().rpartition("Time of each rank")[2]


def test_a_program_that_aborts(tasuki, mpi):
    ended = tasuki("profile", "--json", "--", *mpi.launch(2, mpi.compiled("stuck"), "abort"))
    assert ended.returncode == 3
    states = {row["rank"]: row["state"] for row in rows_named(ended.stdout, "rank")}
    assert states[1] == "aborted"
    (waiting,) = (row for row in rows_named(ended.stdout, "state") if row["rank"] == 0)
    assert waiting["function"] in ("MPI_Recv", "MPI_Barrier", None)


def test_a_rank_that_is_killed(tasuki, mpi):
    ended = tasuki("profile", "--json", "--", *mpi.launch(2, mpi.compiled("stuck"), "killed"))
    assert ended.returncode != 0
    calls = {row["function"] for row in rows_named(ended.stdout, "function") if row["rank"] == 1}
    assert {"MPI_Init", "MPI_Barrier"} <= calls


def test_a_launcher_that_does_not_tell_of_a_killed_rank(tasuki, mpi):
    killed = shlex.join(str(word) for word in mpi.launch(2, mpi.compiled("stuck"), "killed"))
    ended = tasuki("profile", "--json", "--", "sh", "-c", f"{killed}; true")
    assert ended.returncode == 1
    assert "the command ended with 0, but these ranks not by themselves: " in ended.stderr


def test_tuned_collectives_beside_the_library_s(mpi, tasuki):
    command = mpi.launch(2, mpi.compiled("reductions"))
    ended = tasuki("profile", "--json", "--beside-tuned", "--", *command)
    assert ended.returncode == 0, ended.stderr
    rows = rows_named(ended.stdout, "collective")
    found = {(one["function"], one["least_bytes"]): one for one in rows}
    reductions = found["MPI_Allreduce", 8]
    own = "library: its own choice (auto)"
    assert (reductions["algorithm"], reductions["calls"]) == (own, 100)
    assert reductions["tuned_algorithm"] and "library" not in reductions["tuned_algorithm"]
    assert reductions["saved_s"] is not None
    assert found["MPI_Bcast", 1 << 18]["calls"] == 40


def test_the_table_says_what_tuned_collectives_save(mpi, tasuki):
    command = mpi.launch(2, mpi.compiled("reductions"))
    ended = tasuki("profile", "--beside-tuned", "--", *command)
    assert ended.returncode == 0, ended.stderr
    assert "saves, s" in ended.stderr and "runs the command a second time" in ended.stderr


# By MPI what makes it use an algorithm, and how that is told. MPICH's device may do it otherwise.
FORCED = {
    "ompi": (
        {
            "OMPI_MCA_coll_tuned_use_dynamic_rules": "1",
            "OMPI_MCA_coll_tuned_allreduce_algorithm": "3",
        },
        "library: recursive_doubling (set by coll_tuned_allreduce_algorithm)",
    ),
    "mpich": (
        {
            "MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM": "recursive_doubling",
            "MPIR_CVAR_DEVICE_COLLECTIVES": "none",
        },
        "library: recursive_doubling (set by MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM)",
    ),
}


def test_the_library_is_asked_which_algorithms_are_set(mpi, tasuki):
    settings, told = FORCED[mpi.name]
    tasuki.environment |= settings
    ended = tasuki("profile", "--json", "--", *mpi.launch(2, mpi.compiled("reductions")))
    assert ended.returncode == 0, ended.stderr
    rows = rows_named(ended.stdout, "collective")
    algorithms = {one["function"]: one["algorithm"] for one in rows}
    # Open MPI 5 has components that it asks before.
    assert algorithms["MPI_Allreduce"].removesuffix(", if not han") == told
    assert algorithms["MPI_Bcast"].startswith("library: its own choice (auto)")


def test_without_a_second_run_it_says_how_to_know(mpi, tasuki):
    ended = tasuki("profile", "--", *mpi.launch(2, mpi.compiled("reductions")))
    assert ended.returncode == 0, ended.stderr
    assert "tasuki profile --beside-tuned" in ended.stderr
