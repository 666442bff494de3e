"""The command line of `tasuki profile`."""

from typing import Annotated

import typer

from tasuki.commands.options import Json, time_option

LEAST_INTERVAL_S = 0.1  # Each report reads all events anew.

# Options behind the first word are those of the command that is profiled.
SETTINGS = {"context_settings": {"allow_interspersed_args": False}}


def profile(
    command: Annotated[
        list[str],
        typer.Argument(
            metavar="COMMAND...", help="What starts the MPI program: mpirun -n 4 ./program."
        ),
    ],
    every: Annotated[
        float | None,
        time_option(LEAST_INTERVAL_S, "Print the report so far each time so much has passed."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Show where an MPI program spends its time, unchanged and not recompiled.

    The program's input, output, signals and exit code are its own. The report goes to standard
    error; with --json it goes to standard output, and what the program prints to standard error.
    SIGUSR1 to this command prints the report so far.
    """
    from tasuki.profile.command import Wanted
    from tasuki.profile.command import profile as work

    raise typer.Exit(work(list(command), Wanted(as_json=as_json, every_s=every)))
