"""Sends and receives that belong together are found as MPI delivers them."""

import itertools
import random

import pytest
from cases import analysed
from event_writer import WORLD_KEY, WrittenRank
from tasuki.profile.messages import UNKNOWN


def pairs(analysis) -> list[tuple[tuple, tuple | None]]:
    """For each message the rank and the start of its send and of its receive."""
    events, messages = analysis.events, analysis.matching.messages

    def place(event: int) -> tuple | None:
        if event == UNKNOWN:
            return None
        return int(events.rank[event]), int(events.enter_ns[event])

    return [(place(*one[:1]), place(one[1])) for one in zip(*messages[::2], strict=True)]


def test_messages_do_not_overtake_within_a_tag_but_between_tags(tmp_path):
    first, second = WrittenRank(0, 2), WrittenRank(1, 2)
    for begin, tag in ((10, 1), (20, 2), (30, 1)):
        first.call("MPI_Send", begin, begin + 1, destination=1, tag=tag, sent_bytes=4)
    for begin, tag in ((40, 2), (50, 1), (60, 1)):
        second.call("MPI_Recv", begin, begin + 1, source=0, tag=tag, received_tag=tag)
    found = pairs(analysed(tmp_path, [first, second]))
    assert found == [((0, 10), (1, 50)), ((0, 20), (1, 40)), ((0, 30), (1, 60))]


def test_communicators_are_told_apart_by_their_keys(tmp_path):
    first, second = WrittenRank(0, 2), WrittenRank(1, 2)
    # The numbers of the same communicator differ between ranks.
    first.communicators.append((77, 2, 0, 0, b"rows"))
    second.communicators += [(78, 1, 0, 0, b"mine"), (77, 2, 1, 0, b"rows")]
    first.call("MPI_Send", 10, 11, destination=1, tag=1, communicator=1)
    first.call("MPI_Send", 20, 21, destination=1, tag=1)
    second.call("MPI_Recv", 30, 31, source=0, tag=1, received_tag=1)
    second.call("MPI_Recv", 40, 41, source=0, tag=1, received_tag=1, communicator=2)
    analysis = analysed(tmp_path, [first, second])
    assert pairs(analysis) == [((0, 10), (1, 40)), ((0, 20), (1, 30))]
    assert [one.key for one in analysis.events.communicators] == [WORLD_KEY, 77, 78]


def test_receives_match_in_the_order_in_which_they_were_posted(tmp_path):
    first, second = WrittenRank(0, 2), WrittenRank(1, 2)
    for begin in (100, 110):
        first.call("MPI_Send", begin, begin + 1, destination=1, tag=1, sent_bytes=4)
    any_source = second.start("MPI_Irecv", 10, 11, source=-2, tag=-2, received_bytes=64)
    named = second.start("MPI_Irecv", 20, 21, source=0, tag=1, received_bytes=64)
    second.call("MPI_Waitall", 30, 130)
    # They may complete in any order.
    second.complete(named, 120, source=0, received_tag=1, received_bytes=4)
    second.complete(any_source, 121, source=0, received_tag=1, received_bytes=4)
    analysis = analysed(tmp_path, [first, second])
    assert pairs(analysis) == [((0, 100), (1, 10)), ((0, 110), (1, 20))]
    ends = analysis.matching.messages.receive_end
    assert analysis.events.enter_ns[ends].tolist() == [30, 30]


def test_persistent_requests_match_once_for_each_start(tmp_path):
    first, second = WrittenRank(0, 2), WrittenRank(1, 2)
    for begin in (100, 200):
        first.call("MPI_Send", begin, begin + 1, destination=1, tag=1, sent_bytes=4)
        second.call("MPI_Start", begin - 50, begin - 40)
        second.call("started", begin - 45, begin - 45, source=0, tag=1, request=9)
        second.call("MPI_Wait", begin, begin + 10)
        second.complete(9, begin + 9, source=0, received_tag=1, received_bytes=4)
    found = pairs(analysed(tmp_path, [first, second]))
    assert found == [((0, 100), (1, 55)), ((0, 200), (1, 155))]


def test_a_combined_send_and_receive_is_both(tmp_path):
    ranks = [WrittenRank(0, 2), WrittenRank(1, 2)]
    for rank in ranks:
        other = 1 - rank.fields["rank"]
        rank.call("MPI_Sendrecv", 10 + other, 50, destination=other, source=other, tag=3,
                  received_tag=3, sent_bytes=8, received_bytes=8)  # fmt: skip
    found = pairs(analysed(tmp_path, ranks))
    assert found == [((0, 11), (1, 10)), ((1, 10), (0, 11))]


def test_a_send_to_nobody_is_no_message_and_a_cancelled_receive_takes_none(tmp_path):
    first, second = WrittenRank(0, 2), WrittenRank(1, 2)
    first.call("MPI_Send", 10, 11, destination=-1, tag=1)
    first.call("MPI_Send", 20, 21, destination=1, tag=1)
    cancelled = second.start("MPI_Irecv", 10, 11, source=0, tag=1)
    second.call("MPI_Wait", 12, 13, request=cancelled)
    second.complete(cancelled, 13)
    second.call("MPI_Recv", 30, 31, source=0, tag=1, received_tag=1)
    assert pairs(analysed(tmp_path, [first, second])) == [((0, 20), (1, 30))]


def test_the_wait_is_that_of_the_same_thread(tmp_path):
    first, second = WrittenRank(0, 2), WrittenRank(1, 2)
    first.call("MPI_Send", 100, 101, destination=1, tag=1)
    request = second.start("MPI_Irecv", 10, 11, source=0, tag=1, thread=1)
    second.call("MPI_Wait", 20, 110, request=request, thread=1)
    second.call("MPI_Barrier", 30, 200, thread=0)
    second.complete(request, 110, source=0, received_tag=1, thread=1)
    analysis = analysed(tmp_path, [first, second])
    assert analysis.events.enter_ns[analysis.matching.messages.receive_end].tolist() == [20]


@pytest.mark.parametrize("seed", range(5))
def test_random_traffic_is_matched_as_by_queues(tmp_path, seed):
    """Against the definition: a queue for each communicator, source, destination and tag."""
    generator = random.Random(seed)
    ranks = [WrittenRank(rank, 3) for rank in range(3)]
    clock = itertools.count(1)
    queues: dict[tuple, list[tuple]] = {}
    expected = {}
    for _ in range(300):
        source, to, tag = (generator.randrange(3) for _ in range(3))
        queue = queues.setdefault((source, to, tag), [])
        at = next(clock)
        if generator.random() < 0.6:
            ranks[source].call("MPI_Send", at, at, destination=to, tag=tag)
            queue.append((source, at))
            expected[source, at] = None
        elif queue:
            ranks[to].call("MPI_Recv", at, at, source=source, tag=tag, received_tag=tag)
            expected[queue.pop(0)] = (to, at)
    assert dict(pairs(analysed(tmp_path, ranks))) == expected
