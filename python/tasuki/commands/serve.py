"""The command line of `tasuki serve`."""

import functools
from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from tasuki.commands.options import LongBits, Ranks, TokenFile, Transport
from tasuki.commands.values import duration_from, parse_bytes
from tasuki.rpc.address import DEFAULT_PORT

RuntimeTransport = Annotated[
    Transport | None,
    typer.Option(
        help="What carries the messages of routines on Tasuki's runtime"
        " (default: $TASUKI_TRANSPORT, else shm)."
    ),
]
Launcher = Annotated[
    str,
    typer.Option(
        help="What starts ranks that use MPI, in place of mpiexec; {ranks} is their number."
    ),
]
Long = Annotated[
    LongBits | None,
    typer.Option(
        "--long", help="Bits that long has when it travels, in files that are built (default: 32)."
    ),
]
BuildFolder = Annotated[
    Path | None,
    typer.Option(help="Where programs are built (default: beside their interface files)."),
]


class BuildOptions(NamedTuple):
    long_bits: Long = None
    build_folder: BuildFolder = None


QueueLimit = Annotated[
    int, typer.Option(min=1, help="How many clients wait for a module before more are refused.")
]
ConnectionLimit = Annotated[
    int | None,
    typer.Option(
        min=1,
        help="How many connections the clients of a user have at most (default: half of the"
        " descriptors and threads that the system permits, and 4096 at most).",
    ),
]
BrowserLimit = Annotated[
    int, typer.Option(min=1, help="How many connections the browsers of a user have at most.")
]
TimeLimit = Annotated[
    str, typer.Option(help="How long a call takes at most, as in 90s or 5m; then it is ended.")
]
MemoryLimit = Annotated[
    str, typer.Option(help="How much arrays and files of a call need on a rank: 500M, 4G.")
]
StagingLimit = Annotated[
    str,
    typer.Option(help="How much all calls in the mode original have at once in the server: 4G."),
]
IdleLimit = Annotated[
    str, typer.Option(help="Without a call for so long, ranks end until the next: 10m.")
]
KeepLimit = Annotated[
    str, typer.Option(help="How much of arrays that clients leave there a module keeps: 500M, 4G.")
]
KeepTime = Annotated[
    str, typer.Option(help="What clients leave and no call uses for so long is freed: 1h.")
]
Warm = Annotated[bool, typer.Option(help="Start ranks with the server, not with the first call.")]
Pools = Annotated[
    int, typer.Option(min=1, max=64, help="Groups of ranks per module, for calls at once.")
]
DrainLimit = Annotated[
    str, typer.Option(help="How long calls under way may take after SIGTERM: 30s.")
]
ClientTimeout = Annotated[
    str,
    typer.Option(help="How long a client may send or take next to nothing during a call."),
]
RankTimeout = Annotated[
    str,
    typer.Option(help="How long a rank may say nothing, though it is asked, while it is leased."),
]
LEAST_S = 0.1  # Of limits of time: the ranks tell every 100 ms how far calls are.
Listen = Annotated[
    str,
    typer.Option(help="Address at which clients are awaited; other machines need TLS and tokens."),
]
TlsCertificate = Annotated[
    Path | None, typer.Option(help="PEM file with the server's certificate: all is encrypted.")
]
TlsKey = Annotated[Path | None, typer.Option(help="PEM file with its key.")]
UsersFile = Annotated[
    Path | None,
    typer.Option("--users", help="Serve only the users in this file, to which tasuki token adds."),
]
LogFile = Annotated[
    Path | None,
    typer.Option(
        "--log", help="A file that tells who has called what from where, and how it ended."
    ),
]


def _duration(text: str) -> float | None:
    return duration_from(LEAST_S)(text) if text else None


def _size(text: str, option: str) -> int | None:
    return parse_bytes(text, "serve", option) if text else None


def serve(
    paths: Annotated[
        list[Path] | None,
        typer.Argument(help="Interface files, built if need be, or folders with some."),
    ] = None,
    demo: Annotated[bool, typer.Option("--demo", help="Serve the routines of the demo.")] = False,
    ranks: Ranks = 2,
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="Where clients connect; 0 takes any free port.")
    ] = DEFAULT_PORT,
    transport: RuntimeTransport = None,
    launcher: Launcher = "",
    build: BuildOptions = BuildOptions(),
    keep_limit: KeepLimit = "4G",
    log: LogFile = None,
    users: UsersFile = None,
    token_file: TokenFile = None,
    queue_limit: QueueLimit = 1000,
    connection_limit: ConnectionLimit = None,
    browser_limit: BrowserLimit = 64,
    time_limit: TimeLimit = "",
    client_timeout: ClientTimeout = "60s",
    rank_timeout: RankTimeout = "30s",
    memory_limit: MemoryLimit = "",
    staging_limit: StagingLimit = "",
    idle_limit: IdleLimit = "",
    keep_time: KeepTime = "",
    warm: Warm = True,
    pools: Pools = 1,
    drain_limit: DrainLimit = "",
    listen: Listen = "127.0.0.1",
    tls_certificate: TlsCertificate = None,
    tls_key: TlsKey = None,
) -> None:
    """Serve numerical routines to clients until Ctrl-C.

    With --users, --token-file or TASUKI_TOKEN, only to those who have a token.
    """
    from tasuki.rpc.building import Building
    from tasuki.rpc.programs import Launch
    from tasuki.rpc.server_options import ServerOptions
    from tasuki.rpc.serving import serve as work
    from tasuki.rpc.users import served_users

    options = ServerOptions(
        log=log,
        queue_most=queue_limit,
        connections_most=connection_limit,
        browsers_most=browser_limit,
        call_most_s=_duration(time_limit),
        client_most_s=duration_from(1)(client_timeout),
        rank_most_s=duration_from(1)(rank_timeout),
        call_most_bytes=_size(memory_limit, "--memory-limit"),
        staged_most_bytes=_size(staging_limit, "--staging-limit"),
        idle_most_s=_duration(idle_limit),
        keep_most_s=_duration(keep_time),
        drain_most_s=_duration(drain_limit),
        pools_count=pools,
        tls_certificate=tls_certificate,
        tls_key=tls_key,
        listen=listen,
    )
    kept_bytes = parse_bytes(keep_limit, "serve", "--keep-limit")
    launch = Launch(ranks, launcher, kept_bytes, warm, transport)
    known_users = functools.partial(served_users, users, token_file)
    building = Building(int(build.long_bits) if build.long_bits else None, build.build_folder)
    work(list(paths or []), building, demo, launch, port, options, known_users)
