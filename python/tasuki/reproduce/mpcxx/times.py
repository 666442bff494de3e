"""Figures 8-11 and table 4: time of CG and IS by nodes; 12 and 13: computation, communication."""

from collections.abc import Iterator
from typing import Any

from tasuki.output.figure import Point
from tasuki.reproduce.mpcxx.kernels import RANKS, Kernels
from tasuki.reproduce.mpcxx.nodes import NETWORKS
from tasuki.reproduce.mpcxx.paper import FOUND, NODES_MOST, TABLE_4, TABLE_4_S, times_panel
from tasuki.reproduce.mpcxx.variants import SIMULATED, VARIANTS, variant_of

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
PARTS = {"computation": "compute_seconds", "communication": "communication_seconds"}
SPLIT_CLASS, SPLIT_NETWORK = "A", "ethernet"


def by_nodes(kernel: str, paper_class: str, kernels: Kernels) -> list[Point]:
    """Figures 8-11: simulated nodes of both networks, and what this machine gives."""
    points = [
        _time(times_panel(found["class"], title), series, nodes, found)
        for network, title in NETWORKS.items()
        for series, nodes, found in _simulated(kernel, paper_class, network, kernels)
    ]
    for variant in VARIANTS:
        for ranks in kernels.ranks_of(kernel, paper_class):
            found = kernels.solve(variant, kernel, paper_class, ranks)
            if found is not None:
                points.append(_time(_here(found), variant.title, ranks, found))
    return points


def on_32_nodes(kernels: Kernels) -> list[Point]:
    """Table 4: CG of class B, from the runs of figure 9."""
    points = []
    for combination in TABLE_4_S:
        variant = variant_of(combination)
        assert variant is not None
        if variant.title in SIMULATED:
            network = "ethernet" if "LAM" in combination or "Ether" in combination else "myrinet"
            found = kernels.simulate(variant.title, "cg", "B", NODES_MOST, network)
            if found is not None:
                points.append(
                    Point(TABLE_4.panel, FOUND, combination, found["seconds"], "s",
                          details=_details(found))
                )  # fmt: skip
    return points


def split(kernel: str, kernels: Kernels) -> list[Point]:
    """Figures 12 and 13, from the runs of figures 8 and 10."""
    points = [
        point
        for series, nodes, found in _simulated(kernel, SPLIT_CLASS, SPLIT_NETWORK, kernels)
        for point in _parts(
            times_panel(found["class"], NETWORKS[SPLIT_NETWORK]), f"{series}, {nodes}", found
        )
    ]
    for ranks in RANKS:
        for variant in VARIANTS:
            found = kernels.solve(variant, kernel, SPLIT_CLASS, ranks)
            if found is not None:
                points += _parts(_here(found), f"{variant.title}, {ranks}", found)
    return points


def _simulated(
    kernel: str, paper_class: str, network: str, kernels: Kernels
) -> Iterator[tuple[str, int, dict[str, Any]]]:
    """Series, nodes and what was found, of all runs there are."""
    kernels.simulate_all(kernel, paper_class, network)
    for series in SIMULATED:
        for nodes in kernels.nodes_of(kernel, paper_class):
            found = kernels.simulate(series, kernel, paper_class, nodes, network)
            if found is not None:
                yield series, nodes, found


def _here(found: dict[str, Any]) -> str:
    return f"class {found['class']}, this machine"


def _parts(panel: str, place: str, found: dict[str, Any]) -> list[Point]:
    return [
        Point(panel, series, place, found[field], "s", details=_details(found))
        for series, field in PARTS.items()
    ]


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
