"""The command lines of `tasuki bench ...`."""

from pathlib import Path
from typing import Annotated

import typer

from tasuki.bench.npb import CLASSES, EXCHANGES, KERNELS, problem_of
from tasuki.commands.option_groups import command
from tasuki.commands.options import (
    MPIS,
    BaselineOptions,
    Json,
    Keys,
    MatrixSize,
    Mpi,
    MpiOption,
    OnlyCollectives,
    PeerFolders,
    Ranks,
    Repetitions,
    Seed,
    Transport,
    TransportOption,
    choice,
    ranks_option,
)
from tasuki.commands.values import parse_bytes, parse_ranks

app = typer.Typer(
    help="Measure this machine, each number beside its baseline.", no_args_is_help=True
)
Speedup = Annotated[
    bool, typer.Option("--speedup", help="Measure the best sequential program beside it.")
]


@command(app)
def npb(
    kernel: Annotated[
        choice("Kernel", KERNELS),
        typer.Argument(help=f"{', '.join(KERNELS)}.", case_sensitive=False),
    ],
    problem_class: Annotated[
        choice("Class", CLASSES),
        typer.Option("--class", help="Size of the problem, S smallest.", case_sensitive=False),
    ] = "A",
    exchange: Annotated[
        choice("Exchange", EXCHANGES),
        typer.Option(help="Of IS: what the ranks exchange; auto: what is cheaper."),
    ] = "auto",
    baseline: BaselineOptions = BaselineOptions(),
) -> None:
    """Solve a NAS Parallel Benchmark and verify the answer; FAILED ends with a non-zero code."""
    from tasuki.bench.baselines import bench_baselines

    bench_baselines(problem_of(kernel, problem_class, exchange), baseline.conditions)


@command(app)
def radixsort(
    keys: Keys = 6_000_000,
    radix: Annotated[int, typer.Option(help="Values of a digit.")] = 10,
    speedup: Speedup = False,
    baseline: BaselineOptions = BaselineOptions(),
) -> None:
    """Sort integers by their digits, as on the DIMMnet-1 cluster (2002)."""
    from tasuki.bench.applications import bench_radixsort

    bench_radixsort(baseline.conditions, keys, radix, speedup)


@command(app)
def lu(
    size: MatrixSize = 1024,
    block: Annotated[int, typer.Option(help="Columns of a panel.")] = 48,
    speedup: Speedup = False,
    baseline: BaselineOptions = BaselineOptions(),
) -> None:
    """Factor a matrix with partial pivoting, look-ahead and OpenBLAS on each rank."""
    from tasuki.bench.applications import bench_lu

    bench_lu(baseline.conditions, size, block, speedup)


@command(app)
def sssp(
    graph: Annotated[
        Path | None,
        typer.Argument(help=".gr (DIMACS or PACE) or edge list, also .xz; else a town's roads."),
    ] = None,
    method: Annotated[
        str | None, typer.Option(help="in, out, both, delta or dijkstra; else delta.")
    ] = None,
    partition: Annotated[
        str | None, typer.Option(help="block or metis; else metis where it is built in.")
    ] = None,
    source: Annotated[
        int | None, typer.Option(help="Node to begin at, as the file numbers it; else its first.")
    ] = None,
    delta: Annotated[
        int | None, typer.Option(help="Width of a bucket; else one that suits the graph.")
    ] = None,
    speedup: Speedup = False,
    threads: Annotated[
        bool,
        typer.Option("--threads", help="Interleaved with as many OpenMP threads; shows the ratio."),
    ] = False,
    baseline: BaselineOptions = BaselineOptions(),
) -> None:
    """Find the shortest paths from one node of a graph to all others."""
    from tasuki.bench.applications import bench_sssp

    bench_sssp(baseline.conditions, graph, method, partition, source, delta, speedup, threads)


@command(app)
def micro(
    n: Ranks = 2,
    transport: TransportOption = Transport.shm,
    mpi: Annotated[
        choice("MpiOrNone", (*MPIS, "none")),
        typer.Option(help="The MPI of the baselines (auto: one that is there)."),
    ] = "auto",
    only: Annotated[str, typer.Option(help="Only rows whose names begin with this.")] = "",
    as_json: Json = False,
) -> None:
    """Measure single operations beside their baselines in the same run."""
    from tasuki.bench.micro import MicroRun, bench_micro

    bench_micro(MicroRun(n, transport, mpi, only), as_json)


@command(app)
def scale(
    n: Annotated[str, ranks_option("2,4 or 2..8")] = "2,4,8,16,32,64,128,256",
    barriers: Annotated[int, typer.Option(min=1, help="Barriers that are timed.")] = 100,
    mpi: Annotated[
        choice("ScaleMpi", (*MPIS, "none")),
        typer.Option(help="The MPI of the baseline (auto: one that is there)."),
    ] = "none",
    repetitions: Repetitions = 3,
    as_json: Json = False,
) -> None:
    """Measure what many ranks cost: start and end, a barrier, and the memory of each rank."""
    from tasuki.bench.scale import SCALE_RANKS_MOST, ScaleRun, bench_scale

    ranks = parse_ranks(n, "bench scale", most=SCALE_RANKS_MOST)
    bench_scale(ScaleRun(ranks, barriers, repetitions, mpi), as_json)


@command(app)
def rpc(
    n: Ranks = 2,
    size: Annotated[str, typer.Option(help="Of the matrix: 64M, 512M.")] = "512M",
    large: Annotated[
        str, typer.Option(help="Of a matrix that goes once each way, checked; 0 sends none.")
    ] = "3G",
    repetitions: Repetitions = 7,
    congestion_control: Annotated[
        str,
        typer.Option(
            help="Of all connections, as reno, in a network of the run's own (takes root). Else"
            " the system's."
        ),
    ] = "",
    as_json: Json = False,
) -> None:
    """Measure calls of a server's routines beside bare TCP, Arrow Flight, Dask and Ray."""
    from tasuki.bench.own_network import enter_own_network
    from tasuki.bench.rpc import RpcRun, bench_rpc

    sizes = (parse_bytes(size, "bench rpc", "--size"), parse_bytes(large, "bench rpc", "--large"))
    if congestion_control:
        enter_own_network("bench rpc", congestion_control)
    bench_rpc(RpcRun(n, *sizes, repetitions), as_json)


@command(app)
def collectives(
    n: Annotated[
        str | None, ranks_option("2,4 or 2..8; 2,3,4,8 as without; not with --hosts")
    ] = None,
    hosts: Annotated[
        str | None,
        typer.Option(
            metavar="HOST[:RANKS],...", help="Measure a job on these hosts, over their network."
        ),
    ] = None,
    transport: Annotated[
        Transport | None,
        typer.Option(help="What carries Tasuki's messages; shm as without, with --hosts mpi."),
    ] = None,
    mpi: MpiOption = Mpi.auto,
    no_node_shm: Annotated[
        bool,
        typer.Option(
            "--no-node-shm",
            help="Over mpi and ucx: ranks of a host share no memory; all libraries use TCP, but"
            " Tasuki over ucx what UCX_TLS says.",
        ),
    ] = False,
    peer: PeerFolders = [],
    collective: OnlyCollectives = [],
    size: Annotated[
        list[str], typer.Option("-s", help="Bytes, as in 4, 64K; repeat it. Else 4 to 1M.")
    ] = [],
    rounds: Annotated[int, typer.Option(min=1, help="Rounds of all libraries.")] = 11,
    seed: Seed = 1,
    as_json: Json = False,
) -> None:
    """Measure collectives beside those of several MPIs, interleaved in one run.

    Ctrl-C, SIGTERM and SIGHUP show what has been measured.
    """
    from tasuki.bench.collectives import CollectivesRun, bench_collectives
    from tasuki.bench.peers import choose_carrier, parse_peers
    from tasuki.launcher.hosts import ranks_of
    from tasuki.measurement.measured_hosts import hosts_to_measure

    operation = "bench collectives"
    sizes = tuple(parse_bytes(one, operation) for one in size)
    peers = parse_peers(operation, peer)
    placed = hosts_to_measure(operation, hosts, n is not None) if hosts is not None else []
    carrier = choose_carrier(transport, mpi, not no_node_shm, hosts is not None)
    ranks = [ranks_of(placed)] if placed else parse_ranks(n or "2,3,4,8", operation)
    run = CollectivesRun(ranks, collective, sizes, peers, rounds, seed, placed, carrier)
    raise typer.Exit(bench_collectives(run, as_json))


@command(app)
def python(
    n: Annotated[str, ranks_option("2,4 or 2..8")] = "2,4",
    peer: PeerFolders = [],
    collective: OnlyCollectives = [],
    size: Annotated[
        list[str], typer.Option("-s", help="Bytes, as in 8, 64K; repeat it. Else 8 to 1M.")
    ] = [],
    rounds: Annotated[int, typer.Option(min=1, help="Rounds of both libraries.")] = 11,
    seed: Seed = 1,
    as_json: Json = False,
) -> None:
    """Measure collectives of Python programs beside those of mpi4py, interleaved in one job."""
    from tasuki.bench.peers import parse_peers
    from tasuki.bench.python_collectives import PythonRun, bench_python

    operation = "bench python"
    sizes = tuple(parse_bytes(one, operation) for one in size)
    peers = parse_peers(operation, peer)
    bench_python(
        PythonRun(parse_ranks(n, operation), collective, sizes, peers, rounds, seed), as_json
    )


@command(app)
def kernels(
    n: Ranks = 2,
    ygm: Annotated[
        Path | None,
        typer.Option(help="Folder of YGM's headers or sources, to measure beside it."),
    ] = None,
    kernel: Annotated[
        list[str], typer.Option(help="Only this kernel; repeat it for several.")
    ] = [],
    mpi: Annotated[
        choice("KernelsMpi", ("all", "ompi", "mpich", "none")),
        typer.Option(help="The MPI of the baselines (all: those that are there)."),
    ] = "all",
    rounds: Annotated[int, typer.Option(min=1, help="Rounds of all libraries.")] = 7,
    quick: Annotated[
        bool, typer.Option("--quick", help="Tiny sizes and one round: does it run?")
    ] = False,
    seed: Seed = 1,
    as_json: Json = False,
) -> None:
    """Measure kernels of parallel programs beside MPI and YGM, interleaved, each verified."""
    from tasuki.bench.kernels import KernelsRun, bench_kernels

    run = KernelsRun(n, mpi, kernel, ygm, 1 if quick else rounds, seed, quick)
    bench_kernels(run, as_json)
