"""The command line of every subcommand but the fast path of `tasuki run`; the work is elsewhere."""

from pathlib import Path
from typing import Annotated

import typer

import tasuki
from tasuki.commands import run as run_command
from tasuki.commands.options import (
    Exchange,
    Implementation,
    ImplementationOption,
    Json,
    Kernel,
    MatrixSize,
    Mpi,
    MpiOption,
    MpiOrNone,
    NoNodeShm,
    Only,
    OnlyCollectives,
    PanelWidth,
    PaperBudget,
    PaperClass,
    PaperMpi,
    PaperRanks,
    Plot,
    PlotFolder,
    ProblemClass,
    Ranks,
    Repetitions,
    RuleFormat,
    Seed,
    Speedup,
    Transport,
    TransportOption,
    ranks_option,
    time_option,
)
from tasuki.commands.values import parse_bytes, parse_ranks

app = typer.Typer(
    help="Remote function calls, global pointers and measured collectives for clusters.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
bench = typer.Typer(
    help="Measure this machine, each number beside its baseline.", no_args_is_help=True
)
reproduce = typer.Typer(help="Reproduce the figures of a published paper.", no_args_is_help=True)
app.add_typer(bench, name="bench")
app.add_typer(reproduce, name="reproduce")


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"tasuki {tasuki.__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version."
        ),
    ] = False,
) -> None:
    del version


@app.command(
    context_settings={"ignore_unknown_options": True, "allow_extra_args": True},
    add_help_option=False,
)
def run(context: typer.Context) -> None:
    """Start a program as the ranks of a job: see tasuki run --help."""
    raise typer.Exit(run_command.main(context.args))


@app.command()
def info(as_json: Json = False) -> None:
    """Show settings, topology and transports."""
    from tasuki.commands.info import show_info

    show_info(as_json)


@app.command()
def tune(
    n: Annotated[str, ranks_option("2..8 or 2,4")] = "2..8",
    budget: Annotated[float, time_option(1, "To measure for, in all, as in 90s, 5m.")] = 60,
    transport: Annotated[
        Transport, typer.Option(help="The transport to tune (not --library: it measures MPI).")
    ] = Transport.shm,
    mpi: MpiOption = Mpi.auto,
    collective: OnlyCollectives = [],  # noqa: B006: typer wants a list, and nobody changes it.
    output: Annotated[
        Path | None,
        typer.Option(help="File to write [~/.config/tasuki/policy-TRANSPORT].", dir_okay=False),
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
        RuleFormat | None,
        typer.Option(help="With --library: write rules that it loads to --output, else here."),
    ] = None,
    verify: Annotated[
        bool,
        typer.Option(
            "--verify",
            help="Check instead of choosing: all results (a wrong one: exit code 1), and what the"
            " policy in force may be expected to keep (what does not hold is shown only).",
        ),
    ] = False,
    as_json: Json = False,
) -> None:
    """Measure the algorithms of the collectives and let jobs here use the best ones."""
    from tasuki.tune.command import (
        TuneRun,
        refuse_combinations,
        tune_library,
        verify_tuning,
    )
    from tasuki.tune.command import tune as tune_collectives

    run = TuneRun(
        parse_ranks(n), transport.value, mpi.value, tuple(collective), budget, output, seed
    )
    refuse_combinations(
        run, library=library, emits=emit is not None, verify=verify, schedules=schedules
    )
    if verify:
        raise typer.Exit(verify_tuning(run, as_json))
    if library:
        tune_library(run, as_json, None if emit is None else emit.value, schedules)
    else:
        tune_collectives(run, as_json)


@app.command()
def explain(
    collective: Annotated[str, typer.Argument(help="As in allreduce, broadcast, barrier.")],
    n: Annotated[int, typer.Option("-n", min=1, max=65536, help="Number of ranks.")] = 8,
    size: Annotated[str, typer.Option("-s", help="Bytes, as in 4, 64K, 1M; up to 16G.")] = "0",
    transport: Annotated[Transport, typer.Option(help="What carries messages.")] = Transport.shm,
    network: Annotated[
        str, typer.Option(help="Network to simulate: gigabit_ethernet or 200g.")
    ] = "200g",
    contention: Annotated[
        bool,
        typer.Option("--contention", help="Messages wait for each other at a node's link."),
    ] = False,
    policy: Annotated[
        Path | None, typer.Option(help="Policy file [the one jobs here use].", dir_okay=False)
    ] = None,
    algorithm: Annotated[
        str | None, typer.Option(help="Show the rounds of this one, or none [the one chosen].")
    ] = None,
    parameters: Annotated[str | None, typer.Option(help="Its, as in radix=4.")] = None,
    rank: Annotated[int, typer.Option(help="Whose rounds are shown as text.")] = 0,
    reproducible: Annotated[
        bool, typer.Option("--reproducible", help="As with TASUKI_REPRODUCIBLE=1.")
    ] = False,
    plot: Annotated[
        Path | None, typer.Option("--plot", help="Draw the rounds into this PNG.", dir_okay=False)
    ] = None,
    as_json: Json = False,
) -> None:
    """Say which algorithm a collective uses, why, and what the others would cost."""
    from tasuki.explain.command import explain as explain_collective
    from tasuki.explain.question import Question

    question = Question(
        collective, n, parse_bytes(size), transport.value, network, policy, algorithm, parameters,
        rank, contention, reproducible,
    )  # fmt: skip
    explain_collective(question, as_json, plot)


@bench.command()
def npb(
    kernel: Annotated[Kernel, typer.Argument(help="cg or is.", case_sensitive=False)],
    problem_class: Annotated[
        ProblemClass,
        typer.Option("--class", help="Size of the problem, S smallest.", case_sensitive=False),
    ] = ProblemClass.A,
    n: Ranks = 2,
    transport: TransportOption = Transport.shm,
    implementation: ImplementationOption = Implementation.tasuki,
    exchange: Annotated[
        Exchange, typer.Option(help="Of IS: what the ranks exchange; auto: what is cheaper.")
    ] = Exchange.auto,
    repetitions: Repetitions = 1,
    mpi: MpiOption = Mpi.auto,
    no_node_shm: NoNodeShm = False,
    as_json: Json = False,
) -> None:
    """Solve a NAS Parallel Benchmark and verify the answer; FAILED ends with a non-zero code."""
    from tasuki.bench.npb import NpbRun, bench_npb

    wanted = NpbRun(
        kernel=kernel.value,
        problem_class=problem_class.value,
        ranks=n,
        implementation=implementation.value,
        transport=transport.value,
        mpi=mpi.value,
        node_shm=not no_node_shm,
        exchange=exchange.value,
    )
    bench_npb(wanted, repetitions, as_json)


@bench.command()
def radixsort(
    keys: Annotated[int, typer.Option(help="How many to sort.")] = 6_000_000,
    radix: Annotated[int, typer.Option(help="Values of a digit.")] = 10,
    speedup: Speedup = False,
    n: Ranks = 2,
    transport: TransportOption = Transport.shm,
    implementation: ImplementationOption = Implementation.tasuki,
    repetitions: Repetitions = 1,
    mpi: MpiOption = Mpi.auto,
    no_node_shm: NoNodeShm = False,
    as_json: Json = False,
) -> None:
    """Sort integers by their digits, as on the DIMMnet-1 cluster (2002)."""
    from tasuki.bench.applications import Printing, Where, bench_radixsort

    where = Where(n, implementation.value, transport.value, mpi.value, not no_node_shm)
    bench_radixsort(where, Printing(repetitions, as_json), keys, radix, speedup)


@bench.command()
def lu(
    size: MatrixSize = 1024,
    block: PanelWidth = 48,
    speedup: Speedup = False,
    n: Ranks = 2,
    transport: TransportOption = Transport.shm,
    implementation: ImplementationOption = Implementation.tasuki,
    repetitions: Repetitions = 1,
    mpi: MpiOption = Mpi.auto,
    no_node_shm: NoNodeShm = False,
    as_json: Json = False,
) -> None:
    """Factor a matrix with partial pivoting, look-ahead and OpenBLAS on each rank."""
    from tasuki.bench.applications import Printing, Where, bench_lu

    where = Where(n, implementation.value, transport.value, mpi.value, not no_node_shm)
    bench_lu(where, Printing(repetitions, as_json), size, block, speedup)


@bench.command()
def sssp(
    graph: Annotated[
        Path | None,
        typer.Argument(help=".gr (DIMACS or PACE) or edge list, also .xz [a town's roads]."),
    ] = None,
    method: Annotated[
        str | None, typer.Option(help="in, out, both, delta or dijkstra [delta].")
    ] = None,
    partition: Annotated[
        str | None, typer.Option(help="block or metis [metis where it is built in].")
    ] = None,
    source: Annotated[
        int | None, typer.Option(help="Where to begin, as the file counts [its first].")
    ] = None,
    delta: Annotated[int, typer.Option(help="Width of a bucket; 0: one that suits the graph.")] = 0,
    speedup: Speedup = False,
    n: Ranks = 2,
    transport: TransportOption = Transport.shm,
    implementation: ImplementationOption = Implementation.tasuki,
    repetitions: Repetitions = 1,
    mpi: MpiOption = Mpi.auto,
    no_node_shm: NoNodeShm = False,
    as_json: Json = False,
) -> None:
    """Find the shortest paths from one node of a graph to all others."""
    from tasuki.bench.applications import Printing, SsspProblem, Where, bench_sssp

    where = Where(n, implementation.value, transport.value, mpi.value, not no_node_shm)
    wanted = SsspProblem(method=method, partition=partition, source=source, delta=delta)
    if graph is not None:
        wanted = wanted._replace(graph=graph)
    bench_sssp(where, Printing(repetitions, as_json), wanted, speedup)


@bench.command()
def micro(
    n: Ranks = 2,
    transport: TransportOption = Transport.shm,
    mpi: Annotated[
        MpiOrNone, typer.Option(help="The MPI of the baselines (auto: one that is there).")
    ] = MpiOrNone.auto,
    only: Annotated[str, typer.Option(help="Only names that begin so.")] = "",
    as_json: Json = False,
) -> None:
    """Measure single operations beside their baselines in the same run."""
    from tasuki.bench.micro import MicroRun, bench_micro

    bench_micro(MicroRun(n, transport.value, mpi.value, only), as_json)


@bench.command(name="collectives")
def compare_collectives(
    n: Annotated[str, ranks_option("2,4 or 2..8")] = "2,3,4,8",
    peer: Annotated[
        list[str],
        typer.Option(
            help="NAME=FOLDER of an mpiexec; repeat it. Else the system's and those of ./dev peers."
        ),
    ] = [],  # noqa: B006
    collective: OnlyCollectives = [],  # noqa: B006
    size: Annotated[
        list[str], typer.Option("-s", help="Bytes, as in 4, 64K; repeat it [4 to 1M].")
    ] = [],  # noqa: B006
    rounds: Annotated[int, typer.Option(min=1, help="In which all take turns.")] = 11,
    seed: Seed = 1,
    as_json: Json = False,
) -> None:
    """Measure collectives beside those of several MPIs, by turns in one run."""
    from tasuki.bench.collectives import CollectivesRun, bench_collectives
    from tasuki.bench.peers import parse_peer

    sizes = tuple(parse_bytes(one, "bench collectives") for one in size)
    peers = [parse_peer(one) for one in peer]
    run = CollectivesRun(
        parse_ranks(n, "bench collectives"), tuple(collective), sizes, peers, rounds, seed
    )
    bench_collectives(run, as_json)


@reproduce.callback()
def _reproduce() -> None:
    pass


@reproduce.command()
def mpcxx(
    classes: Annotated[
        list[PaperClass],
        typer.Option(
            "--class",
            help="Size of the problems; repeat it for several [S, W, A].",
            case_sensitive=False,
        ),
    ] = [],  # noqa: B006: typer wants a list, and nobody changes it.
    only: Only = [],  # noqa: B006
    plot: Plot = False,
    output: PlotFolder = Path(),
    budget: PaperBudget = 1800,
    mpi: PaperMpi = Mpi.auto,
    as_json: Json = False,
) -> None:
    """MPC++ MTTL on MPI (2000): figures 5-13, tables 4-8, as this machine gives them."""
    from tasuki.reproduce.command import Wanted
    from tasuki.reproduce.mpcxx.command import reproduce_mpcxx

    wanted = Wanted("mpcxx", budget, as_json, output if plot else None)
    letters = tuple(one.value for one in classes)
    raise typer.Exit(reproduce_mpcxx(wanted, letters, tuple(only), mpi.value))


@reproduce.command()
def dimmnet(
    n: PaperRanks = "1..8",
    keys: Annotated[int, typer.Option(min=0, help="Keys of the radix sort.")] = 6_000_000,
    size: MatrixSize = 1024,
    bandwidth: Annotated[
        list[float],
        typer.Option(
            min=1e-3, max=1e9, help="Of the what-if, in MB/s; repeat it for several [10 to 50000]."
        ),
    ] = [],  # noqa: B006
    only: Only = [],  # noqa: B006
    plot: Plot = False,
    output: PlotFolder = Path(),
    budget: PaperBudget = 600,
    mpi: PaperMpi = Mpi.auto,
    as_json: Json = False,
) -> None:
    """On-the-fly communication (2002): barriers, radix sort, LU, and what a network would do."""
    from tasuki.reproduce.command import Wanted
    from tasuki.reproduce.dimmnet.applications import Wishes
    from tasuki.reproduce.dimmnet.command import reproduce_dimmnet
    from tasuki.reproduce.dimmnet.what_if import BANDWIDTHS

    wanted = Wanted("dimmnet", budget, as_json, output if plot else None)
    bandwidths = tuple(sorted(bandwidth)) or BANDWIDTHS
    wishes = Wishes(tuple(parse_ranks(n, "reproduce dimmnet")), keys, size, bandwidths, mpi.value)
    raise typer.Exit(reproduce_dimmnet(wanted, tuple(only), wishes))


@reproduce.command()
def collectives(
    n: PaperRanks = "2..8",
    size: Annotated[
        list[str], typer.Option(help="Only this size, as in 4, 64K, 1M; repeat it for several.")
    ] = [],  # noqa: B006
    cell_seconds: Annotated[float, time_option(0, "To race the algorithms of one size for.")] = 0.4,
    graphs: Annotated[
        Path | None,
        typer.Option(help="Folder with NY, BAY, FLA.gr.xz [a town].", file_okay=False, exists=True),
    ] = None,
    road_ranks: Annotated[str, typer.Option(help="Numbers of ranks on the roads.")] = "2,4",
    road_seconds: Annotated[float, time_option(1, "After which a run on the roads is ended.")] = 20,
    repetitions: Repetitions = 1,
    only: Only = [],  # noqa: B006
    plot: Plot = False,
    output: PlotFolder = Path(),
    budget: PaperBudget = 1200,
    mpi: Annotated[Mpi, typer.Option(help="The MPI to measure.")] = Mpi.auto,
    resume: Annotated[
        Path | None,
        typer.Option(help="File to keep what is measured in, and to go on from.", dir_okay=False),
    ] = None,
    as_json: Json = False,
) -> None:
    """Analysis of Open MPI's collectives (2014), with Tasuki's, on roads and simulated clusters."""
    from tasuki.reproduce.collectives.command import reproduce_collectives
    from tasuki.reproduce.collectives.laboratory import Wishes
    from tasuki.reproduce.collectives.simulated import SIZES
    from tasuki.reproduce.command import Wanted

    command = "reproduce collectives"
    wanted = Wanted("collectives", budget, as_json, output if plot else None)
    sizes = tuple(sorted({parse_bytes(one, command, "--size") for one in size})) or SIZES
    ranks, on_roads = (
        tuple(parse_ranks(text, command, option))
        for option, text in (("-n", n), ("--road-ranks", road_ranks))
    )
    wishes = Wishes(
        ranks, sizes, mpi.value, cell_seconds, on_roads, graphs, repetitions, road_seconds
    )
    raise typer.Exit(reproduce_collectives(wanted, tuple(only), wishes, resume))
