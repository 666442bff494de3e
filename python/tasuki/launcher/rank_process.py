"""One rank's process: started in a process group of its own: what it starts ends with it."""

import contextlib
import ctypes
import os
import signal
from collections.abc import Sequence
from typing import NamedTuple

from tasuki.base.errors import CommandError

PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36
EXIT_CANNOT_START = 126

# Python ignores these; the programs it starts should not.
_IGNORED_BY_PYTHON = (signal.SIGPIPE, signal.SIGXFSZ)

_libc = ctypes.CDLL(None, use_errno=True)


class RankPlan(NamedTuple):
    """What one rank is started with; descriptors are the launcher's own numbers."""

    rank: int
    command: list[str]
    environment: dict[str, str]
    cpus: set[int] | None
    stdin: int
    stdout: int
    stderr: int
    title: str  # What messages call it, as in "rank 3".
    kept_fds: tuple[int, ...] = ()  # Open in the rank, under the same numbers.


class RankProcess:
    """A started rank: `pid`, `pidfd` (readable once it has ended) and, at its end, how it ended."""

    def __init__(self, plan: RankPlan) -> None:
        """Starts the rank. Raises CommandError (exit code 2) if its program cannot be executed."""
        self.rank = plan.rank
        self.ranks: Sequence[int] = (plan.rank,)  # Whose states tell whether its end is a failure.
        self.title = plan.title
        self.exit_code: int | None = None
        self.signal_number: int | None = None
        self.dumped_core = False
        failure_reader, failure_writer = os.pipe()
        launcher_pid = os.getpid()
        self.pid = os.fork()
        if self.pid == 0:
            os.close(failure_reader)
            _become_rank(plan, launcher_pid, failure_writer)
        os.close(failure_writer)
        with open(failure_reader, "rb") as failures:
            failure = failures.read()
        if failure:
            os.waitpid(self.pid, 0)
            raise CommandError(
                "run",
                f"{plan.command[0]} cannot be executed ({failure.decode()})",
                "give a program for this machine, or a script whose first line names its"
                " interpreter (#!...)",
                exit_code=2,
            )
        self.pidfd = os.pidfd_open(self.pid)

    def note_end(self) -> None:
        """Records how the ended process ended, and leaves it unreaped: its group stays ours."""
        result = os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOWAIT)
        assert result is not None
        if result.si_code == os.CLD_EXITED:
            self.exit_code = result.si_status
        else:
            self.signal_number = result.si_status
            self.exit_code = 128 + result.si_status
            self.dumped_core = result.si_code == os.CLD_DUMPED
        os.close(self.pidfd)

    @property
    def ended(self) -> bool:
        return self.exit_code is not None

    def how_it_ended(self) -> str:
        """As in "was killed by signal 9 (SIGKILL)"."""
        if self.signal_number is None:
            return f"ended with exit code {self.exit_code}"
        try:
            name = signal.Signals(self.signal_number).name
        except ValueError:
            name = "a real-time signal"
        dumped = ", core dumped" if self.dumped_core else ""
        return f"was killed by signal {self.signal_number} ({name}){dumped}"

    def signal_group(self, number: int) -> None:
        """Sends the signal to the rank and to all that it started and that kept its group."""
        with contextlib.suppress(ProcessLookupError, PermissionError):  # Nothing may be left.
            os.killpg(self.pid, number)

    def passes_on(self, _number: int) -> bool:
        """Has it its own way to bring a signal to its ranks, and has it done so?"""
        return False

    def patience_s(self, _states: Sequence[int]) -> float:
        """How long the others may go on when it has failed, because they may get to know more;
        `_states` are those of its ranks."""
        return 0.0

    def reap(self) -> None:
        os.waitpid(self.pid, 0)


def adopt_orphans() -> None:
    """What the ranks leave running becomes a child of this process, which can then end it."""
    _libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def end_with_parent(signal_number: int) -> None:
    """The kernel sends this process the signal when its parent ends, however that happens."""
    _libc.prctl(PR_SET_PDEATHSIG, signal_number, 0, 0, 0)


def children_of(pid: int) -> list[int]:
    """Direct children of process `pid`, as far as the kernel tells."""
    children: list[int] = []
    try:
        for thread in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{thread}/children") as listing:
                children += map(int, listing.read().split())
    except OSError:
        pass  # The process is gone, or the kernel was built without this file.
    return children


def _leave_group_of_launcher(reads_terminal: bool) -> None:
    """Makes the process the leader of its own group, and of its own session if it must be."""
    if reads_terminal:
        # In the launcher's session, reading would stop a group that is in the background.
        os.setsid()
    else:
        # Linux shares out cores by session first (sched_autogroup), so that a rank in a session of
        # its own does not really leave the core by yielding: the barrier of 8 ranks on 2 cores then
        # takes 1.4 times as long (`tasuki bench micro -n 8 --only barrier`).
        os.setpgid(0, 0)


def _become_rank(plan: RankPlan, launcher_pid: int, failure_writer: int) -> None:
    """In the child: never returns. Writes why to `failure_writer` if the program cannot run."""
    try:
        _leave_group_of_launcher(reads_terminal=os.isatty(plan.stdin))
        end_with_parent(signal.SIGKILL)
        if os.getppid() != launcher_pid:
            os._exit(EXIT_CANNOT_START)
        for source, target in ((plan.stdin, 0), (plan.stdout, 1), (plan.stderr, 2)):
            os.dup2(source, target)
        for fd in plan.kept_fds:
            os.set_inheritable(fd, True)
        if plan.cpus is not None:
            os.sched_setaffinity(0, plan.cpus)
        for number in _IGNORED_BY_PYTHON:
            signal.signal(number, signal.SIG_DFL)
        signal.set_wakeup_fd(-1)
        for number in signal.valid_signals():
            if callable(signal.getsignal(number)):
                signal.signal(number, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_SETMASK, ())
        os.execve(plan.command[0], plan.command, plan.environment)
    except OSError as failure:
        os.write(failure_writer, (failure.strerror or str(failure)).encode())
    except BaseException as failure:
        os.write(failure_writer, repr(failure).encode())
    finally:
        os._exit(EXIT_CANNOT_START)
