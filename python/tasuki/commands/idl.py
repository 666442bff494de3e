"""The command lines of `tasuki idl ...`."""

from pathlib import Path
from typing import Annotated

import typer

from tasuki.commands.option_groups import command
from tasuki.commands.options import Json, LongBits, choice
from tasuki.idl.launches import OWN_LAUNCHES

app = typer.Typer(
    help="Check, show and build interface files of numerical routines.", no_args_is_help=True
)
Long = Annotated[
    LongBits,
    typer.Option("--long", help="Bits that long has when it travels; Ninf's are 32."),
]


@command(app)
def check(
    files: Annotated[list[Path], typer.Argument(help="Interface files.")],
    long_bits: Long = "32",
) -> None:
    """Say what is wrong with the files, each with its line and column."""
    from tasuki.idl.command import check_files

    check_files(list(files), int(long_bits))


@command(app)
def show(
    file: Annotated[Path, typer.Argument(help="Interface file.")],
    long_bits: Long = "32",
    as_json: Json = False,
) -> None:
    """Show routines and arguments; --json prints the interface that servers and clients use."""
    from tasuki.idl.command import show as work

    work(file, int(long_bits), as_json)


@command(app)
def build(
    file: Annotated[Path, typer.Argument(help="Interface file.")],
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="Folder; usually that of the file.")
    ] = None,
    long_bits: Long = "32",
    program: Annotated[
        Path | None,
        typer.Option(help="Build nothing: the main function of this program serves the routines."),
    ] = None,
    launch: Annotated[
        choice("Launch", OWN_LAUNCHES),
        typer.Option(help="With --program, what starts it: as one process, or as ranks."),
    ] = "process",
) -> None:
    """Make the program that `tasuki serve` starts, with the compilers of this machine."""
    from tasuki.idl import build as work

    folder = output or file.parent
    if program is None:
        print(work.build(file, folder, int(long_bits)))
    else:
        print(work.register(file, folder, int(long_bits), program, launch))


Source = Annotated[str, typer.Argument(metavar="SOURCE", help="Interface file, or a server's URL.")]


@command(app)
def stubs(
    source: Source,
    output: Annotated[Path, typer.Option("-o", "--output", help="Folder.")] = Path("."),
    long_bits: Long = "32",
) -> None:
    """Write a type stub (.pyi), by which editors and type checkers know the routines."""
    from tasuki.rpc.documentation_command import write_stub

    write_stub(source, output, int(long_bits))


@command(app)
def doc(
    source: Source,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", help="File, HTML if it ends in .html; else shown."),
    ] = None,
    long_bits: Long = "32",
) -> None:
    """Write the documentation of the routines as Markdown or HTML."""
    from tasuki.rpc.documentation_command import write_documentation

    write_documentation(source, output, int(long_bits))
