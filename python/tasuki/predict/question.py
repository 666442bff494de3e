"""What is asked of the program that compares predictors (apps/predict), and its answer."""

from pathlib import Path
from typing import Any, NamedTuple

from tasuki.base.program_answer import answer_of


class Question(NamedTuple):
    """`predictor` is None for all, `earlier` where there is no trace of an earlier run.

    `skip`: messages at the beginning of each rank that do not count.
    """

    trace: Path
    predictor: str | None = None
    earlier: Path | None = None
    skip: int = 0


def ask_program(question: Question) -> dict[str, Any]:
    """Raises ProgramError with the program's own words, as for a file that is no trace."""
    request = question._asdict() | {
        "trace": str(question.trace),
        "earlier": question.earlier and str(question.earlier),
    }
    return answer_of("predict", "tasuki_predictors", request)
