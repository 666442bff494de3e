"""Signals that cut a measurement off and leave what it has found: Ctrl-C, and those that end a
command (SIGTERM of a batch system, SIGHUP).

Used by commands that measure for long. Thread-safety: the main thread only, as signal.signal.
"""

import os
import signal
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

CUTTING_OFF = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
INTERRUPTED = "tasuki: interrupted; what had been measured until then is shown.\n"


class Interruption:
    """Which signal has come, if any has."""

    def __init__(self) -> None:
        self.signal_number = 0
        self._is_raised = False  # By a signal that comes now.

    @property
    def has_come(self) -> bool:
        return self.signal_number != 0

    @contextmanager
    def held_back(self) -> Iterator[None]:
        """What is done within is done whole: a signal that comes meanwhile ends the block after
        it."""
        self.end()
        yield
        self.begin()

    def exit_code(self) -> int:
        """Of a command that has shown what there is; says so if it was cut off."""
        sys.stdout.flush()
        if not self.has_come:
            return 0
        say_if_read(INTERRUPTED)
        return 128 + self.signal_number

    def begin(self) -> None:
        """Signals raise KeyboardInterrupt from now on, as does one that has come already."""
        self._is_raised = True
        if self.has_come:
            raise KeyboardInterrupt

    def end(self) -> None:
        """Signals are only noted from now on."""
        self._is_raised = False

    def take(self, number: int, _: object) -> None:
        """The handler of the signals. Only the first one counts."""
        if self.has_come:
            return
        self.signal_number = number
        if self._is_raised:
            raise KeyboardInterrupt


def heed(
    numbers: Iterable[signal.Signals], handler: Callable[[int, Any], None]
) -> dict[signal.Signals, Any]:
    """Sets the handler of those signals that the process does not ignore, as nohup has it, and that
    no code but Python's handles, whose handler could not be set again.

    Returns their handlers before.
    """
    before = {one: signal.getsignal(one) for one in numbers}
    heeded = {one: old for one, old in before.items() if old not in (signal.SIG_IGN, None)}
    for one in heeded:
        signal.signal(one, handler)
    return heeded


@contextmanager
def until_interrupted() -> Iterator[Interruption]:
    """Ctrl-C, SIGTERM and SIGHUP end the block, except those that the process ignores (nohup). More
    of them do nothing, also afterwards, so that the process ends in order.

    Example:
        with until_interrupted() as interruption:
            measure()
        if interruption.has_come: ...
    """
    interruption = Interruption()
    before = heed(CUTTING_OFF, interruption.take)
    interruption.begin()
    try:
        yield interruption
    except (KeyboardInterrupt, OSError):
        # SIGHUP tells that the terminal is gone. What is written there on the way out fails.
        if not interruption.has_come:
            raise
    finally:
        interruption.end()
        if not interruption.has_come:
            for one, handler in before.items():
                signal.signal(one, handler)


def say_if_read(text: str) -> None:
    """To standard error, unless nobody can read it any more: the terminal may be gone."""
    try:
        sys.stderr.write(text)
        sys.stderr.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # For what is still in the buffer.
