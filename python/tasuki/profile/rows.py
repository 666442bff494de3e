"""The rows of the JSON output of `tasuki profile` (docs/formats/bench.md)."""

from typing import Any

from tasuki.output.report import Row, envelope, result
from tasuki.profile.analysis import Analysis, Totals
from tasuki.profile.collective_totals import CollectiveTotals, collective_totals, savings
from tasuki.profile.event_file import Kind
from tasuki.profile.hang_report import HangReport
from tasuki.profile.runtime_totals import RuntimeTotals


def report_of(
    analysis: Analysis, state: HangReport | None, tuned: list[CollectiveTotals] | None = None
) -> Row:
    """The whole JSON object; `state` tells what unfinished ranks were in, if there are any, `tuned`
    are the collectives of a run of the same program with tuned ones."""
    rows = [
        *_ranks(analysis),
        *_functions(analysis),
        *(_of_runtime(analysis) if analysis.events.is_runtime else _sites(analysis)),
        *_collectives(analysis, tuned),
        *_pairs(analysis),
        *_sizes(analysis),
        *_regions(analysis),
        *(state.rows() if state else ()),
        result("missing_events", analysis.missing_count, ""),
    ]
    ranks = analysis.events.rank_count
    return envelope("profile", rows, ranks=ranks, transport=None)


def _times(totals: Totals) -> dict[str, Any]:
    return {
        "calls": totals.calls,
        "late_sender_s": totals.late_sender_s,
        "late_receiver_s": totals.late_receiver_s,
        "skew_s": totals.skew_s,
        "transferring_s": totals.transferring_s,
        "sent_bytes": totals.sent_bytes,
        "received_bytes": totals.received_bytes,
    }


def _ranks(analysis: Analysis) -> list[Row]:
    return [
        result(
            "rank",
            one.span_s,
            "s",
            rank=one.rank,
            host=one.host,
            state=one.state,
            mpi_s=one.mpi.seconds,
            computing_s=one.computing_s,
            **_times(one.mpi)
            | {
                "sends": one.sends,
                "receives": one.receives,
                "probes": one.probes,
                "tests": one.tests,
                "waits": one.waits,
                "collectives": one.collectives,
                "sent_bytes": one.sent_bytes,
                "average_bytes": one.average_bytes,
            },
        )
        for one in analysis.ranks
    ]


def _of_runtime(analysis: Analysis) -> list[Row]:
    """What only programs of Tasuki's runtime have."""
    totals = RuntimeTotals(analysis)
    return [
        result(
            "load",
            one.called_s,
            "s",
            rank=one.rank,
            called=one.called,
            collectives_s=one.collectives_s,
            idle_s=one.idle_s,
        )
        for one in totals.loads
    ]


def _collectives(analysis: Analysis, tuned: list[CollectiveTotals] | None) -> list[Row]:
    totals = collective_totals(analysis)
    return [
        result(
            "collective",
            one.before.seconds,
            "s",
            function=one.before.function,
            algorithm=one.before.algorithm,
            least_bytes=one.before.least_bytes,
            calls=one.before.calls,
            skew_s=one.before.skew_s,
            sent_bytes=one.before.sent_bytes,
            tuned_algorithm=one.algorithm,
            tuned_call_s=one.call_s,
            saved_s=one.saved_s,
        )
        for one in savings(totals, tuned or [])
    ]


def _functions(analysis: Analysis) -> list[Row]:
    events = analysis.events
    names, kinds = events.function_names, events.function_kinds
    return [
        result(
            "function",
            totals.seconds,
            "s",
            rank=rank,
            function=names[function],
            kind=Kind(kinds[function]).name.lower(),
            **_times(totals),
        )
        for (rank, function), totals in analysis.functions.items()
    ]


def _sites(analysis: Analysis) -> list[Row]:
    names, places = analysis.events.function_names, analysis.site_names
    return [
        result(
            "site",
            totals.seconds,
            "s",
            rank=rank,
            function=names[function],
            site=places[site].text,
            module=places[site].module,
            offset=places[site].offset,
            place=places[site].place,
            **_times(totals),
        )
        for (rank, function, site), totals in analysis.sites.items()
    ]


def _pairs(analysis: Analysis) -> list[Row]:
    return [
        result(
            "pair",
            one.bytes,
            "bytes",
            source=one.source,
            destination=one.destination,
            messages=one.messages,
        )
        for one in analysis.pairs
    ]


def _sizes(analysis: Analysis) -> list[Row]:
    return [
        result(
            "size",
            one.messages,
            "messages",
            least_bytes=one.least_bytes,
            collectives=one.collectives,
        )
        for one in analysis.sizes
    ]


def _regions(analysis: Analysis) -> list[Row]:
    return [
        result(
            "region",
            one.seconds,
            "s",
            rank=one.rank,
            level=one.level,
            times=one.times,
            mpi_s=one.mpi.seconds,
            **_times(one.mpi),
        )
        for one in analysis.regions
    ]
