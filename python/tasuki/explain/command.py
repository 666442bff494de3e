"""`tasuki explain`: which algorithm a collective uses, why, and what the others would cost."""

import sys
from pathlib import Path
from typing import Any

from tasuki.explain.question import NO_ROUNDS, Question, ask_program
from tasuki.output.report import Row, envelope, print_json, print_table, result

# Of longer schedules and of more ranks than this only the beginning is shown.
LINES_MOST = 40
PLACES_SHOWN_MOST = 4


def explain(question: Question, as_json: bool, plot: Path | None) -> None:
    if plot is not None:
        from tasuki.explain.plot import require_few_ranks

        require_few_ranks(question)
    answer = ask_program(question, is_drawn=plot is not None)
    if plot is not None:
        _draw(question, answer, plot)
    if as_json:
        rows = [row_of(question, answer, one) for one in answer["alternatives"]]
        print_json(envelope("explain", rows, ranks=question.ranks, transport=question.transport))
        return
    _show(question, answer)


def _draw(question: Question, answer: dict[str, Any], plot: Path) -> None:
    """What has no rounds cannot be drawn: unless the user named it, the best that has them is."""
    from tasuki.explain.plot import draw

    simulated = [one for one in answer["alternatives"] if one["simulated"]]
    if question.algorithm is None and not any(answer["sends"]) and simulated:
        best = min(simulated, key=lambda one: one["simulated"]["end_ns"])
        sys.stderr.write(
            f"tasuki: explain: {answer['shown']} works in memory and has no rounds;"
            f" {plot} shows {_name(best['algorithm'], best['parameters'])}, the fastest by"
            " messages.\n"
        )
        question = question._replace(algorithm=best["algorithm"], parameters=best["parameters"])
        answer = ask_program(question, is_drawn=True)
    draw(question, answer, plot)


def row_of(question: Question, answer: dict[str, Any], one: dict[str, Any]) -> Row:
    simulated = one["simulated"]
    seconds = simulated and simulated["end_ns"] * 1e-9
    return result(
        f"explain_{question.collective}",
        seconds,
        "s",
        collective=question.collective,
        algorithm=one["algorithm"],
        parameters=one["parameters"],
        ranks=question.ranks,
        message_bytes=question.message_bytes,
        seconds=seconds,
        network=None if _is_one_node(question, answer) else answer["network"],
        contention=question.contention,
        ranks_per_node=question.ranks_per_node,
        nodes_per_group=question.nodes_per_group,
        chosen=one["algorithm"] == answer["chosen"],
        reason=answer["reason"] if one["algorithm"] == answer["chosen"] else None,
        unavailable=one["unavailable"] or None,
        rounds=simulated and simulated["rounds"],
        messages=simulated and simulated["messages"],
        bytes=simulated and simulated["bytes"],
    )


def _show(question: Question, answer: dict[str, Any]) -> None:
    chosen = _name(answer["chosen"], answer["chosen_parameters"])
    print(
        f"{question.collective}, {question.ranks} ranks over {question.transport},"
        f" {question.message_bytes} bytes: {chosen}, because: {answer['reason']}."
    )
    if question.ranks_per_node is not None:
        print(f"Where the ranks are: {_map('node', question.ranks, question.ranks_per_node)}.")
    if question.nodes_per_group is not None:
        nodes = -(-question.ranks // (question.ranks_per_node or 1))
        print(f"Where the nodes are: {_map('group', nodes, question.nodes_per_group)}.")

    def order(one: dict[str, Any]) -> tuple[bool, float]:
        simulated = one["simulated"]
        return (simulated is None, simulated["end_ns"] if simulated else 0)

    is_one_node = _is_one_node(question, answer)
    where = "within a node" if is_one_node else f"on {answer['network']}"
    print_table(
        f"What each would take by messages {where} (simulated)",
        ("", "algorithm", "time, us", "rounds", "messages", "bytes", "as the literature says"),
        [
            (
                "->" if one["algorithm"] == answer["chosen"] else "",
                _name(one["algorithm"], one["parameters"]),
                *_costs(one),
                one["cost"],
            )
            for one in sorted(answer["alternatives"], key=order)
        ],
    )
    _show_costs(question, answer, is_one_node)
    _show_rounds(question, answer)


def _is_one_node(question: Question, answer: dict[str, Any]) -> bool:
    """Then no network was simulated."""
    return bool(answer["network_parameters"]["ranks_per_node"] >= question.ranks)


def _show_costs(question: Question, answer: dict[str, Any], is_one_node: bool) -> None:
    """Where those of the simulation come from."""
    if is_one_node:
        node = answer["network_parameters"]["node"]
        name, shared = "a node", "; the ranks share its memory"
        source = (
            f"LogGP with L = {node['latency_ns']:g} ns, o = {node['overhead_ns']:g} ns,"
            f" g = {node['gap_ns']:g} ns, G = {node['gap_ns_per_byte']:g} ns/B"
        )
    else:
        name, source = answer["network"], answer["network_source"]
        shared = "; the ranks of a node share its link and its memory"
        if question.nodes_per_group is not None:
            far = answer["network_parameters"]["between_groups"]
            source += f"; between groups L = {far['latency_ns']:g} ns"
            shared += (
                f", and {question.nodes_per_group} nodes links to others that carry"
                f" 1/{answer['network_parameters']['taper']:g} of what their own do"
            )
    print(f"{name}: {source}{shared if question.contention else ''}.")


def _map(name: str, count: int, per_place: int) -> str:
    """As in "node 0: 0-3, node 1: 4-7"."""
    firsts = range(0, count, per_place)
    places = [
        f"{name} {place}: {first}-{min(first + per_place, count) - 1}"
        for place, first in enumerate(firsts)
    ]
    if len(places) > PLACES_SHOWN_MOST:
        places[PLACES_SHOWN_MOST - 1 : -1] = ["..."]
    return ", ".join(places)


def _costs(one: dict[str, Any]) -> tuple[object, ...]:
    simulated = one["simulated"]
    if simulated:
        rounds = len(simulated["rounds"])
        return (simulated["end_ns"] / 1000, rounds, simulated["messages"], simulated["bytes"])
    return (None, None, None, None)


def _show_rounds(question: Question, answer: dict[str, Any]) -> None:
    if answer["shown"] == NO_ROUNDS:
        return
    shown = _name(answer["shown"], answer["shown_parameters"])
    if answer["schedule"] is None:
        (own,) = (one for one in answer["alternatives"] if one["algorithm"] == answer["shown"])
        print(f"\n{shown} has no rounds: {own['summary']}")
        return
    lines = answer["schedule"].splitlines()
    print(f"\nWhat rank {question.rank} does in {shown} (elements of 4 bytes; --rank for others):")
    for line in lines[:LINES_MOST]:
        print(f"  {line}")
    if len(lines) > LINES_MOST:
        print(f"  ... {len(lines) - LINES_MOST} lines more (--json has the rounds)")


def _name(algorithm: str, parameters: str) -> str:
    return f"{algorithm}({parameters})" if parameters else algorithm
