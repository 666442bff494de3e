"""`tasuki predict`: compares the predictors on the messages of a recorded run."""

from pathlib import Path
from typing import Any

from tasuki.output.report import Row, envelope, print_json, print_table, result
from tasuki.predict.question import Question, ask_program

PARTS = ("source", "tag", "bytes", "communicator", "kind")
# The others are in JSON: a receive from an MPI communicator leaves neither of them open.
SHOWN_PARTS = PARTS[:3]


def predict(question: Question, as_json: bool, plot: Path | None) -> None:
    answer = ask_program(question)
    if plot is not None:
        from tasuki.predict.plot import draw

        draw(answer, plot)
    if as_json:
        rows = [row_of(one) for one in answer["predictors"]]
        print_json(envelope("predict", rows, ranks=answer["ranks"], transport=None))
    else:
        _show(question, answer)


def share(successes: dict[str, int]) -> float | None:
    """Right predictions of all predictions; None if there were none."""
    predictions = successes["predictions"]
    return successes["right"] / predictions if predictions else None


def rate(score: dict[str, Any]) -> float | None:
    """Complete predictions for each message; None if there were no messages."""
    return score["whole"]["predictions"] / score["messages"] if score["messages"] else None


def row_of(one: dict[str, Any]) -> Row:
    score = one["all"]
    return result(
        f"predict_{one['predictor']}",
        share(score["free"]),
        "",
        predictor=one["predictor"],
        form=one["form"],
        default=one["is_default"],
        prediction_rate=rate(score),
        success_whole=share(score["whole"]),
        success_fields={part: share(score["fields"][part]) for part in PARTS},
        success_free=share(score["free"]),
        ns_per_message=one["ns_per_message"],
        all=score,
        waiting=one["waiting"],
    )


def _show(question: Question, answer: dict[str, Any]) -> None:
    first = answer["predictors"][0]
    messages, free = first["all"]["messages"], first["all"]["free_messages"]
    waiting = first["waiting"]["messages"]
    print(
        f"{answer['program']}, {answer['ranks']} ranks: {messages} messages; {waiting} of them were"
        f" waited for, {free} have fields that the receive leaves open."
    )
    print_table(
        "Right predictions, % of the predictions (predicted: % of the messages)",
        ("predictor", "form", "predicted", "whole", "open", "waited", *SHOWN_PARTS, "ns"),
        [_cells(one) for one in answer["predictors"]],
        digits=3,
    )
    print("open: all fields that the receive's arguments leave open.")
    print("waited: the same of messages that had not come when the receive asked.")
    if any(one["is_default"] for one in answer["predictors"]):
        print("*: what Tasuki uses if nobody says otherwise.")
    if question.predictor is not None:
        print(f"{first['predictor']}: {first['help']} Source: {first['source']}.")
    elif question.earlier is None:
        print("The log of an earlier run takes --earlier TRACE.")


def _percent(value: float | None) -> float | None:
    return None if value is None else 100 * value


def _cells(one: dict[str, Any]) -> tuple[object, ...]:
    every, waiting = one["all"], one["waiting"]
    shares = (
        rate(every),
        share(every["whole"]),
        share(every["free"]),
        share(waiting["free"]),
        *(share(every["fields"][part]) for part in SHOWN_PARTS),
    )
    return (_name(one), one["form"], *map(_percent, shares), one["ns_per_message"])


def _name(one: dict[str, Any]) -> str:
    return f"{one['predictor']} *" if one["is_default"] else one["predictor"]
