"""Who can go on, and cycles, on small graphs and against the definition."""

import itertools
import random

import pytest
from tasuki.profile.wait_graph import Wait, cycles, ranks_that_can_go_on, roots


def test_a_chain_goes_on_and_a_cycle_does_not():
    waits = {0: [Wait((1,))], 1: [Wait((2,))], 2: [Wait(())], 3: [Wait((4,))], 4: [Wait((3,))]}
    going = ranks_that_can_go_on(waits)
    assert going == {0, 1, 2}
    assert cycles(waits, set(waits) - going) == [(3, 4)]
    assert roots(0, waits) == {2}


def test_any_of_several_is_enough_unless_all_are_needed():
    free = {0: [Wait(())], 1: [Wait((1,))]}
    assert 2 in ranks_that_can_go_on(free | {2: [Wait((0, 1), needs_all=False)]})
    assert 2 not in ranks_that_can_go_on(free | {2: [Wait((0, 1))]})


def test_a_rank_with_a_free_thread_goes_on_and_one_without_threads_never():
    waits = {0: [Wait((1,)), Wait(())], 1: [], 2: [Wait((1,))]}
    assert ranks_that_can_go_on(waits) == {0}


def test_a_rank_that_waits_for_itself():
    assert cycles({3: [Wait((3,))]}, {3}) == [(3,)]


def test_each_group_has_one_cycle_from_its_lowest_rank():
    waits = {2: [Wait((1,))], 1: [Wait((2,))], 7: [Wait((2,))], 5: [Wait((9,))], 9: [Wait((5,))]}
    assert cycles(waits, set(waits)) == [(1, 2), (5, 9)]


@pytest.mark.parametrize("seed", range(20))
def test_random_graphs(seed):
    """A set of ranks is stuck if each of its waits needs a member of it: the largest such set."""
    generator = random.Random(seed)
    waits = {
        rank: [
            Wait(
                tuple(generator.sample(range(6), generator.randrange(3))),
                generator.random() < 0.5,
            )
        ]
        for rank in range(6)
    }
    stuck: set[int] = set()
    for size in range(7):
        for ranks in itertools.combinations(range(6), size):
            others = set(range(6)) - set(ranks)
            if not any(waits[rank][0].can_end(others) for rank in ranks):
                stuck |= set(ranks)
    assert set(range(6)) - ranks_that_can_go_on(waits) == stuck
