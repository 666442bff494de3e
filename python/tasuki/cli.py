"""The `tasuki` command: hands each subcommand to its module.

`tasuki run` is looked at before anything slow is imported: starting a job should cost no more than
starting Python.
"""

import signal
import sys
from typing import NoReturn

from tasuki.errors import CommandError

ENDING_SIGNALS = (signal.SIGTERM, signal.SIGHUP)


def main() -> int:
    """Entry point of the command; returns its exit code."""
    arguments = sys.argv[1:]
    try:
        if arguments[:1] == ["run"]:
            from tasuki.run import main as run_main

            return run_main(arguments[1:])
        for number in ENDING_SIGNALS:
            signal.signal(number, _end)
        from tasuki.commands import app

        app()
        return 0
    except CommandError as failure:
        sys.stderr.write(f"{failure}\n")
        return failure.exit_code


def _end(number: int, _: object) -> NoReturn:
    """As an exception, so that all that has been started is ended and cleaned up on the way out."""
    raise SystemExit(128 + number)
