"""The figures and tables: what each shows, and who measures it."""

from collections.abc import Sequence

from tasuki.output.figure import Figure, Published
from tasuki.reproduce.command import Reproduction
from tasuki.reproduce.prediction import costs, idle, messages, paper, speed
from tasuki.reproduce.prediction.cells import Cell, Wishes, cells_of
from tasuki.reproduce.prediction.laboratory import Predictions, conditions_of
from tasuki.reproduce.prediction.networks import LINKS, SHARED_MEMORY
from tasuki.reproduce.prediction.places import is_like
from tasuki.reproduce.prediction.speed import GAINS
from tasuki.reproduce.prediction.variants import ALWAYS, OFF

USUAL_BUDGET_S = 30 * 60.0
_LAST, _MARKOV = "last_value, whole", "markov, whole"
_KERNEL, _IDLE_TIME = "kernel", "idle time of at least, us"


def figures_of(wishes: Wishes) -> Sequence[Figure]:
    """What the paper says stands beside what is most like its machines."""
    cells = list(cells_of(wishes))
    smp = [cell for cell in cells if is_like(cell, SHARED_MEMORY)][:1]
    cluster = [cell for cell in cells if is_like(cell, LINKS)][:1]
    return (
        Figure("table2", "Messages of a run", "table", _KERNEL, "", messages.counts,
               published=tuple(_messages(smp)), remark=messages.MESSAGES_REMARK),
        Figure("table3", "Prediction rate, %", "table", _KERNEL, "", messages.rates,
               published=tuple(_rates(smp, cluster)), remark=messages.RATE_REMARK),
        Figure("table4", "Success rate, %", "table", "predictor", "", messages.successes,
               published=tuple(_successes(smp, cluster)), remark=messages.SUCCESS_REMARK),
        Figure("fig6", "Speed-up by prediction", "stacked", _KERNEL, "%", speed.speed_up,
               published=tuple(_speed_up(smp, cluster)), remark=speed.REMARK),
        Figure("fig7", "Idle times of IS, distribution", "lines", _IDLE_TIME, "%",
               idle.distribution, log_x=True, remark=idle.REMARK),
        Figure("fig8", "Idle times of IS by their length", "lines", _IDLE_TIME, "in a run",
               idle.lengths, log_x=True, baseline_series=OFF.title, remark=idle.REMARK),
        Figure("idle", "Idle times of IS", "table", "variant", "", idle.totals,
               published=tuple(_idle(smp, cluster)), remark=idle.REMARK),
        Figure("table5", "Speed-up by class, %", "table", _KERNEL, "", speed.by_class,
               published=tuple(_classes(smp)), remark=speed.REMARK),
        Figure("ablation", "Time / as it is", "table", _KERNEL, "", speed.ablation,
               remark=speed.REMARK),
        Figure("guarded", "Guarded prediction: time / without", "table", _KERNEL, "",
               speed.never_slower, remark=speed.REMARK),
        Figure("costs", "Cost of a run", "table", _KERNEL, "", costs.costs, remark=costs.REMARK),
    )  # fmt: skip


def _messages(smp: list[Cell]) -> list[Published]:
    return [
        paper.column("table 2", cell.panel, messages.RECEIVED, paper.MESSAGES, "") for cell in smp
    ]


def _rates(smp: list[Cell], cluster: list[Cell]) -> list[Published]:
    values = ((smp, paper.SMP), (cluster, paper.CLUSTER))
    return [
        paper.column("table 3", cell.panel, ALWAYS.title, paper.RATE[machine])
        for cells, machine in values
        for cell in cells
    ]


def _successes(smp: list[Cell], cluster: list[Cell]) -> list[Published]:
    values = (
        (smp, paper.SMP, _LAST),
        (cluster, paper.CLUSTER, _LAST),
        (cluster, paper.CLUSTER_MARKOV, _MARKOV),
    )
    return [
        paper.row("table 4", messages.success_panel(cell, messages.WHOLE), predictor,
                  paper.SUCCESS[machine])
        for cells, machine, predictor in values
        for cell in cells
    ]  # fmt: skip


def _speed_up(smp: list[Cell], cluster: list[Cell]) -> list[Published]:
    always = GAINS[0].series
    gains = [
        paper.column("table 5", f"{cell.panel}: {always}", "speed-up", paper.GAIN["W"])
        for cell in smp
    ]
    return gains + [
        Published("section 3.2", f"{cell.panel}: {always}", "%", {"speed-up": {
            paper.name_of("is"): paper.IS_GAIN
        }})
        for cell in cluster
    ]  # fmt: skip


def _idle(smp: list[Cell], cluster: list[Cell]) -> list[Published]:
    return [
        Published("section 3.2", cell.panel, "%", {
            idle.LONG: {OFF.title: paper.LONG_IDLE[machine]}
        })
        for cells, machine in ((smp, paper.SMP), (cluster, paper.CLUSTER))
        for cell in cells
    ] + [
        Published("section 3.3", cell.panel, "", {
            idle.COUNT: {OFF.title: paper.IDLE_BEFORE, ALWAYS.title: paper.IDLE_AFTER}
        })
        for cell in smp
    ]  # fmt: skip


def _classes(smp: list[Cell]) -> list[Published]:
    panels = [speed.class_panel(cell, GAINS[0].series) for cell in smp]
    return [
        paper.column("table 5", panel, f"class {problem_class}", values)
        for panel in panels
        for problem_class, values in paper.GAIN.items()
    ]


PREDICTION = Reproduction("prediction", figures_of, Predictions, conditions_of)
