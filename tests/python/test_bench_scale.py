"""`tasuki bench scale`: rows for each number of ranks, and the baseline beside them."""

import pytest
from conftest import parse_envelope
from tasuki.base.programs import find_program
from tasuki.bench.scale import UNITS, _row

ROW_COUNT = len(UNITS)


def _samples(**values):
    return {name: [{"barrier": one} for one in taken] for name, taken in values.items()}


def test_a_row_is_the_median_beside_that_of_the_baseline():
    row = _row(8, "barrier", _samples(tasuki=[1.0, 9.0, 2.0], mpi=[4.0, 4.0, 5.0]))
    assert (row["value"], row["baseline_value"], row["ratio"]) == (2.0, 4.0, 0.5)
    assert row["repetitions"] == 3 and row["ranks"] == 8


def test_what_the_system_does_not_tell_is_null():
    row = _row(8, "barrier", _samples(tasuki=[None], mpi=[1.0]))
    assert row["value"] is None and row["ratio"] is None


def test_each_number_of_ranks_has_all_rows(tasuki):
    ended = tasuki("bench", "scale", "-n", "2,3", "--barriers", "5", "--repetitions", "1", "--json")
    assert ended.returncode == 0, ended.stderr
    rows = parse_envelope(ended.stdout)["results"]
    assert [row["ranks"] for row in rows] == [2] * ROW_COUNT + [3] * ROW_COUNT
    assert [row["name"] for row in rows[:ROW_COUNT]] == list(UNITS)
    assert all(row["value"] > 0 and row["unit"] == UNITS[row["name"]] for row in rows)


@pytest.mark.skipif(find_program("scale_mpi_ompi") is None, reason="not built")
def test_the_baseline_is_measured_in_the_same_run(tasuki):
    ended = tasuki("bench", "scale", "-n", "2", "--barriers", "5", "--repetitions", "1",
                   "--mpi", "ompi", "--json")  # fmt: skip
    assert ended.returncode == 0, ended.stderr
    rows = parse_envelope(ended.stdout)["results"]
    assert all(row["ratio"] == pytest.approx(row["value"] / row["baseline_value"]) for row in rows)


def test_a_bad_number_of_ranks_is_refused(tasuki):
    ended = tasuki("bench", "scale", "-n", "0")
    assert ended.returncode == 2
    assert "tasuki: bench scale: -n 0 is no list or range" in ended.stderr
