"""The `tasuki` command: hands each subcommand to its module.

`tasuki run` is recognised before anything slow is imported: starting a job should cost no more than
starting Python.
"""

import errno
import os
import signal
import sys
from typing import NoReturn

from tasuki.base.errors import CommandError
from tasuki.base.interrupts import heed, say_if_read

ENDING_SIGNALS = (signal.SIGTERM, signal.SIGHUP)
OUTPUT_ERRORS = (errno.EPIPE, errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)


def main() -> int:
    """Entry point of the command; returns its exit code."""
    arguments = sys.argv[1:]
    _open_standard_streams()
    try:
        if arguments[:1] == ["run"]:
            from tasuki.commands.run import main as run_main

            return run_main(arguments[1:])
        heed(ENDING_SIGNALS, _end)
        from tasuki.commands.app import app

        try:
            app()
        finally:
            sys.stdout.flush()
        return 0
    except CommandError as failure:
        sys.stderr.write(f"{failure}\n")
        return failure.exit_code
    except OSError as failure:
        if failure.errno not in OUTPUT_ERRORS:
            raise
        return _end_without_output(failure)


def _open_standard_streams() -> None:
    """Opens /dev/null for each that is closed (cron, daemons), before something else gets its
    number."""
    for number in (0, 1, 2):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # The lowest number that is free: this one.
            os.set_inheritable(number, True)
    sys.stdout = sys.stdout or os.fdopen(1, "w", closefd=False)
    sys.stderr = sys.stderr or os.fdopen(2, "w", closefd=False)


def _end_without_output(failure: OSError) -> int:
    """Who has stopped reading knows; a full disk is to be said."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # For what is still in the buffer.
    if failure.errno != errno.EPIPE:
        said = CommandError(
            "writing the output", f"{failure.strerror}", "make room, or send it elsewhere"
        )
        say_if_read(f"{said}\n")
    return 1


def _end(number: int, _: object) -> NoReturn:
    """As an exception, so that all that has been started is ended and cleaned up on the way out."""
    raise SystemExit(128 + number)
