"""The mpiexec of a job: a child of this command, which passes signals on and tells how it ended."""

import contextlib
import os
import signal
import subprocess
import time
from typing import TYPE_CHECKING

from tasuki.launcher.exit_record import ExitRecord
from tasuki.launcher.rank_process import children_of, end_with_parent
from tasuki.launcher.supervisor import ENDING, FORWARDED, STOPPING, end_orphans, say
from tasuki.launcher.waiting_record import WaitingRecord

if TYPE_CHECKING:
    from tasuki.launcher.host_watch import HostWatch, Verdict

# Open MPI gives its ranks 5 s between SIGTERM and SIGKILL; those of other nodes end later.
ENDING_GRACE_S = 10.0
# As in exit_code.hpp: the ranks of this host have ended because another has vanished, of which
# mpiexec may still hope to hear.
HOST_VANISHED = 73
VANISHED_GRACE_S = 2.0
RANKS_SPEAK_S = 5.0  # In which ranks of Tasuki hear of it from watchers of their own, and end.
RECORD_CHECK_INTERVAL_S = 0.5
JOIN_INTERVAL_S = 0.02
EXIT_WITHOUT_END = 1  # Of a job that mpiexec calls a success, though a rank did not end.

_SENT_BY_TERMINAL = 0x80  # SI_KERNEL of <signal.h>: nobody has called kill().
_WAITED_FOR = {signal.SIGCHLD, *ENDING, *FORWARDED, *STOPPING}


class MpiexecProcess:
    """A started mpiexec. Create one per process, then `watch` it."""

    def __init__(
        self,
        command: list[str],
        environment: dict[str, str],
        over_hosts: bool,
        host_watch: "HostWatch | None",
    ) -> None:
        """`host_watch` has been started, and ends in `watch`."""
        self._exit_code: int | None = None
        self._over_hosts = over_hosts
        self._host_watch = host_watch
        self._verdict: Verdict | None = None
        self._has_told_verdict = False
        self._is_killed = False
        self._ranks_told_time: float | None = None  # When ranks had ended for want of a host.
        self._verdict_time: float | None = None
        self._end_time = 0.0
        self._exit_record = ExitRecord()
        self._waiting_record = WaitingRecord()
        records = {"TASUKI_EXIT_RECORD": self._exit_record.setting}
        if over_hosts:
            records["TASUKI_WAITING_RECORD"] = self._waiting_record.setting
        self._shares_terminal = is_in_foreground()
        self._children_before = set(children_of(os.getpid()))
        # Blocked for good: `watch` takes them one by one, so that none comes between.
        mask_before = signal.pthread_sigmask(signal.SIG_BLOCK, _WAITED_FOR) - _WAITED_FOR
        launcher_pid = os.getpid()

        def prepare() -> None:
            if not self._shares_terminal:
                os.setpgid(0, 0)  # What is sent to the whole group comes once, from here.
            end_with_parent(signal.SIGTERM)
            if os.getppid() != launcher_pid:
                os._exit(1)
            signal.pthread_sigmask(signal.SIG_SETMASK, mask_before)

        # In the background nobody reads the terminal: the attempt would stop mpiexec alone.
        reads_nothing = not self._shares_terminal and os.isatty(0)
        self._process = subprocess.Popen(
            command,
            env={**environment, **records},
            stdin=subprocess.DEVNULL if reads_nothing else None,
            preexec_fn=prepare,
            close_fds=False,
        )

    def watch(self) -> int:
        """Returns the exit code of the job: 128 + the number of the signal that ended it, from
        here or by itself, else that of the first rank that failed, else that of mpiexec."""
        while self._process.poll() is None:
            if self._exit_code is None:
                self._wait()
                continue
            received = signal.sigtimedwait(_WAITED_FOR, ENDING_GRACE_S)
            if received is None:
                self._kill()
            else:
                self._take(received)
        self._end_time = time.monotonic()
        if self._process.returncode != 0 and self.ended_untold() and self._has_host_vanished():
            self._tell_verdict()  # It came while mpiexec ended.
        end_orphans(self._children_before)
        if self._host_watch is not None:
            is_broken_off = self._exit_code is not None or self._is_killed
            self._host_watch.end(with_job=is_broken_off or self._verdict is not None)
        if self._exit_code is not None:
            return self._exit_code
        if self._has_told_verdict:
            return HOST_VANISHED
        exit_code = self._process.returncode
        return self._recorded(exit_code if exit_code >= 0 else 128 - exit_code)

    def ended_untold(self) -> bool:
        """Has mpiexec ended by itself, and has no rank of this machine recorded a failure?"""
        is_told = self._exit_code is not None or self._has_told_verdict
        return not is_told and self._exit_record.first_failure() is None

    def waits_for(self, ranks: range) -> list[str]:
        """What ranks of this machine waited for when mpiexec ended: for these, or for nobody that
        is known."""
        return self._waiting_record.lines(ranks, self._end_time)

    def _wait(self) -> None:
        """For a signal; in a job over hosts also for the end of mpiexec's patience with them."""
        if not self._over_hosts:
            return self._take(signal.sigwaitinfo(_WAITED_FOR))
        # A host that vanishes before its watcher has been heard is missed by nobody.
        is_joining = self._host_watch is not None and self._host_watch.is_joining()
        interval_s = JOIN_INTERVAL_S if is_joining else RECORD_CHECK_INTERVAL_S
        received = signal.sigtimedwait(_WAITED_FOR, interval_s)
        if received is not None:
            return self._take(received)
        now = time.monotonic()
        if self._exit_record.first_failure() == HOST_VANISHED:
            self._ranks_told_time = self._ranks_told_time or now
            if now - self._ranks_told_time >= VANISHED_GRACE_S:
                self._kill()
        elif self._has_host_vanished():
            self._verdict_time = self._verdict_time or now
            if now - self._verdict_time >= self._verdict_grace_s():
                self._tell_verdict()
                self._kill()
        return None

    def _has_host_vanished(self) -> bool:
        """For the watch over the hosts."""
        if self._host_watch is not None and self._verdict is None:
            self._verdict = self._host_watch.verdict()
        return self._verdict is not None

    def _verdict_grace_s(self) -> float:
        """Ranks of Tasuki say themselves what they have waited for; those on other machines do not
        record it."""
        ranks_speak = self._verdict is not None and self._verdict.ranks_know
        return RANKS_SPEAK_S if ranks_speak else 0.0

    def _tell_verdict(self) -> None:
        if self._verdict is not None and not self._has_told_verdict:
            self._has_told_verdict = True
            say(self._verdict.report())

    def _recorded(self, exit_code: int) -> int:
        """What the ranks have recorded, where mpiexec, which ended with `exit_code`, is wrong."""
        failure = self._exit_record.first_failure()
        if failure is not None:
            return failure
        lost = self._exit_record.without_end()
        if exit_code != 0 or not lost:
            return exit_code
        ranks = ("rank " if len(lost) == 1 else "ranks ") + ", ".join(map(str, lost))
        say(f"{ranks} ended before the job was done, but mpiexec reports success")
        return EXIT_WITHOUT_END

    def _take(self, received: signal.struct_siginfo) -> None:
        number = received.si_signo
        if number in ENDING:
            self._end_on_signal(number, received)
        elif number != signal.SIGCHLD:
            self._pass_on(number, received)
            if number == signal.SIGTSTP:
                os.kill(os.getpid(), signal.SIGSTOP)

    def _end_on_signal(self, number: int, received: signal.struct_siginfo) -> None:
        if self._exit_code is not None:
            self._kill()
            return
        self._exit_code = 128 + number
        say(f"{signal.Signals(number).name}: ending all ranks")
        self._pass_on(number, received)

    def _pass_on(self, number: int, received: signal.struct_siginfo) -> None:
        """Not what the terminal has sent to mpiexec too: a second Ctrl-C would mean more."""
        if self._shares_terminal and received.si_code == _SENT_BY_TERMINAL:
            return
        with contextlib.suppress(ProcessLookupError):
            self._process.send_signal(number)

    def _kill(self) -> None:
        self._is_killed = True
        with contextlib.suppress(ProcessLookupError):
            self._process.kill()


def is_in_foreground() -> bool:
    """Does the terminal that standard input is, if it is one, send its signals to this group?"""
    try:
        return os.tcgetpgrp(0) == os.getpgrp()
    except OSError:
        return False
