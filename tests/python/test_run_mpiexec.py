"""`tasuki run --transport mpi`: the contract of docs/design/launch.md, seen from outside."""

import fcntl
import os
import shutil
import signal
import struct
import termios

import pytest
from conftest import wait_for


@pytest.mark.parametrize("mpi", ["ompi", "mpich"])
def test_transport_mpi_hands_over_to_mpiexec(tasuki, mpi):
    if not shutil.which({"ompi": "mpiexec.openmpi", "mpich": "mpiexec.mpich"}[mpi]):
        pytest.skip("needs that MPI")
    result = tasuki(
        "run",
        "-n",
        "2",
        "--transport",
        "mpi",
        "--mpi",
        mpi,
        "--no-node-shm",
        "sh",
        "-c",
        "echo $TASUKI_TRANSPORT $TASUKI_MPI $TASUKI_NODE_SHM",
    )
    assert result.returncode == 0
    assert result.stdout == f"mpi {mpi} 0\n" * 2


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("mpi", ["ompi", "mpich"])
def test_signal_to_the_launcher_ends_the_mpi_job(tasuki, tmp_path, mpi, number):
    if not shutil.which({"ompi": "mpiexec.openmpi", "mpich": "mpiexec.mpich"}[mpi]):
        pytest.skip("needs that MPI")
    rank = f"echo > {tmp_path}/up.$$; exec sleep 100"
    process = tasuki.start(
        "run", "-n", "2", "--transport", "mpi", "--mpi", mpi, "--bind", "none", "sh", "-c", rank
    )
    wait_for(lambda: len(list(tmp_path.glob("up.*"))) == 2)
    process.send_signal(number)
    _, stderr = process.communicate(timeout=60)
    assert process.returncode == 128 + number
    assert f"tasuki: {signal.Signals(number).name}: ending all ranks.\n" in stderr


MPIEXEC = """#!/bin/sh
[ "$1" = --version ] && echo "mpiexec (Open MPI) 5.0.11" && exit
{trap}
touch {folder}/up
{body}
"""


def start_mpiexec(tasuki, folder, body, trap=":", **options):
    """`tasuki run` with an mpiexec whose script is `body`; FOLDER/up is there after `trap`."""
    mpiexec = folder / "mpiexec"
    mpiexec.write_text(MPIEXEC.format(folder=folder, trap=trap, body=body))
    mpiexec.chmod(0o755)
    tasuki.environment["PATH"] = f"{folder}:{os.environ['PATH']}"
    return tasuki.start("run", "--transport", "mpi", "true", **options)


def test_second_interrupt_kills_mpiexec(tasuki, tmp_path):
    process = start_mpiexec(tasuki, tmp_path, "while :; do sleep 0.1; done", "trap : INT")
    wait_for((tmp_path / "up").exists)
    process.send_signal(signal.SIGINT)
    while "ending all ranks" not in process.stderr.readline():
        pass
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=60)
    assert process.returncode == 130


def test_mpiexec_keeps_to_the_cores_of_taskset(tasuki, tmp_path):
    cores = os.sched_getaffinity(0)
    if len(cores) < 2:
        pytest.skip("needs two cores")
    shown = []
    for allowed in (cores, {min(cores)}):
        process = start_mpiexec(
            tasuki,
            tmp_path,
            'echo "$@"',
            preexec_fn=lambda allowed=allowed: os.sched_setaffinity(0, allowed),
        )
        shown.append(process.communicate(timeout=60)[0])
    assert ("--bind-to core" in shown[0]) == (len(cores) == os.cpu_count())
    assert "--bind-to none" in shown[1]


def test_settings_join_a_list_that_open_mpi_has_already(tasuki, tmp_path):
    """Open MPI 4 refuses -x beside it. `tasuki run --tuned` makes one."""
    tasuki.environment["OMPI_MCA_mca_base_env_list"] = "OWN;TASUKI_MPI=x;LD_PRELOAD"
    process = start_mpiexec(tasuki, tmp_path, 'echo "$@"; echo "$OMPI_MCA_mca_base_env_list"')
    flags, names = process.communicate(timeout=60)[0].splitlines()
    assert "-x" not in flags.split()
    assert names.split(";")[:3] == ["OWN", "TASUKI_MPI=x", "LD_PRELOAD"]
    assert "TASUKI_TRANSPORT" in names.split(";") and names.count("TASUKI_MPI") == 1


@pytest.mark.parametrize(("end", "exit_code"), [("exit 7", 7), ("kill -9 $$", 137)])
def test_exit_code_is_that_of_mpiexec(tasuki, tmp_path, end, exit_code):
    process = start_mpiexec(tasuki, tmp_path, end)
    process.communicate(timeout=60)
    assert process.returncode == exit_code


def recorded(*entries):
    """Shell commands that write (rank, exit code) into the exit record, as ranks do."""
    content = b"".join(struct.pack("=ii", *entry) for entry in entries)
    octal = "".join(f"\\{byte:03o}" for byte in content)
    return f"printf '{octal}' >> ${{TASUKI_EXIT_RECORD% *}}"


@pytest.mark.parametrize(
    ("entries", "mpiexec_code", "exit_code"),
    [
        ([(0, -1), (1, -1), (1, 70), (0, 1)], 0, 70),
        ([(0, -1), (1, -1), (1, 70)], 9, 70),
        ([(0, -1), (1, -1), (0, 0), (1, 0)], 0, 0),
        ([(0, -1), (1, -1), (0, 0), (1, 0), (1, 3)], 0, 3),
        ([(0, -1), (1, -1)], 9, 9),
        ([(0, -1), (1, -1), (0, 0)], 0, 1),
    ],
)
def test_exit_code_of_a_rank_counts_more(tasuki, tmp_path, entries, mpiexec_code, exit_code):
    """MPICH 4.2.1 sometimes exits with 0 though a rank has called MPI_Abort."""
    body = f"{recorded(*entries)}; exit {mpiexec_code}"
    process = start_mpiexec(tasuki, tmp_path, body)
    _, stderr = process.communicate(timeout=60)
    assert process.returncode == exit_code
    assert ("rank 1 ended before" in stderr) == (mpiexec_code == 0 and exit_code == 1)


def test_ctrl_c_of_the_terminal_comes_once_to_mpiexec(tasuki, tmp_path):
    controller, terminal = os.openpty()
    count = f"trap 'echo >> {tmp_path}/interrupts; sleep 0.5; exit 1' INT"
    process = start_mpiexec(
        tasuki,
        tmp_path,
        "while :; do sleep 0.05; done",
        count,
        stdin=terminal,
        preexec_fn=lambda: (os.setsid(), fcntl.ioctl(terminal, termios.TIOCSCTTY, 0)),
    )
    wait_for((tmp_path / "up").exists)
    os.write(controller, b"\x03")
    process.communicate(timeout=60)
    assert process.returncode == 130
    assert (tmp_path / "interrupts").read_text() == "\n"
    os.close(controller)
    os.close(terminal)


def test_transport_mpi_without_mpi(tasuki, tmp_path):
    tasuki.environment["PATH"] = str(tmp_path)
    result = tasuki("run", "--transport", "mpi", "true")
    assert result.returncode == 2
    assert "no mpiexec of Open MPI or MPICH is in the PATH. Remedy: install one" in result.stderr


@pytest.mark.parametrize(
    ("version", "kind"),
    [("mpiexec (Open MPI) 5.0.11", "ompi"), ("HYDRA build details:\n  Version: 5.0.2", "mpich")],
)
def test_plain_mpiexec_is_known_by_its_version(tasuki, tmp_path, version, kind):
    """As in a Python environment, where it has no telling name and comes first in the PATH."""
    mpiexec = tmp_path / "mpiexec"
    mpiexec.write_text(
        f'#!/bin/sh\n[ "$1" = --version ] && echo "{version}" || echo "mine: $TASUKI_MPI"\n'
    )
    mpiexec.chmod(0o755)
    tasuki.environment["PATH"] = f"{tmp_path}:{os.environ['PATH']}"
    for asked in (["--mpi", kind], []):
        result = tasuki("run", "--transport", "mpi", *asked, "true")
        assert result.returncode == 0
        assert result.stdout == f"mine: {kind}\n"
