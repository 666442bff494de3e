"""How well each predictor does on the messages that a kernel receives, by `tasuki predict`."""

import math
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from tasuki.base.errors import ProgramError
from tasuki.measurement.jobs import run_command
from tasuki.predict.command import row_of
from tasuki.predict.question import Question, ask_program
from tasuki.profile.preload import tuned_settings
from tasuki.reproduce.prediction.by_messages import write_policy
from tasuki.reproduce.prediction.cells import Cell
from tasuki.reproduce.prediction.runs import Runner
from tasuki.reproduce.prediction.variants import GUARDED

# Iterations of the kernels, for how long predictors learn: NPB 3.4.
ITERATIONS = {
    "is": {"S": 10, "W": 10, "A": 10},
    "sp": {"S": 100, "W": 400, "A": 400},
    "cg": {"S": 15, "W": 15, "A": 15},
    "ep": {"S": 1, "W": 1, "A": 1},
    "mg": {"S": 4, "W": 4, "A": 4},
}


class Recorded(NamedTuple):
    """Messages that all ranks have received, those of collectives that Tasuki carries out among
    them. By predictor and form, as in "markov, whole", the share of right predictions in %: of
    whole messages, all of them, and of free fields after the first iteration. `default` is the one
    that Tasuki uses."""

    messages: int
    default: str
    whole: dict[str, float | None]
    free: dict[str, float | None]


def record(cell: Cell, runner: Runner, timeout_s: float) -> Recorded:
    """Two runs; the first is the earlier one that a predictor knows. Raises CommandError."""
    with TemporaryDirectory(prefix="tasuki-") as folder:
        earlier, trace, policy = (
            Path(folder) / name for name in ("earlier.jsonl", "trace.jsonl", "policy")
        )
        # In the memory of the node collectives have no messages; inside the library's own ones
        # they cannot be seen.
        write_policy(policy)
        # Ranks that share cores wait without spinning.
        environment = {**runner.environment, **tuned_settings(str(policy), GUARDED.name)}
        for path in (earlier, trace):
            command = [sys.executable, "-m", "tasuki", "profile", "--record", str(path), "--"]
            outcome = run_command([*command, *runner.command], timeout_s, environment)
            if outcome.exit_code != 0:
                raise ProgramError(outcome.stderr, outcome.exit_code)
        if len(trace.read_text().splitlines()) < 2:
            return Recorded(0, "", {}, {})
        every = ask_program(Question(trace, earlier=earlier))
        messages = every["predictors"][0]["all"]["messages"]
        learning = math.ceil(messages / cell.rank_count / _iterations(cell))
        later = ask_program(Question(trace, earlier=earlier, skip=learning))
    (default,) = (_name(row_of(one)) for one in every["predictors"] if one["is_default"])
    return Recorded(
        messages, default, _shares(every, "success_whole"), _shares(later, "success_free")
    )


def _iterations(cell: Cell) -> int:
    return ITERATIONS[cell.kernel][cell.problem_class]


def _shares(answer: dict[str, Any], field: str) -> dict[str, float | None]:
    rows = [row_of(one) for one in answer["predictors"]]
    return {_name(row): None if row[field] is None else 100 * row[field] for row in rows}


def _name(row: dict[str, Any]) -> str:
    return f"{row['predictor']}, {row['form']}"
