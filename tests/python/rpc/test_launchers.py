"""What starts the ranks of routines: `tasuki run`, mpiexec, and launchers such as Slurm's srun."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from conftest import REPOSITORY, name_of
from demo_server import DemoServer, needs_server
from serving import Serving
from tasuki.base.errors import CommandError
from tasuki.base.programs import BUILD_TREE, find_library
from tasuki.idl.model import Module
from tasuki.idl.registration import Registration
from tasuki.rpc.errors import CallError
from tasuki.rpc.programs import Launch, ServedProgram

SRUN = Path(__file__).with_name("srun.sh")
ROUTINES = Path(__file__).with_name("routines")
PLUGINS = BUILD_TREE / "lib" / "tasuki"
needs_mpi = pytest.mark.skipif(shutil.which("mpicc") is None, reason="there is no MPI")
needs_plugin = pytest.mark.skipif(
    shutil.which("mpiexec") is None or not list(PLUGINS.glob("transport_mpi_*")),
    reason="the transport mpi is not part of this build",
)
SOLVED = [1, 3]
IS_ALONE = "but this process says that it is the only one"


def solve(server: DemoServer) -> list[float]:
    solution = server.connect().linpack.solve([[2.0, 1.0], [1.0, 3.0]], [5.0, 10.0])
    return [float(one) for one in solution]


def environments_of_ranks(server: DemoServer) -> list[dict[str, str]]:
    """Those of linpack."""
    ranks = [pid for pid in server.command.processes() if name_of(pid) == "demo_linpack"]
    texts = [Path(f"/proc/{pid}/environ").read_text().split("\0") for pid in ranks]
    return [dict(one.split("=", 1) for one in text if "=" in one) for text in texts]


@needs_server
def test_srun_tells_functions_of_python_their_ranks_by_its_variables(tmp_path: Path) -> None:
    for name in ("tasks.idl", "tasks.py"):
        shutil.copy(ROUTINES / name, tmp_path)
    launcher = f"{SRUN} --mpi=none"  # Without {ranks}, -n RANKS is added.
    with Serving(tmp_path, "--ranks", 3, "--launcher", launcher) as server:
        task, tasks = server.tasks.places(7)
        np.testing.assert_array_equal(task, np.arange(7) % 3)
        np.testing.assert_array_equal(tasks, [3] * 7)


TWICE_IDL = """
Module own;
Define twice(IN int64_t n, IN int64_t x[n], OUT int64_t y[n]) "twice x"
Calls "python" "own:twice"(x, y);
"""


@needs_server
def test_in_a_batch_script_a_function_of_python_is_one_process(tmp_path: Path) -> None:
    """Slurm gives the script the variables of a task, and the number of those that srun starts."""
    (tmp_path / "own.idl").write_text(TWICE_IDL)
    (tmp_path / "own.py").write_text("def twice(x, y):\n    y[:] = 2 * x\n")
    of_script = {"SLURM_JOB_ID": "7", "SLURM_NTASKS": "4", "SLURM_PROCID": "0"}
    with Serving(tmp_path, **of_script) as server:
        np.testing.assert_array_equal(server.own.twice([1, 2]), [2, 4])


@needs_server
@needs_mpi
def test_srun_starts_programs_of_mpi(tmp_path: Path) -> None:
    for name in ("row_sums.idl", "row_sums.c"):
        shutil.copy(REPOSITORY / "examples" / name, tmp_path)
    launcher = f"{SRUN} --ntasks={{ranks}}"
    with Serving(tmp_path, "--ranks", 3, "--launcher", launcher) as server:
        np.testing.assert_array_equal(server.row_sums.row_sums(np.ones((5, 4))), [4] * 5)
        assert len(server.row_sums.row_sums.report["ranks"]) == 3


@needs_server
@pytest.mark.parametrize(
    ("launcher", "said"),
    [
        ("sh -c 'echo no such partition >&2; exit 5'", "exit code 5; it has printed: no such part"),
        ("env no-such-launcher", "exit code 127; it has printed: env: .*no-such-launcher"),
        ("sh -c 'kill -9 $$'", r"signal 9 \(Killed\)"),
    ],
)
def test_a_launcher_that_ends_before_the_ranks_is_quoted(
    tmp_path: Path, launcher: str, said: str
) -> None:
    for name in ("tasks.idl", "tasks.py"):
        shutil.copy(ROUTINES / name, tmp_path)
    with Serving(tmp_path, "--ranks", 3, "--launcher", launcher) as server:
        with pytest.raises(CallError, match=f"before all its ranks have joined, by {said}") as one:
            server.tasks.places(7)
        assert "--launcher" in one.value.remedy and not one.value.may_have_run


@needs_server
@needs_mpi
@pytest.mark.parametrize(
    ("compiler", "launcher", "happened", "remedy"),
    [
        ("mpicc", f"{SRUN} --mpi=none", "srun has started 3 ranks", "use srun --mpi=pmix"),
        (
            "mpicc.mpich",
            "mpiexec.openmpi --oversubscribe",
            r"the launcher \(ompi\) has started 3 ranks",
            "start the ranks by the mpiexec of the program's MPI",
        ),
        (
            "mpicc.openmpi",
            "mpiexec.mpich",
            r"the launcher \(mpich\) has started 3 ranks",
            "start the ranks by the mpiexec of the program's MPI",
        ),
    ],
)
def test_ranks_that_nothing_joins_are_told_from_too_few(
    tmp_path: Path, compiler: str, launcher: str, happened: str, remedy: str
) -> None:
    lacking = [one for one in (compiler, launcher.split()[0]) if shutil.which(one) is None]
    if lacking:
        pytest.skip(f"there is no {lacking[0]}")
    text = (REPOSITORY / "examples" / "row_sums.idl").read_text()
    (tmp_path / "row_sums.idl").write_text(f'Compiler "{compiler}";\n{text}')
    shutil.copy(REPOSITORY / "examples" / "row_sums.c", tmp_path)
    expected = f"{happened}, {IS_ALONE}"
    with Serving(tmp_path, "--ranks", 3, "--launcher", launcher) as server:
        with pytest.raises(CallError, match=expected) as one:
            server.row_sums.row_sums(np.ones((5, 4)))
        assert remedy in one.value.remedy and not one.value.may_have_run


@needs_server
@pytest.mark.parametrize("transport", ["shm", "ucx"])
def test_a_program_that_does_not_tell_its_ranks_is_told_so(
    tasuki, tmp_path: Path, transport: str
) -> None:
    program = BUILD_TREE / "bin" / "example_own_program"
    shutil.copy(REPOSITORY / "examples" / "own_program.idl", tmp_path)
    file = tmp_path / "own_program.idl"
    built = tasuki("idl", "build", file, "--program", program, "--launch", "tasuki")
    assert built.returncode == 0, built.stderr
    served = (tmp_path / "own_program.routines.json", "--ranks", 2)
    with Serving(*served, TASUKI_TRANSPORT=transport) as server:
        expected = f"tasuki run has started 2 ranks without MPI, {IS_ALONE}"
        with pytest.raises(CallError, match=expected) as one:
            server.greeter.double_it(1.0)
    assert "pass its rank and the number of ranks to serve_calls" in one.value.remedy


WORLD_IDL = """
Module own;
Define ranks(IN int64_t n, OUT distribute(CYCLIC) int64_t size[n]) "ranks that the MPI knows of"
Backend "MPI"
Calls "python" "own:ranks"(size);
"""
IMPORT = "from mpi4py import MPI\n"
OTHER_LAUNCHERS = {"Open MPI": "mpiexec.mpich", "MPICH": "mpiexec.openmpi --oversubscribe"}


@needs_server
@pytest.mark.parametrize(
    ("code", "happened", "remedy"),
    [
        (
            IMPORT + "def ranks(size):\n    size[:] = MPI.COMM_WORLD.size\n",
            rf"the launcher \(\w+\) has started 2 ranks, {IS_ALONE}",
            "in Python, mpi4py",
        ),
        (
            f"def ranks(size):\n    {IMPORT}    size[:] = MPI.COMM_WORLD.size\n",
            r"of the 2 ranks, mpi4py knows of 1: start them by the mpiexec of its MPI",
            "",
        ),
    ],
    ids=["loaded with the module", "loaded by a call"],
)
def test_of_another_mpi_than_mpi4pys_functions_of_python_are_not_called_alone(
    tmp_path: Path, code: str, happened: str, remedy: str
) -> None:
    asked = [sys.executable, "-c", IMPORT + "print(MPI.get_vendor()[0])"]
    vendor = subprocess.run(asked, capture_output=True, text=True, timeout=60).stdout.strip()
    launcher = OTHER_LAUNCHERS.get(vendor, "")
    if not launcher or shutil.which(launcher.split()[0]) is None:
        pytest.skip("there is no mpi4py, or no mpiexec of another MPI")
    (tmp_path / "own.idl").write_text(WORLD_IDL)
    (tmp_path / "own.py").write_text(code)
    serving = Serving(tmp_path, "--ranks", 2, "--launcher", launcher)
    with serving as server, pytest.raises(CallError, match=happened) as one:
        server.own.ranks(4)
    assert remedy in one.value.remedy


RANKS_IDL = """
Module own;
Define ranks(IN int64_t n, OUT distribute(CYCLIC) int64_t rank[n]) "which rank has what"
Backend "MPI" Calls ranks(rank);
"""
RANKS_C = """
#include <mpi.h>
#include <tasuki/routines.h>

static int rank;

static void ranks(void* const* arguments) {
  int64_t* const own = arguments[1];
  for (int64_t i = 0; i < tasuki_layout(own)->local_extents[0]; ++i) own[i] = rank;
}

int main(int argc, char** argv) {
  const tasuki_routine routines[] = {{"ranks", ranks}};
  int ranks_count, code;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks_count);
  code = tasuki_serve_calls(rank, ranks_count, routines, 1);
  MPI_Finalize();
  return code;
}
"""


@needs_server
@needs_mpi
def test_mpiexec_starts_a_program_with_a_main_function_of_its_own(tasuki, tmp_path: Path) -> None:
    (tmp_path / "own.idl").write_text(RANKS_IDL)
    (tmp_path / "own.c").write_text(RANKS_C)
    library = find_library("tasuki_routines")
    options = [f"-I{REPOSITORY / 'include'}", library, f"-Wl,-rpath,{library.parent}"]
    program = tmp_path / "own"
    subprocess.run(["mpicc", tmp_path / "own.c", *options, "-o", program], check=True, timeout=300)
    given = ("--program", program, "--launch", "mpi")
    assert tasuki("idl", "build", tmp_path / "own.idl", *given).returncode == 0
    with Serving(tmp_path / "own.routines.json", "--ranks", 3) as server:
        np.testing.assert_array_equal(server.own.ranks(7), np.arange(7) % 3)


@needs_server
@needs_plugin
def test_over_mpi_srun_starts_programs_of_the_runtime() -> None:
    options = ("--transport", "mpi", "--launcher", f"{SRUN} -n {{ranks}}")
    with DemoServer(2, *options) as server:
        assert solve(server) == pytest.approx(SOLVED)
        environments = environments_of_ranks(server)
        assert sorted(one["SLURM_PROCID"] for one in environments) == ["0", "1"]
        assert {one["TASUKI_TRANSPORT"] for one in environments} == {"mpi"}


@needs_server
@needs_plugin
def test_mpiexec_starts_programs_of_the_runtime_over_mpi() -> None:
    with DemoServer(2, "--transport", "mpi") as server:
        assert solve(server) == pytest.approx(SOLVED)
        environments = environments_of_ranks(server)
        assert len(environments) == 2
        assert {one["TASUKI_TRANSPORT"] for one in environments} == {"mpi"}


@needs_server
def test_shm_takes_no_launcher_and_no_other_setting() -> None:
    options = ("--transport", "shm", "--launcher", "none-such")
    with DemoServer(2, *options, TASUKI_TRANSPORT="mpi") as server:
        assert solve(server) == pytest.approx(SOLVED)
        assert [one["TASUKI_SIZE"] for one in environments_of_ranks(server)] == ["2", "2"]


def test_without_an_mpi_the_transport_is_refused_at_the_start(tmp_path: Path, monkeypatch) -> None:
    registration = Registration(Module("m"), tmp_path / "program", "tasuki")
    program = ServedProgram(registration, tmp_path / "m.idl")
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("TASUKI_TRANSPORT", raising=False)
    with pytest.raises(CommandError, match="no mpiexec"):
        program.to_json(Launch(2, transport="mpi"))
    srun = ["srun", "-N", "2", "-n", "2", os.fspath(tmp_path / "program")]
    assert program.to_json(Launch(2, "srun -N 2", transport="mpi"))["command"][2:] == srun
    assert "srun" not in program.to_json(Launch(2, "srun"))["command"]
    monkeypatch.setenv("TASUKI_TRANSPORT", "mpi")
    assert program.to_json(Launch(2, "srun -N 2"))["command"][2:] == srun
