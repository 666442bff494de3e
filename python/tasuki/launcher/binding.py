"""Which core each rank runs on."""

import os


def cores_allowed() -> list[set[int]]:
    """The physical cores this process may use, each as the set of its allowed CPUs, in order."""
    cores: dict[tuple[str, str], set[int]] = {}
    for cpu in sorted(os.sched_getaffinity(0)):
        cores.setdefault(_core_of(cpu), set()).add(cpu)
    return list(cores.values())


def shares_evenly(rank_count: int) -> bool:
    """Has each rank a core of its own, or each core equally many ranks?

    One core with a rank more than the others would hold all of them up: then the kernel, free to
    move the ranks, shares the time out better.
    """
    core_count = len(cores_allowed())
    return rank_count <= core_count or rank_count % core_count == 0


def bind_ranks(rank_count: int, policy: str) -> list[set[int] | None]:
    """For each rank the CPUs it is bound to, or None: not bound.

    `policy` is "core" (a core for each rank, if that shares them evenly) or "none". Bound, 8 ranks
    on 2 cores solve NPB CG class S in 0.67 of the time they take when the kernel moves them
    (`tasuki run -n 8 npb_cg_tasuki --class S`, without and with `--bind none`).
    """
    if policy != "core" or not shares_evenly(rank_count):
        return [None] * rank_count
    cores = cores_allowed()
    # Neighbours talk most: they are on different cores, so that both run when one waits.
    return [cores[rank % len(cores)] for rank in range(rank_count)]


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
