"""The command line of `tasuki predict`."""

from pathlib import Path
from typing import Annotated

import typer

from tasuki.commands.options import Json


def predict(
    trace: Annotated[Path, typer.Argument(help="What tasuki profile --record has written.")],
    predictor: Annotated[
        str | None, typer.Option(help="Only this predictor: last_value, history, ...")
    ] = None,
    earlier: Annotated[
        Path | None, typer.Option(help="Trace of an earlier run, for the predictor that uses one.")
    ] = None,
    skip: Annotated[
        int,
        typer.Option(min=0, help="Messages at the beginning of each rank that do not count."),
    ] = 0,
    plot: Annotated[
        Path | None, typer.Option("--plot", help="Draw the result into this PNG.", dir_okay=False)
    ] = None,
    as_json: Json = False,
) -> None:
    """Compare the predictors of the next message on the messages of a recorded run."""
    from tasuki.predict.command import predict as work
    from tasuki.predict.question import Question

    work(Question(trace, predictor, earlier, skip), as_json, plot)
