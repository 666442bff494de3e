"""The command line of `tasuki profile`."""

from pathlib import Path
from typing import Annotated

import typer

from tasuki.commands.options import Json, time_option

LEAST_INTERVAL_S = 0.1  # Each report reads all events anew.


def profile(
    command: Annotated[
        list[str],
        typer.Argument(
            metavar="COMMAND",
            help="What starts the program, as in mpirun -n 4 ./program, or diff A.json B.json.",
        ),
    ],
    output: Annotated[
        Path | None,
        typer.Option(
            "-o", "--output", help="Write the report as FILE.html or .json.", dir_okay=False
        ),
    ] = None,
    trace: Annotated[
        Path | None,
        typer.Option(help="Write a time line for Perfetto (Chrome's format).", dir_okay=False),
    ] = None,
    record: Annotated[
        Path | None,
        typer.Option(help="Write the received messages, for tasuki predict.", dir_okay=False),
    ] = None,
    every: Annotated[
        float | None,
        time_option(LEAST_INTERVAL_S, "Print the report so far each time so much has passed."),
    ] = None,
    beside_tuned: Annotated[
        bool,
        typer.Option(
            "--beside-tuned",
            help="Run the command once more with tuned collectives: what do they save?",
        ),
    ] = False,
    as_json: Json = False,
) -> None:
    """Show where a program of MPI or Tasuki spends its time, unchanged and not recompiled.

    The program's input, output, signals and exit code are its own. The report goes to standard
    error; with --json it goes to standard output, and what the program prints to standard error.
    SIGUSR1 to this command prints the report so far, and who waits for whom.

    tasuki profile diff A.json B.json shows what is slower or faster in B.
    """
    if command[0] == "diff":
        from tasuki.profile.diff import diff

        paths = [word for word in command[1:] if word != "--json"]
        diff(paths, as_json or len(paths) < len(command) - 1)
        return
    from tasuki.profile.command import Wanted
    from tasuki.profile.command import profile as work
    from tasuki.profile.preload import tuned_settings

    settings = tuned_settings("auto", "guarded") if beside_tuned else None
    wanted = Wanted(output, trace, record, every, as_json, settings)
    raise typer.Exit(work(list(command), wanted))
