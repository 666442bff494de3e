"""Waiting is found where it is, as long as it is, and nowhere else."""

from cases import analysed, written_job
from event_writer import WrittenRank


def waits(analysis) -> dict[tuple[int, str], tuple[int, int, int]]:
    """(late sender, late receiver, skew) by rank and function, where there is some."""
    events, waiting = analysis.events, analysis.waiting
    found = {}
    for index in waiting.total.nonzero()[0]:
        name = events.function_names[events.function[index]]
        columns = (waiting.late_sender, waiting.late_receiver, waiting.skew)
        found[int(events.rank[index]), name] = tuple(int(column[index]) for column in columns)
    return found


def test_the_three_kinds(tmp_path):
    assert waits(analysed(tmp_path, written_job())) == {
        (1, "MPI_Recv"): (100, 0, 0),
        (0, "MPI_Send"): (0, 50, 0),
        (0, "MPI_Allreduce"): (0, 0, 30),
    }


def test_a_buffered_send_does_not_wait_for_its_receive(tmp_path):
    first, second = WrittenRank(0, 2), WrittenRank(1, 2)
    first.call("MPI_Send", 10, 20, destination=1, tag=1)
    second.call("MPI_Recv", 500, 510, source=0, tag=1, received_tag=1)
    assert waits(analysed(tmp_path, [first, second])) == {}


def test_a_wait_for_several_receives_waits_for_the_last_sender(tmp_path):
    ranks = [WrittenRank(rank, 3) for rank in range(3)]
    requests = [ranks[0].start("MPI_Irecv", 10, 11, source=source, tag=1) for source in (1, 2)]
    ranks[0].call("MPI_Waitall", 100, 400)
    for source, (request, begin) in enumerate(zip(requests, (250, 180), strict=True), 1):
        ranks[source].call("MPI_Send", begin, begin + 5, destination=0, tag=1)
        ranks[0].complete(request, 390, source=source, received_tag=1)
    assert waits(analysed(tmp_path, ranks)) == {(0, "MPI_Waitall"): (150, 0, 0)}


def test_a_wait_for_a_send_waits_for_the_receiver(tmp_path):
    first, second = WrittenRank(0, 2), WrittenRank(1, 2)
    request = first.start("MPI_Isend", 10, 11, destination=1, tag=1)
    first.call("MPI_Wait", 100, 300, request=request)
    first.complete(request, 299)
    second.call("MPI_Recv", 180, 310, source=0, tag=1, received_tag=1)
    assert waits(analysed(tmp_path, [first, second])) == {(0, "MPI_Wait"): (0, 80, 0)}


def test_a_call_that_waits_for_several_has_the_longest(tmp_path):
    """All of its waiting begins with the call, so that sums of both would count time twice."""
    ranks = [WrittenRank(rank, 3) for rank in range(3)]
    ranks[0].call("MPI_Sendrecv", 100, 400, destination=1, source=2, tag=1, received_tag=1)
    ranks[1].call("MPI_Recv", 200, 390, source=0, tag=1, received_tag=1)
    ranks[2].call("MPI_Send", 300, 310, destination=0, tag=1)
    assert waits(analysed(tmp_path, ranks)) == {(0, "MPI_Sendrecv"): (200, 0, 0)}


def test_waiting_is_no_longer_than_the_call(tmp_path):
    ranks = [WrittenRank(0, 2), WrittenRank(1, 2)]
    # Clocks of hosts that differ: the message is there before it is sent.
    ranks[0].call("MPI_Send", 500, 510, destination=1, tag=1)
    ranks[1].call("MPI_Recv", 100, 150, source=0, tag=1, received_tag=1)
    ranks[0].call("MPI_Barrier", 600, 620)
    ranks[1].call("MPI_Barrier", 900, 920)
    assert waits(analysed(tmp_path, ranks)) == {
        (1, "MPI_Recv"): (50, 0, 0),
        (0, "MPI_Barrier"): (0, 0, 20),
    }


def test_calls_in_progress_wait_until_now(tmp_path):
    ranks = [WrittenRank(rank, 3) for rank in range(3)]
    ranks[0].call("MPI_Recv", 100, 0, source=1, tag=1)
    ranks[1].call("MPI_Barrier", 300, 0)
    ranks[2].call("MPI_Send", 400, 0, destination=0, tag=9)
    assert waits(analysed(tmp_path, ranks, now_ns=1000)) == {
        (0, "MPI_Recv"): (900, 0, 0),
        (1, "MPI_Barrier"): (0, 0, 700),
        (2, "MPI_Send"): (0, 600, 0),
    }


def test_waits_in_progress_wait_until_now(tmp_path):
    ranks = [WrittenRank(rank, 3) for rank in range(3)]
    for source in (1, 2):
        ranks[0].start("MPI_Irecv", 10, 11, source=source, tag=1)
    ranks[0].call("MPI_Waitall", 100, 0)
    ranks[1].call("MPI_Send", 50, 51, destination=0, tag=1)
    request = ranks[2].start("MPI_Isend", 20, 21, destination=1, tag=5)
    ranks[2].call("MPI_Wait", 300, 0, request=request)
    assert waits(analysed(tmp_path, ranks, now_ns=1000)) == {
        (0, "MPI_Waitall"): (900, 0, 0),
        (2, "MPI_Wait"): (0, 700, 0),
    }
    # Once the other sides have begun, it is no longer their fault.
    ranks[2].call("MPI_Send", 400, 401, destination=0, tag=1, thread=1)
    ranks[1].call("MPI_Recv", 500, 0, source=2, tag=5)
    assert waits(analysed(tmp_path, ranks, now_ns=1000)) == {
        (0, "MPI_Waitall"): (300, 0, 0),
        (2, "MPI_Wait"): (0, 200, 0),
    }


def test_a_probe_waits_for_the_message_that_is_received_next(tmp_path):
    ranks = [WrittenRank(rank, 3) for rank in range(3)]
    ranks[1].call("MPI_Send", 10, 11, destination=0, tag=1)
    ranks[1].call("MPI_Send", 250, 251, destination=0, tag=1)
    ranks[2].call("MPI_Send", 120, 121, destination=0, tag=1)
    ranks[0].call("MPI_Recv", 20, 21, source=1, tag=1, received_tag=1)
    ranks[0].call("MPI_Probe", 100, 300, source=1, tag=1, received_tag=1)
    ranks[0].call("MPI_Iprobe", 301, 302, source=-1, tag=1)
    ranks[0].call("MPI_Recv", 310, 311, source=2, tag=1, received_tag=1)
    ranks[0].call("MPI_Recv", 320, 321, source=1, tag=1, received_tag=1)
    ranks[0].call("MPI_Probe", 400, 500, source=1, tag=9, received_tag=9)
    assert waits(analysed(tmp_path, ranks)) == {(0, "MPI_Probe"): (150, 0, 0)}


def test_collectives_of_a_part_of_the_ranks(tmp_path):
    ranks = [WrittenRank(rank, 3) for rank in range(3)]
    for rank in (0, 2):
        ranks[rank].communicators.append((50, 2, rank // 2, 0, b"even"))
        ranks[rank].call("MPI_Barrier", 100 + rank * 10, 200, communicator=1)
    for rank in range(3):
        ranks[rank].call("MPI_Barrier", 300 + rank, 400)
    assert waits(analysed(tmp_path, ranks[:1] + ranks[1:])) | {} == {
        (0, "MPI_Barrier"): (0, 0, 2),
        (1, "MPI_Barrier"): (0, 0, 1),
    }
    first = analysed(tmp_path, ranks).waiting.skew[0]
    assert first == 20
