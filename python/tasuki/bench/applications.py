"""`tasuki bench radixsort`: applications over Tasuki, over MPI, or one beside the other."""

from typing import NamedTuple

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


def _bench(name: str, title: str, arguments: list[str], where: Where, printing: Printing) -> None:
    run = TwinRun(f"bench {name}", title, name, tuple(arguments), *where)
    bench_twins(run, printing.repetitions, printing.as_json)
