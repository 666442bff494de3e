"""Becomes a command that ends when the process that has started it ends.

    python -m tasuki.launcher.tied_command PID COMMAND [ARGUMENT...]

PID is that process's own. A program of its own, because nothing but exec is safe in the child of
a process with threads.
"""

import os
import signal
import sys
from typing import NoReturn

from tasuki.launcher.rank_process import end_with_parent

EXIT_CANNOT_EXECUTE = 126  # As of a shell.


def tied(command: list[str]) -> list[str]:
    """`command` as a command that ends, by SIGTERM, with the thread that starts it."""
    return [sys.executable, "-m", __name__, str(os.getpid()), *command]


def become(parent_pid: int, command: list[str]) -> NoReturn:
    """Executes `command`, tied to the parent process; exits with EXIT_CANNOT_EXECUTE otherwise."""
    end_with_parent(signal.SIGTERM)
    if os.getppid() != parent_pid:  # It ended before.
        os._exit(EXIT_CANNOT_EXECUTE)
    try:
        os.execvp(command[0], command)
    except OSError as failure:
        sys.stderr.write(f"tasuki: {command[0]} cannot be executed ({failure.strerror}).\n")
        sys.exit(EXIT_CANNOT_EXECUTE)


if __name__ == "__main__":
    become(int(sys.argv[1]), sys.argv[2:])
