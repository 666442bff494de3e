"""`tasuki tune --verify`: shows what a verification has found; wrong results end it with a code."""

from collections.abc import Sequence

from tasuki.measurement.collectives import VARYING
from tasuki.measurement.measurer import tasuki_measurer
from tasuki.output.place import cell_fields
from tasuki.output.progress import stepping
from tasuki.output.report import Row, envelope, print_json, print_table, result
from tasuki.tune.tune_run import TuneRun
from tasuki.tune.verification import Checked, Judged, Verification

EXIT_WRONG = 1
SECONDS_MOST = 0.1  # For one measurement.


def verify(run: TuneRun, collectives: Sequence[str], as_json: bool) -> int:
    """The exit code: EXIT_WRONG if any result was wrong."""
    checked: list[Checked] = []
    judged: list[Judged] = []
    # There are some 100 cells to measure for all collectives.
    seconds = min(SECONDS_MOST, run.seconds / 100)
    place = run.place
    for count in place.ranks:
        with (
            tasuki_measurer(
                count, place.transport, run.mpi, policy=None, hosts=place.hosts
            ) as asked,
            stepping(len(collectives), place.text_of(count), "verify") as begin_step,
        ):
            verification = Verification(asked, seconds, begin_step)
            checked += verification.check_results(collectives, count)
            tuned = [one for one in collectives if one not in VARYING]
            judged += verification.judge(tuned, count)
    if as_json:
        rows = [_checked_row(one, run) for one in checked]
        rows += [_judged_row(one, run) for one in judged]
        print_json(envelope("tune --verify", rows, ranks=None, transport=place.transport))
    else:
        _show(checked, judged, run)
    return 0 if all(one.ok for one in checked) else EXIT_WRONG


def _checked_row(one: Checked, run: TuneRun) -> Row:
    return result(
        f"verify_{one.cell.collective}",
        None,
        "",
        **cell_fields(*one.cell, run.place.most_ranks_per_host(one.cell.ranks)),
        **one.candidate._asdict(),
        right=one.right,
        same_bits=one.same_bits,
        ok=one.ok,
    )


def _judged_row(one: Judged, run: TuneRun) -> Row:
    cell = one.demand.cell
    return result(
        f"guideline_{cell.collective}",
        one.own.median,
        "s",
        spread=one.own.spread,
        repetitions=one.own.samples,
        baseline=one.demand.text,
        baseline_value=sum(other.median for other in one.others),
        ratio=one.ratio,
        **cell_fields(*cell, run.place.most_ranks_per_host(cell.ranks)),
        seconds=one.own.median,
        ok=one.holds,
        remedy=None if one.holds else one.remedy,
    )


def _show(checked: Sequence[Checked], judged: Sequence[Judged], run: TuneRun) -> None:
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
            f"Guidelines that do not hold, {run.place.text_of(ranks)}",
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
