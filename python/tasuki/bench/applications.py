"""`tasuki bench radixsort`, `lu`, `sssp`: over Tasuki, over MPI, or both in turn."""

from pathlib import Path

from tasuki.base.errors import CommandError
from tasuki.base.programs import BUILD, BUILD_WITH_LZMA, BUILD_WITH_OPENBLAS, DATA
from tasuki.bench.baselines import Conditions, Problem, bench_baselines

TOWN = DATA / "town.gr.xz"
# The first searches of a process are slower, with threads more so than with ranks.
SEARCHES_BESIDE_THREADS = 9


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
        if conditions.place.implementation != "tasuki":
            raise CommandError(
                "bench sssp", "--threads and --impl ask for different baselines", "drop one of them"
            )
        place = conditions.place._replace(implementation="threads")
        conditions = conditions._replace(place=place)
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
    problem = Problem(f"bench {name}", title, name, tuple(arguments), remedy)
    bench_baselines(problem, conditions)
