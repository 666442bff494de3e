"""Programs that are run several times, of which the median run counts."""

import time
from typing import Any

from tasuki.bench.baselines import Place, Problem, job_of, middle_of, solution, spread
from tasuki.measurement.jobs import EXIT_TIMED_OUT, Job, run_job
from tasuki.reproduce.lab import Lab, Run

REPETITIONS = 3
_SLACK = 20  # A machine that is slower, or has other things to do.
_LIMIT_LEAST_S = 120.0


def limit_s(expected_s: float) -> float:
    """When a run is given up: one that hangs is not to spend the whole budget."""
    return max(_LIMIT_LEAST_S, _SLACK * expected_s)


def middle_run(
    lab: Lab, key: Any, title: str, problem: Problem, place: Place, expected_s: float
) -> dict[str, Any] | None:
    """The median of REPETITIONS runs, each of which takes `expected_s`, or of as many as there is
    time for, with `spread` and `repetitions`; None if it cannot be had."""
    job = lab.available(lambda: job_of(problem, place))
    if job is None:
        return None
    expected_s *= REPETITIONS

    def measure(seconds_left: float) -> dict[str, Any]:
        runs = _repeated(job, min(seconds_left, limit_s(expected_s)))
        if len(runs) < REPETITIONS:
            lab.note(f"{title}: repetitions before its time was up (--budget):"
                     f" {len(runs)} of {REPETITIONS}")  # fmt: skip
        return middle_of(runs) | {
            "spread": spread([run["seconds"] for run in runs]),
            "repetitions": len(runs),
        }

    return lab.measured(Run(key, title, expected_s, measure))


def _repeated(job: Job, most_s: float) -> list[dict[str, Any]]:
    """At least one; raises like `solution`, also if there is none in time."""
    end_time = time.monotonic() + most_s
    runs = [solution(run_job(job, most_s))]
    while len(runs) < REPETITIONS and (seconds_left := end_time - time.monotonic()) > 0:
        outcome = run_job(job, seconds_left)
        if outcome.exit_code == EXIT_TIMED_OUT:
            break
        runs.append(solution(outcome))
    return runs
