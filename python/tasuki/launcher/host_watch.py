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
_NO_WAY = 255  # As of ssh and rsh.
_WORDS_MOST_BYTES = 1 << 12


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
    is_hexadecimal = "x" in text.lower()  # Which strtod of C reads as well.
    return float.fromhex(text) if is_hexadecimal else float(text or PEER_TIMEOUT_S)


class _Watcher:
    """The process that watches one host, as the launcher sees it."""

    def __init__(self, host: Host, agent: list[str], program: Path) -> None:
        self.host = host
        self.card: str | None = None
        self.is_ordered = False
        self.has_verdict = False
        self.is_given_up = False  # And that has been said.
        self.end_time: float | None = None  # When its end was first seen.
        self._agent = agent
        self._received = b""
        self._words = b""
        self._unsent = memoryview(b"")
        there = [*agent, host.name, shlex.quote(str(program))]
        self._process = subprocess.Popen(
            there if agent else [str(program)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,  # What stops this process, as a terminal does, passes it by.
            preexec_fn=lambda: signal.pthread_sigmask(signal.SIG_SETMASK, ()),
        )
        streams = (self._process.stdin, self._process.stdout, self._process.stderr)
        self._streams = [stream for stream in streams if stream is not None]
        self._orders_fd, self._answers_fd, self._words_fd = (one.fileno() for one in self._streams)
        for stream in self._streams:
            os.set_blocking(stream.fileno(), False)

    def lines(self) -> list[str]:
        """Those that have come by now; all there are once `has_ended`."""
        self._words = (self._words + _read_all(self._words_fd))[-_WORDS_MOST_BYTES:]
        *whole, self._received = (self._received + _read_all(self._answers_fd)).split(b"\n")
        return [line.decode(errors="replace") for line in whole]

    def order(self, text: str) -> None:
        self._unsent = memoryview(bytes(self._unsent) + text.encode() + b"\n")
        self.send_rest()

    def has_taken_all(self) -> bool:
        """Of its orders. Nothing more is to come from one that has ended."""
        return not self._unsent or self.end_time is not None

    def send_rest(self) -> None:
        """What did not fit into the pipe. Who has ended reads nothing."""
        with contextlib.suppress(OSError):
            while self._unsent:
                self._unsent = self._unsent[os.write(self._orders_fd, self._unsent) :]

    def has_ended(self) -> bool:
        if self._process.poll() is None:
            return False
        self.end_time = self.end_time or time.monotonic()
        return True

    def has_lost_way(self) -> bool:
        """Its agent has ended, and not what that has started. Then a host that is up reads nothing
        more and takes its leave of the others; one that is not will be missed by them."""
        code = self._process.returncode
        return bool(self._agent) and code is not None and (code <= 0 or code == _NO_WAY)

    def why_ended(self) -> str:
        """After `has_ended` and `lines`."""
        code = self._process.returncode
        if code in _NO_PROGRAM:
            return f"{PROGRAM} of this installation cannot be started there"
        title = Path(self._agent[0]).name if self.has_lost_way() else PROGRAM
        how = f"with exit code {code}" if code >= 0 else f"by {signal.Signals(-code).name}"
        words = self._words.decode(errors="replace").split("\n")
        said = [line.strip().rstrip(".") for line in words if line.strip()]
        return f"{title} has ended {how}" + (f" ({said[-1]})" if said else "")

    def leave(self) -> None:
        """It ends when it reads nothing more."""
        for stream in self._streams:
            with contextlib.suppress(OSError):
                stream.close()

    def end_by(self, deadline: float) -> None:
        """After `leave`."""
        try:
            self._process.wait(max(0.0, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


def _read_all(file: int) -> bytes:
    """What has come by now."""
    read = b""
    with contextlib.suppress(OSError):
        while more := os.read(file, 1 << 16):
            read += more
    return read


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
            try:
                self._watchers.append(_Watcher(host, agent, program))
            except OSError as failure:
                return self._give_up(host, f"{(agent or [program])[0]}: {failure.strerror}")

    def verdict(self) -> Verdict | None:
        """What they have found by now. Called again and again: it joins the watchers."""
        for watcher in self._watchers:
            watcher.send_rest()
            has_ended = watcher.has_ended()  # Asked first: its last line is not to be missed.
            for line in watcher.lines():
                kind, _, text = line.partition(" ")
                if kind == "card":
                    watcher.card = text
                elif kind == "unheard":
                    say(text)
                elif kind in ("vanished", "vanished-for-ranks"):
                    watcher.has_verdict = True
                    if self._is_heard(watcher):
                        return Verdict(text, ranks_know=kind != "vanished")
            if has_ended and not self._can_go_without(watcher):
                self._give_up(watcher.host, watcher.why_ended())
                return None
        self._join()
        return None

    def is_joining(self) -> bool:
        """Have the watchers not all been told yet where the others are?"""
        return not all(one.is_ordered and one.has_taken_all() for one in self._watchers)

    def end(self, with_job: bool = False) -> None:
        """Ends the watchers; `with_job`, with all that is left of the job, also on a host that has
        only been paused."""
        for watcher in self._watchers:
            if with_job:
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

    def _can_go_without(self, watcher: _Watcher) -> bool:
        """It has ended. Do the others watch on without missing it?"""
        if watcher.has_verdict or watcher.is_given_up:
            return True
        if not watcher.is_ordered or not watcher.has_lost_way():
            return False
        assert watcher.end_time is not None
        if time.monotonic() - watcher.end_time > self._timeout_s:
            watcher.is_given_up = True
            self._say_unwatched(watcher.host, watcher.why_ended())
        return True

    def _join(self) -> None:
        """Tells all where the others are, as soon as that is known of each."""
        if all(watcher.is_ordered for watcher in self._watchers):
            return
        missing = [watcher for watcher in self._watchers if watcher.card is None]
        if missing and time.monotonic() > self._card_deadline:
            self._give_up(missing[0].host, f"no answer within {ANSWER_WITHIN_S:.0f} s")
        if missing:
            return
        lengths = [len(watcher.card or "") for watcher in self._watchers]
        for watcher, length in zip(self._watchers, lengths, strict=True):
            if length != lengths[0]:
                first = self._watchers[0].host.name
                return self._give_up(watcher.host, f"its {PROGRAM} is not that of host {first}")
        limit_ms = max(1, round(self._timeout_s * 1000))
        places = " ".join(f"{one.card}:{one.host.rank_count or 1}" for one in self._watchers)
        for node, watcher in enumerate(self._watchers):
            watcher.is_ordered = True
            watcher.order(f"{self._job} {node} {limit_ms} {places}")

    def _give_up(self, host: Host, why: str) -> None:
        """Without one of them nobody is watched: the ring has a gap. The others do not miss it:
        they take leave at once."""
        self._say_unwatched(host, why)
        self.end()

    def _say_unwatched(self, host: Host, why: str) -> None:
        since = " any more" if any(watcher.is_ordered for watcher in self._watchers) else ""
        waits = "If a host vanishes, the job waits for it"
        say(f"host {host.name} is not watched{since}: {why}. {waits}")
