"""Rows of `--json` from the races of tuning (docs/formats/bench.md)."""

from typing import Any

from tasuki.measurement.race import Result
from tasuki.output.place import cell_fields
from tasuki.output.report import Row, result


def rows_of_race(
    found: Result, prefix: str, own: str, ranks_per_host: int | None = None, **more: Any
) -> list[Row]:
    """One row for each candidate, fastest first; `own` is whose the algorithms are that are no
    schedules; `ranks_per_host` as cell_fields; `more` are fields of all."""
    cell = found.cell
    incumbent = found.times[found.incumbent]
    rows = []
    for candidate, one in sorted(found.times.items(), key=lambda item: item[1].median):
        rows.append(
            result(
                f"{prefix}_{cell.collective}",
                one.median,
                "s",
                spread=one.spread,
                repetitions=one.samples,
                baseline=str(found.incumbent),
                baseline_value=incumbent.median,
                ratio=one.median / incumbent.median,
                **cell_fields(*cell, ranks_per_host),
                algorithm=candidate.plain_name,
                implementation="tasuki" if candidate.is_schedule else own,
                parameters=candidate.parameters,
                seconds=one.median,
                low_seconds=one.low,
                high_seconds=one.high,
                chosen=candidate == found.winner,
                **more,
            )
        )
    return rows
