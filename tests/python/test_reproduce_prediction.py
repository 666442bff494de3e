"""`tasuki reproduce prediction`: its sums, on made-up reports, and once on kernels of class S."""

import pytest
from conftest import REPOSITORY, parse_envelope
from tasuki.base.programs import find_plugin, find_program
from tasuki.launcher.mpiexec import MPIS, mpiexec_of
from tasuki.measurement.jobs import run_command
from tasuki.output.figure import MISSING, table_of
from tasuki.reproduce.executors import Measuring
from tasuki.reproduce.lab import Lab
from tasuki.reproduce.links import can_link
from tasuki.reproduce.notebook import Notebook
from tasuki.reproduce.prediction import costs, idle, messages, paper, speed
from tasuki.reproduce.prediction.cells import Cell, Wishes, cells_of
from tasuki.reproduce.prediction.consumption import Consumption
from tasuki.reproduce.prediction.figures import figures_of
from tasuki.reproduce.prediction.laboratory import Predictions
from tasuki.reproduce.prediction.networks import LINKS, NETWORKS, SHARED_MEMORY, TCP
from tasuki.reproduce.prediction.pairs import ratio_of, ratios_of, upper_index
from tasuki.reproduce.prediction.runs import Outcome, Runs, runner_of
from tasuki.reproduce.prediction.traces import Recorded
from tasuki.reproduce.prediction.turns import Turns
from tasuki.reproduce.prediction.variants import (
    ALWAYS,
    EARLIER,
    GUARDED,
    NOTHING,
    OFF,
    OWN,
    VARIANTS,
    YIELD,
    variants_in,
)
from tasuki.tuned.prediction_report import Report

SECTION = (
    (REPOSITORY / "docs" / "formats" / "bench.md")
    .read_text()
    .partition("## `tasuki reproduce prediction`")[2]
    .partition("\n## ")[0]
)
USUAL = Wishes(paper.KERNELS, paper.CLASSES, (2, 4), tuple(NETWORKS), ("ompi",), 20, False)
IS_CELL = Cell("is", "W", SHARED_MEMORY, 4, "ompi")
REPORT = Report(200, 50, 40, 30, 10, 30, 4, 3_000_000, (0, 0, 3, *[0] * 17, 1))


def has_programs(kind: str) -> bool:
    """Can kernels run over that MPI here, with the library preloaded?"""
    programs = (find_program(f"npb_is_mpi_{kind}"), find_program("tasuki_predictors"))
    return None not in (*programs, mpiexec_of(kind), find_plugin("libtasuki_mpi"))


WITH_PROGRAMS = [
    pytest.param(kind, marks=pytest.mark.skipif(not has_programs(kind), reason="not built"))
    for kind in MPIS
]


def test_long_waits_are_a_share_of_all():
    assert idle.share_from(REPORT, 1_000_000) == 25
    assert idle.share_from(REPORT, 4) == 100
    assert idle.share_from(REPORT, 5) == 25
    assert idle.share_from(Report(), 1) is None


def test_each_variant_is_first_in_turn():
    turns = list(Turns(["a", "b", "c"], 3, 100.0))
    assert [name for number, name in turns if number == 1] == ["b", "c", "a"]
    assert len(turns) == 9


def test_a_slow_variant_takes_no_more_than_its_share():
    turns = Turns(["slow", "quick"], 5, 10.0)
    ran: dict[str, int] = {"slow": 0, "quick": 0}
    for _, name in turns:
        ran[name] += 1
        turns.spend(name, 3.0 if name == "slow" else 0.1)
    assert ran == {"slow": 2, "quick": 5}


def test_each_variant_runs_once_even_without_time():
    assert [name for _, name in Turns(["a", "b"], 5, 0.0)] == ["a", "b"]


def test_a_variant_that_failed_runs_no_more():
    turns = Turns(["bad", "good"], 3, 10.0)
    ran = []
    for _, name in turns:
        ran.append(name)
        if name == "bad":
            turns.leave_out(name)
    assert ran == ["bad", "good", "good", "good"]
    never = Turns(["bad", "good"], 2, 10.0)
    never.leave_out("bad")
    assert [name for _, name in never] == ["good", "good"]


def test_ratios_are_those_of_runs_in_the_same_round():
    runs = Runs(rounds=(0, 1, 3), seconds=(2.0, 3.0, 8.0))
    others = Runs(rounds=(0, 1, 2), seconds=(1.0, 2.0, 9.0))
    ratio = ratio_of(ratios_of(runs, others))
    assert ratio is not None
    assert (ratio.median, ratio.upper, ratio.pairs) == (1.75, None, 2)
    assert ratio_of(ratios_of(runs, Runs(rounds=(7,), seconds=(1.0,)))) is None


@pytest.mark.parametrize(("count", "index"), [(4, None), (5, 4), (20, 14), (100, 58)])
def test_upper_bounds_are_those_of_the_binomial_distribution(count, index):
    """5 values: all lie below the median with probability 1/32. 20 and 100: tables of the sign
    test."""
    assert upper_index(count) == index


def test_cells_are_the_papers():
    cells = list(cells_of(USUAL))
    assert len(cells) == 5 * (2 * 2 + 2 + 1) - 1
    places_of_sp = {(cell.network.name, cell.rank_count) for cell in cells if cell.kernel == "sp"}
    assert places_of_sp == {
        ("shm", 1), ("shm", 4), ("tcp", 4), ("links", 4)
    }  # fmt: skip
    assert {cell.problem_class for cell in cells if cell.network == TCP} == {"W"}
    over_links = {cell.kernel: cell.problem_class for cell in cells if cell.network == LINKS}
    assert over_links == {"is": "W", "ep": "W", "sp": "S", "cg": "S", "mg": "S"}
    assert {cell.ranks for cell in cells if cell.network == LINKS} == {4}
    full = list(cells_of(USUAL._replace(ranks=(2, 4, 8), mpis=tuple(MPIS), is_full=True)))
    assert len(full) == 2 * (2 * 2 * (5 + 5 + 4) + 2 * 5 - 2)
    only_s = list(cells_of(USUAL._replace(classes=("S",))))
    assert {cell.network.name for cell in only_s} == set(NETWORKS)


def test_titles_of_cells_are_their_own():
    cells = list(cells_of(USUAL._replace(mpis=tuple(MPIS), is_full=True)))
    assert len({cell.title for cell in cells}) == len({cell.key for cell in cells}) == len(cells)


def test_each_figure_of_the_paper_is_there():
    ids = [figure.figure_id for figure in figures_of(USUAL)]
    assert set(ids) == {
        *(f"table{number}" for number in range(2, 6)),
        *(f"fig{number}" for number in range(6, 9)),
        *("idle", "ablation", "guarded", "costs"),
    }


def test_the_papers_values_stand_in_tables_of_its_class_and_ranks():
    found = {figure.figure_id: figure.published for figure in figures_of(USUAL)}
    (table2,) = found["table2"]
    assert table2.panel == IS_CELL.panel
    assert table2.values["messages"]["CG"] == 23_618
    assert [one.values["always"]["EP"] for one in found["table3"]] == [40.37, 30.13]
    assert found["table4"][2].values["IS"] == {"markov, whole": 6.64}
    assert all(not one for one in [
        figure.published for figure in figures_of(USUAL._replace(classes=("A",)))
    ])  # fmt: skip


def test_the_yield_is_open_mpis_alone_where_each_rank_has_a_core():
    own_cores = IS_CELL._replace(ranks=1)
    assert YIELD.is_for(own_cores)
    assert not YIELD.is_for(own_cores._replace(mpi="mpich"))
    assert not YIELD.is_for(IS_CELL._replace(ranks=1 << 20))


def test_the_whole_ablation_is_measured_where_it_matters_most():
    assert EARLIER in variants_in(IS_CELL, USUAL)
    smaller = IS_CELL._replace(problem_class="S")
    assert variants_in(smaller, USUAL) == [NOTHING, OFF, GUARDED, ALWAYS]
    assert EARLIER in variants_in(smaller, USUAL._replace(is_full=True))
    assert EARLIER in variants_in(smaller, USUAL._replace(classes=("S",)))
    assert EARLIER in variants_in(IS_CELL._replace(network=TCP), USUAL)
    assert EARLIER not in variants_in(IS_CELL._replace(network=LINKS), USUAL)
    assert EARLIER not in variants_in(IS_CELL._replace(kernel="cg", network=TCP), USUAL)


class MadeUp(Predictions):
    """Runs of IS and CG, of which IS has reports."""

    def __init__(self, wishes: Wishes) -> None:
        super().__init__(Lab(Measuring(100, lambda _: None)), wishes)
        self.cells = [cell for cell in self.cells if cell.kernel in ("is", "cg")]

    def runs_in(self, cell: Cell) -> dict[str, Runs]:
        seconds = ((NOTHING, 4.0), (OFF, 2.0), (GUARDED, 1.6), (ALWAYS, 2.5))
        found = {}
        for variant, one in seconds:
            report = REPORT if cell.kernel == "is" else None
            runs = Runs()
            for number in range(20):
                runs = runs.plus(number, Outcome(one, 0.5, 3.0, 6, 2, report))
            found[variant.name] = runs
        return found


@pytest.fixture
def made_up() -> MadeUp:
    return MadeUp(USUAL._replace(networks=("shm",), ranks=(4,)))


@pytest.mark.parametrize(("ranks", "shown"), [((2, 4, 8), 4), ((2, 8), 8), ((2,), 2)])
def test_messages_are_shown_of_the_papers_ranks_or_the_most(monkeypatch, ranks, shown):
    found = Recorded(40, "posted, whole", {"posted, whole": 50.0}, {"posted, whole": 96.0})
    monkeypatch.setattr(MadeUp, "recorded", lambda *_: found)
    made_up = MadeUp(USUAL._replace(networks=("shm", "tcp"), ranks=ranks, kernels=("cg",)))
    points = messages.counts(made_up)
    assert {one.details["ranks"] for one in points} == {shown}
    assert {one.details["network"] for one in points} == {"shm"}
    by_series = {one.series: one.value for one in points}
    assert by_series["messages"] == 40 and by_series["of a rank"] == 40 / shown
    assert by_series["collectives by Tasuki"] == 6
    free = [one for one in messages.successes(made_up) if "free" in one.panel]
    assert all((one.details["goal"], one.details["ok"]) == (95, True) for one in free)


def test_prediction_rate(made_up):
    points = [one for one in messages.rates(made_up) if one.panel == IS_CELL.panel]
    by_place = {(one.x, one.series): one for one in points}
    assert by_place["IS", "always"].value == 20
    assert by_place["IS", "always"].repetitions == 20
    assert by_place["CG", "always"].value is None
    assert by_place["CG", "always"].details[MISSING] == "not reported"


def test_speed_up_is_the_papers(made_up):
    points = [one for one in speed.speed_up(made_up) if one.panel.startswith(IS_CELL.panel)]
    found = {one.panel.rpartition(": ")[2]: one.value for one in points if one.x == "IS"}
    assert found["always"] == pytest.approx(-20)
    assert found["guarded"] == pytest.approx(25)
    assert found["guarded, tuned"] == pytest.approx(150)
    by_class = speed.by_class(made_up)
    assert {one.series for one in by_class} == {"class S", "class W"}


def test_ablation_has_the_geometric_mean(made_up):
    _, rows = table_of(IS_CELL.panel, speed.ablation(made_up))
    assert [row[0] for row in rows] == ["IS", "CG", "geometric mean"]
    assert rows[0][1:] == [4.0, 0.5, 0.4, 0.625]
    assert rows[2][1:] == [None, 0.5, pytest.approx(0.4), pytest.approx(0.625)]


def test_guarded_prediction_has_a_goal(made_up):
    point = speed.never_slower(made_up)[0]
    assert point.value == pytest.approx(0.8)
    assert (point.details["goal"], point.details["ok"]) == (1.01, True)


def test_all_pairs_of_a_table_bound_it_more_narrowly(made_up):
    points = [one for one in speed.never_slower(made_up) if one.panel == IS_CELL.panel]
    pairs = {(one.x, one.series): one.repetitions for one in points}
    assert pairs["all kernels", speed.UPPER] == 2 * pairs["IS", speed.UPPER] == 40
    (everywhere,) = (
        one
        for one in speed.never_slower(made_up)
        if (one.panel, one.series) == (speed.ALL_PANELS, speed.UPPER)
    )
    assert everywhere.repetitions > 40


def test_idle_times(made_up):
    _, rows = table_of(IS_CELL.panel, idle.totals(made_up))
    assert rows[0] == ["tuned, no prediction", 25.0, 4.0]
    lengths = [one for one in idle.lengths(made_up) if one.series == "always"]
    assert [(one.x, one.value) for one in lengths][:2] == [(0.004, 3.0), (0.008, 0.0)]
    assert (lengths[-1].x, lengths[-1].value) == (2**20 / 1000, 1.0)
    shares = idle.distribution(made_up)
    assert (shares[0].value, shares[-1].value) == (100, 25)


def test_costs(made_up):
    points = costs.costs(made_up)
    assert {(one.value, one.unit) for one in points} == {(0.5, "s"), (3.0, "J")}


def test_runs_come_back_from_a_notebook(tmp_path):
    runs = Runs().plus(0, Outcome(1.0, 0.5, None, 6, 2, REPORT))
    notebook = Notebook(tmp_path / "notes.jsonl", {})
    notebook.keep("runs", runs)
    del notebook
    kept = Notebook(tmp_path / "notes.jsonl", {}).find("runs")
    assert Runs.decode(kept) == runs


def test_energy_is_read_where_it_can_be(tmp_path):
    package = tmp_path / "intel-rapl:0"
    package.mkdir()
    (package / "max_energy_range_uj").write_text("10000000\n")
    counter = package / "energy_uj"
    counter.write_text("9000000\n")
    used = Consumption(tmp_path)
    counter.write_text("500000\n")
    assert used.end()[1] == pytest.approx(1.5)
    assert Consumption(tmp_path / "missing").end()[1] is None


@pytest.mark.parametrize(
    ("script", "exit_code", "printed"),
    [
        ("echo '{\"verified\":true}'; exec sleep 100", 0, True),
        ("echo '{\"verified\":false}'; exec sleep 100", 128 + 15, True),
        ("echo '{\"verified\":false}'; exit 1", 1, True),
        ("echo no result; exit 3", 3, False),
    ],
)
def test_a_job_that_does_not_end_is_ended_after_its_result(script, exit_code, printed):
    command = TCP.ended("mpich", ["sh", "-c", script])
    ended = run_command(command, timeout_s=60)
    assert ended.exit_code == exit_code
    assert ended.stdout.startswith("{") is printed
    assert SHARED_MEMORY.ended("mpich", ["true"]) == TCP.ended("ompi", ["true"]) == ["true"]


@pytest.mark.parametrize("kind", WITH_PROGRAMS)
def test_kernels_run_in_all_ways(tasuki, tmp_path, kind):
    """The second time nothing runs, and the numbers are the same."""
    arguments = ("reproduce", "prediction", "--mpi", kind, "--class", "S", "--kernel", "mg", "-n",
                 "2", "--network", "shm", "--runs", "1", "--json", "--resume",
                 tmp_path / "notes.jsonl")  # fmt: skip
    ended = tasuki(*arguments)
    assert ended.returncode == 0, ended.stderr
    rows = parse_envelope(ended.stdout)["results"]
    found = {(row["name"], row["series"], row["x"]): row for row in rows}
    # 296 of its own; the others are of collectives that Tasuki carries out by messages.
    assert found["table2", "messages", "MG"]["value"] > 296
    assert found["table2", "collectives by Tasuki", "MG"]["value"] > 0
    assert found["table4", "MG", "earlier_run, channel"]["value"] == 100
    ways = {series for name, series, _ in found if name == "costs"}
    cell = Cell("mg", "S", SHARED_MEMORY, 2, kind)
    assert ways == {one.title for one in VARIANTS if one.is_for(cell)}
    for field in ("kernel", "class", "network", "mpi", "ranks", "seconds", "predictions",
                  "receives", "goal", "goal_is", "goal_text", "ok"):  # fmt: skip
        assert f"`{field}`" in SECTION
    again = tasuki(*arguments)
    assert ": 0 runs," in again.stderr and "2 more are in" in again.stderr
    assert parse_envelope(again.stdout)["results"] == rows


@pytest.mark.takes_root
@pytest.mark.skipif(not can_link(), reason="hosts take root, iproute2 and the kernel's tbf")
@pytest.mark.parametrize("kind", WITH_PROGRAMS)
@pytest.mark.parametrize("network", [TCP, LINKS])
def test_collectives_between_hosts_are_messages(kind, network):
    cell = Cell("is", "S", network, 4, kind)
    with runner_of(cell) as runner:
        if OWN.is_for(cell):
            assert runner.run(OWN, timeout_s=120).seconds > 0
        outcome = runner.run(OFF, timeout_s=120)
    assert outcome.by_tasuki > 0
