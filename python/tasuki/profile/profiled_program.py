"""The command that is profiled: a child that has our streams and gets our signals."""

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Callable
from typing import IO

from tasuki.base.errors import usage_error
from tasuki.launcher.mpiexec_process import is_in_foreground
from tasuki.launcher.rank_process import end_with_parent
from tasuki.launcher.supervisor import ENDING, STOPPING

REPORTING = signal.SIGUSR1
_PASSED_ON = (*ENDING, *STOPPING, signal.SIGQUIT, signal.SIGUSR2)
_WATCHED = {signal.SIGCHLD, REPORTING, *_PASSED_ON}
_SENT_BY_TERMINAL = 0x80  # SI_KERNEL of <signal.h>: nobody has called kill().


class ProfiledProgram:
    """A started command. Make one, then `watch` it to its end; afterwards signals are as before.

    Standard output goes to `stdout`, if that is given. Raises CommandError, as of `operation`, if
    it cannot be started; `example` is a command that can.
    """

    def __init__(
        self,
        command: list[str],
        environment: dict[str, str],
        stdout: IO[str] | int | None,
        operation: str,
        example: str,
    ) -> None:
        self._shares_terminal = is_in_foreground()
        mask_before = signal.pthread_sigmask(signal.SIG_BLOCK, _WATCHED)
        self._mask_before = mask_before
        own_pid = os.getpid()

        def prepare() -> None:
            if not self._shares_terminal:
                os.setpgid(0, 0)  # What is sent to the whole group comes once, from here.
            end_with_parent(signal.SIGTERM)
            if os.getppid() != own_pid:
                os._exit(1)
            signal.pthread_sigmask(signal.SIG_SETMASK, mask_before)

        try:
            self._process = subprocess.Popen(
                command, env=environment, stdout=stdout, preexec_fn=prepare, close_fds=False
            )
        except OSError as failure:
            self._restore_signals()
            raise usage_error(
                operation,
                f"{command[0]} cannot be started: {failure.strerror}",
                f"give the command as in: {example}",
            ) from failure

    def watch(self, report: Callable[[], None], every_s: float | None) -> int:
        """Returns the exit code of the command, 128 + the number of the signal that killed it.

        Calls `report` at SIGUSR1, and each `every_s` seconds.
        """
        next_report = None if every_s is None else time.monotonic() + every_s
        try:
            while self._process.poll() is None:
                received = self._next_signal(next_report)
                if received is not None and received.si_signo in _PASSED_ON:
                    self._pass_on(received)
                elif received is None or received.si_signo == REPORTING:
                    report()
                if every_s is not None and next_report is not None:
                    while next_report <= time.monotonic():
                        next_report += every_s
        finally:
            self._restore_signals()
        exit_code = self._process.returncode
        return exit_code if exit_code >= 0 else 128 - exit_code

    def _next_signal(self, until: float | None) -> signal.struct_siginfo | None:
        """None if there is none until then."""
        if until is None:
            return signal.sigwaitinfo(_WATCHED)
        return signal.sigtimedwait(_WATCHED, max(0.0, until - time.monotonic()))

    def _pass_on(self, received: signal.struct_siginfo) -> None:
        """What the terminal sends has come to the command too, if it shares the terminal."""
        is_known = self._shares_terminal and received.si_code == _SENT_BY_TERMINAL
        if not is_known:
            with contextlib.suppress(ProcessLookupError):
                self._process.send_signal(received.si_signo)
        if received.si_signo == signal.SIGTSTP:
            os.kill(os.getpid(), signal.SIGSTOP)

    def _restore_signals(self) -> None:
        signal.pthread_sigmask(signal.SIG_SETMASK, self._mask_before)
