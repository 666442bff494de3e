"""What `tasuki run` reads of what ranks wait for, from slots as ranks write them."""

import os

from tasuki.launcher.waiting_record import WaitingRecord

SLOT_BYTES = 4096
NOW_S = 1000.0


def record(*slots: tuple[int, float, str]) -> WaitingRecord:
    """Of these ranks, at these times."""
    waiting_record = WaitingRecord()
    path = waiting_record.setting.partition(" ")[0]
    fd = os.open(path, os.O_WRONLY)
    for rank, time_s, lines in slots:
        text = f"{int(time_s * 1e9)}\n{lines}".encode()
        os.pwrite(fd, text.ljust(SLOT_BYTES, b"\0"), rank * SLOT_BYTES)
    os.close(fd)
    return waiting_record


def test_what_waits_for_the_lost_or_for_nobody_known_is_told():
    waits = record(
        (0, NOW_S - 1, "2 main waits for rank 2\n1 main waits for rank 1\n"),
        (3, NOW_S - 1, "-1 main waits for the other ranks\n"),
    )
    assert waits.lines(range(2, 3), NOW_S) == [
        "rank 0: main waits for rank 2",
        "rank 3: main waits for the other ranks",
    ]


def test_what_a_rank_waited_for_long_ago_is_not_told():
    assert record((1, NOW_S - 60, "2 main waits for rank 2\n")).lines(range(2, 3), NOW_S) == []


def test_ranks_that_have_not_waited_tell_nothing():
    assert record().lines(range(2, 3), NOW_S) == []
