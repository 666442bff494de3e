"""What the time line says of each rank, and that its size is bounded."""

import json
import random

import numpy as np
import pytest
from cases import analysed, written_job
from event_writer import WrittenRank
from tasuki.profile import time_line
from tasuki.profile.page import data_of
from tasuki.profile.time_line import CATEGORIES, FULL_SHARE, time_line_of


@pytest.fixture
def few_columns(monkeypatch):
    monkeypatch.setattr(time_line, "COLUMNS_LEAST", 10)
    monkeypatch.setattr(time_line, "COLUMNS_MOST", 10)


def shares(line, row: int, category: str) -> list[float]:
    return (line.shares[row, CATEGORIES.index(category)] / FULL_SHARE).round(2).tolist()


@pytest.mark.usefixtures("few_columns")
def test_shares_of_the_columns(tmp_path):
    line = time_line_of(analysed(tmp_path, written_job()))
    assert line.column_ns == 100
    late_sender = [0, 0, 1, 0, 0, 0, 0, 0, 0, 0]
    assert shares(line, 1, "late sender") == late_sender
    assert shares(line, 1, "messages") == [0, 0, 0, 0.6, 0.6, 0, 0, 0, 0, 0]
    assert shares(line, 0, "late receiver") == [0, 0, 0, 0, 0.5, 0, 0, 0, 0, 0]
    assert shares(line, 0, "skew") == [0, 0, 0, 0, 0, 0.3, 0, 0, 0, 0]
    assert shares(line, 0, "collectives") == [0, 0, 0, 0, 0, 0, 0.4, 0, 0, 0]
    assert shares(line, 0, "other MPI") == [0.9, 0, 0, 0, 0, 0, 0, 0, 0, 1]


@pytest.mark.usefixtures("few_columns")
@pytest.mark.parametrize("seed", range(3))
def test_shares_against_their_definition(tmp_path, seed):
    generator = random.Random(seed)
    times = sorted(generator.sample(range(1, 5000), 200))
    rank = WrittenRank(0, 1)
    busy = np.zeros(max(times))
    for enter, leave in zip(times[::2], times[1::2], strict=True):
        rank.call("MPI_Iprobe", enter, leave)
        busy[enter:leave] = 1
    line = time_line_of(analysed(tmp_path, [rank]))
    edges = np.linspace(0, len(busy), 11)
    busy_until = np.interp(edges, range(len(busy) + 1), np.concatenate([[0], busy.cumsum()]))
    found = line.shares[0, CATEGORIES.index("messages")] / FULL_SHARE * line.column_ns
    np.testing.assert_allclose(found, np.diff(busy_until), atol=line.column_ns / FULL_SHARE)


def test_of_many_calls_the_longest_are_told(monkeypatch, tmp_path):
    monkeypatch.setattr(time_line, "CALLS_MOST", 3)
    rank = WrittenRank(0, 1)
    for index, duration in enumerate((5, 50, 7, 40, 9, 30)):
        rank.call("MPI_Iprobe", 1 + 100 * index, 1 + 100 * index + duration)
    line = time_line_of(analysed(tmp_path, [rank]))
    assert line.calls.tolist() == [1, 3, 5]
    assert line.call_count == 6


def test_a_page_does_not_grow_with_the_job(monkeypatch, tmp_path):
    monkeypatch.setattr(time_line, "CALLS_MOST", 50)
    sizes = []
    for call_count in (100, 2000):
        folder = tmp_path / str(call_count)
        folder.mkdir()
        rank = WrittenRank(0, 1)
        for index in range(call_count):
            rank.call("MPI_Iprobe", 10**9 + 1000 * index, 10**9 + 1000 * index + 500)
        sizes.append(len(json.dumps(data_of(analysed(folder, [rank]), None))))
    assert sizes[1] < 1.01 * sizes[0]


def test_many_ranks_share_rows(monkeypatch, tmp_path):
    monkeypatch.setattr(time_line, "ROWS_MOST", 2)
    ranks = [WrittenRank(rank, 5) for rank in range(5)]
    for rank in ranks:
        rank.call("MPI_Iprobe", 1, 1001)
    line = time_line_of(analysed(tmp_path, ranks))
    assert (line.rank_group, line.shares.shape[0]) == (3, 2)
    middle = line.shares[:, CATEGORIES.index("messages"), line.shares.shape[2] // 2]
    assert middle.tolist() == [FULL_SHARE, round(FULL_SHARE * 2 / 3)]


def test_other_threads_are_not_in_it(tmp_path):
    rank = WrittenRank(0, 1)
    rank.call("MPI_Iprobe", 1, 1001, thread=1)
    line = time_line_of(analysed(tmp_path, [rank]))
    assert line.call_count == 0 and not line.shares.any()
