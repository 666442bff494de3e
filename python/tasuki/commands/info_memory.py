"""`tasuki info --memory`: what the structures of a rank take of memory, by their own accounts for
any number of ranks, or in a job that it starts (docs/design/scale.md)."""

import json
import subprocess
from collections.abc import Sequence
from typing import Annotated, Any, NamedTuple

import typer

from tasuki.base.errors import ProgramError, usage_error
from tasuki.base.programs import require_program
from tasuki.commands.options import choice
from tasuki.commands.run import TRANSPORTS
from tasuki.measurement.jobs import Job, Outcome, run_command, run_job
from tasuki.output.report import Row, envelope, print_json, print_table, result

PROGRAM = "tasuki_memory"
PEERS = 32  # That a rank has to do with: what collectives of 65,536 ranks need.
RANKS = (1_000, 10_000, 100_000)
RANKS_PER_NODE = 64


Transport = choice("Transport", (*TRANSPORTS, "loopback"))
OnlyTransports = Annotated[
    list[Transport], typer.Option(help="With --memory: only this one; of a job, shm if none.")
]


class MemoryOptions(NamedTuple):
    """The options of `tasuki info --memory`; None or empty: the user has not given it."""

    memory: Annotated[
        bool, typer.Option("--memory", help="Show what the structures of a rank take of memory.")
    ] = False
    ranks: Annotated[
        list[int],
        typer.Option(
            min=1,
            help="With --memory: by accounts, for so many, else 1000, 10000 and 100000; may be"
            " repeated.",
        ),
    ] = []
    job_ranks: Annotated[
        int | None, typer.Option("-n", min=1, help="With --memory: measured in a job of so many.")
    ] = None
    transport: OnlyTransports = []
    peers: Annotated[
        int | None,
        typer.Option(
            min=0, help=f"With --memory: other ranks that a rank has to do with, else {PEERS}."
        ),
    ] = None
    ranks_per_node: Annotated[
        int | None,
        typer.Option(
            min=1,
            help=f"With --memory: by accounts, ranks that share memory, else {RANKS_PER_NODE}.",
        ),
    ] = None

    def peers_of(self, ranks: int) -> int:
        """Those that a rank has in a job of so many."""
        return min(PEERS, ranks - 1) if self.peers is None else self.peers


DEFAULT_MEMORY = MemoryOptions()


class Case(NamedTuple):
    ranks: int
    peers: int
    ranks_per_node: int


def bytes_of(account: dict[str, Any], case: Case) -> int:
    """What the structure takes in one rank."""
    ranks = min(case.ranks, case.ranks_per_node) if account["of_node"] else case.ranks
    peers = min(case.peers, ranks - 1)
    grown: int = account["bytes_per_rank"] * ranks + account["bytes_per_peer"] * peers
    fixed: int = account["fixed_bytes"]
    return fixed + grown


def require_alone(options: MemoryOptions, url: str, of_server: dict[str, object]) -> None:
    """Raises CommandError (exit code 2) for an option that would do nothing, or more peers than
    there are. `of_server` are those for servers, by their names."""
    of_accounts = {"--ranks": options.ranks or None, "--ranks-per-node": options.ranks_per_node}
    job_ranks = {"-n": options.job_ranks}
    of_memory = {"--transport": options.transport or None, "--peers": options.peers}
    if not url:
        remedy = "leave it out"
        if not options.memory:
            remedy = f"name the server, as in: tasuki info tasuki://HOST:PORT, or {remedy}"
        _refuse(of_server, "no server's URL", remedy)
    if not options.memory:
        _refuse(of_accounts | job_ranks | of_memory, "no --memory", "give --memory too")
        return
    _refuse({"a server's URL": url or None}, "--memory", "leave one of them out")
    if options.job_ranks is not None:
        _refuse(of_accounts, "-n", "leave one of them out: a job that is measured has no accounts")
    fewest = options.job_ranks or min(options.ranks or RANKS)
    if options.peers is not None and options.peers >= fewest:
        others = f"a rank of {fewest} has {fewest - 1} others"
        raise usage_error(
            "info", f"--peers {options.peers}: {others}", f"give --peers {fewest - 1} or fewer"
        )


def _refuse(options: dict[str, object], beside: str, remedy: str) -> None:
    """Raises CommandError if one of them is not None."""
    for name, value in options.items():
        if value is not None:
            raise usage_error("info", f"{name} and {beside} do nothing together", remedy)


def show_memory(options: MemoryOptions, as_json: bool) -> None:
    transports = list(dict.fromkeys(options.transport))
    if options.job_ranks is not None:
        show_jobs(transports or ["shm"], options.job_ranks, options, as_json)
        return
    per_node = options.ranks_per_node or RANKS_PER_NODE
    cases = [Case(one, options.peers_of(one), per_node) for one in options.ranks or RANKS]
    show_accounts(transports, cases, as_json)


def show_accounts(transports: Sequence[str], cases: Sequence[Case], as_json: bool) -> None:
    """`transports`: those to show; none means all of this build."""
    ended = subprocess.run(
        [require_program("info", PROGRAM), "--accounts"], capture_output=True, text=True
    )
    if ended.returncode != 0:
        raise ProgramError(ended.stderr, ended.returncode)
    accounts = json.loads(ended.stdout)
    shown = {name: rows for name, rows in accounts.items() if not transports or name in transports}
    if as_json:
        rows = [row for name in shown for row in _account_rows(name, shown[name], cases)]
        print_json(envelope("info", rows, ranks=None, transport=None))
        return
    few, many = min(case.peers for case in cases), max(case.peers for case in cases)
    peers = str(many) if few == many else f"up to {many}"
    for name, of_transport in shown.items():
        totals = [sum(bytes_of(account, case) for account in of_transport) for case in cases]
        per_rank = sum(a["bytes_per_rank"] for a in of_transport if not a["of_node"])
        print_table(
            f"Memory of a rank over {name}, in bytes, with {peers} peers in use and"
            f" {cases[0].ranks_per_node} ranks per node",
            ("structure", "fixed", "per rank", "per peer", *(f"{c.ranks} ranks" for c in cases)),
            [
                *(
                    (
                        account["structure"],
                        account["fixed_bytes"],
                        f"{account['bytes_per_rank']}{' of node' if account['of_node'] else ''}",
                        account["bytes_per_peer"],
                        *(bytes_of(account, case) for case in cases),
                    )
                    for account in of_transport
                ),
                ("sum", "", per_rank, "", *totals),
            ],
        )


def _account_rows(
    transport: str, accounts: list[dict[str, Any]], cases: Sequence[Case]
) -> list[Row]:
    return [
        result(
            account["structure"],
            bytes_of(account, case),
            "B",
            kind="memory_account",
            transport=transport,
            ranks=case.ranks,
            peers=case.peers,
            ranks_per_node=case.ranks_per_node,
            **{key: value for key, value in account.items() if key != "structure"},
        )
        for case in cases
        for account in accounts
    ]


def show_jobs(transports: Sequence[str], ranks: int, options: MemoryOptions, as_json: bool) -> None:
    """Starts a job over each of the transports, and shows what its ranks take."""
    found = [measure(transport, ranks, options.peers_of(ranks)) for transport in transports]
    if as_json:
        rows = [row for seen in found for row in _job_rows(seen)]
        transport = transports[0] if len(transports) == 1 else None
        print_json(envelope("info", rows, ranks=ranks, transport=transport))
        return
    for seen in found:
        _show_job(seen)


def _job_rows(seen: dict[str, Any]) -> list[Row]:
    of_job = {"kind": "memory_use", "transport": seen["transport"]}
    rows = [
        result(
            row["structure"],
            row["mean_bytes"],
            "B",
            **of_job,
            **{key: value for key, value in row.items() if key != "structure"},
        )
        for row in seen["structures"]
    ]
    return rows + [
        result(name, seen[name], unit, **of_job)
        for name, unit in (
            ("heap_bytes", "B"),
            ("resident_bytes", "B"),
            ("shared_bytes", "B"),
            ("start_us", "us"),
        )
    ]


def _show_job(seen: dict[str, Any]) -> None:
    print_table(
        f"Memory of a rank of {seen['ranks']} over {seen['transport']}, in bytes",
        ("structure", "fixed", "per rank", "per peer", "mean", "most"),
        [
            (
                row["structure"],
                row["fixed_bytes"],
                f"{row['bytes_per_rank']}{' of node' if row['of_node'] else ''}",
                row["bytes_per_peer"],
                row["mean_bytes"],
                row["most_bytes"],
            )
            for row in seen["structures"]
        ],
    )
    print_table(
        "All of a rank's process (in loopback, of all ranks, for each)",
        ("what", "value", "unit"),
        [
            ("given out by malloc", seen["heap_bytes"], "B"),
            ("resident", seen["resident_bytes"], "B"),
            ("of that shared with others", seen["shared_bytes"], "B"),
            ("start of the slowest rank", seen["start_us"] / 1000, "ms"),
        ],
    )


def measure(transport: str, ranks: int, peers: int) -> dict[str, Any]:
    """What the ranks of such a job take. Raises ProgramError with the job's own words."""
    program = require_program("info", PROGRAM)
    arguments = ["--peers", str(peers)]
    ended: Outcome
    if transport == "loopback":
        environment = {"TASUKI_TRANSPORT": "loopback", "TASUKI_LOOPBACK_RANKS": str(ranks)}
        ended = run_command([str(program), *arguments], environment=environment)
    else:
        ended = run_job(Job(program, arguments, ranks, transport))
    if ended.exit_code != 0:
        raise ProgramError(ended.stderr, ended.exit_code)
    answer: dict[str, Any] = json.loads(ended.stdout)
    return answer
