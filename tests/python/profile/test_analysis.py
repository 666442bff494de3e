"""The sums of a profile."""

import pytest
from cases import analysed, rows_named, written_job
from conftest import parse_envelope
from event_writer import NUMBERS, WrittenRank
from tasuki.profile.analysis import Pair, SizeClass
from tasuki.profile.rows import report_of
from tasuki.profile.tables import print_tables, remarks, summed

NS = pytest.approx


@pytest.fixture
def analysis(tmp_path):
    return analysed(tmp_path, written_job())


def test_times_of_ranks_add_up(analysis):
    first, second = analysis.ranks
    for rank in (first, second):
        assert rank.span_s == NS(1000e-9)
        assert rank.computing_s + rank.mpi.waiting_s + rank.mpi.transferring_s == NS(1000e-9)
    assert first.mpi.seconds == NS((90 + 50 + 100 + 70 + 100) * 1e-9)
    assert (first.mpi.late_receiver_s, first.mpi.skew_s) == (NS(50e-9), NS(30e-9))
    assert second.mpi.late_sender_s == NS(100e-9)


def test_calls_and_sizes_as_in_the_paper(analysis):
    first, second = analysis.ranks
    counts = (first.sends, first.receives, first.probes, first.collectives)
    assert counts == (2, 0, 0, 1)
    assert (second.sends, second.receives, second.probes) == (0, 2, 1)
    assert first.sent_bytes == 4008
    assert first.average_bytes == NS(4008 / 3)


def test_functions_and_sites(analysis):
    names = analysis.events.function_names
    sums = {names[one]: totals for one, totals in summed(analysis.functions, 1).items()}
    assert sums["MPI_Recv"].calls == 2
    assert sums["MPI_Recv"].received_bytes == 4000
    assert sums["MPI_Send"].seconds == NS(150e-9)
    by_site = {names[one]: totals for (_, one, _), totals in analysis.sites.items()}
    assert by_site["MPI_Recv"] == sums["MPI_Recv"]
    assert analysis.site_names[0].text == "app+0x1000"


def test_pairs_sizes_and_regions(analysis):
    assert analysis.pairs == [Pair(0, 1, 2, 4000)]
    assert analysis.sizes == [SizeClass(8, 0, 2), SizeClass(512, 1, 0), SizeClass(2048, 1, 0)]
    (region,) = analysis.regions
    assert (region.rank, region.level, region.times) == (0, 3, 1)
    assert (region.seconds, region.mpi.seconds) == (NS(200e-9), NS(70e-9))


@pytest.mark.parametrize(("size", "least"), [(0, 0), (1, 1), (7, 4), (8, 8), (1 << 40, 1 << 40)])
def test_size_classes(tmp_path, size, least):
    rank = WrittenRank(0, 1)
    rank.call("MPI_Send", 1, 2, destination=0, tag=0, sent_bytes=size)
    assert analysed(tmp_path, [rank]).sizes == [SizeClass(least, 1, 0)]


def test_calls_without_room_are_counted_by_function(tmp_path):
    rank = WrittenRank(0, 1)
    rank.call("MPI_Send", 100, 200, destination=0, tag=0, sent_bytes=10)
    for field, value in (("calls", 5), ("ticks", 300), ("sent_bytes", 50)):
        rank.functions[NUMBERS["MPI_Send"]][field] = value
    rank.fields["event_count"] = 6
    analysis = analysed(tmp_path, [rank])
    (totals,) = analysis.functions.values()
    assert (totals.calls, totals.seconds, totals.sent_bytes) == (6, NS(400e-9), 60)
    assert analysis.missing_count == 5
    assert "5 calls found no room" in remarks(analysis)[0]


def test_of_a_posted_receive_what_came_counts_and_not_the_room(tmp_path):
    rank = WrittenRank(0, 1)
    first = rank.start("MPI_Irecv", 10, 11, source=0, tag=0, received_bytes=1000)
    rank.start("MPI_Irecv", 12, 13, source=0, tag=0, received_bytes=1000)
    rank.call("MPI_Wait", 20, 30, request=first)
    rank.complete(first, 29, source=0, received_tag=0, received_bytes=8)
    analysis = analysed(tmp_path, [rank])
    names = analysis.events.function_names
    sums = {names[one]: totals for one, totals in summed(analysis.functions, 1).items()}
    assert sums["MPI_Irecv"].received_bytes == 8


def test_ranks_that_recorded_nothing_are_told(tmp_path):
    assert remarks(analysed(tmp_path, [WrittenRank(2, 4)])) == [
        "3 of 4 ranks have recorded nothing; with ranks on several hosts set TMPDIR to a folder"
        " that all of them share"
    ]


def test_of_several_programs_the_last_is_shown(tmp_path):
    for job, start_ns in enumerate((10, 20)):
        for rank in range(2):
            written = WrittenRank(rank, 2, process_id=10 * job + rank)
            written.fields["start_realtime_ns"] = start_ns
            written.call("MPI_Barrier", 1, 2 + job)
            written.write(tmp_path)
    analysis = analysed(tmp_path, [])
    assert analysis.events.leave_ns.tolist() == [3, 3]
    assert "2 files of earlier ones are left out" in remarks(analysis)[0]


def test_hosts_are_compared_by_the_time_of_day(tmp_path):
    ranks = [WrittenRank(0, 2), WrittenRank(1, 2)]
    ranks[1].fields["host"] = b"node1"
    for rank, start in zip(ranks, (1_000_000, 1_000_500), strict=True):
        rank.fields |= {"start_ticks": 7, "start_realtime_ns": start, "ticks_per_second": 2e9}
        rank.call("MPI_Barrier", 207, 407)
    events = analysed(tmp_path, ranks).events
    assert events.enter_ns.tolist() == [100, 600]
    assert events.leave_ns.tolist() == [200, 700]


def test_ranks_of_a_host_have_one_clock_whose_rate_is_that_of_its_readings(tmp_path):
    """Each rank has measured another rate, and they were made at different times."""
    ranks = [WrittenRank(0, 2), WrittenRank(1, 2)]
    for rank, start_ticks, rate in zip(ranks, (1000, 3000), (1.99e9, 2.01e9), strict=True):
        rank.fields |= {
            "start_ticks": start_ticks,
            "start_monotonic_ns": start_ticks // 2,
            "ticks_per_second": rate,
        }
        rank.call("MPI_Barrier", 2_001_000, 4_001_000)
    ranks[1].fields |= {"last_ticks": 20_001_000, "last_monotonic_ns": 10_000_500}
    events = analysed(tmp_path, ranks).events
    assert events.start_ns == [0, 1000]
    assert events.enter_ns.tolist() == [1_000_000] * 2
    assert events.leave_ns.tolist() == [2_000_000] * 2


def test_events_that_another_thread_is_about_to_write_are_left_out(tmp_path):
    rank = WrittenRank(0, 1)
    rank.fields["start_ticks"] = 5
    rank.call("MPI_Barrier", 10, 20)
    rank.call("MPI_Barrier", 0, 0)
    rank.call("MPI_Barrier", 30, 40)
    assert analysed(tmp_path, [rank]).events.enter_ns.tolist() == [5, 25]


def test_no_events_at_all(tmp_path, capsys):
    analysis = analysed(tmp_path, [WrittenRank(0, 1)])
    assert analysis.pairs == analysis.sizes == analysis.regions == []
    print_tables(analysis)
    assert "Time of each rank" in capsys.readouterr().err


def test_rows(analysis, capsys):
    from tasuki.output.report import print_json

    print_json(report_of(analysis, None))
    found = parse_envelope(capsys.readouterr().out)
    assert (found["command"], found["ranks"]) == ("profile", 2)
    (pair,) = rows_named(found, "pair")
    assert (pair["source"], pair["destination"], pair["messages"], pair["value"]) == (0, 1, 2, 4000)
    assert len(rows_named(found, "rank")) == 2
    received = [row for row in rows_named(found, "site") if row["function"] == "MPI_Recv"]
    assert received[0]["site"] == "app+0x1000" and received[0]["late_sender_s"] == NS(100e-9)


def test_tables(analysis, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")
    print_tables(analysis)
    shown = capsys.readouterr().err
    for text in ("MPI_Recv in app+0x1000", "2, 0.00381", "2 Ki to below 4 Ki", "MPI_Pcontrol"):
        assert text in shown
