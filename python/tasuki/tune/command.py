"""`tasuki tune`: measures, shows what it found, writes the policy."""

import textwrap
from collections.abc import Sequence
from pathlib import Path

from tasuki.base.errors import require_known, usage_error
from tasuki.launcher.binding import cores_allowed
from tasuki.launcher.mpiexec import find_mpiexec
from tasuki.measurement.collectives import ALL_COLLECTIVES, COLLECTIVES
from tasuki.measurement.measured_hosts import require_nodes
from tasuki.measurement.measurer import tasuki_measurer
from tasuki.measurement.policy_file import (
    has_rows,
    require_writable,
    rows_of,
    text_at,
    text_of,
    usual_path,
    write,
)
from tasuki.measurement.policy_parts import require_known_nodes
from tasuki.measurement.race import Result
from tasuki.output.report import Row, envelope, line_columns, print_json
from tasuki.tune.best_algorithms import show_best
from tasuki.tune.library import measure_library, show_library
from tasuki.tune.preloaded import tune_programs
from tasuki.tune.rows import rows_of_race
from tasuki.tune.rules import emit, require_format, require_place
from tasuki.tune.search import search_all
from tasuki.tune.simulated_tuning import SimulatedTuning, tune_by_simulation
from tasuki.tune.simulator import SimulatedPlace
from tasuki.tune.size_rules import POLICY_FORMAT
from tasuki.tune.tune_place import TunePlace
from tasuki.tune.tune_run import TuneRun
from tasuki.tune.verify import verify


def refuse_combinations(
    run: TuneRun, library: bool, schedules: bool, emitted: str | None, verify: bool
) -> None:
    """Raises CommandError for two options of which one would do nothing."""
    emits = emitted is not None
    for is_so, options, remedy in (
        (verify and library, "--verify and --library", "give one of them: each measures its own"),
        (verify and emits, "--verify and --emit", "give --library --emit to have rules"),
        (verify and run.output is not None, "--verify and --output", "leave --output out"),
        (
            bool(run.place.hosts) and emits,
            "--hosts and --emit",
            "leave --emit out: what it writes is for the ranks of one host",
        ),
        (emits and not library, "--emit and no --library", "give --library too"),
        (schedules and not library, "--schedules and no --library", "give --library too"),
        (
            schedules and emits and emitted != POLICY_FORMAT,
            f"--schedules and --emit {emitted}",
            f"leave one out, as no rule can name them, or --emit {POLICY_FORMAT}",
        ),
    ):
        if is_so:
            raise usage_error("tune", f"{options} do nothing together", remedy)


def tune_library(
    run: TuneRun, as_json: bool, emitted: str | None = None, with_schedules: bool = False
) -> None:
    """As `tune`, of the algorithms of an MPI library, for which there is no policy to write but, in
    the format `emitted`, the library's own rules; and of Tasuki's inside its programs, for which
    there is one."""
    if emitted == POLICY_FORMAT:
        tune_programs(run, _known(run.collectives), with_schedules, as_json)
        return
    collectives = _known(run.collectives, COLLECTIVES)
    form = None
    if emitted is not None:
        require_place(emitted, run.output, as_json)
        if run.output is not None:
            require_writable(run.output)
        form = require_format(emitted, find_mpiexec(run.mpi)[0])
    elif run.output is not None:
        raise usage_error(
            "tune", "--library writes no policy to --output", "say which rules with --emit"
        )
    found = measure_library(run, collectives, with_schedules)
    if as_json:
        own = {"library": found.library, "mpi": found.kind}
        rows = _json_rows(found.results, run.place, "library", "mpi", **own)
        print_json(envelope("tune --library", rows, ranks=None, transport=None))
    elif form is None or run.output is not None:
        show_library(found, run.place)
    if form is not None:
        emit(form, found, run.output)


def verify_tuning(run: TuneRun, as_json: bool) -> int:
    """The exit code of `tune --verify`."""
    return verify(run, _known(run.collectives), as_json)


def tune_simulated(
    places: Sequence[SimulatedPlace], collectives: Sequence[str], output: Path | None, as_json: bool
) -> int:
    """As `tune`, of a network that need not exist; the exit code."""
    return tune_by_simulation(SimulatedTuning(places, _known(collectives), output), as_json)


def tune(run: TuneRun, as_json: bool) -> None:
    collectives = _known(run.collectives)
    place = run.place
    path = run.output or usual_path(place.transport)
    require_writable(path)
    require_known_nodes(text_at(path))
    results: list[Result] = []
    for ranks in place.ranks:
        with tasuki_measurer(ranks, place.transport, run.mpi, hosts=place.hosts) as measurer:
            machine, nodes = measurer.machine(), measurer.nodes()
            require_nodes("tune", place.hosts, nodes)
            results += search_all(measurer, run, collectives, ranks, "tune")
    has_changes = any(one.winner != one.incumbent for one in results)
    earlier = text_at(path)
    # Where an earlier tuning has written rows, these may hold for what was measured now.
    is_written = has_changes or has_rows(earlier, machine, place.transport)
    if is_written:
        rows = rows_of(results, 0 if place.hosts else len(cores_allowed()))
        nodes_range = place.range_of(nodes)
        text = text_of(rows, machine, place.transport, nodes=nodes_range, earlier=earlier)
        write(path, text)
    if as_json:
        print_json(
            envelope(
                "tune",
                _json_rows(results, place, "tune", "tasuki"),
                ranks=None,
                transport=place.transport,
            )
        )
        return
    show_best(results, run.place.text_of)
    if has_changes:
        for summary in _summaries(results, run):
            print(textwrap.fill(summary, line_columns()))
        jobs = "jobs whose first rank is" if place.hosts else "jobs"
        print(
            f"Written to {path}; {jobs} on this machine use it from now on"
            f"{'' if run.output is None else f' with TASUKI_POLICY={path}'}."
        )
    else:
        done = f"{path} says so now, beside its other rows" if is_written else "nothing to write"
        print(f"Nothing is better than the built-in policy for certain: {done}.")


def _json_rows(
    results: Sequence[Result], place: TunePlace, prefix: str, own: str, **more: str
) -> list[Row]:
    hosts_count = max(1, len(place.hosts))
    return [
        row
        for one in results
        for row in rows_of_race(
            one, prefix, own, place.most_ranks_per_host(one.cell.ranks), hosts=hosts_count, **more
        )
    ]


def _summaries(results: Sequence[Result], run: TuneRun) -> list[str]:
    """A sentence for each place where something changes."""
    said = []
    for start, group in run.place.groups_of(results).items():
        gains = sorted(one.gain for one in group if one.winner != one.incumbent)
        if gains:
            said.append(
                f"{start}, {len(gains)} of {len(group)} cells get another algorithm than by"
                f" the built-in policy, {gains[len(gains) // 2]:.2f} times as fast in the middle."
            )
    return said


def _known(asked: Sequence[str], all_of_them: Sequence[str] = ALL_COLLECTIVES) -> list[str]:
    """Those asked for, in their usual order; raises CommandError for another one."""
    happened = "there is nothing to choose for {}"
    require_known("tune", "--collective", asked, all_of_them, happened)
    return [one for one in all_of_them if one in (asked or all_of_them)]
