"""`tasuki reproduce ninf`, on small equations."""

import json
import sys

import numpy as np
import pytest
from conftest import REPOSITORY, parse_envelope
from tasuki.base.programs import find_program
from tasuki.commands.reproduce import app
from tasuki.measurement.jobs import run_command
from tasuki.output.figure import Point, table_of
from tasuki.reproduce.links import can_link, linked
from tasuki.reproduce.ninf.figures import gains
from tasuki.reproduce.ninf.hosts import rates_for
from tasuki.reproduce.ninf.linpack import Solved
from tasuki.reproduce.ninf.measure import Calls, Problem, measure, question_of, seconds_of
from tasuki.reproduce.ninf.paper import (
    FULL_SIZES,
    GAIN,
    MODES,
    PARTS,
    REST,
    SIZES,
    TABLE_1,
    USUAL_SIZES,
)
from test_reproduce import is_picture
from typer.testing import CliRunner

pytestmark = pytest.mark.skipif(
    None in (find_program("aplinpack"), find_program("linpack_local")), reason="not built"
)
SECTION = (
    (REPOSITORY / "docs" / "formats" / "bench.md")
    .read_text()
    .partition("## `tasuki reproduce ninf`")[2]
)


def rows_of(tasuki, *arguments: str) -> list[dict]:
    result = tasuki("reproduce", "ninf", "--json", "--repetitions", "1", *arguments)
    assert result.returncode == 0, result.stderr
    return parse_envelope(result.stdout)["results"]


def links() -> tuple[str, ...]:
    return ("loopback", "100 Mbit/s") if can_link() else ("loopback",)


def test_all_modes_are_measured_over_all_links(tasuki):
    rows = rows_of(tasuki, "--size", "30", "--size", "200")
    measured = [row for row in rows if row["value"] is not None]
    of_table = [row for row in measured if row["name"] == "table1"]
    assert {(row["link"], row["mode"], row["n"], row["series"]) for row in of_table} == {
        (link, mode, n, f"{part}, s")
        for link in links()
        for mode in MODES
        for n in (30, 200)
        for part in PARTS
    }
    assert all(row["value"] > 0 for row in measured)
    for field in ("link", "mode", "n", "seconds"):
        assert field in of_table[0]
        assert f"`{field}`" in SECTION
    for row in of_table:
        if row["n"] == 200:
            rows_of_paper = dict(zip(MODES, TABLE_1[200], strict=True))
            part = PARTS.index(row["series"].partition(",")[0])
            assert row["paper_value"] == rows_of_paper[row["mode"]][part]
    gains = {row["series"] for row in measured if row["name"] == "gain"}
    assert gains == {GAIN, REST}
    curves = [row for row in measured if row["name"] == "fig7"]
    assert {row["series"] for row in curves} == {"local", *MODES}
    assert all(row["baseline"] == "local" for row in curves if row["series"] != "local")


@pytest.mark.parametrize(("options", "sizes"), [((), {20}), (("--full",), {20, 30})])
def test_full_measures_larger_equations(options, sizes, monkeypatch):
    """By the same code, with small ones in place of the usual and of the larger ones."""
    monkeypatch.setattr("tasuki.commands.reproduce.USUAL_SIZES", (20,))
    monkeypatch.setattr("tasuki.commands.reproduce.FULL_SIZES", (20, 30))
    command = ["ninf", "--json", "--repetitions", "1", "--only", "fig7", *options]
    result = CliRunner().invoke(app, command)
    assert result.exit_code == 0, result.output
    rows = [row for row in parse_envelope(result.stdout)["results"] if row["value"] is not None]
    for link in links():
        found = {(row["series"], row["n"]) for row in rows if row["panel"] == link}
        assert found == {(series, n) for series in ("local", *MODES) for n in sizes}


def test_full_has_the_usual_sizes_and_larger_ones():
    assert FULL_SIZES[: len(USUAL_SIZES)] == USUAL_SIZES
    assert FULL_SIZES[len(SIZES) :] == (2000, 4000, 8000)


def gain_of(link: str, n: int, times_s: dict[str, float]) -> dict[str, Point]:
    """The points of `gain` by their series, if all modes compute for one second."""

    class Measured:
        def remote(self):
            for mode, seconds in times_s.items():
                yield Solved(link, mode, n, {"client": seconds, "calc": 1.0}, 0.0, 1)

    return {point.series: point for point in gains(Measured())}


@pytest.mark.parametrize(
    ("link", "n", "original_s", "goals"),
    [
        ("100 Mbit/s", 1200, 3.5, {GAIN: True}),
        ("100 Mbit/s", 1200, 2.3, {GAIN: False}),
        ("100 Mbit/s", 1000, 3.5, {}),
        ("loopback", 2000, 3.0, {REST: True}),
        ("loopback", 2000, 2.5, {REST: False}),
        ("loopback", 200, 3.0, {}),
    ],
)
def test_goals_are_those_of_the_link_and_the_size(link, n, original_s, goals):
    points = gain_of(link, n, {"original": original_s, "hand-off": 2.0})
    reached = {name: one.details["ok"] for name, one in points.items() if "goal" in one.details}
    assert reached == goals
    for field in ("goal", "goal_is", "goal_text", "ok"):
        assert f"`{field}`" in SECTION
    _, rows = table_of(link, list(points.values()))
    shown = [text for text in rows[0][1:] if isinstance(text, str)]
    assert [text.endswith(": yes)") for text in shown] == list(goals.values())


def test_without_namespaces_the_loopback_device_is_measured(tasuki, tmp_path):
    tasuki.environment["PATH"] = str(tmp_path)
    result = tasuki("reproduce", "ninf", "--size", "30", "--only", "gain", "--repetitions", "1")
    assert result.returncode == 0, result.stderr
    assert "no links of 100 Mbit/s" in result.stderr
    assert "loopback" in result.stdout


@pytest.mark.same_everywhere("what draws is the same Python package")
def test_pictures(tasuki, tmp_path):
    result = tasuki("reproduce", "ninf", "--size", "20", "--size", "30", "--only", "fig7",
                    "--repetitions", "1", "--plot", "--output", tmp_path)  # fmt: skip
    assert result.returncode == 0, result.stderr
    assert is_picture(tmp_path / "ninf-fig7.png")


@pytest.mark.takes_root
@pytest.mark.skipif(not can_link(), reason="hosts take root, iproute2 and the kernel's tbf")
@pytest.mark.parametrize("can_reach_ranks", [True, False])
@pytest.mark.parametrize("mode", ["auto", "hand-off", "call-back", "relay"])
def test_ranks_on_hosts_of_their_own_are_called(mode, can_reach_ranks):
    """What a client does whose host has no way to those of the ranks; both have one to the front
    end's."""
    hosts = () if can_reach_ranks else ("10.231.8.3", "10.231.8.4")
    cut = "".join(f"ip route add blackhole {one}; " for one in hosts)
    program = 'exec "$0" -m tasuki.reproduce.ninf.measure "$1"'
    question = question_of(Calls(mode, "native", 2, 30, 1))
    command = ["sh", "-c", cut + program, sys.executable, question]
    outcome = run_command(linked(command, rates_for(2)), 60, {})
    if can_reach_ranks or mode in ("auto", "relay"):
        assert len(json.loads(outcome.stdout)["runs"]) == 1
    else:
        assert "CallError" in outcome.stderr


@pytest.mark.parametrize("ranks", [1, 2, 3, 4])
@pytest.mark.parametrize("job", [0, 1])
def test_the_routine_solves_what_numpy_solves(ranks, job, monkeypatch):
    """Of grids 1 x 1, 2 x 1, 3 x 1 and 2 x 2, for sizes that do not divide evenly."""

    def solve(_: Problem, routine) -> dict[str, float]:
        for n in (0, 1, 2, 7, 50):
            columns = np.random.default_rng(n).uniform(-1, 1, (n, n))
            right = np.arange(n) + 1.0
            x = routine(columns, n, n, np.zeros(n, np.int32), right, job)
            matrix = columns.T if job == 0 else columns
            np.testing.assert_allclose(matrix @ x, right, atol=1e-8)
        return {}

    monkeypatch.setattr(Problem, "solve", solve)
    measure(Calls("hand-off", "native", ranks, 1, 1))


def test_a_wrong_result_is_found():
    def routine(*_, out, **__):
        out["b"][:] = 2

    with pytest.raises(ArithmeticError, match="n = 3 is wrong"):
        Problem(3).solve(routine)


def test_parts_are_those_of_the_slowest_rank():
    ranks = [{"seconds": {"receive": 1.0, "compute": 2.0, "send": 0.5}},
             {"seconds": {"receive": 1.0, "compute": 4.0, "send": 0.0}}]  # fmt: skip
    found = seconds_of(7.0, {"ranks": ranks})
    assert found == {"client": 7.0, "server": 5.0, "node": 5.0, "calc": 4.0}
    staged = {"ranks": ranks, "front_end": {"seconds": {"call": 6.0, "send": 0.5}}}
    assert seconds_of(7.0, staged)["server"] == 6.5
