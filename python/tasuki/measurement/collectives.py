"""The collectives whose algorithms can be measured."""

COLLECTIVES = (
    "barrier",
    "broadcast",
    "reduce",
    "allreduce",
    "gather",
    "scatter",
    "allgather",
    "alltoall",
    "reduce_scatter_block",
    "scan",
    "exscan",
)
# Those whose blocks differ from rank to rank.
VARYING = ("gatherv", "scatterv", "allgatherv", "alltoallv", "reduce_scatter")
ALL_COLLECTIVES = (*COLLECTIVES, *VARYING)
