"""The command line of `tasuki token`."""

from pathlib import Path
from typing import Annotated

import typer


def token(
    name: Annotated[str, typer.Argument(help="Of the user: letters, digits, - and _.")],
    users: Annotated[
        Path | None,
        typer.Option(help="The file of users, made if need be; only the token is printed."),
    ] = None,
) -> None:
    """Make a token for a user of a server: a new user, or a new token for one.

    The file of users has a digest of it, so that who reads the file cannot call.
    """
    from tasuki.rpc.users import add_user, line_of, make_user

    user, made = make_user(name)
    if users is None:
        print(f"token: {made}\nline for the file of users: {line_of(user)}")
    else:
        add_user(users, user)
        print(made)
