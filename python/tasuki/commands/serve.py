"""The command line of `tasuki serve`."""

from pathlib import Path
from typing import Annotated

import typer

from tasuki.commands.options import Ranks, TokenFile
from tasuki.commands.values import parse_bytes
from tasuki.rpc.address import DEFAULT_PORT


def serve(
    paths: Annotated[
        list[Path] | None,
        typer.Argument(help="Interface files, built if need be, or folders with some."),
    ] = None,
    demo: Annotated[bool, typer.Option("--demo", help="Serve the routines of the demo.")] = False,
    n: Ranks = 2,
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="Where clients connect; 0 takes any free port.")
    ] = DEFAULT_PORT,
    launcher: Annotated[
        str,
        typer.Option(
            help="What starts routines that use MPI, in place of mpiexec; {ranks} is their number."
        ),
    ] = "",
    keep_limit: Annotated[
        str,
        typer.Option(help="How much of arrays that clients leave there a module keeps: 500M, 4G."),
    ] = "4G",
    log: Annotated[
        Path | None,
        typer.Option(help="A file that tells who has called what from where, and how it ended."),
    ] = None,
    users: Annotated[
        Path | None,
        typer.Option(help="Serve only the users in this file, to which tasuki token adds."),
    ] = None,
    token_file: TokenFile = None,
) -> None:
    """Serve numerical routines to clients on this machine until Ctrl-C.

    With --users, --token-file or TASUKI_TOKEN, only to those who have a token.
    """
    from tasuki.rpc.programs import Launch
    from tasuki.rpc.server_options import ServerOptions
    from tasuki.rpc.serving import serve as work
    from tasuki.rpc.users import served_users

    work(
        list(paths or []),
        demo,
        Launch(n, launcher, parse_bytes(keep_limit, "serve", "--keep-limit")),
        port,
        ServerOptions(log, tuple(served_users(users, token_file))),
    )
