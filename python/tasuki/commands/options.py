"""The options of the command line that several commands have, each declared once, and what those
that name one of a few things may name. `tasuki run` has its own: tasuki/launcher/options.py."""

from enum import Enum
from pathlib import Path
from typing import Annotated, Any

import typer

from tasuki.bench.npb import CLASSES, EXCHANGES, KERNELS
from tasuki.bench.twins import IMPLEMENTATIONS
from tasuki.commands import run as run_command
from tasuki.commands.values import duration_from
from tasuki.reproduce.mpcxx.command import CLASSES as MPCXX_CLASSES
from tasuki.tune.size_rules import FORMATS as RULE_FORMATS


def _choice(name: str, values: tuple[str, ...]) -> type[Enum]:
    return Enum(name, {value: value for value in values}, type=str)


Kernel = _choice("Kernel", KERNELS)
ProblemClass = _choice("ProblemClass", CLASSES)
Exchange = _choice("Exchange", EXCHANGES)
Implementation = _choice("Implementation", IMPLEMENTATIONS)
Transport = _choice("Transport", run_command.TRANSPORTS)
Mpi = _choice("Mpi", run_command.MPIS)
RuleFormat = _choice("RuleFormat", RULE_FORMATS)
PaperClass = _choice("PaperClass", MPCXX_CLASSES)
MpiOrNone = _choice("MpiOrNone", (*run_command.MPIS, "none"))


def ranks_option(example: str) -> Any:
    """Of several numbers of ranks; `example` is as in "1..8 or 2,4"."""
    return typer.Option("-n", help=f"Numbers of ranks, as in {example}.")


def time_option(least_s: float, help_text: str) -> Any:
    """Of a time that may have a unit, at least `least_s` seconds."""
    return typer.Option(parser=duration_from(least_s), metavar="TIME", help=help_text)


# How a command shows what it has found.
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
Plot = Annotated[bool, typer.Option("--plot", help="Write each figure as PNG.")]
PlotFolder = Annotated[
    Path,
    typer.Option(help="Folder for the PNG files.", file_okay=False, exists=True, writable=True),
]

# Where and how often something is run.
Ranks = Annotated[int, typer.Option("-n", min=1, help="Number of ranks.")]
TransportOption = Annotated[Transport, typer.Option(help="What carries Tasuki's messages.")]
MpiOption = Annotated[Mpi, typer.Option(help="The MPI to use where one is.")]
NoNodeShm = Annotated[
    bool,
    typer.Option("--no-node-shm", help="Over mpi: no shared memory between ranks of one node."),
]
ImplementationOption = Annotated[
    Implementation,
    typer.Option("--impl", help="Tasuki, its MPI twin, or both in turn with their ratio."),
]
Repetitions = Annotated[int, typer.Option(min=1, help="Runs; the median counts.")]
Speedup = Annotated[
    bool, typer.Option("--speedup", help="Measure the best sequential program beside it.")
]

# What is measured.
OnlyCollectives = Annotated[
    list[str], typer.Option(help="Only this collective; repeat it for several.")
]
Seed = Annotated[int, typer.Option(help="Of the order of measuring.")]
# The bounds are those of the program itself, which may be started without this command.
MatrixSize = Annotated[int, typer.Option(min=1, max=46_340, help="Rows and columns of the matrix.")]
PanelWidth = Annotated[int, typer.Option(min=1, max=1024, help="Columns of a panel.")]

# Which part of a paper is reproduced, and with what.
Only = Annotated[
    list[str],
    typer.Option(help="One figure or table, as in fig2 or table5; repeat it for several."),
]
PaperRanks = Annotated[str, ranks_option("1..8 or 2,4")]
PaperBudget = Annotated[float, time_option(0, "After which nothing is begun, as in 90s, 20m.")]
PaperMpi = Annotated[Mpi, typer.Option(help="The MPI to use.")]
