"""The table of collectives, alone or beside those of a run with tuned ones."""

from collections.abc import Callable

from tasuki.output.figure import short
from tasuki.profile.collective_totals import CollectiveTotals, Saving

MEGABYTE = 1 << 20
US_PER_S = 1e6
Table = Callable[..., None]  # print_table with its file.

_TITLE = "Collectives, all ranks: us is a call (median) without skew, waiting for others to enter"
_COLUMNS = ("collective", "bytes", "algorithm", "calls", "s", "skew, s", "us", "sent, MB")
_BESIDE_TITLE = "Collectives, all ranks: a call (median) without skew, and the same tuned"
_BESIDE_COLUMNS = ("collective", "bytes", "algorithm", "calls", "us", "tuned by", "us", "saves, s")


def print_collectives(
    totals: list[CollectiveTotals], savings: list[Saving] | None, table: Table
) -> None:
    if savings:
        table(_BESIDE_TITLE, _BESIDE_COLUMNS, [_beside(one) for one in savings])
    elif totals:
        table(_TITLE, _COLUMNS, [_row(one) for one in totals])


def size_text(least_bytes: int) -> str:
    if least_bytes < 2:
        return str(least_bytes)
    return f"{short(least_bytes)} to below {short(2 * least_bytes)}"


def _row(one: CollectiveTotals) -> tuple[object, ...]:
    return (
        *_call(one),
        one.seconds,
        one.skew_s,
        one.call_s * US_PER_S,
        one.sent_bytes / MEGABYTE,
    )


def _beside(one: Saving) -> tuple[object, ...]:
    call = (*_call(one.before), one.before.call_s * US_PER_S)
    if one.call_s is None:
        return (*call, "it has none", None, None)
    return (*call, one.algorithm, one.call_s * US_PER_S, one.saved_s)


def _call(one: CollectiveTotals) -> tuple[object, ...]:
    size = short(one.least_bytes)
    return (one.function, size if one.least_bytes < 2 else f"{size} ...", one.algorithm, one.calls)
