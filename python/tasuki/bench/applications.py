"""`tasuki bench npb`, `radixsort`, `lu`, `sssp`: over Tasuki, over MPI, or both in turn."""

from pathlib import Path

from tasuki.base.errors import CommandError
from tasuki.base.programs import BUILD, BUILD_WITH_LZMA, BUILD_WITH_OPENBLAS, DATA
from tasuki.bench.baselines import BaselineRun, Conditions, bench_baselines
from tasuki.bench.npb import NpbRun, baseline_of

TOWN = DATA / "town.gr.xz"
# The first searches of a process are slower, with threads more so than with ranks.
SEARCHES_BESIDE_THREADS = 9


def bench_npb(conditions: Conditions, kernel: str, problem_class: str, exchange: str) -> None:
    """Solves a NAS Parallel Benchmark."""
    *place, repetitions, as_json = conditions
    bench_baselines(
        baseline_of(NpbRun(kernel, problem_class, *place, exchange)), repetitions, as_json
    )


def bench_radixsort(conditions: Conditions, keys: int, radix: int, speedup: bool) -> None:
    """Sorts `keys` keys by digits of `radix`; with `speedup` also on one rank by itself."""
    title = f"radix sort of {keys} keys, radix {radix}"
    _bench("radixsort", title, conditions, BUILD, keys=keys, radix=radix, speedup=speedup)


def bench_lu(conditions: Conditions, size: int, block: int, speedup: bool) -> None:
    """Factors a size x size matrix by panels of `block` columns; with `speedup` also by dgetrf."""
    title = f"LU of {size} x {size}, blocks of {block} columns"
    _bench("lu", title, conditions, BUILD_WITH_OPENBLAS, size=size, block=block, speedup=speedup)


def bench_sssp(
    conditions: Conditions,
    graph: Path | None,
    method: str | None,
    partition: str | None,
    source: int | None,
    delta: int | None,
    speedup: bool,
    threads: bool,
) -> None:
    """Finds shortest paths from one node, with `speedup` also by Dijkstra on one rank, with
    `threads` in turn with OpenMP; what is None is a town and the program's choice.

    Raises CommandError if `threads` and the conditions ask for different baselines."""
    if threads:
        if conditions.implementation != "tasuki":
            raise CommandError(
                "bench sssp", "--threads and --impl ask for different baselines", "drop one of them"
            )
        conditions = conditions._replace(implementation="threads")
    file = graph or TOWN
    _bench(
        "sssp", f"shortest paths in {file.name}", conditions, BUILD_WITH_LZMA,
        graph=file, method=method, partition=partition, source=source, delta=delta,
        speedup=speedup, searches=SEARCHES_BESIDE_THREADS if threads else None,
    )  # fmt: skip


def _bench(name: str, title: str, conditions: Conditions, remedy: str, **options: object) -> None:
    """`options` are the program's; those that are None or False are left out."""
    arguments: list[str] = []
    for option, value in options.items():
        if value is True:
            arguments.append(f"--{option}")
        elif value is not None and value is not False:
            arguments += [f"--{option}", str(value)]
    ranks, implementation, transport, mpi, node_shm, repetitions, as_json = conditions
    run = BaselineRun(
        f"bench {name}", title, name, tuple(arguments), ranks, implementation, transport, mpi,
        node_shm, remedy,
    )  # fmt: skip
    bench_baselines(run, repetitions, as_json)
