"""The options of the command line that several commands have, each declared once, and what those
that name one of a few things may name. `tasuki run` has its own: tasuki/commands/run.py."""

from enum import Enum
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer

from tasuki.bench.baselines import IMPLEMENTATIONS, Conditions, Place
from tasuki.commands.run import MPIS, TRANSPORTS
from tasuki.commands.values import duration_from
from tasuki.idl.types import LONG_BITS


def choice(name: str, values: tuple[str, ...]) -> Any:
    """One of the values: what typer wants for that."""
    return Enum(name, {value: value for value in values}, type=str)


TokenFile = Annotated[
    Path | None,
    typer.Option(
        "--token-file", help="File with the token, in place of TASUKI_TOKEN; for its owner alone."
    ),
]


CaFile = Annotated[
    Path | None,
    typer.Option("--ca-file", help="PEM file of authorities, in place of TASUKI_CA_FILE."),
]


def ranks_option(example: str) -> Any:
    """Of several numbers of ranks; `example` is as in "1..8 or 2,4"."""
    return typer.Option("-n", help=f"Numbers of ranks, as in {example}.")


def time_option(least_s: float, help_text: str) -> Any:
    """Of a time that may have a unit, at least `least_s` seconds."""
    return typer.Option(parser=duration_from(least_s), metavar="TIME", help=help_text)


LongBits = choice("LongBits", tuple(map(str, LONG_BITS)))
Transport = choice("Transport", TRANSPORTS)
Mpi = choice("Mpi", MPIS)
Implementation = choice("Implementation", IMPLEMENTATIONS)

Json = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
Ranks = Annotated[int, typer.Option("-n", "--ranks", min=1, help="Number of ranks.")]
TransportOption = Annotated[Transport, typer.Option(help="What carries Tasuki's messages.")]
MpiOption = Annotated[Mpi, typer.Option(help="The MPI to use where one is.")]
Repetitions = Annotated[int, typer.Option(min=1, help="Runs; the median counts.")]
OnlyCollectives = Annotated[
    list[str], typer.Option(help="Only this collective; repeat it for several.")
]
PeerFolders = Annotated[
    list[str],
    typer.Option(
        "--peer",
        help="NAME=FOLDER of an mpiexec; repeat it. Else the system's and those of ./dev peers.",
    ),
]
Seed = Annotated[int, typer.Option(help="Seed of the order of the measurements.")]
# What sizes there may be, the program of the application knows and says.
MatrixSize = Annotated[int, typer.Option(help="Rows and columns of the matrix.")]
Keys = Annotated[int, typer.Option(help="How many keys the radix sort sorts.")]


class BaselineOptions(NamedTuple):
    """How a program over Tasuki and over MPI is measured: `bench.baselines.Conditions`."""

    ranks: Ranks = 2
    implementation: Annotated[
        Implementation,
        typer.Option("--impl", help="Tasuki, its MPI baseline, or both, interleaved, with ratio."),
    ] = Implementation.tasuki
    transport: TransportOption = Transport.shm
    mpi: MpiOption = Mpi.auto
    no_node_shm: Annotated[
        bool,
        typer.Option("--no-node-shm", help="Over mpi: no shared memory between ranks of one node."),
    ] = False
    repetitions: Repetitions = 1
    as_json: Json = False

    @property
    def conditions(self) -> Conditions:
        place = Place(*self[:4], not self.no_node_shm)
        return Conditions(place, self.repetitions, self.as_json)


class PaperOptions(NamedTuple):
    """Which part of a paper is reproduced, in what time, with what, and how it is shown."""

    only: Annotated[
        list[str],
        typer.Option(help="One figure or table, as in fig2 or table5; repeat it for several."),
    ] = []
    plot: Annotated[bool, typer.Option("--plot", help="Write each figure as PNG.")] = False
    output: Annotated[
        Path,
        typer.Option(help="Folder for the PNG files.", file_okay=False, exists=True, writable=True),
    ] = Path()
    full: Annotated[bool, typer.Option("--full", help="Also what takes hours.")] = False
    resume: Annotated[
        Path | None,
        typer.Option(help="File to keep what is measured in, and to go on from.", dir_okay=False),
    ] = None
    budget: Annotated[
        float | None,
        time_option(0, "After which nothing is begun; 10m (prediction: 30m), with --full 12h."),
    ] = None
    mpi: Annotated[Mpi, typer.Option(help="The MPI to use.")] = Mpi.auto
    as_json: Json = False
