"""The process that the user sees, in front of the one that starts and supervises the ranks.

Each of the two ends what the ranks have started if the other is killed, by SIGKILL too: the
supervisor gets SIGTERM when the front ends, and the front adopts what a killed supervisor leaves.
"""

import contextlib
import os
import signal
import sys

from tasuki.launcher.rank_process import adopt_orphans, children_of, end_with_parent
from tasuki.launcher.supervisor import ENDING, FORWARDED, STOPPING, end_orphans, say

_SENT_BY_TERMINAL = 0x80  # SI_KERNEL of <signal.h>: nobody has called kill().
_WATCHED = (signal.SIGCHLD, *ENDING, *FORWARDED, *STOPPING)
_EXIT_FRONT_IS_GONE = 1


def divide(shares_terminal: bool) -> None:
    """Returns in a child of this process, the supervisor-to-be, with all signals that end, report
    or stop a job blocked. This process exits with the child's exit code.

    With `shares_terminal` the child stays in this process's group, which gets the signals of the
    terminal; otherwise each signal comes from here, once.
    """
    sys.stdout.flush()
    sys.stderr.flush()
    front_pid = os.getpid()
    spared = set(children_of(front_pid))
    adopt_orphans()
    signal.pthread_sigmask(signal.SIG_BLOCK, _WATCHED)
    child = os.fork()
    if child != 0:
        os._exit(_watch(child, spared, shares_terminal))
    if not shares_terminal:
        os.setpgid(0, 0)
    end_with_parent(signal.SIGTERM)
    if os.getppid() != front_pid:
        os._exit(_EXIT_FRONT_IS_GONE)
    adopt_orphans()


def _watch(child: int, spared: set[int], shares_terminal: bool) -> int:
    """Passes signals on until the child has ended; returns its exit code, 128 + the number of the
    signal that has killed it."""
    while True:
        received = signal.sigwaitinfo(_WATCHED)
        number = received.si_signo
        if number == signal.SIGCHLD:
            ended, status = os.waitpid(child, os.WNOHANG)
            if ended == child:
                break
            continue
        if not (shares_terminal and received.si_code == _SENT_BY_TERMINAL):
            with contextlib.suppress(ProcessLookupError):
                os.kill(child, number)
        if number == signal.SIGTSTP:
            os.kill(os.getpid(), signal.SIGSTOP)
    exit_code = os.waitstatus_to_exitcode(status)
    if exit_code < 0:
        say(f"the supervisor of the ranks (pid {child}) was killed by signal {-exit_code}")
    end_orphans(spared)
    return exit_code if exit_code >= 0 else 128 - exit_code
