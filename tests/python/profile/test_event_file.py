"""The reader of event files: what is there is read, what is wrong is said."""

import pytest
from event_writer import FUNCTIONS, WrittenRank
from tasuki.base.errors import CommandError
from tasuki.profile.event_file import HEADER, EventFile, Kind, State, event_files


@pytest.fixture
def rank() -> WrittenRank:
    rank = WrittenRank(1, 4)
    rank.call("MPI_Send", 100, 250, destination=3, tag=7, sent_bytes=800)
    rank.call("MPI_Recv", 300, 0, source=2, tag=5, received_bytes=16)
    return rank


def test_all_that_was_written_is_read(rank, tmp_path):
    found = EventFile(rank.write(tmp_path))
    assert (found.rank, found.state, found.host) == (1, State.FINALIZED, "node0")
    assert (found.program, found.library) == ("/opt/app", "Open MPI v4.1.4")
    assert found.function_names == list(FUNCTIONS)
    assert found.functions["kind"][1] == Kind.ISEND
    assert found.module_paths == ["/opt/app"]
    assert found.communicators == [(1, 4, "MPI_COMM_WORLD")]
    sent, received = found.events
    assert (sent["enter_ticks"], sent["leave_ticks"], sent["sent_bytes"]) == (100, 250, 800)
    assert (sent["destination"], sent["tag"], sent["source"]) == (3, 7, -1)
    assert (received["leave_ticks"], received["source"]) == (0, 2)
    assert found.missing_count == 0


def test_a_file_can_be_read_while_it_grows(rank, tmp_path):
    rank.fields["event_count"] = 1
    path = rank.write(tmp_path)
    assert len(EventFile(path).events) == 1
    del rank.fields["event_count"]
    rank.write(tmp_path)
    assert len(EventFile(path).events) == 2


def test_calls_beyond_the_capacity_are_missing(rank, tmp_path):
    rank.fields["event_count"] = 100
    found = EventFile(rank.write(tmp_path))
    assert (len(found.events), found.missing_count) == (2, 98)


def test_of_a_cut_file_the_whole_events_are_read(rank, tmp_path):
    path = rank.write(tmp_path)
    path.write_bytes(path.read_bytes()[:-1])
    found = EventFile(path)
    assert (len(found.events), found.missing_count) == (1, 1)


@pytest.mark.parametrize(
    ("contents", "said"),
    [
        (lambda _: b"", "has 0 bytes, fewer than the 4096 of a header"),
        (lambda whole: whole[:4095], "has 4095 bytes"),
        (lambda whole: b"\x7fELF" + whole[4:], "does not begin as an event file does"),
        (lambda whole: whole[:8] + b"\1" + whole[9:], "has version 1 of the format"),
        (lambda whole: whole[: HEADER.itemsize + 10], "within its table of functions"),
    ],
)  # fmt: skip
def test_what_is_no_event_file_is_refused(rank, tmp_path, contents, said):
    path = rank.write(tmp_path)
    path.write_bytes(contents(path.read_bytes()))
    with pytest.raises(CommandError, match=said):
        EventFile(path)


def test_files_of_a_folder_are_in_the_order_of_ranks(tmp_path):
    for rank, process_id in ((2, 10), (0, 20), (1, 30), (-1, 40)):
        WrittenRank(rank, 3, process_id).write(tmp_path)
    assert [one.rank for one in event_files(tmp_path)] == [0, 1, 2]


def test_files_without_a_header_are_of_ranks_that_have_not_come_so_far(rank, tmp_path):
    rank.write(tmp_path)
    (tmp_path / "node0-1.events").write_bytes(b"")
    (tmp_path / "node0-2.events").write_bytes(bytes(8192))
    assert [one.rank for one in event_files(tmp_path)] == [1]
