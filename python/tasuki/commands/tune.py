"""The command line of `tasuki tune`."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from tasuki.base.errors import usage_error
from tasuki.commands.options import (
    Json,
    Mpi,
    MpiOption,
    OnlyCollectives,
    Seed,
    Transport,
    choice,
    ranks_option,
    time_option,
)
from tasuki.commands.values import SIMULATED_RANKS_MOST, parse_ranks
from tasuki.tune.size_rules import FORMATS

if TYPE_CHECKING:
    from tasuki.tune.simulator import SimulatedPlace

BUDGET_S = 60
SEED = 1


class SimulationOptions(NamedTuple):
    """What is simulated in the place of measuring."""

    simulate: Annotated[
        str | None,
        typer.Option(
            metavar="NETWORK",
            help="Tune for nodes of a network that is simulated: gigabit_ethernet or 200g, or one"
            " with other numbers, as in 200g,latency_ns=900.",
        ),
    ] = None
    nodes: Annotated[
        str | None, typer.Option(help="With --simulate: how many, as in 2..8 or 4,16.")
    ] = None
    ranks_per_node: Annotated[
        str | None, typer.Option(help="With --simulate: ranks on each node, as in 1,16; else 1.")
    ] = None
    nodes_per_group: Annotated[
        int | None,
        typer.Option(
            min=1, max=SIMULATED_RANKS_MOST, help="With --simulate: nodes at one switch; else all."
        ),
    ] = None

    @property
    def details(self) -> dict[str, object]:
        """What has a meaning only if something is simulated."""
        return {
            "--nodes": self.nodes, "--ranks-per-node": self.ranks_per_node,
            "--nodes-per-group": self.nodes_per_group,
        }  # fmt: skip

    def places(self, transport: str | None) -> "list[SimulatedPlace]":
        """Raises CommandError (exit code 2) for no network between nodes."""
        from tasuki.tune.simulator import simulated_places

        def numbers(option: str, text: str) -> list[int]:
            return parse_ranks(text, "tune", option, SIMULATED_RANKS_MOST)

        assert self.simulate is not None
        if self.nodes is None:
            raise usage_error("tune", "--simulate and no --nodes", "say how many, as in --nodes 16")
        nodes = numbers("--nodes", self.nodes)
        each = "1" if self.ranks_per_node is None else self.ranks_per_node
        per_node = numbers("--ranks-per-node", each)
        if nodes[-1] * per_node[-1] > SIMULATED_RANKS_MOST:
            happened = f"{per_node[-1]} ranks on each of {nodes[-1]} nodes"
            raise usage_error("tune", happened, f"give up to {SIMULATED_RANKS_MOST} ranks in all")
        return simulated_places(self.simulate, nodes, per_node, self.nodes_per_group, transport)


class WorkOptions(NamedTuple):
    """What is done in the place of choosing for Tasuki's own programs."""

    library: Annotated[
        bool,
        typer.Option("--library", help="Measure the MPI library's own algorithms instead."),
    ] = False
    schedules: Annotated[
        bool,
        typer.Option(
            "--schedules",
            help="With --library: also Tasuki's algorithms, carried out by MPI's messages.",
        ),
    ] = False
    emit: Annotated[
        choice("RuleFormat", FORMATS) | None,
        typer.Option(
            help="With --library: write rules that it loads to --output, else here; tasuki: a"
            " policy for tasuki run --tuned, to --output or where that finds it."
        ),
    ] = None
    verify: Annotated[
        bool,
        typer.Option(
            "--verify",
            help="Check all results instead of choosing (a wrong one: exit code 1), and show which"
            " performance guidelines the policy in force violates.",
        ),
    ] = False

    @property
    def given(self) -> dict[str, object]:
        return {
            "--library": self.library, "--schedules": self.schedules, "--emit": self.emit,
            "--verify": self.verify,
        }  # fmt: skip


def tune(
    n: Annotated[str | None, ranks_option("2..8 (as without) or 2,4; not with --hosts")] = None,
    budget: Annotated[
        float | None, time_option(1, f"To measure for, in all, as in 90s, 5m; else {BUDGET_S}.")
    ] = None,
    transport: Annotated[
        Transport | None,
        typer.Option(
            help="The transport to tune (not --library: it measures MPI); shm, with --hosts or"
            " --simulate mpi."
        ),
    ] = None,
    mpi: MpiOption = Mpi.auto,
    hosts: Annotated[
        str | None,
        typer.Option(
            metavar="HOST[:RANKS],...",
            help="Tune for jobs on so many hosts as these, with so many ranks on each.",
        ),
    ] = None,
    simulation: SimulationOptions = SimulationOptions(),
    collective: OnlyCollectives = [],
    output: Annotated[
        Path | None,
        typer.Option(
            help="File to write; else ~/.config/tasuki/policy-TRANSPORT (--simulate: none).",
            dir_okay=False,
        ),
    ] = None,
    seed: Seed = SEED,
    work: WorkOptions = WorkOptions(),
    as_json: Json = False,
) -> None:
    """Measure the algorithms of the collectives and let jobs here use the best ones."""
    from tasuki.tune import command
    from tasuki.tune.tune_place import tune_place
    from tasuki.tune.tune_run import TuneRun

    ranks = None if n is None else parse_ranks(n)
    if simulation.simulate is not None:
        given = {"-n": n, "--hosts": hosts, "--budget": budget, **work.given}
        given |= {"--mpi": mpi != Mpi.auto.value, "--seed": seed != SEED}
        _refuse(given, "--simulate, which measures nothing")
        places = simulation.places(transport)
        raise typer.Exit(command.tune_simulated(places, collective, output, as_json))
    _refuse(simulation.details, "no --simulate")
    place = tune_place(hosts, ranks, transport)
    run = TuneRun(place, mpi, collective, budget or BUDGET_S, output, seed)
    command.refuse_combinations(run, *work)
    if work.verify:
        raise typer.Exit(command.verify_tuning(run, as_json))
    if work.library:
        command.tune_library(run, as_json, work.emit, work.schedules)
    else:
        command.tune(run, as_json)


def _refuse(given: Mapping[str, object], beside: str) -> None:
    """Raises CommandError (exit code 2) for options that would have no effect."""
    for option, value in given.items():
        if value:
            raise usage_error("tune", f"{option} and {beside}", f"leave {option} out")
