"""`tasuki run`: the contract of docs/design/launch.md, seen from outside."""

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from conftest import PROGRAMS, wait_for
from tasuki.base.errors import CommandError
from tasuki.launcher import memory, report_request
from tasuki.launcher.memory import require_memory, rest_bytes
from tasuki.launcher.rank_process import RankProcess, children_of
from tasuki.launcher.report_request import ReportRequest

RANK = (sys.executable, str(PROGRAMS / "rank.py"))
NAMED = r"tasuki: rank {rank} \(pid \d+\) {how}"


def named(rank: int, how: str) -> str:
    return NAMED.format(rank=rank, how=re.escape(how))


def start_and_wait(tasuki, tmp_path, *actions, options=(), ranks=2):
    """A running job all of whose ranks have done `actions` and sleep now."""
    process = tasuki.start(
        "run", "-n", ranks, *options, *RANK, *actions, f"touch={tmp_path}/up", "sleep"
    )
    wait_for(lambda: len(list(tmp_path.glob("up.*"))) == ranks)
    return process


@pytest.fixture
def patient(installed):
    """The command, which waits ten minutes for ranks where it usually waits a second or two.

    Nothing has come by the end of such a wait then, however slow the machine is.
    """
    file = installed.package / "launcher" / "supervisor.py"
    waits = r"^(TERMINATION_GRACE_S|CAUSE_WAIT_S) = [\d.]+"
    text, count = re.subn(waits, r"\1 = 600.0", file.read_text(), flags=re.MULTILINE)
    assert count == 2
    file.write_text(text)
    return installed


def test_ranks_get_their_environment(tasuki):
    result = tasuki(
        "run",
        "-n",
        "3",
        "--tag-output",
        "sh",
        "-c",
        "echo $TASUKI_RANK/$TASUKI_SIZE $TASUKI_TRANSPORT; readlink /proc/self/fd/$TASUKI_JOB_FD;"
        "test $PPID = $TASUKI_LAUNCHER_PID && echo parent",
    )
    assert result.returncode == 0
    lines = sorted(result.stdout.splitlines())
    for rank in range(3):
        assert f"[{rank}] {rank}/3 shm" in lines
        assert f"[{rank}] /memfd:tasuki-job (deleted)" in lines
        assert f"[{rank}] parent" in lines


def test_ranks_can_tell_the_job_file_and_that_the_launcher_lives(tasuki):
    look = (
        "import fcntl, os, struct;"
        "fd = int(os.environ['TASUKI_JOB_FD']);"
        "status = os.fstat(fd);"
        "print(os.environ['TASUKI_JOB_FILE'] == f'{status.st_dev}:{status.st_ino}');"
        "lock = struct.pack('hhqqi4x', fcntl.F_WRLCK, 0, 0, 1, 0);"
        "print(struct.unpack('hhqqi4x', fcntl.fcntl(fd, fcntl.F_OFD_GETLK, lock))[0]"
        " == fcntl.F_WRLCK)"
    )
    assert tasuki("run", "-n", "1", sys.executable, "-c", look).stdout == "True\nTrue\n"


def test_nothing_slow_is_imported(tasuki):
    """Starting a job is to cost no more than starting Python."""
    result = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "tasuki", "run", "-n", "1", "true"],
        env=tasuki.environment,
        capture_output=True,
        text=True,
    )
    imported = {line.rpartition("|")[2].strip() for line in result.stderr.splitlines()}
    assert "tasuki.launcher.supervisor" in imported
    slow = {"typer", "rich", "numpy", "matplotlib", "subprocess", "json", "pathlib", "dataclasses"}
    assert not imported & slow


def test_devshm_backing_leaves_no_name(tasuki):
    tasuki.environment["TASUKI_SHM_BACKING"] = "devshm"
    result = tasuki("run", "-n", "1", "sh", "-c", "readlink /proc/self/fd/$TASUKI_JOB_FD")
    assert result.stdout.startswith("/dev/shm/")
    assert result.stdout.endswith("(deleted)\n")


def test_standard_input_goes_to_rank_0(tasuki):
    result = tasuki("run", "-n", "2", "--tag-output", "cat", input="one\ntwo\n")
    assert result.stdout == "[0] one\n[0] two\n"


@pytest.mark.parametrize("closed", ["0<&-", "1>&-", "0<&- 1>&-", "0<&- 1>&- 2>&-"])
def test_closed_standard_streams(tasuki, tmp_path, closed):
    """As under cron: they read as empty, and no rank gets the job's memory instead."""
    show = f"readlink /proc/self/fd/0 /proc/self/fd/$TASUKI_JOB_FD > {tmp_path}/$TASUKI_RANK"
    shell = ["sh", "-c", f'exec "$@" {closed}', "sh", sys.executable, "-m", "tasuki", "run"]
    ran = subprocess.run([*shell, "-n", "2", "sh", "-c", show], env=tasuki.environment, timeout=60)
    assert ran.returncode == 0
    for rank in range(2):
        links = (tmp_path / str(rank)).read_text().splitlines()
        assert links[1] == "/memfd:tasuki-job (deleted)"
        assert rank == 0 and "0<" not in closed or links[0] == "/dev/null"


def test_tagged_output_keeps_streams_and_last_line(tasuki):
    result = tasuki("run", "-n", "1", "--tag-output", "sh", "-c", "echo out; printf err >&2")
    assert (result.stdout, result.stderr) == ("[0] out\n", "[0] err\n")


def test_untagged_output_is_untouched(tasuki):
    assert tasuki("run", "-n", "1", "printf", "no newline").stdout == "no newline"


def test_binding(tasuki):
    cores = os.sched_getaffinity(0)
    if len(cores) < 2:
        pytest.skip("needs two cores")
    show = ("sh", "-c", "grep Cpus_allowed_list /proc/self/status")
    bound = tasuki("run", "-n", "2", *show).stdout.split()[1::2]
    assert len(set(bound)) == 2
    free = tasuki("run", "-n", "2", "--bind", "none", *show).stdout.split()[1::2]
    crowded = tasuki("run", "-n", len(cores) + 1, *show).stdout.split()[1::2]
    assert len(set(free + crowded)) == 1
    shared = tasuki("run", "-n", 2 * len(cores), *show).stdout.split()[1::2]
    assert {shared.count(core) for core in shared} == {2}


def test_ranks_share_the_session_but_for_one_that_reads_the_terminal(tasuki):
    # One write each, so that the ranks' lines do not mix.
    line = "b'%d %d\\n' % (os.getsid(0) == os.getpid(), os.getpgrp())"
    show = ("python3", "-c", f"import os; os.write(1, {line})")
    lines = tasuki("run", "-n", "2", *show).stdout.split()
    assert lines[::2] == ["0", "0"]
    assert lines[1] != lines[3], "each leads a group of its own"
    controller, terminal = os.openpty()
    with tasuki.start("run", "-n", "2", *show, stdin=terminal) as process:
        assert sorted(process.stdout.read().split()[::2]) == ["0", "1"]
    os.close(controller)
    os.close(terminal)


@pytest.mark.parametrize("state", [0, 3])
def test_success(tasuki, state):
    result = tasuki("run", "-n", "2", *RANK, f"state={state}")
    assert (result.returncode, result.stderr) == (0, "")


def test_exit_code_is_that_of_the_first_that_failed(tasuki):
    result = tasuki("run", "-n", "3", *RANK, "1:exit=7", "sleep")
    assert result.returncode == 7
    assert re.search(named(1, "ended with exit code 7; ending the other ranks."), result.stderr)
    assert result.stderr.count("\n") == 1


def test_finished_rank_with_exit_code_fails_the_job(tasuki):
    assert tasuki("run", "-n", "2", *RANK, "state=3", "1:exit=4").returncode == 4


@pytest.mark.parametrize(
    ("number", "name"), [(signal.SIGKILL, "SIGKILL"), (signal.SIGSEGV, "SIGSEGV")]
)
def test_killed_rank(tasuki, number, name):
    result = tasuki("run", "-n", "2", *RANK, f"1:kill={number:d}", "sleep")
    assert result.returncode == 128 + number
    assert re.search(named(1, f"was killed by signal {number:d} ({name})"), result.stderr)


@pytest.mark.parametrize(("end", "exit_code"), [("kill=9", 137), ("exit=3", 3), ("exit=0", 1)])
def test_the_cause_counts_not_a_rank_that_answered_to_it(patient, end, exit_code):
    answer = ("0:await=1", "0:blame=1", "0:exit=70")
    arguments = ("state=2", *answer, "1:pause=0.3", f"1:{end}", "sleep")
    result = patient("run", "-n", "3", *RANK, *arguments)
    assert result.returncode == exit_code
    assert "rank 1 (pid " in result.stderr
    assert result.stderr.count("\n") == 1


def test_blame_for_a_rank_that_goes_on_is_not_believed(tasuki):
    result = tasuki("run", "-n", "2", *RANK, "0:state=2", "0:blame=1", "0:exit=70", "sleep")
    assert result.returncode == 70
    assert re.search(named(0, "ended with exit code 70"), result.stderr)


def test_killed_from_outside(tasuki, tmp_path):
    process = start_and_wait(tasuki, tmp_path, "state=2")
    victim = children_of(supervisor_of(process))[0]
    os.kill(victim, signal.SIGKILL)
    _, stderr = process.communicate(timeout=60)
    assert process.returncode == 137
    assert f"(pid {victim}) was killed by signal 9 (SIGKILL)" in stderr


@pytest.mark.parametrize(("state", "name"), [(1, "joined"), (2, "running")])
def test_early_exit_is_a_failure(tasuki, state, name):
    result = tasuki("run", "-n", "2", *RANK, f"state={state}", "1:exit=0", "sleep")
    assert result.returncode == 1
    assert re.search(
        named(1, f"ended with exit code 0 before the job was finished (it was {name})"),
        result.stderr,
    )


def test_rank_that_never_joins_the_others_is_a_failure(tasuki):
    result = tasuki("run", "-n", "2", *RANK, "1:exit=0", "state=1", "sleep")
    assert result.returncode == 1
    assert re.search(named(1, "ended with exit code 0 without joining the job"), result.stderr)


@pytest.mark.parametrize("before", ["1:exit=0", "1:state=1"])
def test_another_version_is_named_where_states_cannot_be_read(tasuki, before):
    layout = "layout=HSTASUK4"  # That of ranks whose records had another size.
    result = tasuki("run", "-n", "2", *RANK, layout, before, "1:exit=0", "state=1", "sleep")
    assert result.returncode == 1
    assert re.search(named(1, "ended with exit code 0, but its program was built"), result.stderr)
    assert "another version of Tasuki than this command" in result.stderr


def test_rank_that_ignores_sigterm_is_killed(tasuki, tmp_path):
    result = tasuki(
        "run",
        "-n",
        "2",
        *RANK,
        f"0:ignore={signal.SIGTERM:d}",
        f"touch={tmp_path}/up",
        "1:exit=3",
        "sleep",
    )
    assert result.returncode == 3


def test_children_of_ranks_end_too(tasuki):
    result = tasuki("run", "-n", "2", *RANK, "child", "daemon", "1:exit=3", "sleep")
    assert result.returncode == 3
    assert tasuki.processes() == []


def test_children_end_with_a_successful_job(tasuki):
    assert tasuki("run", "-n", "2", *RANK, "child", "daemon").returncode == 0
    assert tasuki.processes() == []


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_signal_to_the_launcher_ends_all(patient, tmp_path, number):
    process = start_and_wait(patient, tmp_path, "state=2", "child")
    process.send_signal(number)
    _, stderr = process.communicate(timeout=60)
    assert process.returncode == 128 + number
    assert stderr == f"tasuki: {signal.Signals(number).name}: ending all ranks.\n"
    assert patient.processes() == []


def test_second_interrupt_kills(patient, tmp_path):
    process = start_and_wait(patient, tmp_path, f"ignore={signal.SIGTERM:d}")
    process.send_signal(signal.SIGINT)
    process.stderr.readline()
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=60)
    assert process.returncode == 130
    assert patient.processes() == []


def supervisor_of(process: subprocess.Popen) -> int:
    (supervisor,) = children_of(process.pid)
    return supervisor


def test_killed_launcher_takes_along_all_that_its_ranks_have_started(tasuki, tmp_path):
    process = start_and_wait(tasuki, tmp_path, "child", "daemon")
    assert len(tasuki.processes()) == 8
    process.kill()
    process.communicate(timeout=60)
    wait_for(lambda: not tasuki.processes())


def test_killed_supervisor_leaves_nothing_behind(tasuki, tmp_path):
    process = start_and_wait(tasuki, tmp_path, "child", "daemon")
    supervisor = supervisor_of(process)
    os.kill(supervisor, signal.SIGKILL)
    _, stderr = process.communicate(timeout=60)
    assert process.returncode == 137
    assert f"the supervisor of the ranks (pid {supervisor}) was killed by signal 9" in stderr
    assert tasuki.processes() == []


@pytest.mark.parametrize("number", [signal.SIGUSR1, signal.SIGQUIT])
def test_signals_for_reports_are_forwarded(tasuki, tmp_path, number):
    process = start_and_wait(tasuki, tmp_path, f"catch={number:d}", "child")
    process.send_signal(number)
    assert [process.stdout.readline() for _ in range(2)] == ["caught\n"] * 2
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=60)
    assert process.returncode == 143


def test_a_request_for_a_report_waits_for_ranks_that_start(tasuki, tmp_path):
    process = start_and_wait(
        tasuki, tmp_path, "0:catch=10", f"touch={tmp_path}/up", "1:pause=1", "1:catch=10"
    )
    process.send_signal(signal.SIGUSR1)
    assert [process.stdout.readline() for _ in range(2)] == ["caught\n"] * 2
    process.send_signal(signal.SIGTERM)
    assert process.communicate(timeout=60)[0] == "", "once each"
    assert process.returncode == 143


def test_a_rank_that_never_catches_the_request_is_named(monkeypatch):
    monkeypatch.setattr(report_request, "WAIT_S", 0.1)
    process = subprocess.Popen(["sleep", "100"])
    rank = RankProcess.__new__(RankProcess)
    rank.pid, rank.exit_code = process.pid, None
    request = ReportRequest(lambda rank: [rank.pid])
    request.begin([rank])
    assert request.is_open
    time.sleep(0.15)
    assert request.go_on() == [rank]
    assert not request.is_open
    assert process.poll() is None
    process.kill()
    process.wait()


def test_stop_and_continue(tasuki, tmp_path):
    process = start_and_wait(tasuki, tmp_path)
    process.send_signal(signal.SIGTSTP)

    def states():
        return {
            Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
            for pid in tasuki.processes()
        }

    wait_for(lambda: states() == {"T"})
    process.send_signal(signal.SIGCONT)
    wait_for(lambda: "T" not in states())
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=60)
    assert process.returncode == 130


def test_hang_after_is_passed_on(tasuki):
    result = tasuki("run", "-n", "1", "--hang-after", "2.5", "printenv", "TASUKI_HANG_AFTER")
    assert result.stdout == "2.5\n"


def test_options_of_the_program_are_its_own(tasuki):
    assert tasuki("run", "-n", "1", "echo", "-n", "--bind").stdout == "--bind"
    assert tasuki("run", "-n", "1", "--", "echo", "--", "-x").stdout == "-- -x\n"


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["-n", "0", "true"], "-n 0: not a number of ranks. Remedy: give 1 or more"),
        (["-n", "-1", "true"], "not a number of ranks"),
        (["-n", "two", "true"], "-n two: not a number of ranks"),
        (
            ["--transport", "pigeon", "true"],
            "pigeon: tasuki run knows no such transport. Remedy: choose one of: shm, mpi",
        ),
        (["--transport", "loopback", "true"], "Remedy: start the program by itself, with TASUKI_T"),
        (["--no-node-shm", "true"], "--no-node-shm leaves transport shm with nothing"),
        (["--mpi", "ompi", "true"], "--mpi ompi, and transport shm uses no MPI. Remedy: add --tra"),
        (
            ["--transport", "ucx", "--mpi", "auto", "true"],
            "--mpi auto, and transport ucx uses no MPI",
        ),
        (["--bind", "socket", "true"], "argument --bind: invalid choice: 'socket'"),
        (["--hang-after", "soon", "true"], "--hang-after soon: not a time"),
        (["-n", "2"], "no program given"),
        (["no-such-program"], "program no-such-program not found"),
        (["/etc/passwd"], "/etc/passwd is not executable. Remedy: chmod +x /etc/passwd"),
        (["/etc"], "/etc is a folder"),
    ],
)
def test_wrong_command_lines(tasuki, arguments, text):
    result = tasuki("run", *arguments)
    assert result.returncode == 2
    assert text in result.stderr
    assert result.stderr.count("\n") == 1


def test_more_ranks_than_fit_into_memory_are_refused(tasuki):
    """100,000 ranks take 9 TiB; nothing is started."""
    result = tasuki("run", "-n", "100000", "true")
    assert result.returncode == 2
    assert re.search(
        r"-n 100000: so many ranks take about 9\d{6} MiB at rest, \d+ MiB are available\."
        r" Remedy: start at most [1-9]\d* ranks .* TASUKI_CHECK_MEMORY=0 ",
        result.stderr,
    )


@pytest.mark.parametrize("count", ["5000000", "99999999999", "1" + "0" * 30])
def test_more_ranks_than_the_kernel_can_number_are_refused(tasuki, count):
    tasuki.environment["TASUKI_CHECK_MEMORY"] = "0"
    result = tasuki("run", "-n", count, "true")
    assert result.returncode == 2
    assert f"-n {count}: this machine can have at most " in result.stderr
    assert result.stderr.count("\n") == 1


def test_memory_for_ranks(monkeypatch):
    for rank_count, measured_mib in ((64, 37), (128, 81), (256, 192)):
        assert rest_bytes(rank_count) == pytest.approx(measured_mib * 2**20, rel=0.1)
    monkeypatch.setattr(memory, "available_bytes", lambda: rest_bytes(100))
    require_memory(100)
    with pytest.raises(CommandError, match="-n 101: .* start at most 100 ranks"):
        require_memory(101)
    monkeypatch.setenv("TASUKI_CHECK_MEMORY", "0")
    require_memory(101)


def test_wrong_settings_are_reported_once(installed):
    installed.add_program("tasuki_info", 'echo "tasuki: no such setting" >&2; exit 2')
    assert installed("run", "-n", "2", "true").returncode == 0
    installed.environment["TASUKI_RANGS"] = "2"
    result = installed("run", "-n", "2", "true")
    assert (result.returncode, result.stderr) == (2, "tasuki: no such setting\n")


def test_unknown_transport_in_the_environment(tasuki):
    tasuki.environment["TASUKI_TRANSPORT"] = "pigeon"
    result = tasuki("run", "true")
    assert result.returncode == 2
    assert "TASUKI_TRANSPORT: pigeon" in result.stderr


def test_program_that_the_kernel_refuses(tasuki, tmp_path):
    program = tmp_path / "no-interpreter"
    program.write_text("echo hello\n")
    program.chmod(0o755)
    result = tasuki("run", "-n", "2", program)
    assert result.returncode == 2
    assert "cannot be executed (Exec format error). Remedy:" in result.stderr
    assert result.stderr.count("\n") == 1


def test_help_comes_without_a_job(tasuki):
    result = tasuki("run", "--help")
    assert result.returncode == 0
    assert "usage: tasuki run" in result.stdout


CRASH = """
#include <stdlib.h>
#include <unistd.h>
static int read_through(volatile int* pointer) { return *pointer; }
int main(void) {
  if (getenv("TASUKI_RANK")[0] == '1') return read_through(NULL);
  for (;;) pause();
}
"""


def test_debugger_prints_the_backtrace(tasuki, tmp_path):
    if not (shutil.which("gdb") and shutil.which("cc")):
        pytest.skip("needs gdb and a C compiler")
    (tmp_path / "crash.c").write_text(CRASH)
    subprocess.run(["cc", "-g", "-o", "crash", "crash.c"], cwd=tmp_path, check=True)
    result = tasuki("run", "-n", "2", "--debug", "gdb", tmp_path / "crash")
    assert result.returncode == 139
    assert "read_through (pointer=0x0)" in result.stdout
    assert re.search(named(1, "ended with exit code 139"), result.stderr)
