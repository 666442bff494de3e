"""`--debug gdb`: each rank under gdb in batch mode. A crash prints the backtraces of threads and
fibers."""

import os

from tasuki.base.errors import usage_error
from tasuki.launcher.program import find_program

SCRIPT = os.path.join(os.path.dirname(__file__), "rank.gdb")


def debugged(command: list[str]) -> list[str]:
    """`command` as a command that runs it under gdb and ends with its exit code.

    Raises CommandError if there is no gdb.
    """
    from tasuki.base.programs import find_gdb_script  # Which takes long to import.

    gdb = find_program("gdb")
    if gdb is None:
        raise usage_error(
            "run", "--debug gdb: gdb is not installed", "install it, as with: apt install gdb"
        )
    fibers = find_gdb_script("fibers.py")
    scripts = ["-x", SCRIPT] if fibers is None else ["-x", str(fibers), "-x", SCRIPT]
    # Commands of their own, so that gdb goes on where it has no Python or the program no fibers.
    after_crash = [] if fibers is None else ["-ex", "tasuki fibers"]
    after_crash += ["-ex", "quit 128 + $signal_number"]
    return [gdb, "-q", "-nx", "-batch", *scripts, *after_crash, "--args", *command]
