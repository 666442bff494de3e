"""The algorithms that were found best, as tables for people."""

import sys
from collections.abc import Callable, Sequence

from tasuki.measurement.policy_file import rows_of
from tasuki.measurement.race import Result
from tasuki.output.report import print_table


def show_best(results: Sequence[Result], place_text: Callable[[int], str]) -> None:
    """Shows a table for each number of ranks, which `place_text` says in words."""
    best_gain = {}
    for one in results:
        key = (one.cell.collective, one.cell.ranks, one.winner)
        best_gain[key] = max(best_gain.get(key, 1.0), one.gain)
    for ranks in sorted({one.cell.ranks for one in results}):
        rows = rows_of([one for one in results if one.cell.ranks == ranks], ranks)
        print_table(
            f"Best algorithms, {place_text(ranks)}",
            ("collective", "bytes up to", "algorithm", "best gain", "why"),
            [
                (
                    row.collective,
                    "any" if row.bytes_up_to is None else str(row.bytes_up_to),
                    str(row.winner),
                    best_gain[row.collective, ranks, row.winner],
                    row.reason,
                )
                for row in rows
            ],
        )
    sys.stdout.flush()
