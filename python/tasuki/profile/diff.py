"""What became slower or faster between two profiles: by rank, function and call site."""

import json
import re
from pathlib import Path
from typing import Any, NamedTuple

from tasuki.base.errors import usage_error
from tasuki.output.report import SCHEMA, Row, envelope, print_json, print_table, result

SHOWN_ROWS = 20
BY = ("rank", "function", "site")


class Change(NamedTuple):
    """The seconds and calls under one name in both profiles; 0 where one has none."""

    by: str
    name: str
    before_s: float
    after_s: float
    before_calls: int
    after_calls: int
    before_waiting_s: float
    after_waiting_s: float

    @property
    def difference_s(self) -> float:
        return self.after_s - self.before_s

    @property
    def ratio(self) -> float | None:
        return self.after_s / self.before_s if self.before_s else None


def diff(paths: list[str], as_json: bool) -> None:
    """Shows how the second differs from the first. Raises CommandError if one is no profile."""
    if len(paths) != 2:
        raise usage_error(
            "profile diff",
            f"two profiles are compared, not {len(paths)}",
            "as in: tasuki profile diff before.json after.json",
        )
    before, after = (_read(Path(path)) for path in paths)
    changes = {by: changes_of(by, before["results"], after["results"]) for by in BY}
    if as_json:
        rows = [_row(change, paths[0]) for by in BY for change in changes[by]]
        print_json(envelope("profile diff", rows, ranks=after["ranks"], transport=None))
        return
    for by in BY:
        _print(by, changes[by])


def changes_of(by: str, before: list[Row], after: list[Row]) -> list[Change]:
    """All rows of that name, added up over ranks, the largest difference first."""
    sums = [_sums(by, rows) for rows in (before, after)]
    names = dict.fromkeys([*sums[0], *sums[1]])
    changes = []
    for name in names:
        first, second = (one.get(name, [0.0, 0, 0.0]) for one in sums)
        changes.append(Change(by, name, *_alternating(first, second)))
    return sorted(changes, key=lambda one: -abs(one.difference_s))


def _alternating(first: list, second: list) -> list:
    return [value for pair in zip(first, second, strict=True) for value in pair]


def _sums(by: str, rows: list[Row]) -> dict[str, list]:
    """By name seconds, calls and seconds of waiting."""
    sums: dict[str, list] = {}
    for row in rows:
        if row["name"] == by:
            waiting_s = row["late_sender_s"] + row["late_receiver_s"] + row["skew_s"]
            one = sums.setdefault(_name(by, row), [0.0, 0, 0.0])
            one[:] = [one[0] + row["value"], one[1] + row["calls"], one[2] + waiting_s]
    return sums


def _name(by: str, row: Row) -> str:
    if by == "rank":
        return str(row["rank"])
    if by == "function":
        return row["function"]
    # Lines move when the program is changed; calls from one function of it belong together.
    return f"{row['function']} in {re.sub(r':[0-9]+[)]$', ')', row['site'])}"


def _read(path: Path) -> Row:
    remedy = "name two files that tasuki profile -o FILE.json or --json wrote"
    try:
        found: Any = json.loads(path.read_text())
    except OSError as failure:
        raise usage_error("profile diff", f"{path}: {failure.strerror}", remedy) from failure
    except ValueError as failure:
        raise usage_error("profile diff", f"{path} is no JSON: {failure}", remedy) from failure
    is_profile = isinstance(found, dict) and found.get("command") == "profile"
    if not is_profile or found.get("schema") != SCHEMA:
        raise usage_error("profile diff", f"{path} is no profile of this version", remedy)
    return found


def _print(by: str, changes: list[Change]) -> None:
    more = f", the {SHOWN_ROWS} largest of {len(changes)}" if len(changes) > SHOWN_ROWS else ""
    columns = (by, "before, s", "after, s", "difference, s", "ratio", "waiting, s", "calls")
    rows = [
        (
            one.name,
            one.before_s,
            one.after_s,
            one.difference_s,
            one.ratio,
            one.after_waiting_s - one.before_waiting_s,
            one.after_calls - one.before_calls,
        )
        for one in changes[:SHOWN_ROWS]
    ]
    print_table(f"Changes by {by}{more}; of waiting and calls the difference", columns, rows)


def _row(change: Change, baseline: str) -> Row:
    return result(
        change.by,
        change.after_s,
        "s",
        baseline=baseline,
        baseline_value=change.before_s,
        ratio=change.ratio,
        of=change.name,
        calls=change.after_calls,
        baseline_calls=change.before_calls,
        waiting_s=change.after_waiting_s,
        baseline_waiting_s=change.before_waiting_s,
    )
