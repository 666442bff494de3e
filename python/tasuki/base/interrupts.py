"""Signals that cut a measurement off and leave what it has found: Ctrl-C, and those that end a
command (SIGTERM of a batch system, SIGHUP).

Used by commands that measure for long. Thread-safety: the main thread only, as signal.signal.
"""

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

CUTTING_OFF = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
EXIT_INTERRUPTED = 130  # As of a shell: 128 + SIGINT.
INTERRUPTED = "tasuki: interrupted; what had been measured until then is shown.\n"


class Interruption:
    """Which signal has come, if any has."""

    signal_number = 0

    @property
    def has_come(self) -> bool:
        return self.signal_number != 0

    def exit_code(self) -> int:
        """Of a command that has shown what there is; says so if it was cut off."""
        sys.stdout.flush()
        if not self.has_come:
            return 0
        sys.stderr.write(INTERRUPTED)
        return 128 + self.signal_number


@contextmanager
def until_interrupted() -> Iterator[Interruption]:
    """Ctrl-C, SIGTERM and SIGHUP end the block. More of them are ignored, also afterwards, so that
    the process ends in order.

    Example:
        with until_interrupted() as interruption:
            measure()
        if interruption.has_come: ...
    """
    interruption = Interruption()

    def take(number: int, _: object) -> NoReturn:
        for one in CUTTING_OFF:
            signal.signal(one, signal.SIG_IGN)
        interruption.signal_number = number
        raise KeyboardInterrupt

    before = {one: signal.signal(one, take) for one in CUTTING_OFF}
    try:
        yield interruption
    except KeyboardInterrupt:
        if not interruption.has_come:
            raise
    finally:
        if not interruption.has_come:
            for number, handler in before.items():
                signal.signal(number, handler)
