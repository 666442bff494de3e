"""The supervisor of a job's ranks: passes signals on, and ends all when one fails."""

import contextlib
import os
import signal
import sys
import time

from tasuki.launcher import report_request
from tasuki.launcher.descriptors import is_readable
from tasuki.launcher.event_loop import EventLoop
from tasuki.launcher.job_states import FINISHED, JOINED, NOT_THERE, STATE_NAMES, JobStates
from tasuki.launcher.rank_process import RankProcess, children_of
from tasuki.launcher.report_request import ReportRequest
from tasuki.launcher.tagged_output import TaggedStream

TERMINATION_GRACE_S = 2.0
STATE_CHECK_INTERVAL_S = 0.25
ORPHAN_WAIT_S = 2.0
CAUSE_WAIT_S = 1.0  # For a rank that has announced its end and prints its last words.

ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
FORWARDED = (signal.SIGUSR1, signal.SIGQUIT)
STOPPING = (signal.SIGTSTP, signal.SIGCONT)

NEVER_JOINED = "ended with exit code 0 without joining the job"
OTHER_VERSION = (
    "ended with exit code 0, but its program was built with another version of Tasuki than this "
    "command, which cannot read how it ended. Remedy: build the program again, or run it with the "
    "command of its version"
)


class Supervisor:
    """Watches the ranks of one job from before they start until nothing of them is left.

    Create it before the first rank, so that no signal is lost; then `add` each rank and `watch`.
    """

    def __init__(self, states: JobStates, under_debugger: bool) -> None:
        self._states = states
        self._under_debugger = under_debugger
        self._ranks: list[RankProcess] = []
        self._exit_code: int | None = None
        self._kill_time: float | None = None
        self._has_some_ended = False  # Since the ranks were last looked through.
        self._lost: RankProcess | None = None  # It has failed, and the others may know more.
        self._patience_end = 0.0
        self._report_request = ReportRequest(self._own_processes_of)
        self._children_before = set(children_of(os.getpid()))
        self.loop = EventLoop()
        self._streams: dict[int, TaggedStream] = {}  # By what is read.
        self._output_time = 0.0  # When there was something in one of them.
        self._is_to_end_at_once = False  # A signal has said so; matters when all ranks have ended.
        self._signal_reader, signal_writer = os.pipe()
        os.set_blocking(self._signal_reader, False)
        os.set_blocking(signal_writer, False)
        signal.set_wakeup_fd(signal_writer, warn_on_full_buffer=False)
        for number in ENDING + FORWARDED + STOPPING:
            signal.signal(number, lambda *_: None)  # The wake-up descriptor tells the loop.
        signal.pthread_sigmask(signal.SIG_UNBLOCK, ENDING + FORWARDED + STOPPING)
        self.loop.listen(self._signal_reader, self._take_signals)

    def add(self, rank: RankProcess, streams: list[TaggedStream]) -> None:
        self._ranks.append(rank)
        self.loop.listen(rank.pidfd, self._note_some_end)
        for stream in streams:
            stream.close_writer()
            self._streams[stream.reader_fd] = stream
            self.loop.listen(stream.reader_fd, lambda stream=stream: self._forward(stream))

    def watch(self) -> int:
        """Returns the exit code of the job when all ranks have ended and been cleaned up."""
        while self._live_ranks():
            self.loop.run_once(self._timeout_s())
            self._note_ended_ranks()
            self._check_never_joined()
            for rank in self._report_request.go_on():
                say(f"{rank.title} (pid {rank.pid}) does not catch SIGUSR1: no report from it")
            if self._kill_time is not None and time.monotonic() >= self._kill_time:
                self._signal_live_ranks(signal.SIGKILL)
                self._kill_time = None
        self.clean_up()
        return self._exit_code or 0

    def clean_up(self) -> None:
        """Ends whatever the ranks have left running, and passes on their last output."""
        for rank in self._ranks:
            rank.signal_group(signal.SIGKILL)
        for rank in self._ranks:
            rank.reap()
        self._ranks.clear()
        self._states.close()
        end_orphans(self._children_before)
        self._pass_on_last_output()

    def _pass_on_last_output(self) -> None:
        """What is none of the job's any more may hold a stream, and may even go on writing; then
        only a signal ends it."""
        self._output_time = time.monotonic()
        self._is_to_end_at_once = False
        while self._streams and not self._is_to_end_at_once:
            left_s = self._output_time + ORPHAN_WAIT_S - time.monotonic()
            if left_s <= 0:
                break
            self.loop.run_once(left_s)
        for fd, stream in self._streams.items():
            self.loop.forget(fd)
            stream.end()
        self._streams.clear()

    # ---- events --------------------------------------------------------------------------------

    def _timeout_s(self) -> float | None:
        if self._kill_time is not None:
            return max(0.0, self._kill_time - time.monotonic())
        if self._report_request.is_open:
            return report_request.RETRY_INTERVAL_S
        if self._exit_code is None and any(rank.ended for rank in self._ranks):
            return STATE_CHECK_INTERVAL_S
        return None

    def _forward(self, stream: TaggedStream) -> None:
        self._output_time = time.monotonic()
        if not stream.forward():
            del self._streams[stream.reader_fd]
            self.loop.forget(stream.reader_fd)

    # ---- ranks ---------------------------------------------------------------------------------

    def _live_ranks(self) -> list[RankProcess]:
        return [rank for rank in self._ranks if not rank.ended]

    def _signal_live_ranks(self, number: int) -> None:
        for rank in self._live_ranks():
            rank.signal_group(number)

    def _note_some_end(self) -> None:
        self._has_some_ended = True

    def _note_ended_ranks(self) -> None:
        ended: list[RankProcess] = []
        if self._has_some_ended:  # To poll each takes long where ranks are many.
            self._has_some_ended = False
            ended = [rank for rank in self._live_ranks() if self._note_end(rank, 0)]
        # Of those that ended together, one that was killed is the cause, the others' exit codes
        # are their answer to it.
        for rank in sorted(ended, key=lambda rank: rank.signal_number is None):
            if self._failure_of(rank) and self._exit_code is None:
                cause = self._cause_of(rank)
                if not self._wait_for_others(cause):
                    self._fail(cause, self._failure_of(cause))
        is_over = time.monotonic() >= self._patience_end or not self._live_ranks()
        if self._lost is not None and self._exit_code is None and is_over:
            self._fail(self._lost, self._failure_of(self._lost))

    def _wait_for_others(self, failed: RankProcess) -> bool:
        """Are the others given time to say why it has failed?"""
        patience_s = failed.patience_s([self._states.state(rank) for rank in failed.ranks])
        if patience_s == 0 or self._lost is not None or not self._live_ranks():
            return False
        self._lost = failed
        self._patience_end = time.monotonic() + patience_s
        say(f"{failed.title} (pid {failed.pid}) {self._failure_of(failed)}")
        return True

    def _note_end(self, rank: RankProcess, timeout_s: float) -> bool:
        """Has the rank, not yet known to have ended, done so within the time?"""
        if not is_readable(rank.pidfd, timeout_s):
            return False
        self.loop.forget(rank.pidfd)
        rank.note_end()
        return True

    def _cause_of(self, failed: RankProcess) -> RankProcess:
        """The rank whose failure `failed` answers to, or itself.

        The ranks see that one of them is gone, or is going, and may end before it is seen here.
        """
        first = self._states.first_failed()
        if first is None or first >= len(self._ranks):
            return failed
        cause = self._ranks[first]
        has_ended = cause.ended or self._note_end(cause, CAUSE_WAIT_S)
        return cause if has_ended and self._failure_of(cause) else failed

    def _failure_of(self, rank: RankProcess) -> str:
        """How the ended rank failed, or "" if it did not."""
        if rank.exit_code != 0:
            return rank.how_it_ended()
        for one in rank.ranks:
            self._states.catch_up(one)
        for state in map(self._states.state, rank.ranks):
            if state not in (NOT_THERE, FINISHED):
                if self._states.is_of_other_version():
                    return OTHER_VERSION
                was = STATE_NAMES[state]
                return f"ended with exit code 0 before the job was finished (it was {was})"
        return ""

    def _check_never_joined(self) -> None:
        """A rank that ended without ever joining is a failure if another rank waits for it."""
        if self._exit_code is not None or not any(rank.ended for rank in self._ranks):
            return
        states = {rank: [self._states.state(one) for one in rank.ranks] for rank in self._ranks}
        if not any(state >= JOINED for of_rank in states.values() for state in of_rank):
            return
        for rank, of_rank in states.items():
            if rank.ended and NOT_THERE in of_rank:
                other_version = self._states.is_of_other_version()
                self._fail(rank, OTHER_VERSION if other_version else NEVER_JOINED)
                return

    def _fail(self, rank: RankProcess, why: str) -> None:
        others = "; ending the other ranks" if self._live_ranks() else ""
        say(f"{rank.title} (pid {rank.pid}) {why}{others}")
        self.end_all(rank.exit_code or 1)

    def end_all(self, exit_code: int) -> None:
        """Ends all ranks, and the job with that exit code."""
        self._exit_code = exit_code
        self._kill_time = time.monotonic() + TERMINATION_GRACE_S
        if self._under_debugger:  # gdb would report SIGTERM as a fault of its own.
            self._signal_live_ranks(signal.SIGKILL)
        else:
            self._signal_live_ranks(signal.SIGTERM)
            self._signal_live_ranks(signal.SIGCONT)

    # ---- signals -------------------------------------------------------------------------------

    def _take_signals(self) -> None:
        for number in os.read(self._signal_reader, 4096):
            if number == signal.SIGTSTP:
                self._signal_live_ranks(signal.SIGSTOP)
                os.kill(os.getpid(), signal.SIGSTOP)
            elif number in ENDING:
                self._end_on_signal(number)
            else:
                self.take_signal(number)

    def take_signal(self, number: int) -> None:
        """Does with the ranks what the signal asks for, as if it had come to this process."""
        if number in FORWARDED:
            self._forward_signal(number)
        elif number in (signal.SIGSTOP, signal.SIGCONT):
            self._signal_live_ranks(number)
        elif number in ENDING:
            self._is_to_end_at_once = True
            self.end_all(128 + number)

    def _end_on_signal(self, number: int) -> None:
        self._is_to_end_at_once = True
        if self._exit_code is None:
            say(f"{signal.Signals(number).name}: ending all ranks")
            self.end_all(128 + number)
        else:
            self._signal_live_ranks(signal.SIGKILL)

    def _forward_signal(self, number: int) -> None:
        """To the rank's own process only: what it has started may not expect the signal."""
        direct = [rank for rank in self._live_ranks() if not rank.passes_on(number)]
        if number == report_request.NUMBER:
            self._report_request.begin(direct)
            return
        for rank in direct:
            for pid in self._own_processes_of(rank):
                with contextlib.suppress(ProcessLookupError):  # It may have just ended.
                    os.kill(pid, number)

    def _own_processes_of(self, rank: RankProcess) -> list[int]:
        return children_of(rank.pid) if self._under_debugger else [rank.pid]


def say(text: str) -> None:
    """Prints a line on standard error, if anybody reads it."""
    with contextlib.suppress(OSError):  # Ranks are to be ended even if nobody reads.
        sys.stderr.write(f"tasuki: {text}.\n")
        sys.stderr.flush()


def end_orphans(spared: set[int]) -> None:
    """Kills the children of this process except `spared`, and what they leave behind in turn."""
    give_up_time = time.monotonic() + ORPHAN_WAIT_S
    while time.monotonic() < give_up_time:
        orphans = [pid for pid in children_of(os.getpid()) if pid not in spared]
        if not orphans:
            return
        for pid in orphans:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, os.WNOHANG)
        time.sleep(0.001)
