"""The command line of `tasuki kept`."""

from typing import Annotated

import typer

from tasuki.commands.options import CaFile, Json, TokenFile


def kept(
    url: Annotated[str, typer.Argument(help="The server: tasuki://HOST:PORT.")],
    free: Annotated[
        list[str],
        typer.Option(help="Free the array or object of this name; repeat it for several."),
    ] = [],
    token_file: TokenFile = None,
    ca_file: CaFile = None,
    as_json: Json = False,
) -> None:
    """Show what your programs have left on the ranks of a server, or free it."""
    from tasuki.rpc.kept_command import kept as work

    work(url, free, as_json, token_file, ca_file)
