"""`tasuki bench collectives`: Tasuki's collectives beside those of several MPIs, in one run."""

import random
import statistics
from collections.abc import Generator, Mapping, Sequence
from contextlib import ExitStack, closing
from typing import NamedTuple

from tasuki.base.errors import require_known, usage_error
from tasuki.base.interrupts import until_interrupted
from tasuki.bench.baselines import spread
from tasuki.bench.peers import (
    OPERATION,
    Carrier,
    Peer,
    WaitingJob,
    libraries_on_hosts,
    own_job,
    peer_job,
    peers_here,
)
from tasuki.launcher.hosts import Host, most_ranks_of
from tasuki.measurement.collectives import ALL_COLLECTIVES
from tasuki.measurement.library import NATIVE
from tasuki.measurement.measured_hosts import require_nodes
from tasuki.measurement.measurer import CHOSEN, Candidate, Cell, JobMeasurer
from tasuki.measurement.over_tcp import messages_of
from tasuki.measurement.race import Time, time_of
from tasuki.output.place import by_place, cell_fields, ranks_and_place, where
from tasuki.output.progress import stepping
from tasuki.output.report import Row, envelope, print_json, print_table, result

# Without --collective: those with a goal.
COLLECTIVES = ("allreduce", "alltoall", "broadcast", "allgather", "barrier")
# Also some that are no powers of two: segments and blocks do not come out even.
SIZES = (4, 32, 256, 1000, 2048, 16384, 50000, 131072, 600000, 1048576)
OWN = "Tasuki"
SAMPLES = 25  # In a row; their median is one measurement.
SECONDS_MOST = 0.02  # For those.
# Ranks that share cores and have been stopped take a while until they take turns well: calls of the
# first 2 ms took up to 50 times as long as those after them (4 ranks on 2 cores, 4 bytes).
WARM_UP_S = 0.01
WARM_UP_SAMPLES = 10_000
# No cell may take longer than by the best peer by more than that (docs/formats/bench.md).
RATIO_MOST = 1.05


class CollectivesRun(NamedTuple):
    """What to measure. `collectives` empty: COLLECTIVES; `sizes` and `peers` empty: all.
    `rounds` of all libraries. `hosts` have numbers of ranks, whose sum is then the only one of
    `ranks`."""

    ranks: Sequence[int]
    collectives: Sequence[str]
    sizes: Sequence[int]
    peers: Sequence[Peer]
    rounds: int
    seed: int
    hosts: Sequence[Host] = ()
    carrier: Carrier = Carrier()

    def place_of(self, ranks: int) -> str:
        place = ranks_and_place(ranks, len(self.hosts))
        if self.carrier.node_shm:
            return place
        return f"{place}, {messages_of(self.carrier.transport)}"


class Comparison(NamedTuple):
    """Seconds of each round by each library; `chosen` is what Tasuki's policy uses."""

    cell: Cell
    seconds: Mapping[str, Sequence[float]]
    chosen: Candidate

    def median(self, name: str) -> float:
        return statistics.median(self.seconds[name])

    @property
    def rounds(self) -> int:
        return len(self.seconds[OWN])

    @property
    def best_peer(self) -> str:
        return min((name for name in self.seconds if name != OWN), key=self.median)

    def ratio_to(self, peer: str) -> Time:
        """Tasuki's time / the peer's, of pairs from one round, with its 95 % interval."""
        pairs = zip(self.seconds[OWN], self.seconds[peer], strict=True)
        return time_of([own / other for own, other in pairs])


Findings = Generator[list[Comparison], None, None]  # Each time all that there are until then.


def bench_collectives(run: CollectivesRun, as_json: bool) -> int:
    """Shows what there is after Ctrl-C too. Returns the exit code."""
    require_known(OPERATION, "--collective", run.collectives, ALL_COLLECTIVES, "{} is not compared")
    peers = run.peers or peers_here()
    if not peers:
        raise usage_error(
            OPERATION,
            "there is no MPI to compare with",
            "install some: ./dev peers, or give --peer",
        )
    found: list[Comparison] = []
    steps = _compare_on_hosts(run, peers) if run.hosts else _compare_here(run, peers)
    with until_interrupted() as interruption, closing(steps):
        for so_far in steps:
            found = so_far
    if as_json:
        rows = [_row(one, run) for one in found]
        print_json(
            envelope(
                OPERATION,
                rows,
                ranks=None,
                transport=run.carrier.transport,
                is_incomplete=interruption.has_come,
            )
        )
    else:
        _show_all(found, run)
    return interruption.exit_code()


def _show_all(found: Sequence[Comparison], run: CollectivesRun) -> None:
    for ranks in run.ranks:
        of_ranks = [one for one in found if one.cell.ranks == ranks]
        if not of_ranks:
            continue  # Cut off before.
        is_whole = len(of_ranks) == len(_cells(run, ranks)) and of_ranks[0].rounds == run.rounds
        _show(of_ranks, run.place_of(ranks) + ("" if is_whole else " (incomplete)"))
    if found and run.hosts:
        print(f"With {run.place_of(found[0].cell.ranks)}: {_summary(found)}")
    elif found:
        print("\n".join(_summaries(found)))


def _cells(run: CollectivesRun, ranks: int) -> list[Cell]:
    return [
        Cell(collective, ranks, size)
        for collective in dict.fromkeys(run.collectives or COLLECTIVES)
        for size in ((0,) if collective == "barrier" else run.sizes or SIZES)
    ]


def _compare_here(run: CollectivesRun, peers: Sequence[Peer]) -> Findings:
    """After each cell."""
    earlier: list[Comparison] = []
    for ranks in run.ranks:
        of_ranks: list[Comparison] = []
        for of_ranks in _compare(run, ranks, peers):
            yield [*earlier, *of_ranks]
        earlier += of_ranks


def _compare(run: CollectivesRun, ranks: int, peers: Sequence[Peer]) -> Findings:
    generator = random.Random(run.seed)
    cells = _cells(run, ranks)
    found: dict[Cell, Comparison] = {}
    with ExitStack() as stack:
        jobs = {OWN: stack.enter_context(WaitingJob(own_job(ranks, run.carrier)))}
        for peer in peers:
            asked = peer_job(peer, ranks, run.carrier.node_shm)
            job = stack.enter_context(WaitingJob(asked))
            jobs[_fresh_name(job.library, peer, jobs)] = job
        progress = stepping(len(cells), run.place_of(ranks), "collectives")
        begin_step = stack.enter_context(progress)
        for cell in generator.sample(cells, len(cells)):
            begin_step(f"{cell.collective}, {cell.message_bytes} B")
            found[cell] = _race(cell, jobs, run.rounds, generator)
            yield [found[cell] for cell in cells if cell in found]


def _compare_on_hosts(run: CollectivesRun, peers: Sequence[Peer]) -> Findings:
    """After each round, in which a job of each library, one after the other, measures all cells."""
    generator = random.Random(run.seed)
    (ranks,) = run.ranks
    cells = _cells(run, ranks)
    libraries = libraries_on_hosts(run.hosts, run.carrier, peers, OWN)
    names = [library.name for library in libraries]
    seconds: dict[Cell, dict[str, list[float]]] = {
        cell: {name: [] for name in names} for cell in cells
    }
    chosen: dict[Cell, Candidate] = {}
    steps_count = run.rounds * len(libraries)
    with stepping(steps_count, run.place_of(ranks), "collectives") as begin_step:
        for _ in range(run.rounds):
            for library in generator.sample(libraries, len(libraries)):
                begin_step(library.name)
                with JobMeasurer(library.job) as measurer:
                    require_nodes(OPERATION, run.hosts, measurer.nodes())
                    for cell in generator.sample(cells, len(cells)):
                        own = library.name == OWN
                        seconds[cell][library.name].append(_measured(measurer, cell, own))
                        if own:
                            chosen[cell] = measurer.candidates(cell)[1]
            yield [
                Comparison(cell, {name: tuple(seconds[cell][name]) for name in names}, chosen[cell])
                for cell in cells
            ]


def _measured(measurer: JobMeasurer, cell: Cell, is_own: bool) -> float:
    """Seconds of a call."""
    candidate = CHOSEN if is_own else NATIVE
    measurer.measure(cell, candidate, WARM_UP_SAMPLES, WARM_UP_S)
    return statistics.median(measurer.measure(cell, candidate, SAMPLES, SECONDS_MOST))


def _fresh_name(library: str, peer: Peer, taken: dict[str, WaitingJob]) -> str:
    return f"{library} ({peer.name})" if library in taken else library


def _race(
    cell: Cell, jobs: dict[str, WaitingJob], rounds: int, generator: random.Random
) -> Comparison:
    """All libraries interleaved, in an order that is shuffled anew in each round."""
    seconds: dict[str, list[float]] = {name: [] for name in jobs}
    for _ in range(rounds):
        for name in generator.sample(list(jobs), len(jobs)):
            with jobs[name].awake() as measurer:
                seconds[name].append(_measured(measurer, cell, name == OWN))
    with jobs[OWN].awake() as measurer:
        chosen = measurer.candidates(cell)[1]
    return Comparison(cell, seconds, chosen)


def _row(one: Comparison, run: CollectivesRun) -> Row:
    best = one.best_peer
    ratio = one.ratio_to(best)
    return result(
        f"collectives_{one.cell.collective}",
        one.median(OWN),
        "s",
        spread=spread(one.seconds[OWN]),
        repetitions=one.rounds,
        baseline=best,
        baseline_value=one.median(best),
        ratio=ratio.median,
        ratio_low=ratio.low,
        ratio_high=ratio.high,
        **cell_fields(*one.cell, most_ranks_of(run.hosts) if run.hosts else None),
        hosts=max(1, len(run.hosts)),
        node_shm=run.carrier.node_shm,
        **one.chosen._asdict(),
        seconds=one.median(OWN),
        peer_seconds={name: one.median(name) for name in one.seconds if name != OWN},
        goal=RATIO_MOST,
        ok=ratio.low <= RATIO_MOST,
    )


def _show(found: Sequence[Comparison], place: str) -> None:
    peers = [name for name in found[0].seconds if name != OWN]
    print_table(
        f"Collectives in us, {place}",
        (
            "collective", "bytes", OWN, "algorithm", *peers,
            "ratio to best", "at least", f"<= {RATIO_MOST}",
        ),
        [
            (
                one.cell.collective, one.cell.message_bytes, one.median(OWN) * 1e6,
                str(one.chosen), *(one.median(name) * 1e6 for name in peers),
                one.ratio_to(one.best_peer).median, one.ratio_to(one.best_peer).low,
                "yes" if one.ratio_to(one.best_peer).low <= RATIO_MOST else "NO",
            )
            for one in found
        ],
    )  # fmt: skip


def _summaries(found: Sequence[Comparison]) -> list[str]:
    """For each place its own, as its cells have nothing to say of the others."""
    groups = by_place(found, lambda one: one.cell.ranks)
    return [f"{where(place)}: {_summary(group)}" for place, group in groups.items()]


def _summary(found: Sequence[Comparison]) -> str:
    ratios = {one.cell: one.ratio_to(one.best_peer) for one in found}
    slower = [cell for cell, ratio in ratios.items() if ratio.low > RATIO_MOST]
    lines = [
        f"against the best peer of each cell, Tasuki is"
        f" {1 / statistics.median(ratio.median for ratio in ratios.values()):.2f} times as fast in"
        f" the median cell, and slower by more than {RATIO_MOST} in {len(slower)} of {len(found)}."
    ]
    for cell in sorted(slower, key=lambda cell: -ratios[cell].low)[:10]:
        lines.append(
            f"  {cell.collective} of {cell.message_bytes} B on {cell.ranks} ranks:"
            f" {ratios[cell].median:.2f}, at least {ratios[cell].low:.2f}"
        )
    return "\n".join(lines)
