"""The figures and tables of the paper's evaluation: what each shows, and who measures it."""

from collections.abc import Sequence
from functools import partial

from tasuki.output.figure import Figure, Published
from tasuki.reproduce.command import Reproduction
from tasuki.reproduce.mpcxx import messages, paper, source_lines, throughput, times, variants
from tasuki.reproduce.mpcxx.kernels import Kernels, Wishes, conditions_of
from tasuki.reproduce.mpcxx.nodes import NETWORKS, describe_nodes
from tasuki.reproduce.mpcxx.throughput import ETHERNET, FAST, MPI
from tasuki.reproduce.mpcxx.variants import TASUKI_OVER_MPI, Variant
from tasuki.reproduce.simulation import describe_network

_SIZE = "size of a write, bytes"
_TIME = "time, s"

_STREAM_REMARK = (
    "A stream of writes of one size from rank 0 to rank 1, then a barrier; the median of 9. Tasuki"
    " over MPI leaves its own shared memory aside, so that MPI carries both."
)
_TIMES_REMARK = (
    "Simulated nodes: {networks}; {nodes}. The computation is real; its simulated time is stated by"
    " the kernels, from measurements, and the messages' by SimGrid, so that these numbers repeat"
    " exactly. The processor time of MPI and Tasuki themselves is not simulated. This machine:"
    " median of 3 runs; with more ranks than cores they take turns."
)
_SPLIT_REMARK = (
    "Communication: time inside communication calls, waiting for the others included, mean of the"
    " ranks; computation: the rest."
)
_SPLIT_PAPER = {
    "cg": " The paper (section 6.1): with 32 nodes communication begins to take most of the time,"
    " and CG scales no further.",
    "is": " The paper (section 6.2): with more than 2 nodes communication takes most of the time,"
    " and IS scales to 16 nodes at most.",
}
_COMBINATIONS_REMARK = (
    "What the paper measured, and what stands for it here. SimGrid runs MPI programs alone, so that"
    " Tasuki's native transport, shared memory, is measured on this machine."
)


def _throughput(figure_id: str, title: str, network: str) -> Figure:
    return Figure(
        figure_id, title, "lines", _SIZE, "MB/s", partial(throughput.by_size, network), log_x=True,
        log_value=True, baseline_series=MPI, remark=_STREAM_REMARK,
    )  # fmt: skip


def _times(figure_id: str, kernel: str, paper_class: str, published: tuple[Published, ...] = ()):
    return Figure(
        figure_id, f"{kernel.upper()} performance (class {paper_class})", "lines", "nodes", _TIME,
        partial(times.by_nodes, kernel, paper_class), log_x=True, log_value=True,
        baseline_series=variants.MPI.title, published=published,
        remark=_TIMES_REMARK.format(
            networks="; ".join(map(describe_network, NETWORKS)), nodes=describe_nodes(kernel)
        ),
    )  # fmt: skip


def _split(figure_id: str, kernel: str) -> Figure:
    return Figure(
        figure_id, f"{kernel.upper()} breakdown (class A)", "stacked", "version, nodes", _TIME,
        partial(times.split, kernel), remark=_SPLIT_REMARK + _SPLIT_PAPER[kernel],
    )  # fmt: skip


def _counts(figure_id: str, kernel: str, variant: Variant, published: Published) -> Figure:
    return Figure(
        figure_id, f"{kernel.upper()} (class A, {variant.title}): communication of a node", "table",
        "nodes", "", partial(messages.counts, variant, kernel), published=(published,),
        remark=messages.REMARK,
    )  # fmt: skip


def _at_32_nodes(network: str, mpi: str, tasuki: str) -> Published:
    """Table 4's times, where figure 9 shows them."""
    seconds = paper.TABLE_4_S
    found = {variants.MPI.title: mpi, TASUKI_OVER_MPI.title: tasuki}
    values = {title: {paper.NODES_MOST: seconds[one]} for title, one in found.items()}
    return Published("table 4", paper.times_panel("B", NETWORKS[network]), "s", values)


FIGURES = (
    _throughput("fig5", "Throughput (Ethernet): MPI and Tasuki over MPI", ETHERNET),
    _throughput("fig6", "Throughput (fast network): MPI, Tasuki over MPI, native", FAST),
    Figure("overhead", "Overhead of remote writes over MPI", "table", "network", "",
           throughput.overheads, published=(paper.OVERHEAD,), remark=_STREAM_REMARK),
    Figure("table3", "The combinations that were measured", "table", "combination", "",
           variants.combinations, remark=_COMBINATIONS_REMARK),
    _times("fig8", "cg", "A"),
    _times("fig9", "cg", "B", (
        _at_32_nodes("ethernet", "C++/LAM", "MPC++/MPICH-PM/PM-Ether"),
        _at_32_nodes("myrinet", "C++/MPICH-PM", "MPC++/MPICH-PM"),
    )),
    _times("fig10", "is", "A"),
    _times("fig11", "is", "B"),
    Figure("table4", "CG (class B) on 32 nodes", "table", "combination", "time, s",
           times.on_32_nodes, published=(paper.TABLE_4,),
           remark=f"One of the times, that of C++/MPICH-PM, decides {describe_nodes('cg')}."),
    _counts("table5", "cg", variants.MPI, paper.TABLE_5),
    _counts("table6", "cg", TASUKI_OVER_MPI, paper.TABLE_6),
    _split("fig12", "cg"),
    _counts("table7", "is", variants.MPI, paper.TABLE_7),
    _counts("table8", "is", TASUKI_OVER_MPI, paper.TABLE_8),
    _split("fig13", "is"),
    Figure("lines", "Lines that differ between the versions of a kernel", "table", "kernel", "",
           source_lines.differing_lines, published=(paper.LINES,), remark=source_lines.REMARK),
)  # fmt: skip

IDS = tuple(figure.figure_id for figure in FIGURES)
# What the paper says of these holds for its own classes alone.
OF_A_CLASS = ("fig9", "table4", "table5", "table6", "table7", "table8")


def figures_of(wishes: Wishes) -> Sequence[Figure]:
    """What the paper says of its own classes is not beside another one."""
    if wishes.problem_class is None:
        return FIGURES
    return [
        figure._replace(published=()) if figure.figure_id in OF_A_CLASS else figure
        for figure in FIGURES
    ]


MPCXX = Reproduction("mpcxx", figures_of, Kernels, conditions_of)
