"""The nodes of the paper's cluster, as they are simulated.

Presto had 32 nodes with a Pentium II of 350 MHz (table 2). How much slower they compute than the
core on which the work of the kernels was measured follows from the paper, for each kernel apart:
a sparse product waits for memory, and ranking keys does less so.
"""

from tasuki.reproduce.simulation import Cluster

NETWORKS = {"ethernet": "Ethernet", "myrinet": "Myrinet"}  # By platform their titles.
# CG: with it C++ over MPI takes the 175 s of table 4 on 32 nodes of Myrinet with class B, so that
# this one number of the paper is an input and all others are predictions.
# IS: the paper has no times. Section 6.2 says that on Ethernet communication takes more than half
# of the time with more than 2 nodes: so it does here between 56 and 84.
SLOWDOWN = {"cg": 333.0, "is": 70.0}


def cluster_of(kernel: str, network: str) -> Cluster:
    return Cluster(network, SLOWDOWN[kernel])


def describe_nodes(kernel: str) -> str:
    return (
        f"a processor {SLOWDOWN[kernel]:g} times slower than the one where the work of"
        f" {kernel.upper()} was measured (reproduce/mpcxx/nodes.py says why)"
    )
