"""Collectives by size and algorithm, and what another run takes less for them."""

from cases import analysed
from event_writer import NUMBERS, WrittenRank
from tasuki.profile.analysis import Analysis
from tasuki.profile.collective_totals import collective_totals, savings
from tasuki.profile.event_file import EventFile, event_files
from tasuki.profile.job_events import JobEvents
from tasuki.profile.library_settings import NOT_TOLD, SUFFIX


def job(folder, duration_ns: int, algorithm: str | None = None):
    """Two ranks: three allreduces of 8 bytes, of which the second rank enters 10 ns later, and one
    of 100 bytes."""
    folder.mkdir()
    ranks = [WrittenRank(0, 2), WrittenRank(1, 2)]
    tag = {} if algorithm is None else {"tag": NUMBERS[algorithm]}
    for number, rank in enumerate(ranks):
        for i in range(3):
            enter_ns, end_ns = 1000 * (i + 1) + 10 * number, 1000 * (i + 1) + 10 + duration_ns
            rank.call("MPI_Allreduce", enter_ns, end_ns, sent_bytes=8, received_bytes=8, **tag)
        rank.call("MPI_Allreduce", 5000, 5500, sent_bytes=100, received_bytes=100)
    return collective_totals(analysed(folder, ranks))


def test_totals_are_by_size_and_without_skew(tmp_path):
    small, large = sorted(job(tmp_path / "a", 100), key=lambda one: one.least_bytes)
    assert (small.function, small.algorithm) == ("MPI_Allreduce", NOT_TOLD)
    assert (small.least_bytes, small.calls, small.sent_bytes) == (8, 6, 48)
    assert round(small.skew_s * 1e9) == 30 and round(small.call_s * 1e9) == 100
    assert (large.least_bytes, large.calls, round(large.call_s * 1e9)) == (64, 2, 500)


def test_the_algorithm_is_told(tmp_path):
    totals = job(tmp_path / "a", 100, "staged")
    assert {one.least_bytes: one.algorithm for one in totals} == {8: "staged", 64: NOT_TOLD}


def test_what_the_library_says_is_told(tmp_path):
    job(tmp_path / "a", 100)
    rank_0 = next(path for path in (tmp_path / "a").iterdir() if EventFile(path).rank == 0)
    rank_0.with_suffix(SUFFIX).write_text("MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM smp\n")
    totals = collective_totals(Analysis(JobEvents(event_files(tmp_path / "a"))))
    told = "library: smp (set by MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM)"
    assert {one.algorithm for one in totals} == {told}


def test_savings_are_for_the_same_calls(tmp_path):
    before, after = job(tmp_path / "a", 100), job(tmp_path / "b", 40, "staged")
    saved = {one.before.least_bytes: one for one in savings(before, after)}
    assert saved[8].algorithm == "staged" and round(saved[8].saved_s * 1e9) == 6 * 60
    assert saved[64].algorithm == NOT_TOLD and round(saved[64].saved_s * 1e9) == 0


def test_what_the_other_run_has_not_saves_nothing_known(tmp_path):
    (one, _) = savings(job(tmp_path / "a", 100), [])
    assert one.algorithm is None and one.saved_s is None
