"""`--debug gdb`: each rank under gdb in batch mode; a crash prints all threads' backtraces."""

import os

from tasuki.base.errors import usage_error
from tasuki.launcher.program import find_program

SCRIPT = os.path.join(os.path.dirname(__file__), "rank.gdb")


def debugged(command: list[str]) -> list[str]:
    """`command` as a command that runs it under gdb and ends with its exit code.

    Raises CommandError if there is no gdb.
    """
    gdb = find_program("gdb")
    if gdb is None:
        raise usage_error(
            "run", "--debug gdb: gdb is not installed", "install it, as with: apt install gdb"
        )
    return [gdb, "-q", "-nx", "-batch", "-x", SCRIPT, "--args", *command]
