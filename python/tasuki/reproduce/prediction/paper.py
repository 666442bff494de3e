"""What the paper's text and tables say: Y. Iwamoto, R. Adachi, K. Ootsu, T. Yoshinaga, T. Baba,
High speed receiving process of MPI by receiving message prediction, 2001.

Its machines: a Sun Enterprise 3500 with shared memory, which predicts the last message again, and
a cluster of six workstations on 100 Mbit/s Ethernet, by the last message and by a Markov model.
"""

from collections.abc import Mapping

from tasuki.output.figure import Published

KERNELS = ("is", "sp", "cg", "ep", "mg")  # In the order of its tables.
CLASSES = ("S", "W")
ALL_CLASSES = (*CLASSES, "A")
USUAL_CLASS = "W"
SMP, CLUSTER, CLUSTER_MARKOV = "E3500", "cluster, last message", "cluster, Markov"
_BY_KERNEL = tuple[float, float, float, float, float]
MESSAGES: _BY_KERNEL = (2322, 38623, 23618, 115, 35108)  # Table 2: of all nodes together.
RATE: Mapping[str, _BY_KERNEL] = {  # Table 3, in %.
    SMP: (4.46, 0.08, 0.004, 40.37, 3.48),
    CLUSTER: (3.55, 0.05, 0.008, 30.13, 3.19),
    CLUSTER_MARKOV: (3.87, 0.04, 0.004, 28.95, 2.49),
}
SUCCESS: Mapping[str, _BY_KERNEL] = {  # Table 4, in %.
    SMP: (1.46, 8.00, 25.00, 10.33, 1.43),
    CLUSTER: (1.38, 6.67, 0.00, 8.51, 2.34),
    CLUSTER_MARKOV: (6.64, 0.00, 0.00, 1.33, 2.19),
}
GAIN: Mapping[str, _BY_KERNEL] = {  # Table 5, in %, on the E3500 by class.
    "S": (-21.98, -0.21, 0.19, -0.20, -14.29),
    "W": (-1.38, 0.01, 5.02, 0.03, -0.72),
}
IS_GAIN = 6.8  # Section 3.2: of IS on the cluster, by the Markov model.
LONG_IDLE = {SMP: 35.0, CLUSTER: 49.0}  # Section 3.2: % of the idle times of IS of 1 ms and more.
IDLE_BEFORE, IDLE_AFTER = 249, 104  # Section 3.3: idle times of IS on the E3500.


def name_of(kernel: str) -> str:
    """As tables show it."""
    return kernel.upper()


def by_kernel(values: _BY_KERNEL) -> dict[float | str, float | str]:
    """As a column of a table whose rows are kernels."""
    return {name_of(kernel): one for kernel, one in zip(KERNELS, values, strict=True)}


def column(source: str, panel: str, series: str, values: _BY_KERNEL, unit: str = "%") -> Published:
    """Values by kernel beside the series of a panel."""
    return Published(source, panel, unit, {series: by_kernel(values)})


def row(source: str, panel: str, x: str, values: _BY_KERNEL) -> Published:
    """Values by kernel where each kernel has a column, in the row of `x`."""
    columns = {name: {x: value} for name, value in by_kernel(values).items()}
    return Published(source, panel, "%", {str(name): one for name, one in columns.items()})
