"""`tasuki run` in the words of typer: for completion and the manual, which know typer's commands.

Its options are those of `commands.run`. Nothing is run from here: `tasuki.cli` has started the job
before typer is imported.
"""

import argparse
import inspect
from typing import Annotated, Any

import typer

from tasuki.commands import program_command, run
from tasuki.commands.options import choice


def declare_run(app: typer.Typer) -> None:
    """Adds the command to `app`."""
    parser = run.make_parser()

    def declared(**_: Any) -> None:
        raise NotImplementedError("tasuki.cli runs it")

    # argparse names what was declared in no other way.
    actions = [one for one in parser._actions if not isinstance(one, argparse._HelpAction)]
    parameters = [_parameter(action) for action in actions]
    declared.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    declared.__annotations__ = {one.name: one.annotation for one in parameters}
    app.command(
        name="run",
        help=parser.description,
        epilog=parser.epilog,
        **program_command.SETTINGS,
    )(declared)


def _parameter(action: argparse.Action) -> inspect.Parameter:
    words = _words(action)
    declaration: dict[str, Any] = {"help": action.help, "metavar": action.metavar}
    kind: Any = str | None
    if not action.option_strings:
        annotation = Annotated[list[str], typer.Argument(**declaration)]
    else:
        if action.nargs == 0:
            kind = bool
        elif action.choices:
            kind = choice(action.dest, tuple(action.choices)) | None
        elif words:
            declaration["autocompletion"] = lambda: words
        annotation = Annotated[kind, typer.Option(*action.option_strings, **declaration)]
    default: Any = inspect.Parameter.empty
    if action.option_strings:
        default = False if kind is bool else None
    return inspect.Parameter(
        action.dest, inspect.Parameter.KEYWORD_ONLY, annotation=annotation, default=default
    )


def _words(action: argparse.Action) -> list[str]:
    """Of auto|default|FILE, the words that stand for themselves."""
    metavar = action.metavar if isinstance(action.metavar, str) else ""
    return [word for word in metavar.split("|") if "|" in metavar and word.islower()]
