"""The command line of `tasuki mpi-plugin`."""

from pathlib import Path
from typing import Annotated

import typer

from tasuki.commands.options import Json
from tasuki.output.report import envelope, print_json, print_table, result


def mpi_plugin(
    mpi_compiler: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="C++ compiler wrapper of the MPI, as in mpicxx.mpich."),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", help="Folder, if not that of this installation."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Build the MPI plug-ins alone, where Tasuki was built before an MPI was installed.

    Without --mpi-compiler, one for each MPI whose compiler is in the PATH: Open MPI, MPICH. An
    installed Tasuki has its plug-ins in PREFIX/lib/tasuki: name that with --output.
    """
    from tasuki.launcher.mpi_plugin import build_plugins, default_folder

    plugins = build_plugins((output or default_folder()).absolute(), mpi_compiler)
    if as_json:
        rows = [
            result(one.mpi, str(one.file), "", kind="mpi_plugin", compiler=one.compiler)
            for one in plugins
        ]
        print_json(envelope("mpi-plugin", rows, ranks=None, transport="mpi"))
        return
    print_table(
        "MPI plug-ins built", ("MPI", "compiled by", "plug-in"), [tuple(one) for one in plugins]
    )
