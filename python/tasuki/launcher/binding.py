"""Which core each rank runs on."""

import os


def cores_allowed() -> list[set[int]]:
    """The physical cores this process may use, each as the set of its allowed CPUs, in order."""
    cores: dict[tuple[str, str], set[int]] = {}
    for cpu in sorted(os.sched_getaffinity(0)):
        cores.setdefault(_core_of(cpu), set()).add(cpu)
    return list(cores.values())


def bind_ranks(rank_count: int, policy: str) -> list[set[int] | None]:
    """For each rank the CPUs it is bound to, or None: not bound.

    `policy` is "core" (one core each, if there are enough of them) or "none".
    """
    cores = cores_allowed() if policy == "core" else []
    if len(cores) < rank_count:
        return [None] * rank_count
    return list(cores[:rank_count])


def _core_of(cpu: int) -> tuple[str, str]:
    """Package and core of `cpu`; a core of its own where the kernel does not say."""
    topology = f"/sys/devices/system/cpu/cpu{cpu}/topology"
    try:
        with (
            open(f"{topology}/physical_package_id") as package,
            open(f"{topology}/core_id") as core,
        ):
            return package.read().strip(), core.read().strip()
    except OSError:
        return "unknown", str(cpu)
