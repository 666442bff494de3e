"""What a server allows its clients, and what it writes down."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tasuki.rpc.users import User


@dataclass(frozen=True)
class ServerOptions:
    """Seconds and bytes that are None have no limit.

    Each module has `pools_count` groups of ranks, so that as many clients call at once.
    `log` is a file that gets a line for each call: docs/formats/call-report.md.
    If there are `users`, only they may call.
    """

    log: Path | None = None
    users: tuple[User, ...] = ()
    queue_most: int = 1000
    call_most_s: float | None = None
    call_most_bytes: int | None = None
    idle_most_s: float | None = None
    keep_most_s: float | None = None
    drain_most_s: float | None = None
    pools_count: int = 1

    def to_json(self) -> dict[str, Any]:
        """What the front end is told."""
        return {
            "log_file": "" if self.log is None else str(self.log.absolute()),
            "users": [one.to_json() for one in self.users],
            "queue_most": self.queue_most,
            "call_most_s": self.call_most_s,
            "call_most_bytes": self.call_most_bytes,
            "idle_most_s": self.idle_most_s,
            "keep_most_s": self.keep_most_s,
            "drain_most_s": self.drain_most_s,
            "pools_count": self.pools_count,
        }
