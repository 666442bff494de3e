"""The watch over the hosts of an MPI job, whatever its program is: a process on each host, which
the launcher starts and joins (docs/design/vanished-hosts.md).

Each tells where it is, and is told that of all others, in lines of text. From then on they hear
from each other without the launcher, until one says that a host has vanished.
"""

import contextlib
import os
import secrets
import shlex
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from tasuki.launcher.host_check import ANSWER_WITHIN_S, DEFAULT_AGENT
from tasuki.launcher.hosts import Host, is_this_host
from tasuki.launcher.supervisor import say

PROGRAM = "tasuki_host_watch"
JOB_SETTING = "TASUKI_WATCHED_JOB"
PEER_TIMEOUT_S = 30.0  # As watch_settings.hpp declares it.
_ENDING_S = 0.5  # In which watchers take leave from each other.
_NO_PROGRAM = (126, 127)  # As a shell ends that cannot start what it is told.


class Verdict(NamedTuple):
    """A host has vanished."""

    text: str  # Which, with its ranks, and how that is known.
    ranks_know: bool  # They are ranks of Tasuki, which say so themselves.

    def report(self) -> str:
        return (
            f"{self.text}. Remedy: see whether these hosts are up and the network between them"
            " works (TASUKI_PEER_TIMEOUT is the time they may be silent); the job ends here"
        )


def new_job() -> str:
    """What nobody guesses."""
    return secrets.token_hex(16)


def peer_timeout_s(settings: Mapping[str, str]) -> float:
    """How long hosts may be silent; 0: they are not watched."""
    text = settings.get("TASUKI_PEER_TIMEOUT", "").removesuffix("s")
    return float(text or PEER_TIMEOUT_S)


class _Watcher:
    """The process that watches one host, as the launcher sees it."""

    def __init__(self, host: Host, command: list[str]) -> None:
        self.host = host
        self.card: str | None = None
        self.is_ordered = False
        self._received = b""
        self._unsent = memoryview(b"")
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # What stops this process, as a terminal does, passes it by.
            preexec_fn=lambda: signal.pthread_sigmask(signal.SIG_SETMASK, ()),
        )
        assert self._process.stdin is not None and self._process.stdout is not None
        self._orders_fd = self._process.stdin.fileno()
        self._answers_fd = self._process.stdout.fileno()
        os.set_blocking(self._orders_fd, False)
        os.set_blocking(self._answers_fd, False)

    def lines(self) -> list[str]:
        """Those that have come by now."""
        with contextlib.suppress(OSError):
            while more := os.read(self._answers_fd, 1 << 16):
                self._received += more
        *whole, self._received = self._received.split(b"\n")
        return [line.decode(errors="replace") for line in whole]

    def order(self, text: str) -> None:
        self._unsent = memoryview(text.encode() + b"\n")
        self.send_rest()

    def send_rest(self) -> None:
        """What did not fit into the pipe. Who has ended reads nothing."""
        with contextlib.suppress(OSError):
            while self._unsent:
                self._unsent = self._unsent[os.write(self._orders_fd, self._unsent) :]

    def why_ended(self) -> str | None:
        exit_code = self._process.poll()
        if exit_code in _NO_PROGRAM:
            return f"{PROGRAM} of this installation cannot be started there"
        return None if exit_code is None else f"{PROGRAM} has ended with exit code {exit_code}"

    def leave(self) -> None:
        """It ends when it reads nothing more."""
        for stream in (self._process.stdin, self._process.stdout):
            assert stream is not None
            with contextlib.suppress(OSError):
                stream.close()

    def end_by(self, deadline: float) -> None:
        """After `leave`."""
        try:
            self._process.wait(max(0.0, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


class HostWatch:
    """Watchers on all hosts of a job. Hosts that cannot be watched are named, and are no reason not
    to run."""

    def __init__(
        self, job: str, hosts: Sequence[Host], program: Path | None, rsh: str | None, time_s: float
    ) -> None:
        """`job` is TASUKI_WATCHED_JOB of the ranks, `time_s` how long hosts may be silent."""
        self._job = job
        self._timeout_s = time_s
        self._card_deadline = time.monotonic() + ANSWER_WITHIN_S
        self._watchers: list[_Watcher] = []
        if program is None:
            self._give_up(hosts[0], f"{PROGRAM} is not part of this build")
            return
        for host in hosts:
            agent = [] if is_this_host(host.name) else shlex.split(rsh or DEFAULT_AGENT)
            command = [*agent, host.name, shlex.quote(str(program))] if agent else [str(program)]
            try:
                self._watchers.append(_Watcher(host, command))
            except OSError as failure:
                return self._give_up(host, f"{command[0]}: {failure.strerror}")

    def verdict(self) -> Verdict | None:
        """What they have found by now. Called again and again: it joins the watchers."""
        for watcher in self._watchers:
            watcher.send_rest()
            for line in watcher.lines():
                kind, _, text = line.partition(" ")
                if kind == "card":
                    watcher.card = text
                elif kind == "unheard":
                    say(text)
                elif kind in ("vanished", "vanished-for-ranks") and self._is_heard(watcher):
                    return Verdict(text, ranks_know=kind != "vanished")
        self._join()
        return None

    def is_joining(self) -> bool:
        """Have the watchers not been told yet where the others are?"""
        return bool(self._watchers) and not self._watchers[0].is_ordered

    def end(self, host_vanished: bool = False) -> None:
        """Ends the watchers; where a host has vanished, with all that is left of the job, also on a
        host that has only been paused."""
        for watcher in self._watchers:
            if host_vanished:
                watcher.order("end")
            watcher.leave()
        deadline = time.monotonic() + _ENDING_S
        for watcher in self._watchers:
            watcher.end_by(deadline)
        self._watchers = []

    def _is_heard(self, watcher: _Watcher) -> bool:
        """Of a network that has come apart, the side of this machine counts."""
        is_here = [is_this_host(one.host.name) for one in self._watchers]
        return not any(is_here) or is_this_host(watcher.host.name)

    def _join(self) -> None:
        """Tells all where the others are, as soon as that is known of each."""
        if not self.is_joining():
            return
        for watcher in self._watchers:
            if watcher.card is None and (why := self._why_silent(watcher)):
                return self._give_up(watcher.host, why)
        if any(watcher.card is None for watcher in self._watchers):
            return
        limit_ms = max(1, round(self._timeout_s * 1000))
        places = " ".join(f"{one.card}:{one.host.rank_count or 1}" for one in self._watchers)
        for node, watcher in enumerate(self._watchers):
            watcher.is_ordered = True
            watcher.order(f"{self._job} {node} {limit_ms} {places}")

    def _why_silent(self, watcher: _Watcher) -> str | None:
        if why := watcher.why_ended():
            return why
        is_late = time.monotonic() > self._card_deadline
        return f"no answer within {ANSWER_WITHIN_S:.0f} s" if is_late else None

    def _give_up(self, host: Host, why: str) -> None:
        """Without one of them nobody is watched: the ring has a gap."""
        say(f"host {host.name} is not watched: {why}. If a host vanishes, the job waits for it")
        self.end()
