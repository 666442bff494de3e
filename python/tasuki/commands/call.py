"""The command line of `tasuki call`."""

import re
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from tasuki.base.errors import usage_error
from tasuki.commands.options import CaFile, Json, TokenFile

_NEGATIVE = re.compile(r"-(\.?\d|inf|nan).*", re.IGNORECASE)

Mode = Annotated[
    str | None,
    typer.Option(help="Way by which arrays reach the ranks, in place of TASUKI_RPC_MODE: relay."),
]
Wire = Annotated[
    str | None,
    typer.Option(help="Form in which numbers travel, in place of TASUKI_RPC_WIRE: xdr."),
]


class CallCommand(TyperCommand):
    """Says how a negative number is given, which would be an option that is not there."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        options = args[: args.index("--")] if "--" in args else args
        for one in filter(_NEGATIVE.fullmatch, options):
            raise usage_error(
                "call",
                f"{one} would be an option",
                f"give its name, as in n={one}, or write -- before the arguments",
            )
        return super().parse_args(ctx, args)


def call(
    url: Annotated[
        str, typer.Argument(help="The server: tasuki://HOST:PORT, or several, as in A,B.")
    ],
    routine: Annotated[str, typer.Argument(help="As tasuki info URL shows it: linpack.solve.")],
    arguments: Annotated[
        list[str] | None,
        typer.Argument(
            help="In order, or as NAME=...: numbers, lists as in [1,2], arrays as in @FILE.npy."
        ),
    ] = None,
    output: Annotated[
        list[str],
        typer.Option("-o", "--output", help="NAME=FILE.npy, where a result goes; repeatable."),
    ] = [],
    mode: Mode = None,
    wire: Wire = None,
    token_file: TokenFile = None,
    ca_file: CaFile = None,
    as_json: Json = False,
) -> None:
    """Call a routine of a server; arrays come from .npy files and go to them."""
    from tasuki.rpc.call_command import call as work

    work(
        url, routine, list(arguments or []), list(output), as_json, token_file, ca_file, mode, wire
    )
