"""`tasuki reproduce mpcxx`."""

from tasuki.launcher.mpiexec import MPIS
from tasuki.reproduce.command import Wanted, choose, reproduce
from tasuki.reproduce.mpcxx.figures import FIGURES, OF_A_CLASS
from tasuki.reproduce.mpcxx.kernels import KERNELS, Kernels, Wishes
from tasuki.reproduce.mpcxx.variants import SIMULATED
from tasuki.reproduce.notebook import build_of


def reproduce_mpcxx(wanted: Wanted, only: tuple[str, ...], wishes: Wishes) -> int:
    """Shows the figures in `only` (all if it is empty). Returns the exit code."""
    chosen = choose("mpcxx", FIGURES, only)
    if wishes.problem_class is not None:
        chosen = [
            figure._replace(published=()) if figure.figure_id in OF_A_CLASS else figure
            for figure in chosen
        ]
    return reproduce(wanted, chosen, lambda lab: Kernels(lab, wishes), _conditions(wishes))


def _conditions(wishes: Wishes) -> dict[str, object]:
    """What decides what comes of a run."""
    endings = ("tasuki", *(f"mpi_{mpi}" for mpi in MPIS), *SIMULATED.values())
    kernels = [f"npb_{kernel}_{ending}" for kernel in KERNELS for ending in endings]
    throughput = ["mpcxx_throughput", *(f"mpcxx_throughput_mpi_{mpi}" for mpi in MPIS)]
    programs = [*kernels, *throughput]
    return {"mpi library": wishes.mpi, "builds": {name: build_of(name) for name in programs}}
