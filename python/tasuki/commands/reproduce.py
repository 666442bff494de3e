"""The command lines of `tasuki reproduce ...`."""

import math
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer

from tasuki.base.errors import usage_error
from tasuki.bench.npb import CLASSES
from tasuki.commands.option_groups import command
from tasuki.commands.options import (
    Keys,
    MatrixSize,
    PaperOptions,
    Ranks,
    Repetitions,
    choice,
    ranks_option,
    time_option,
)
from tasuki.commands.values import parse_bytes, parse_ranks
from tasuki.reproduce.collectives.paper import USA
from tasuki.reproduce.collectives.road_nodes import NODES_MOST
from tasuki.reproduce.command import BUDGET_S, Reproduction, Wanted, budget_of, reproduce
from tasuki.reproduce.dimmnet.paper import KEYS, MATRIX_SIZE, PAPER_BANDWIDTHS, Bandwidths
from tasuki.reproduce.ninf.paper import FULL_SIZES, USUAL_SIZES, WIRE_FORMATS
from tasuki.reproduce.prediction import paper as prediction_paper
from tasuki.reproduce.prediction.networks import NETWORKS

app = typer.Typer(help="Reproduce the figures of a published paper.", no_args_is_help=True)
Wire = choice("Wire", WIRE_FORMATS)
PaperRanks = Annotated[str, ranks_option("1..8 or 2,4")]


def _reproduce(
    paper: Reproduction, wishes: Any, options: PaperOptions, usual_s: float = BUDGET_S
) -> NoReturn:
    budget_s = budget_of(options.budget, options.full, usual_s)
    plot_folder = options.output if options.plot else None
    wanted = Wanted(
        options.only, options.full, budget_s, options.as_json, plot_folder, options.resume
    )
    raise typer.Exit(reproduce(paper, wishes, wanted))


def parse_bandwidths(text: str) -> Bandwidths:
    """ "190:35". Raises CommandError if it is none."""
    try:
        sending, reading = map(float, text.split(":"))
    except ValueError:
        sending = reading = 0.0
    if not (0 < sending < math.inf and 0 < reading < math.inf):
        raise usage_error(
            "reproduce dimmnet",
            f"--bandwidth {text} is no pair of bandwidths",
            "as in --bandwidth 190:35: sending at 190 MB/s and reading at 35",
        )
    return Bandwidths(sending, reading)


@command(app)
def mpcxx(
    problem_class: Annotated[
        choice("ProblemClass", CLASSES) | None,
        typer.Option(
            "--class",
            help="Solve this class in place of the paper's A and B, as in S for a quick look.",
            case_sensitive=False,
        ),
    ] = None,
    paper: PaperOptions = PaperOptions(),
) -> None:
    """MPC++ MTTL on MPI (2000): figures 5-13, tables 3-8, beside the paper's values."""
    from tasuki.reproduce.mpcxx.figures import MPCXX
    from tasuki.reproduce.mpcxx.kernels import Wishes

    _reproduce(MPCXX, Wishes(problem_class, paper.mpi, paper.full), paper)


@command(app)
def dimmnet(
    n: PaperRanks = "1..8",
    keys: Keys = KEYS,
    size: MatrixSize = MATRIX_SIZE,
    bandwidth: Annotated[
        list[str],
        typer.Option(
            metavar="SENDING:READING",
            help="Of the what-if, in MB/s; repeat it for several. Else the paper's.",
        ),
    ] = [],
    paper: PaperOptions = PaperOptions(),
) -> None:
    """On-the-fly communication on DIMMnet-1 (2002): figures 1 and 2, table 2, and its what-if."""
    from tasuki.reproduce.dimmnet.applications import Wishes
    from tasuki.reproduce.dimmnet.figures import DIMMNET

    ranks = tuple(parse_ranks(n, "reproduce dimmnet"))
    bandwidths = tuple(map(parse_bandwidths, bandwidth)) or PAPER_BANDWIDTHS
    _reproduce(DIMMNET, Wishes(ranks, keys, size, bandwidths, paper.mpi), paper)


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
            help="Folder with SETO, CAL, USA, NY, BAY, FLA.gr.xz; else they are made.",
            file_okay=False,
            exists=True,
        ),
    ] = None,
    road_ranks: Annotated[str, typer.Option(help="Numbers of ranks on the roads.")] = "2,4",
    road_seconds: Annotated[float, time_option(1, "After which a run on the roads is ended.")] = 20,
    repetitions: Repetitions = 1,
    paper: PaperOptions = PaperOptions(),
) -> None:
    """Analysis of Open MPI's collectives (2014), with Tasuki's, on roads and simulated clusters."""
    from tasuki.reproduce.collectives.figures import COLLECTIVES
    from tasuki.reproduce.collectives.laboratory import Wishes
    from tasuki.reproduce.collectives.simulated import SIZES

    operation = "reproduce collectives"
    sizes = tuple(sorted({parse_bytes(one, operation, "--size") for one in size})) or SIZES
    ranks, on_roads = (
        tuple(parse_ranks(text, operation, option))
        for option, text in (("-n", n), ("--road-ranks", road_ranks))
    )
    wishes = Wishes(
        ranks, sizes, paper.mpi, cell_seconds, on_roads, graphs, repetitions, road_seconds,
        paper.full,
    )  # fmt: skip
    _reproduce(COLLECTIVES, wishes, paper)


@command(app)
def ninf(
    n: Ranks = 2,
    size: Annotated[
        list[int],
        typer.Option(min=1, help="Only this n; repeat it for several. Else the paper's and 2000."),
    ] = [],
    wire: Annotated[Wire, typer.Option(help="The form of numbers on the wire.")] = Wire.xdr,
    repetitions: Repetitions = 3,
    paper: PaperOptions = PaperOptions(),
) -> None:
    """Numerical RPC on distributed memory (1998): figure 7 and table 1, beside the paper's."""
    from tasuki.reproduce.ninf.figures import NINF
    from tasuki.reproduce.ninf.linpack import Wishes

    sizes = tuple(sorted(set(size))) or (FULL_SIZES if paper.full else USUAL_SIZES)
    _reproduce(NINF, Wishes(sizes, n, wire, repetitions), paper)


@command(app)
def prediction(
    n: Annotated[
        str | None, ranks_option("2,4,8; else 2,4, with --full 8 too (SP: 1 and 4)")
    ] = None,
    problem_class: Annotated[
        list[choice("Class", prediction_paper.ALL_CLASSES)],
        typer.Option(
            "--class",
            help="Only this class; repeat it for several. Else S and W.",
            case_sensitive=False,
        ),
    ] = [],
    kernel: Annotated[
        list[choice("Kernel", prediction_paper.KERNELS)],
        typer.Option(help="Only this kernel; repeat it for several."),
    ] = [],
    network: Annotated[
        list[choice("Network", tuple(NETWORKS))],
        typer.Option(help="Only over this; repeat it for several. links takes root."),
    ] = [],
    runs: Annotated[int, typer.Option(min=1, help="Of each variant in a cell, interleaved.")] = 20,
    paper: PaperOptions = PaperOptions(),
) -> None:
    """Receiving message prediction on MPI (2001): tables 2-5, figures 6-8, and an ablation."""
    from tasuki.launcher.mpiexec import MPIS, find_mpiexec
    from tasuki.reproduce.prediction.cells import Wishes
    from tasuki.reproduce.prediction.figures import PREDICTION, USUAL_BUDGET_S

    operation = "reproduce prediction"
    ranks = tuple(parse_ranks(n or ("2,4,8" if paper.full else "2,4"), operation, "-n"))
    every = paper.full and paper.mpi == "auto"
    wishes = Wishes(
        tuple(kernel) or prediction_paper.KERNELS,
        # The largest last.
        tuple(one for one in prediction_paper.ALL_CLASSES if one in problem_class)
        or prediction_paper.CLASSES,
        ranks,
        tuple(network) or tuple(NETWORKS),
        tuple(MPIS) if every else (find_mpiexec(paper.mpi)[0],),
        runs,
        paper.full,
    )
    _reproduce(PREDICTION, wishes, paper, USUAL_BUDGET_S)


@command(app)
def roads(
    file: Annotated[Path, typer.Argument(help="To write, in the .gr format of DIMACS.")],
    nodes: Annotated[int, typer.Option(min=2, max=NODES_MOST, help="How many.")] = USA.nodes,
) -> None:
    """Make a road-like graph of any size, in little memory."""
    from tasuki.reproduce.collectives.road_graph import write_road_file

    write_road_file(nodes, file)
