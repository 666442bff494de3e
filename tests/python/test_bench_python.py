"""`tasuki bench python`: a row for each collective and size, mpi4py's time beside it."""

import pytest
from conftest import parse_envelope
from tasuki.bench.python_collectives import COLLECTIVES, _row


def test_a_ratio_is_of_pairs_from_one_round():
    seconds = {"tasuki": [1.0, 2.0, 9.0], "mpi4py": [2.0, 4.0, 9.0]}
    row = _row({"collective": "scan", "message_bytes": 8, "seconds": seconds}, 2, "MPI")
    assert (row["value"], row["baseline_value"], row["ratio"]) == (2.0, 4.0, 0.5)
    assert row["ok"] and row["library"] == "MPI"


def test_each_collective_has_its_rows(tasuki):
    ended = tasuki("bench", "python", "-n", "2", "-s", "8", "--rounds", "1", "--json")
    assert ended.returncode == 0, ended.stderr
    rows = parse_envelope(ended.stdout)["results"]
    by_library = {row["library"]: [] for row in rows}
    for row in rows:
        by_library[row["library"]].append(row["collective"])
    assert by_library and all(found == list(COLLECTIVES) for found in by_library.values())
    assert all(row["value"] > 0 and row["baseline_value"] > 0 for row in rows)


@pytest.mark.parametrize("arguments", [("-n", "0"), ("--collective", "sort")])
def test_wrong_options_are_refused(tasuki, arguments):
    ended = tasuki("bench", "python", *arguments)
    assert ended.returncode == 2 and "Remedy" in ended.stderr
