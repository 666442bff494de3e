"""The `tasuki` command: hands each subcommand to its module.

`tasuki run` is looked at before anything slow is imported: starting a job should cost no more than
starting Python.
"""

import sys

from tasuki.errors import CommandError


def main() -> int:
    """Entry point of the command; returns its exit code."""
    arguments = sys.argv[1:]
    try:
        if arguments[:1] == ["run"]:
            from tasuki.run import main as run_main

            return run_main(arguments[1:])
        from tasuki.commands import app

        app()
        return 0
    except CommandError as failure:
        sys.stderr.write(f"{failure}\n")
        return failure.exit_code
