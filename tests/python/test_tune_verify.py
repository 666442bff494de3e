"""`tasuki tune --verify`: wrong results and broken guidelines are found, noise is not."""

import random

import pytest
from conftest import parse_envelope
from tasuki.base.programs import find_program
from tasuki.measurement.collectives import COLLECTIVES, VARYING
from tasuki.measurement.measurer import CHOSEN, Candidate, Cell
from tasuki.measurement.race import time_of
from tasuki.tune.guidelines import GUIDELINES, OF_BLOCKS, demands_of, is_broken
from tasuki.tune.verification import Verification

GOOD = Candidate("good")
BAD = Candidate("bad")


class MadeUp:
    """Every call takes 1 us + 1 ns for each byte of all blocks, with noise, but those in `slow`: so
    many times as long."""

    def __init__(self, slow=None, seed=1, **of_bad):
        self.slow = slow or {}
        self.of_bad = of_bad
        self.random = random.Random(seed)
        self.measured = []

    def candidates(self, cell):
        return [GOOD, BAD] if cell.collective == "allreduce" else [GOOD], GOOD

    def check(self, cell, candidate, samples, _):
        self.measured.append(cell)
        blocks_count = cell.ranks if cell.collective in OF_BLOCKS else 1
        ns = 1000 + cell.message_bytes * blocks_count
        ns *= self.slow.get(cell.collective, 1)
        answer = {"right": True, "same_bits": True, "unavailable": ""}
        answer["samples_ns"] = [ns * (1 + self.random.expovariate(10)) for _ in range(samples)]
        return answer | (self.of_bad if candidate == BAD else {})


def test_right_results_are_right():
    checked = Verification(MadeUp(), 0.1).check_results(COLLECTIVES, 4)
    assert {one.cell.collective for one in checked} == set(COLLECTIVES)
    assert all(one.ok for one in checked)


@pytest.mark.parametrize("wrong", ["right", "same_bits"])
def test_wrong_results_are_found(wrong):
    checked = Verification(MadeUp(**{wrong: False}), 0.1).check_results(["allreduce"], 4)
    assert {one.candidate for one in checked if not one.ok} == {BAD}
    assert all(one.ok for one in checked if one.candidate == GOOD)


def test_what_does_not_apply_is_not_judged():
    checked = Verification(MadeUp(unavailable="no"), 0.1).check_results(["allreduce"], 4)
    assert {one.candidate for one in checked} == {GOOD}


@pytest.mark.parametrize("seed", range(5))
def test_noise_breaks_no_guideline(seed):
    judged = Verification(MadeUp(seed=seed), 0.1).judge(["allreduce", "broadcast"], 4)
    assert all(one.holds for one in judged)


def test_a_slow_collective_breaks_its_guidelines():
    judged = Verification(MadeUp({"allreduce": 3}), 0.1).judge(["allreduce", "barrier"], 4)
    broken = [one for one in judged if not one.holds]
    assert {one.demand.text for one in broken} >= {"allreduce <= reduce + broadcast"}
    for one in broken:
        assert one.demand.cell.collective == "allreduce"
        assert one.ratio == pytest.approx(1.5, abs=0.5)
        assert "tasuki tune -n 4 --collective allreduce" in one.remedy
    assert "nonoverlapping does just that" in broken[0].remedy


def test_what_seems_broken_is_measured_again():
    calm = MadeUp()
    calm.check(Cell("allreduce", 4, 1008), CHOSEN, 1, 0)
    once = MadeUp({"allreduce": 3})
    Verification(calm, 0.1).judge(["allreduce"], 4)
    Verification(once, 0.1).judge(["allreduce"], 4)
    assert len(once.measured) > len(calm.measured)


def test_blocks_of_a_guideline_are_parts_of_its_vector():
    for demand in demands_of(COLLECTIVES, 3, [1000]):
        for cell in (demand.cell, *demand.others):
            whole = cell.message_bytes in (0, 4, 1008)
            assert whole or cell.message_bytes == 336
            assert cell.message_bytes % 4 == 0


def test_scans_are_compared_with_what_does_the_same():
    """The last rank has the sum of all after a scan; an exscan and a reduce make no scan."""
    found = {str(one) for one in GUIDELINES}
    assert {"exscan <= scan", "allreduce <= scan + broadcast"} <= found
    assert not any(one.first.collective == "scan" for one in GUIDELINES)


def test_guidelines_name_collectives_that_are_tuned():
    for guideline in GUIDELINES:
        for call in (guideline.first, *guideline.others):
            assert call.collective in COLLECTIVES


def test_a_guideline_is_broken_beyond_noise_and_tolerance_only():
    one, noisy = time_of([1.0] * 9), time_of([0.5, 1.0, 3.0] * 3)
    assert is_broken(time_of([2.2] * 9), [one, one])
    assert not is_broken(time_of([2.05] * 9), [one, one])
    assert not is_broken(time_of([2.2] * 9), [one, noisy])


@pytest.mark.skipif(find_program("tasuki_measure") is None, reason="not built")
def test_this_machine_is_verified(tasuki):
    ended = tasuki(
        "tune", "--verify", "-n", "2", "--budget", "1", "--collective", "scan",
        "--collective", "barrier", "--json",
    )  # fmt: skip
    assert ended.returncode == 0, ended.stdout + ended.stderr
    rows = parse_envelope(ended.stdout)["results"]
    results = [row for row in rows if row["name"].startswith("verify_")]
    assert {row["algorithm"] for row in results} >= {"hillis_steele", "flag_exchange"}
    assert all(row["ok"] and row["right"] and row["same_bits"] for row in results)
    guidelines = {row["baseline"] for row in rows if row["name"].startswith("guideline_")}
    assert {"barrier <= allreduce", "scan: smaller <= larger"} <= guidelines


@pytest.mark.skipif(find_program("tasuki_measure") is None, reason="not built")
def test_blocks_that_vary_are_verified(tasuki):
    wanted = [word for one in VARYING for word in ("--collective", one)]
    ended = tasuki("tune", "--verify", "-n", "3", "--budget", "1", *wanted, "--json")
    assert ended.returncode == 0, ended.stdout + ended.stderr
    rows = parse_envelope(ended.stdout)["results"]
    assert {row["name"] for row in rows} == {f"verify_{one}" for one in VARYING}
    assert all(row["ok"] for row in rows)
    assert "two_phase_bruck" in {row["algorithm"] for row in rows}


def test_a_wrong_result_ends_the_command_with_a_code(installed):
    """A measuring program that says that an algorithm is wrong."""
    installed.add_program("tasuki_measure", FAKE_MEASURE)
    ended = installed("tune", "--verify", "-n", "1", "--collective", "barrier")
    assert ended.returncode == 1, ended.stdout + ended.stderr
    assert "Wrong results" in ended.stdout
    assert "0 of 1 results right" in ended.stdout


FAKE_MEASURE = """
while read -r request; do
  case $request in
  *'"list"'*) echo '{"chosen": "x", "chosen_parameters": "", "algorithms": []}' ;;
  *'"measure"'*) echo '{"right": false, "same_bits": true, "unavailable": "", "samples_ns": [1]}' ;;
  *'"end"'*) exit ;;
  esac
done
"""
