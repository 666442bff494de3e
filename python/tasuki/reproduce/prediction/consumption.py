"""What a run costs: processor time of the whole command, and joules where the processor tells."""

import resource
from pathlib import Path

# Of Linux's powercap: a folder for each package of the processor, as intel-rapl:0.
POWER = Path("/sys/class/powercap")


class Consumption:
    """Counts from when it is made to `end`: processor time of the children that ended meanwhile."""

    def __init__(self, power: Path = POWER) -> None:
        self._power = power
        self._cpu_s = _children_cpu_s()
        self._energy_uj = _read(power, "energy_uj")

    def end(self) -> tuple[float, float | None]:
        """Seconds, and joules or None."""
        cpu_s = _children_cpu_s() - self._cpu_s
        after_uj = _read(self._power, "energy_uj")
        if not after_uj or after_uj.keys() != self._energy_uj.keys():
            return cpu_s, None
        # A counter begins anew at 0 after its greatest value.
        range_uj = _read(self._power, "max_energy_range_uj")
        used_uj = [
            after - before if after >= before else after - before + range_uj.get(name, 0)
            for name, after in after_uj.items()
            for before in (self._energy_uj[name],)
        ]
        return cpu_s, sum(used_uj) / 1e6


def _children_cpu_s() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _read(power: Path, name: str) -> dict[str, int]:
    """By package; empty where there is none, or only root may read it."""
    try:
        return {one.parent.name: int(one.read_text()) for one in power.glob(f"intel-rapl:?/{name}")}
    except (OSError, ValueError):
        return {}
