"""The command line of `tasuki serve`."""

from typing import Annotated

import typer

from tasuki.commands.options import Ranks
from tasuki.rpc.address import DEFAULT_PORT


def serve(
    demo: Annotated[bool, typer.Option("--demo", help="Serve the routines of the demo.")] = False,
    n: Ranks = 2,
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="Where clients connect; 0 takes any free port.")
    ] = DEFAULT_PORT,
) -> None:
    """Serve numerical routines to clients on this machine until Ctrl-C."""
    from tasuki.rpc.serving import serve as work

    work(demo, n, port)
