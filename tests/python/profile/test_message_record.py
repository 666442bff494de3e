"""The received messages, in the format that `tasuki predict` reads."""

import json

import pytest
from cases import analysed
from event_writer import WrittenRank
from tasuki.base.programs import find_program
from tasuki.profile.event_file import Recorded
from tasuki.profile.message_record import write_record

FIELDS = ("rank", "communicator", "source", "tag", "bytes", "posted_source", "posted_tag",
          "posted_bytes", "posted_ns", "arrival_ns", "was_there")  # fmt: skip


def job() -> list[WrittenRank]:
    first, second = WrittenRank(0, 2), WrittenRank(1, 2)
    for rank in (first, second):
        rank.communicators.append((7, 2, 0, 0, b"other"))
    first.call("MPI_Send", 100, 110, destination=1, tag=4, sent_bytes=80, communicator=1)
    first.call("MPI_Send", 200, 210, destination=1, tag=5, sent_bytes=16)
    first.call("MPI_Send", 220, 230, destination=1, tag=6, sent_bytes=8)
    later = second.start("MPI_Irecv", 50, 51, source=-2, tag=5, received_bytes=64)
    second.call("MPI_Recv", 60, 120, source=0, tag=-2, received_tag=4, received_bytes=80,
                request=96, flags=4, communicator=1)  # fmt: skip
    second.call("MPI_Wait", 150, 215, request=later)
    second.complete(later, 214, source=0, received_tag=5, received_bytes=16)
    second.call("MPI_Recv", 300, 310, source=0, tag=6, received_tag=6, received_bytes=8,
                request=(1 << 32) - 1)  # fmt: skip
    second.start("MPI_Irecv", 400, 401, source=0, tag=9, received_bytes=8)
    return [first, second]


@pytest.fixture
def recorded(tmp_path):
    (tmp_path / "events").mkdir()
    path = tmp_path / "record.jsonl"
    write_record(analysed(tmp_path / "events", job()), ["mpirun", "./a b"], path)
    return path


def test_messages_are_in_the_order_in_which_they_came(recorded):
    header, *messages = map(json.loads, recorded.read_text().splitlines())
    assert header == {
        "format": "tasuki message trace", "version": 1, "program": "mpirun './a b'", "ranks": 2
    }  # fmt: skip
    assert [tuple(one[field] for field in FIELDS) for one in messages] == [
        (1, 0, 0, 4, 80, 0, None, 96, 60, 120, False),
        (1, 1, 0, 5, 16, None, 5, 64, 50, 214, False),
        (1, 1, 0, 6, 8, 0, 6, None, 300, 310, True),
    ]
    assert all(set(one) == {*FIELDS, "in_collective"} for one in messages)


def test_messages_inside_tuned_collectives_are_among_them(tmp_path):
    first, second = WrittenRank(0, 2), WrittenRank(1, 2)
    second.call("MPI_Allreduce", 100, 200)
    second.call("collective_message", 110, 150, source=0, received_bytes=24)
    second.call("MPI_Recv", 300, 310, source=0, tag=6, received_tag=6, received_bytes=8)
    (tmp_path / "events").mkdir()
    analysis = analysed(tmp_path / "events", [first, second])
    write_record(analysis, ["./a"], tmp_path / "record.jsonl")
    _, *messages = map(json.loads, (tmp_path / "record.jsonl").read_text().splitlines())
    assert [one["in_collective"] for one in messages] == [True, False]
    assert [messages[0][field] for field in FIELDS] == [
        1, 0, 0, 0, 24, 0, 0, 24, 110, 150, False,
    ]  # fmt: skip
    assert analysis.ranks[1].mpi.calls == 2


def job_of_the_runtime() -> list[WrittenRank]:
    first, second = WrittenRank(0, 2), WrittenRank(1, 2)
    for rank in (first, second):
        rank.fields["recorded"] = Recorded.RUNTIME
    first.call("idle", 10, 90)
    first.call("handle_result", 91, 95, source=1, received_bytes=32)
    second.call("idle", 20, 50)
    second.call("square", 51, 70, source=0, received_bytes=24)
    second.call("handle_result", 71, 72, source=0, received_bytes=32, flags=1)
    return [first, second]


def test_messages_of_the_runtime_have_no_receives(tmp_path):
    (tmp_path / "events").mkdir()
    analysis = analysed(tmp_path / "events", job_of_the_runtime())
    write_record(analysis, ["./a"], tmp_path / "record.jsonl")
    _, *messages = map(json.loads, (tmp_path / "record.jsonl").read_text().splitlines())
    result, square = messages[0]["tag"], messages[1]["tag"]
    assert result != square
    assert [tuple(one[field] for field in FIELDS) for one in messages] == [
        (0, 0, 1, result, 32, None, None, None, 10, 91, False),
        (1, 0, 0, square, 24, None, None, None, 20, 51, False),
        (1, 0, 0, result, 32, None, None, None, 71, 71, True),
    ]
    assert [one["in_collective"] for one in messages] == [False] * 3


@pytest.mark.skipif(find_program("tasuki_predictors") is None, reason="not built")
def test_the_predictors_read_it(recorded, tasuki):
    ended = tasuki("predict", recorded)
    assert ended.returncode == 0, ended.stderr
