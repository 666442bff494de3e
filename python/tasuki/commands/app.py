"""The `tasuki` command: its subcommands, and what it says of itself."""

from typing import Annotated

import typer

import tasuki
from tasuki.commands import (
    bench,
    call,
    explain,
    idl,
    info,
    kept,
    mpi_plugin,
    predict,
    profile,
    program_command,
    reproduce,
    serve,
    token,
    tune,
)
from tasuki.commands.declared_run import declare_run
from tasuki.commands.option_groups import command

app = typer.Typer(
    help="Remote function calls, global pointers and measured collectives for clusters.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"tasuki {tasuki.__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version."
        ),
    ] = False,
) -> None:
    del version


declare_run(app)
for function in (
    info.info,
    mpi_plugin.mpi_plugin,
    tune.tune,
    explain.explain,
    predict.predict,
    serve.serve,
    call.call,
    kept.kept,
    token.token,
):
    command(app, cls=call.CallCommand if function is call.call else None)(function)
command(app, **program_command.SETTINGS)(profile.profile)
app.add_typer(bench.app, name="bench")
app.add_typer(reproduce.app, name="reproduce")
app.add_typer(idl.app, name="idl")
