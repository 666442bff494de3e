"""Programs that are run several times, of which the median run counts."""

import time
from typing import Any

from tasuki.bench.baselines import middle_of, solution, spread
from tasuki.measurement.jobs import EXIT_TIMED_OUT, Job, run_job
from tasuki.reproduce.lab import Lab

REPETITIONS = 3
_SLACK = 20  # A machine that is slower, or has other things to do.
_LIMIT_LEAST_S = 120.0


def limit_s(expected_s: float) -> float:
    """When a run is given up: one that hangs is not to spend the whole budget."""
    return max(_LIMIT_LEAST_S, _SLACK * expected_s)


def middle_of_repeated(lab: Lab, title: str, job: Job, most_s: float) -> dict[str, Any]:
    """The median of REPETITIONS runs, or of as many as there are after `most_s`, with `spread` and
    `repetitions`; `lab` takes note of those that are missing.

    Raises like `solution`; also if there is none in time.
    """
    runs = _repeated(job, most_s)
    if len(runs) < REPETITIONS:
        lab.note(f"{title}: repetitions before its time was up (--budget):"
                 f" {len(runs)} of {REPETITIONS}")  # fmt: skip
    return middle_of(runs) | {
        "spread": spread([run["seconds"] for run in runs]),
        "repetitions": len(runs),
    }


def _repeated(job: Job, most_s: float) -> list[dict[str, Any]]:
    end_time = time.monotonic() + most_s
    runs = [solution(run_job(job, most_s))]
    while len(runs) < REPETITIONS and (seconds_left := end_time - time.monotonic()) > 0:
        outcome = run_job(job, seconds_left)
        if outcome.exit_code == EXIT_TIMED_OUT:
            break
        runs.append(solution(outcome))
    return runs
