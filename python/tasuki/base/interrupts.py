"""Ctrl-C that cuts a measurement off and leaves what it has found.

Used by commands that measure for long. Thread-safety: the main thread only, as signal.signal.
"""

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

EXIT_INTERRUPTED = 130  # As of a shell: 128 + SIGINT.
INTERRUPTED = "tasuki: interrupted; what had been measured until then is shown.\n"


class Interruption:
    """Whether Ctrl-C has come."""

    has_come = False

    def exit_code(self) -> int:
        """Of a command that has shown what there is; says so if it was cut off."""
        sys.stdout.flush()
        if not self.has_come:
            return 0
        sys.stderr.write(INTERRUPTED)
        return EXIT_INTERRUPTED


@contextmanager
def until_interrupted() -> Iterator[Interruption]:
    """Ctrl-C ends the block. More of it is ignored, also afterwards, so that the process ends in
    order.

    Example:
        with until_interrupted() as interruption:
            measure()
        if interruption.has_come: ...
    """
    interruption = Interruption()

    def take(*_: object) -> NoReturn:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        interruption.has_come = True
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGINT, take)
    try:
        yield interruption
    except KeyboardInterrupt:
        if not interruption.has_come:
            raise
    finally:
        if not interruption.has_come:
            signal.signal(signal.SIGINT, before)
