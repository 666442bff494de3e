"""The ranks of one host of a job, started there by the launcher through its agent.

`python -m tasuki.launcher.host_ranks` reads one line of JSON from standard input, a HostOrder, and
then lines {"signal": NUMBER}, which it passes on. It ends as its ranks do; when standard input
ends, because the launcher or the way to it is gone, it ends them.
"""

import json
import os
import signal
import socket
import sys
from typing import Any, NamedTuple

from tasuki.base.errors import CommandError
from tasuki.launcher.event_loop import EventLoop
from tasuki.launcher.job_states import FINISHED
from tasuki.launcher.passed_input import take_input
from tasuki.launcher.rank_process import adopt_orphans
from tasuki.launcher.started_ranks import RanksHere, start_ranks
from tasuki.launcher.supervisor import ENDING, FORWARDED, STOPPING, Supervisor
from tasuki.launcher.wireup_server import connect_for_input

LAUNCHER_IS_GONE = 255  # As ssh ends when its connection breaks.


class HostOrder(NamedTuple):
    """What the launcher tells a host."""

    host: str  # As the user has called it.
    first_rank: int
    size: int  # Ranks of the job.
    commands: list[list[str]]  # Of each rank of this host.
    folder: str
    environment: dict[str, str]  # Added to that of a login.
    binding: str
    tag_output: bool
    under_debugger: bool


class _LauncherKnows:
    """The states of the ranks: they tell the launcher itself, which is not this process."""

    def attach(self, _loop: EventLoop) -> None:
        """They do not come here."""

    def state(self, _rank: int) -> int:
        return FINISHED

    def catch_up(self, _rank: int) -> None:
        """They do not come here."""

    def first_failed(self) -> int | None:
        return None

    def is_of_other_version(self) -> bool:
        return False

    def close(self) -> None:
        """They do not come here."""


class _Orders:
    """Standard input after the first line."""

    def __init__(self, supervisor: Supervisor, received: bytes) -> None:
        """`received` has come with the first line."""
        self._supervisor = supervisor
        self._partial_line = b""
        supervisor.loop.listen(0, self._read)
        self._take(received)

    def _read(self) -> None:
        received = os.read(0, 1 << 16)
        if not received:
            self._supervisor.loop.forget(0)
            self._supervisor.end_all(LAUNCHER_IS_GONE)
        self._take(received)

    def _take(self, received: bytes) -> None:
        *lines, self._partial_line = (self._partial_line + received).split(b"\n")
        for line in lines:
            self._supervisor.take_signal(json.loads(line)["signal"])


def read_order() -> tuple[HostOrder, bytes]:
    """The order, and what has been read behind it."""
    received = b""
    while b"\n" not in received:
        more = os.read(0, 1 << 16)
        if not more:
            sys.exit(LAUNCHER_IS_GONE)
        received += more
    line, _, rest = received.partition(b"\n")
    told: dict[str, Any] = json.loads(line)
    return HostOrder(**told), rest


def start(order: HostOrder, supervisor: Supervisor) -> None:
    input_fds = os.pipe() if order.first_rank == 0 else ()
    ranks = RanksHere(
        commands=order.commands,
        first_rank=order.first_rank,
        size=order.size,
        environment={**os.environ, **order.environment},
        binding=order.binding,
        tag_output=order.tag_output,
        stdin=input_fds[0] if input_fds else 0,
        host=order.host,
    )
    start_ranks(ranks, supervisor)
    if input_fds:
        reader, writer = input_fds
        os.close(reader)  # So that writing fails when rank 0 has ended.
        take_input(lambda: connect_for_input(order.environment["TASUKI_WIREUP"]), writer)


def main() -> int:
    signal.pthread_sigmask(signal.SIG_BLOCK, ENDING + FORWARDED + STOPPING)
    adopt_orphans()
    order, rest = read_order()
    try:
        os.chdir(order.folder)
        supervisor = Supervisor(_LauncherKnows(), order.under_debugger)
        try:
            start(order, supervisor)
        except BaseException:
            supervisor.clean_up()
            raise
    except OSError as failure:
        print(f"tasuki: host {order.host} ({socket.gethostname()}): {failure}", file=sys.stderr)
        return 1
    except CommandError as failure:
        print(failure, file=sys.stderr)
        return failure.exit_code
    _Orders(supervisor, rest)
    return supervisor.watch()


if __name__ == "__main__":
    sys.exit(main())
