"""A profile as tables on standard error, where it does not mix with what the program prints."""

import functools
import sys
from collections.abc import Mapping
from typing import TextIO

from tasuki.output.report import print_table
from tasuki.profile.analysis import NO_CALLS_AT_ALL, Analysis, Pair, Totals
from tasuki.profile.collective_tables import MEGABYTE, Table, print_collectives, size_text
from tasuki.profile.collective_totals import CollectiveTotals, collective_totals, savings
from tasuki.profile.runtime_tables import print_runtime_tables

KILOBYTE = 1024  # As in the paper's tables (tasuki reproduce mpcxx).
SHOWN_SITES = 20
SHOWN_PAIRS = 20
MATRIX_RANKS_MOST = 12  # More columns do not fit into a line.


def print_tables(
    analysis: Analysis,
    file: TextIO | None = None,
    tuned: list[CollectiveTotals] | None = None,
) -> None:
    """All tables; `file` is standard error if it is None. `tuned` are the collectives of a run of
    the same program with tuned ones."""
    file = file or sys.stderr
    table = functools.partial(print_table, file=file)
    if analysis.events.is_runtime:
        print_runtime_tables(analysis, table)
    else:
        _print_times(analysis, table)
        _print_messages(analysis, table)
        _print_functions(analysis, table)
        _print_sites(analysis, table)
    collectives = collective_totals(analysis)
    beside = None if tuned is None else savings(collectives, tuned)
    print_collectives(collectives, beside, table)
    _print_sizes(analysis, table)
    _print_pairs(analysis, table)
    _print_regions(analysis, table)
    said = remarks(analysis)
    if collectives and tuned is None and not analysis.events.is_runtime:
        said.append(
            "tasuki profile --beside-tuned says what tuned collectives save, and tasuki tune"
            " --library --emit tasuki which are best here"
        )
    for remark in said:
        file.write(f"tasuki: {remark}.\n")
    file.flush()


def remarks(analysis: Analysis) -> list[str]:
    """What one has to know to read the numbers."""
    events, said = analysis.events, []
    if events.earlier_count:
        said.append(
            f"the command ran several MPI programs; {events.earlier_count} files of earlier ones"
            " are left out"
        )
    absent = events.rank_count - len(events.files)
    if absent:
        said.append(
            f"{absent} of {events.rank_count} ranks have recorded nothing; with ranks on several"
            " hosts set TMPDIR to a folder that all of them share"
        )
    if analysis.missing_count:
        said.append(
            f"{analysis.missing_count} calls found no room in the event files; they are counted by"
            " function, but not by call site, partner or region, and waiting in them is not seen"
        )
    return said


def summed(totals: Mapping[tuple, Totals], place: int | slice) -> dict:
    """The sums of those whose keys agree in that part, the longest first."""
    sums: dict = {}
    for key, one in totals.items():
        sums[key[place]] = sums.get(key[place], NO_CALLS_AT_ALL).plus(one)
    return dict(sorted(sums.items(), key=lambda item: -item[1].seconds))


def _print_times(analysis: Analysis, table: Table) -> None:
    rows = [
        (
            one.rank,
            one.span_s,
            one.computing_s,
            one.mpi.seconds,
            _percent(one.mpi.seconds, one.span_s),
            one.mpi.late_sender_s,
            one.mpi.late_receiver_s,
            one.mpi.skew_s,
            one.mpi.transferring_s,
        )
        for one in analysis.ranks
    ]
    columns = ("rank", "time", "computing", "in MPI", "%", "late sender", "late receiver", "skew")
    table("Time of each rank, s: waiting in MPI and transferring", (*columns, "transfer"), rows)


def _print_messages(analysis: Analysis, table: Table) -> None:
    rows = [
        (
            one.rank,
            one.sends,
            one.receives,
            one.probes,
            one.tests,
            one.waits,
            one.collectives,
            one.average_bytes / KILOBYTE,
            one.sent_bytes / MEGABYTE,
        )
        for one in analysis.ranks
    ]
    columns = ("rank", "sends", "receives", "probes", "tests", "waits", "collectives")
    title = "Calls of each rank, and what it sends: mean of a send or collective, and total"
    table(title, (*columns, "average, KB", "total, MB"), rows)


def _print_functions(analysis: Analysis, table: Table) -> None:
    names = analysis.events.function_names
    total_s = sum(one.span_s for one in analysis.ranks)
    rows = [
        (names[function], *_costs(totals, total_s))
        for function, totals in summed(analysis.functions, 1).items()
    ]
    table("Functions, all ranks", ("function", *_COST_COLUMNS), rows)


def _print_sites(analysis: Analysis, table: Table) -> None:
    names, places = analysis.events.function_names, analysis.site_names
    total_s = sum(one.span_s for one in analysis.ranks)
    sums = summed(analysis.sites, slice(1, 3))
    rows = [
        (f"{names[function]} in {places[site].text}", *_costs(totals, total_s))
        for (function, site), totals in list(sums.items())[:SHOWN_SITES]
    ]
    shown = f"the {SHOWN_SITES} longest of {len(sums)}" if len(sums) > SHOWN_SITES else "all ranks"
    table(f"Call sites, {shown}", ("call", *_COST_COLUMNS), rows)


_COST_COLUMNS = ("calls", "s", "%", "waiting, s", "sent, MB", "received, MB")


def _costs(totals: Totals, total_s: float) -> tuple[object, ...]:
    return (
        totals.calls,
        totals.seconds,
        _percent(totals.seconds, total_s),
        totals.waiting_s,
        totals.sent_bytes / MEGABYTE,
        totals.received_bytes / MEGABYTE,
    )


def _print_sizes(analysis: Analysis, table: Table) -> None:
    rows = [(size_text(one.least_bytes), one.messages, one.collectives) for one in analysis.sizes]
    if rows:
        table("Sizes of what is sent, bytes", ("size", "messages", "collectives"), rows)


def _print_pairs(analysis: Analysis, table: Table) -> None:
    pairs = analysis.pairs
    if not pairs:
        return
    ranks = analysis.events.rank_count
    if ranks <= MATRIX_RANKS_MOST:
        cells = {(one.source, one.destination): one for one in pairs}
        rows = [
            (source, *(_cell(cells.get((source, to))) for to in range(ranks)))
            for source in range(ranks)
        ]
        columns = ("from \\ to", *map(str, range(ranks)))
        table("Who sends to whom: messages, MB", columns, rows)
        return
    longest = sorted(pairs, key=lambda one: -one.bytes)[:SHOWN_PAIRS]
    rows = [(one.source, one.destination, one.messages, one.bytes / MEGABYTE) for one in longest]
    title = f"Who sends to whom: the {len(rows)} pairs with the most bytes, of {len(pairs)}"
    table(title, ("from", "to", "messages", "MB"), rows)


def _cell(pair: Pair | None) -> str:
    return "" if pair is None else f"{pair.messages}, {pair.bytes / MEGABYTE:.3g}"


def _print_regions(analysis: Analysis, table: Table) -> None:
    rows = [
        (
            one.level,
            one.rank,
            one.times,
            one.seconds,
            one.seconds - one.mpi.seconds,
            one.mpi.seconds,
            one.mpi.waiting_s,
        )
        for one in sorted(analysis.regions, key=lambda one: (one.level, one.rank))
    ]
    if rows:
        columns = ("region", "rank", "times", "s", "computing, s", "in MPI, s", "waiting, s")
        table("Regions of MPI_Pcontrol", columns, rows)


def _percent(part: float, whole: float) -> float:
    return 100 * part / whole if whole else 0.0
