"""From results to the rows of a policy file (docs/formats/policy.md)."""

import os
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from tasuki.base.errors import CommandError, usage_error
from tasuki.measurement.measurer import Candidate
from tasuki.measurement.policy_parts import ANYWHERE, NodeRange, lines_of, parts_of, with_rows
from tasuki.measurement.race import Result, winners_by_size

NO_PARAMETERS = "-"
# In the place of a machine: what was simulated holds on any.
ANY_MACHINE = "any"
# The transport of policies for MPI programs as they are.
PRELOADED = "preloaded"


class PolicyRow(NamedTuple):
    """`bytes_up_to` None is any."""

    collective: str
    ranks_up_to: int
    bytes_up_to: int | None
    winner: Candidate
    reason: str


def rows_of(results: Sequence[Result], cores: int) -> list[PolicyRow]:
    """One row for each run of sizes with the same winner.

    A row holds for its number of ranks and for fewer, down to the next that was measured; but what
    was measured of ranks that share `cores` does not hold for ranks that need not.
    """
    rows: list[PolicyRow] = []
    fitting = [one.cell.ranks for one in results if one.cell.ranks <= cores]
    for collective, ranks, runs in winners_by_size(results):
        ranks_up_to = cores if fitting and ranks == max(fitting) else ranks
        for run, end in runs:
            bytes_up_to = None if end is None else int(end)
            reason = _reason(run[-1])
            rows.append(PolicyRow(collective, ranks_up_to, bytes_up_to, run[0].winner, reason))
    return rows


def text_of(
    rows: Iterable[PolicyRow],
    machine: str,
    transport: str,
    library: str = "",
    nodes: NodeRange = ANYWHERE,
    earlier: str = "",
) -> str:
    """`library` is the MPI library that it is for, "" if there is none or it does not matter.
    `nodes` is where the rows hold. Of `earlier`, the text of a file that was measured here, all
    rows stay but those for the same collectives, ranks and nodes."""
    head = _head_of(machine, transport, library)
    parts = parts_of(earlier, head)
    parts[nodes] = with_rows(parts.get(nodes, []), [_line_of(row) for row in rows])
    legend = "# collective  ranks up to  bytes up to  algorithm  parameters  reason"
    return "\n".join([*head, legend, *lines_of(parts), "end", ""])


def has_rows(text: str, machine: str, transport: str) -> bool:
    """Has a policy that was measured here any rows?"""
    return bool(parts_of(text, _head_of(machine, transport)))


def _head_of(machine: str, transport: str, library: str = "") -> list[str]:
    head = ["tasuki policy 1", f"machine {machine}", f"transport {transport}"]
    return [*head, f"library {library}"] if library else head


def _line_of(row: PolicyRow) -> str:
    size = "any" if row.bytes_up_to is None else row.bytes_up_to
    return (
        f"{row.collective} {row.ranks_up_to} {size} {row.winner.algorithm}"
        f" {row.winner.parameters or NO_PARAMETERS} {row.reason}"
    )


def text_at(path: Path) -> str:
    """Of the policy that is there; "" if there is none."""
    try:
        return path.read_text()
    except (OSError, UnicodeDecodeError):
        return ""


def usual_path(transport: str) -> Path:
    """Where the runtime looks by itself."""
    config = os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"
    return Path(config) / "tasuki" / f"policy-{transport}"


def usual_path_of_programs(library: str) -> Path:
    """Where `tasuki run --tuned` looks by itself for programs that have this MPI library
    (src/mpi/collectives/job_policy.cpp)."""
    name = "".join(one if one.isalnum() or one == "." else "-" for one in library.lower())
    return usual_path(f"{PRELOADED}-{name}")


def require_writable(path: Path) -> None:
    """Raises CommandError (exit code 2) where `write` would fail or replace what is no file: called
    before the measuring, whose results would be lost."""
    why_not = "it is not a file" if path.exists() and not path.is_file() else ""
    folder = next(one for one in path.absolute().parents if one.exists())
    try:
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as failure:
        why_not = failure.strerror or str(failure)
    if why_not:
        raise usage_error(
            "tune", f"{path} cannot be written: {why_not}", "name another file with --output"
        )


def write(path: Path, text: str) -> None:
    """At once or not at all, since jobs may read it meanwhile."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile("w", dir=path.parent, delete=False) as file:
            file.write(text)
        os.chmod(file.name, 0o644)
        os.replace(file.name, path)
    except OSError as failure:
        raise CommandError(
            "tune",
            f"the policy cannot be written to {path}: {failure.strerror}",
            "name another file with --output",
        ) from failure


def _reason(result: Result) -> str:
    """The winner's time at the last size, and that of who came next."""
    times = sorted(result.times.items(), key=lambda item: item[1].median)
    own = f"{_duration(result.times[result.winner].median)} at {result.cell.message_bytes} B"
    others = [(candidate, one) for candidate, one in times if candidate != result.winner]
    if not others:
        return own
    candidate, one = others[0]
    return f"{own}; {candidate} {_duration(one.median)}"


def _duration(seconds: float) -> str:
    if seconds < 1e-6:
        return f"{seconds * 1e9:.0f} ns"
    return f"{seconds * 1e6:.3g} us" if seconds < 1e-3 else f"{seconds * 1e3:.3g} ms"
