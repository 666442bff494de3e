"""The command line of `tasuki explain`."""

from pathlib import Path
from typing import Annotated

import typer

from tasuki.base.errors import usage_error
from tasuki.commands.options import Json, Transport, TransportOption
from tasuki.commands.values import SIMULATED_RANKS_MOST, parse_bytes

NETWORK = "200g"


def explain(
    collective: Annotated[str, typer.Argument(help="Its name: allreduce, broadcast, barrier, ...")],
    n: Annotated[
        int, typer.Option("-n", min=1, max=SIMULATED_RANKS_MOST, help="Number of ranks.")
    ] = 8,
    size: Annotated[str, typer.Option("-s", help="Bytes, as in 4, 64K, 1M; up to 16G.")] = "0",
    transport: TransportOption = Transport.shm,
    network: Annotated[
        str | None,
        typer.Option(
            help="Network to simulate, over mpi or ucx: gigabit_ethernet or 200g, or one with other"
            f" numbers, as in 200g,latency_ns=900; else {NETWORK}."
        ),
    ] = None,
    ranks_per_node: Annotated[
        int | None,
        typer.Option(
            min=1, max=SIMULATED_RANKS_MOST, help="Ranks on each node, over mpi or ucx; else one."
        ),
    ] = None,
    nodes_per_group: Annotated[
        int | None,
        typer.Option(
            min=1, max=SIMULATED_RANKS_MOST, help="Nodes at one switch, over mpi or ucx; else all."
        ),
    ] = None,
    contention: Annotated[
        bool,
        typer.Option(
            "--contention",
            help="Ranks of a node share its link and the bandwidth of its memory, and nodes of a"
            " group the links to others.",
        ),
    ] = False,
    policy: Annotated[
        Path | None, typer.Option(help="Policy file; else the one jobs here use.", dir_okay=False)
    ] = None,
    algorithm: Annotated[
        str | None, typer.Option(help="Algorithm to show the rounds of, or none; else the chosen.")
    ] = None,
    parameters: Annotated[str | None, typer.Option(help="Its parameters: radix=4.")] = None,
    rank: Annotated[int, typer.Option(help="Rank whose rounds to show as text.")] = 0,
    reproducible: Annotated[
        bool, typer.Option("--reproducible", help="As with TASUKI_REPRODUCIBLE=1.")
    ] = False,
    plot: Annotated[
        Path | None, typer.Option("--plot", help="Draw the rounds into this PNG.", dir_okay=False)
    ] = None,
    as_json: Json = False,
) -> None:
    """Say which algorithm a collective uses, why, and what the others would cost."""
    from tasuki.explain.command import explain as work
    from tasuki.explain.question import Question

    if transport == Transport.shm:
        for option, value in {"--network": network, "--nodes-per-group": nodes_per_group}.items():
            if value is None:
                continue
            raise usage_error(
                "explain",
                f"{option} {value} and --transport shm, whose ranks are on one node",
                f"give --transport mpi or ucx, or leave {option} out",
            )
    question = Question(
        collective, n, parse_bytes(size), transport, network or NETWORK, policy, algorithm,
        parameters, rank, contention, reproducible, ranks_per_node, nodes_per_group,
    )  # fmt: skip
    work(question, as_json, plot)
