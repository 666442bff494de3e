"""What a server allows its clients, and what it writes down."""

import ipaddress
import socket
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tasuki.base.errors import CommandError
from tasuki.rpc.users import User, check_private

LOOPBACK = "127.0.0.1"


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches the address; raises CommandError if it is none."""
    try:
        found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except OSError as fault:
        raise CommandError("serve", f"{host}: {fault}", "give an address of this machine") from None
    return all(ipaddress.ip_address(one[4][0]).is_loopback for one in found)


def _path(file: Path | None) -> str:
    return "" if file is None else str(file.absolute())


@dataclass(frozen=True)
class ServerOptions:
    """Seconds and bytes that are None have no limit.

    Each module has `pools_count` groups of ranks, so that as many clients call at once.
    `log` is a file that gets a line for each call: docs/formats/call-report.md.
    If there are `users`, only they may call.
    With `tls_certificate` and `tls_key` all is encrypted. `listen` is where clients are awaited.
    """

    log: Path | None = None
    users: tuple[User, ...] = ()
    queue_most: int = 1000
    connections_most: int | None = None  # The front end then asks the system.
    browsers_most: int = 64
    call_most_s: float | None = None
    client_most_s: float = 60
    rank_most_s: float = 30
    call_most_bytes: int | None = None
    staged_most_bytes: int | None = None
    idle_most_s: float | None = None
    keep_most_s: float | None = None
    drain_most_s: float | None = None
    pools_count: int = 1
    tls_certificate: Path | None = None
    tls_key: Path | None = None
    listen: str = LOOPBACK

    def check(self) -> None:
        """Raises CommandError if others could hear what is said, or call without a token."""
        if (self.tls_certificate is None) != (self.tls_key is None):
            raise CommandError(
                "serve", "TLS needs a certificate and its key",
                "give --tls-certificate and --tls-key",
            )  # fmt: skip
        if self.tls_key is not None:
            check_private(self.tls_key)
        if is_loopback(self.listen):
            return
        missing = [
            *(["--tls-certificate and --tls-key"] if self.tls_certificate is None else []),
            *([] if self.users else ["--users or --token-file"]),
        ]
        if missing:
            raise CommandError(
                "serve", f"others could use or overhear a server at {self.listen}",
                f"give {' and '.join(missing)}, or leave out --listen",
            )  # fmt: skip

    def to_json(self) -> dict[str, Any]:
        """What the front end is told."""
        return {
            "log_file": _path(self.log),
            "tls_certificate_file": _path(self.tls_certificate),
            "tls_key_file": _path(self.tls_key),
            "users": [one.to_json() for one in self.users],
            "queue_most": self.queue_most,
            "connections_most": self.connections_most,
            "browsers_most": self.browsers_most,
            "call_most_s": self.call_most_s,
            "client_most_s": self.client_most_s,
            "rank_most_s": self.rank_most_s,
            "call_most_bytes": self.call_most_bytes,
            "staged_most_bytes": self.staged_most_bytes,
            "idle_most_s": self.idle_most_s,
            "keep_most_s": self.keep_most_s,
            "drain_most_s": self.drain_most_s,
            "pools_count": self.pools_count,
        }
