"""The command lines of `tasuki idl ...`."""

from pathlib import Path
from typing import Annotated

import typer

from tasuki.commands.option_groups import command
from tasuki.commands.options import Json, choice
from tasuki.idl.types import LONG_BITS

app = typer.Typer(
    help="Check and show interface files of numerical routines.", no_args_is_help=True
)
LongBits = Annotated[
    choice("LongBits", tuple(map(str, LONG_BITS))),
    typer.Option("--long", help="Bits that long has when it travels; Ninf's are 32."),
]


@command(app)
def check(
    files: Annotated[list[Path], typer.Argument(help="Interface files.")],
    long_bits: LongBits = "32",
) -> None:
    """Say what is wrong with the files, each with its line and column."""
    from tasuki.idl.command import check_files

    check_files(list(files), int(long_bits))


@command(app)
def show(
    file: Annotated[Path, typer.Argument(help="Interface file.")],
    long_bits: LongBits = "32",
    as_json: Json = False,
) -> None:
    """Show routines and arguments; --json prints the interface that servers and clients use."""
    from tasuki.idl.command import show as work

    work(file, int(long_bits), as_json)
