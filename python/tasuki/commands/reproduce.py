"""The command lines of `tasuki reproduce ...`."""

from pathlib import Path
from typing import Annotated

import typer

from tasuki.commands.option_groups import command
from tasuki.commands.options import (
    MatrixSize,
    PaperOptions,
    Repetitions,
    choice,
    ranks_option,
    time_option,
)
from tasuki.commands.values import parse_bytes, parse_ranks
from tasuki.reproduce.command import Wanted
from tasuki.reproduce.mpcxx.command import CLASSES

app = typer.Typer(help="Reproduce the figures of a published paper.", no_args_is_help=True)
PaperRanks = Annotated[str, ranks_option("1..8 or 2,4")]


def _wanted(name: str, paper: PaperOptions) -> Wanted:
    return Wanted(name, paper.budget, paper.as_json, paper.output if paper.plot else None)


@app.callback()
def _reproduce() -> None:
    pass


@command(app)
def mpcxx(
    classes: Annotated[
        list[choice("PaperClass", CLASSES)],
        typer.Option(
            "--class",
            help="Size of the problems; repeat it for several. Else S, W and A.",
            case_sensitive=False,
        ),
    ] = [],
    paper: PaperOptions = PaperOptions(budget=1800),
) -> None:
    """MPC++ MTTL on MPI (2000): figures 5-13, tables 4-8, as this machine gives them."""
    from tasuki.reproduce.mpcxx.command import reproduce_mpcxx

    raise typer.Exit(reproduce_mpcxx(_wanted("mpcxx", paper), classes, paper.only, paper.mpi))


@command(app)
def dimmnet(
    n: PaperRanks = "1..8",
    keys: Annotated[int, typer.Option(min=0, help="Keys of the radix sort.")] = 6_000_000,
    size: MatrixSize = 1024,
    bandwidth: Annotated[
        list[float],
        typer.Option(
            min=1e-3,
            max=1e9,
            help="Of the what-if, in MB/s; repeat it for several. Else 10 to 50000.",
        ),
    ] = [],
    paper: PaperOptions = PaperOptions(budget=600),
) -> None:
    """On-the-fly communication (2002): barriers, radix sort, LU, and what a network would do."""
    from tasuki.reproduce.dimmnet.applications import Wishes
    from tasuki.reproduce.dimmnet.command import reproduce_dimmnet
    from tasuki.reproduce.dimmnet.what_if import BANDWIDTHS

    ranks = tuple(parse_ranks(n, "reproduce dimmnet"))
    bandwidths = tuple(sorted(bandwidth)) or BANDWIDTHS
    wishes = Wishes(ranks, keys, size, bandwidths, paper.mpi)
    raise typer.Exit(reproduce_dimmnet(_wanted("dimmnet", paper), paper.only, wishes))


@command(app)
def collectives(
    n: PaperRanks = "2..8",
    size: Annotated[
        list[str], typer.Option(help="Only this size, as in 4, 64K, 1M; repeat it for several.")
    ] = [],
    cell_seconds: Annotated[float, time_option(0, "To race the algorithms of one size for.")] = 0.4,
    graphs: Annotated[
        Path | None,
        typer.Option(
            help="Folder with NY, BAY, FLA.gr.xz; else a town.", file_okay=False, exists=True
        ),
    ] = None,
    road_ranks: Annotated[str, typer.Option(help="Numbers of ranks on the roads.")] = "2,4",
    road_seconds: Annotated[float, time_option(1, "After which a run on the roads is ended.")] = 20,
    repetitions: Repetitions = 1,
    resume: Annotated[
        Path | None,
        typer.Option(help="File to keep what is measured in, and to go on from.", dir_okay=False),
    ] = None,
    paper: PaperOptions = PaperOptions(budget=1200),
) -> None:
    """Analysis of Open MPI's collectives (2014), with Tasuki's, on roads and simulated clusters."""
    from tasuki.reproduce.collectives.command import reproduce_collectives
    from tasuki.reproduce.collectives.laboratory import Wishes
    from tasuki.reproduce.collectives.simulated import SIZES

    operation = "reproduce collectives"
    sizes = tuple(sorted({parse_bytes(one, operation, "--size") for one in size})) or SIZES
    ranks, on_roads = (
        tuple(parse_ranks(text, operation, option))
        for option, text in (("-n", n), ("--road-ranks", road_ranks))
    )
    wishes = Wishes(
        ranks, sizes, paper.mpi, cell_seconds, on_roads, graphs, repetitions, road_seconds
    )
    wanted = _wanted("collectives", paper)
    raise typer.Exit(reproduce_collectives(wanted, paper.only, wishes, resume))
