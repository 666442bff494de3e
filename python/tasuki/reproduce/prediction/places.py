"""Where the values of the paper stand: in the cells that are most like its machines."""

from tasuki.reproduce.prediction import paper
from tasuki.reproduce.prediction.cells import Cell
from tasuki.reproduce.prediction.networks import Network

RANKS = 4  # The paper does not say how many it used; its cluster has six nodes.


def is_like(cell: Cell, network: Network) -> bool:
    """Has it these ranks, the paper's class, and the network?"""
    place = (cell.network, cell.ranks, cell.problem_class)
    return place == (network, RANKS, paper.USUAL_CLASS)
