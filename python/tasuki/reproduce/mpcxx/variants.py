"""What stands for each combination of table 3, which the paper measured on its networks."""

from typing import NamedTuple

from tasuki.output.figure import Point
from tasuki.reproduce.mpcxx.nodes import NETWORKS
from tasuki.reproduce.mpcxx.paper import COMBINATIONS, FOUND


class Variant(NamedTuple):
    """One way to run a kernel on this machine, by the name of its curve."""

    title: str
    implementation: str
    transport: str


MPI = Variant("C++ over MPI", "mpi", "mpi")
TASUKI_OVER_MPI = Variant("Tasuki over MPI", "tasuki", "mpi")
NATIVE = Variant("Tasuki native (shm)", "tasuki", "shm")
VARIANTS = (MPI, TASUKI_OVER_MPI, NATIVE)
# Of those that can be simulated the end of the program's name.
SIMULATED = {MPI.title: "mpi_smpi", TASUKI_OVER_MPI.title: "tasuki_smpi.so"}
NOT_HERE = "none: Tasuki has no Fortran version of NPB"


def variant_of(combination: str) -> Variant | None:
    """What stands for a combination of table 3 or 4; None for the Fortran version."""
    language, _, library = combination.partition("/")
    if language == "Fortran":
        return None
    if library == "native-PM":
        return NATIVE
    return TASUKI_OVER_MPI if language == "MPC++" else MPI


def combinations(_: object) -> list[Point]:
    """Table 3: for each combination what was run here."""
    return [
        Point(f"{kernel.upper()} on {NETWORKS[network]}", FOUND, combination, _stand_in(
            combination, network), "", details={"kernel": kernel})
        for (kernel, network), measured in COMBINATIONS.items()
        for combination in measured
    ]  # fmt: skip


def _stand_in(combination: str, network: str) -> str:
    variant = variant_of(combination)
    if variant is None:
        return NOT_HERE
    if variant.title in SIMULATED:
        return f"{variant.title}, simulated {NETWORKS[network]} and this machine"
    return f"{variant.title}, this machine"
