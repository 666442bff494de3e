"""`tasuki tune --verify`: shows what a verification has found; wrong results end it with a code."""

from collections.abc import Sequence
from contextlib import ExitStack

from tasuki.measurement.collectives import VARYING
from tasuki.measurement.measurer import tasuki_measurer
from tasuki.output.place import is_oversubscribed, ranks_and_place
from tasuki.output.report import Row, envelope, print_json, print_table, result
from tasuki.tune.verification import Checked, Judged, Verification

EXIT_WRONG = 1
SECONDS_MOST = 0.1  # For one measurement.


def verify(
    ranks: Sequence[int],
    transport: str,
    mpi: str,
    collectives: Sequence[str],
    budget_s: float,
    as_json: bool,
) -> int:
    """The exit code: EXIT_WRONG if any result was wrong."""
    from tasuki.output.progress import Progress

    checked: list[Checked] = []
    judged: list[Judged] = []
    for count in ranks:
        with ExitStack() as stack:
            asked = stack.enter_context(tasuki_measurer(count, transport, mpi, policy=None))
            progress = stack.enter_context(Progress(len(collectives)))
            progress.begin_figure(ranks_and_place(count), "verify")
            # There are some 100 cells to measure for all collectives.
            seconds = min(SECONDS_MOST, budget_s / len(ranks) / 100)
            verification = Verification(asked, seconds, progress.begin_step)
            checked += verification.check_results(collectives, count)
            tuned = [one for one in collectives if one not in VARYING]
            judged += verification.judge(tuned, count)
    if as_json:
        rows = [*map(_checked_row, checked), *map(_judged_row, judged)]
        print_json(envelope("tune --verify", rows, ranks=None, transport=transport))
    else:
        _show(checked, judged)
    return 0 if all(one.ok for one in checked) else EXIT_WRONG


def _checked_row(one: Checked) -> Row:
    return result(
        f"verify_{one.cell.collective}",
        None,
        "",
        collective=one.cell.collective,
        algorithm=one.candidate.algorithm,
        parameters=one.candidate.parameters,
        ranks=one.cell.ranks,
        message_bytes=one.cell.message_bytes,
        right=one.right,
        same_bits=one.same_bits,
        ok=one.ok,
        oversubscribed=is_oversubscribed(one.cell.ranks),
    )


def _judged_row(one: Judged) -> Row:
    cell = one.demand.cell
    return result(
        f"guideline_{cell.collective}",
        one.own.median,
        "s",
        spread=(one.own.high - one.own.low) / 2 / one.own.median,
        repetitions=one.own.samples,
        baseline=one.demand.text,
        baseline_value=sum(other.median for other in one.others),
        ratio=one.ratio,
        collective=cell.collective,
        ranks=cell.ranks,
        message_bytes=cell.message_bytes,
        seconds=one.own.median,
        ok=one.holds,
        remedy=None if one.holds else one.remedy,
        oversubscribed=is_oversubscribed(cell.ranks),
    )


def _show(checked: Sequence[Checked], judged: Sequence[Judged]) -> None:
    wrong = [one for one in checked if not one.ok]
    broken = [one for one in judged if not one.holds]
    if wrong:
        print_table(
            "Wrong results",
            ("collective", "ranks", "bytes", "algorithm", "what is wrong"),
            [
                (
                    one.cell.collective,
                    str(one.cell.ranks),
                    str(one.cell.message_bytes),
                    str(one.candidate),
                    "the ranks have different bits" if one.right else "the result",
                )
                for one in wrong
            ],
        )
    for ranks in sorted({one.demand.cell.ranks for one in broken}):
        print_table(
            f"Guidelines that do not hold, {ranks_and_place(ranks)}",
            ("guideline", "bytes", "us", "others us", "ratio", "remedy"),
            [
                (
                    one.demand.text,
                    one.demand.cell.message_bytes,
                    one.own.median * 1e6,
                    sum(other.median for other in one.others) * 1e6,
                    one.ratio,
                    one.remedy,
                )
                for one in broken
                if one.demand.cell.ranks == ranks
            ],
        )
    print(
        f"{len(checked) - len(wrong)} of {len(checked)} results right, with the same bits on all"
        f" ranks; {len(judged) - len(broken)} of {len(judged)} guidelines held."
    )
