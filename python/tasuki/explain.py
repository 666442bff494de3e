"""`tasuki explain`: which algorithm a collective uses, why, and what the others would cost."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

from tasuki.errors import ProgramError, usage_error
from tasuki.programs import require_program
from tasuki.report import Row, envelope, print_json, print_table, result
from tasuki.tune.policy_file import usual_path

NONE = "-"
BUILT_IN = Path(NONE)  # In the place of a policy file.
NO_ROUNDS = "none"  # In the place of an algorithm: only the costs are wanted.
UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}
BYTES_MOST = 16 << 30
# Of longer schedules and of more ranks than this only the beginning is shown.
LINES_MOST = 40


class Question(NamedTuple):
    """`policy`, `algorithm` and `parameters` are None where the user named none.

    `contention`: do messages wait for each other at the link of a simulated node?
    """

    collective: str
    ranks: int
    message_bytes: int
    transport: str
    network: str
    policy: Path | None
    algorithm: str | None
    parameters: str | None
    rank: int = 0
    contention: bool = False
    reproducible: bool = False


def parse_bytes(text: str, operation: str = "explain", option: str = "-s") -> int:
    """ "64K" is 65536; a multiple of 4. Raises CommandError if it is none, or above BYTES_MOST."""
    number, unit = (text[:-1], text[-1:]) if text[-1:] in "KMG" else (text, "")
    is_number = number.isascii() and number.isdecimal() and len(number) <= len(str(BYTES_MOST))
    size = int(number) * UNITS[unit] if is_number else -1
    if not 0 <= size <= BYTES_MOST or size % 4:
        raise usage_error(
            operation,
            f"{option} {text} is no size",
            f"as in 4, 64K or 1M, a multiple of 4; up to {BYTES_MOST >> 30}G",
        )
    return size


def explain(question: Question, as_json: bool, plot: Path | None) -> None:
    if not 0 <= question.rank < question.ranks:
        raise usage_error(
            "explain",
            f"there is no rank {question.rank} among {question.ranks}",
            f"--rank is from 0 to {question.ranks - 1}",
        )
    if plot is not None:
        from tasuki.explain_plot import require_few_ranks

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
    from tasuki.explain_plot import draw

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


def ask_program(question: Question, is_drawn: bool) -> dict[str, Any]:
    policy = question.policy
    if policy is None and usual_path(question.transport).exists():
        policy = usual_path(question.transport)
    ended = subprocess.run(
        [
            str(require_program("explain", "tasuki_explain")),
            question.collective,
            str(question.ranks),
            str(question.message_bytes),
            question.transport,
            question.network,
            "contended" if question.contention else "free",
            str(policy or NONE),
            question.algorithm or NONE,
            question.parameters or NONE,
            "reproducible" if question.reproducible else "any",
            str(question.rank),
            "drawn" if is_drawn else "text",
        ],
        capture_output=True,
        text=True,
    )
    if ended.returncode != 0:
        raise ProgramError(ended.stderr, ended.returncode)
    return json.loads(ended.stdout)


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
        network=answer["network"],
        contention=question.contention,
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

    def order(one: dict[str, Any]) -> tuple[bool, float]:
        simulated = one["simulated"]
        return (simulated is None, simulated["end_ns"] if simulated else 0)

    print_table(
        f"What each would take by messages on {answer['network']} (simulated)",
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
    contended = "; messages wait for each other at a node's link" if question.contention else ""
    print(f"{answer['network']}: {answer['network_source']}{contended}.")
    _show_rounds(question, answer)


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
