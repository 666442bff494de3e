"""Figures 8-11: time of CG and IS by ranks; figures 12 and 13: computation and communication."""

from typing import Any

from tasuki.output.figure import Point
from tasuki.reproduce.mpcxx.kernels import RANKS, SIMULATED, SIMULATED_NODES, VARIANTS, Kernels

DETAILS = (
    "class",
    "implementation",
    "ranks",
    "verified",
    "seconds",
    "mops",
    "compute_seconds",
    "communication_seconds",
    "messages",
    "bytes",
)


def on_this_machine(kernel: str, kernels: Kernels) -> list[Point]:
    points = []
    for problem_class in kernels.classes:
        for variant in VARIANTS:
            for ranks in RANKS:
                found = kernels.solve(variant, kernel, problem_class, ranks)
                if found is not None:
                    panel = f"class {problem_class}, this machine"
                    points.append(_time(panel, variant.title, ranks, found))
    return points


def on_simulated_nodes(kernel: str, network: str, kernels: Kernels) -> list[Point]:
    kernels.simulate_all(kernel, network)
    points = []
    for problem_class in kernels.classes:
        for series in SIMULATED:
            for nodes in SIMULATED_NODES:
                found = kernels.simulate(series, kernel, problem_class, nodes, network)
                if found is not None:
                    panel = f"class {problem_class}, simulated {network}"
                    points.append(_time(panel, series, nodes, found))
    return points


def both_places(kernel: str, network: str, kernels: Kernels) -> list[Point]:
    """Figures 8-11: what this machine gives, and what simulated nodes of `network` give."""
    return on_this_machine(kernel, kernels) + on_simulated_nodes(kernel, network, kernels)


def split(kernel: str, kernels: Kernels) -> list[Point]:
    """Figures 12 and 13, from the runs of figures 8-11."""
    points = []
    for problem_class in kernels.classes:
        for ranks in RANKS:
            for variant in VARIANTS:
                found = kernels.solve(variant, kernel, problem_class, ranks)
                if found is None:
                    continue
                x = f"{variant.title}, {ranks}"
                for series in ("computation", "communication"):
                    field = "compute_seconds" if series == "computation" else f"{series}_seconds"
                    points.append(
                        Point(f"class {problem_class}", series, x, found[field], "s",
                              details=_details(found))
                    )  # fmt: skip
    return points


def _time(panel: str, series: str, ranks: int, found: dict[str, Any]) -> Point:
    return Point(
        panel,
        series,
        ranks,
        found["seconds"],
        "s",
        found.get("spread"),
        found.get("repetitions", 1),
        _details(found),
    )


def _details(found: dict[str, Any]) -> dict[str, Any]:
    """Of the run, what `bench npb` says of it as well."""
    return {"kernel": found["name"], **{field: found[field] for field in DETAILS}}
