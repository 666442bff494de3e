"""What is started for a rank."""

from tasuki.launcher.debugger import debugged
from tasuki.launcher.options import Part, RunOptions
from tasuki.launcher.program import require_program


def started_command(part: Part, options: RunOptions) -> list[str]:
    """The command of the part's ranks, with the program's path.

    Raises CommandError (exit code 2) if there is no such program.
    """
    command = [require_program(part.command[0]), *part.command[1:]]
    return debugged(command) if options.debugger == "gdb" else command


def commands_of_ranks(options: RunOptions) -> list[list[str]]:
    """Of each rank, as `started_command`."""
    commands = []
    for part in options.parts:
        commands += [started_command(part, options)] * part.rank_count
    return commands
