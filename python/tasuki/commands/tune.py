"""The command line of `tasuki tune`."""

from pathlib import Path
from typing import Annotated

import typer

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
from tasuki.commands.values import parse_ranks
from tasuki.tune.size_rules import FORMATS


def tune(
    n: Annotated[str | None, ranks_option("2..8 (as without) or 2,4; not with --hosts")] = None,
    budget: Annotated[float, time_option(1, "To measure for, in all, as in 90s, 5m.")] = 60,
    transport: Annotated[
        Transport | None,
        typer.Option(
            help="The transport to tune (not --library: it measures MPI); shm, with --hosts mpi."
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
    collective: OnlyCollectives = [],
    output: Annotated[
        Path | None,
        typer.Option(help="File to write; else ~/.config/tasuki/policy-TRANSPORT.", dir_okay=False),
    ] = None,
    seed: Seed = 1,
    library: Annotated[
        bool,
        typer.Option("--library", help="Measure the MPI library's own algorithms instead."),
    ] = False,
    schedules: Annotated[
        bool,
        typer.Option(
            "--schedules",
            help="With --library: also Tasuki's algorithms, carried out by MPI's messages.",
        ),
    ] = False,
    emit: Annotated[
        choice("RuleFormat", FORMATS) | None,
        typer.Option(
            help="With --library: write rules that it loads to --output, else here; tasuki: a"
            " policy for tasuki run --tuned, to --output or where that finds it."
        ),
    ] = None,
    verify: Annotated[
        bool,
        typer.Option(
            "--verify",
            help="Check all results instead of choosing (a wrong one: exit code 1), and show which"
            " performance guidelines the policy in force violates.",
        ),
    ] = False,
    as_json: Json = False,
) -> None:
    """Measure the algorithms of the collectives and let jobs here use the best ones."""
    from tasuki.tune import command as work
    from tasuki.tune.tune_place import tune_place
    from tasuki.tune.tune_run import TuneRun

    ranks = None if n is None else parse_ranks(n)
    place = tune_place(hosts, ranks, transport)
    run = TuneRun(place, mpi, collective, budget, output, seed)
    work.refuse_combinations(run, library=library, emitted=emit, verify=verify, schedules=schedules)
    if verify:
        raise typer.Exit(work.verify_tuning(run, as_json))
    if library:
        work.tune_library(run, as_json, emit, schedules)
    else:
        work.tune(run, as_json)
