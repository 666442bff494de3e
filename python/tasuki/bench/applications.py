"""`tasuki bench radixsort`, `lu`, `sssp`: applications over Tasuki, over MPI, or both in turn."""

from pathlib import Path
from typing import NamedTuple

from tasuki.base.programs import BUILD, BUILD_WITH_LZMA, BUILD_WITH_OPENBLAS, DATA
from tasuki.bench.twins import TwinRun, bench_twins


class Where(NamedTuple):
    """How a command wants its application to be run; the fields as of TwinRun."""

    ranks: int
    implementation: str
    transport: str
    mpi: str
    node_shm: bool


class Printing(NamedTuple):
    repetitions: int
    as_json: bool


def bench_radixsort(where: Where, printing: Printing, keys: int, radix: int, speedup: bool) -> None:
    """Sorts `keys` keys by digits of `radix`; with `speedup` also on one rank by itself."""
    arguments = ["--keys", str(keys), "--radix", str(radix)]
    if speedup:
        arguments.append("--speedup")
    title = f"radix sort of {keys} keys, radix {radix}"
    _bench("radixsort", title, arguments, where, printing)


def bench_lu(where: Where, printing: Printing, n: int, block: int, speedup: bool) -> None:
    """Factors an n x n matrix by panels of `block` columns; with `speedup` also by dgetrf."""
    arguments = ["--n", str(n), "--block", str(block)]
    if speedup:
        arguments.append("--speedup")
    title = f"LU of {n} x {n}, blocks of {block} columns"
    _bench("lu", title, arguments, where, printing, BUILD_WITH_OPENBLAS)


class SsspProblem(NamedTuple):
    """What to search and how; what is None or 0 is the program's choice."""

    graph: Path = DATA / "town.gr.xz"
    method: str | None = None
    partition: str | None = None
    source: int | None = None
    delta: int = 0


def bench_sssp(where: Where, printing: Printing, problem: SsspProblem, speedup: bool) -> None:
    """Finds shortest paths from one node; with `speedup` also by Dijkstra on one rank."""
    arguments = ["--graph", str(problem.graph)]
    for name in ("method", "partition", "source"):
        value = getattr(problem, name)
        if value is not None:
            arguments += [f"--{name}", str(value)]
    if problem.delta:
        arguments += ["--delta", str(problem.delta)]
    if speedup:
        arguments.append("--speedup")
    title = f"shortest paths in {problem.graph.name}"
    _bench("sssp", title, arguments, where, printing, BUILD_WITH_LZMA)


def _bench(
    name: str,
    title: str,
    arguments: list[str],
    where: Where,
    printing: Printing,
    remedy: str = BUILD,
) -> None:
    run = TwinRun(f"bench {name}", title, name, tuple(arguments), *where, remedy)
    bench_twins(run, printing.repetitions, printing.as_json)
