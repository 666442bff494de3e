"""What a server allows its clients, and what it writes down."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tasuki.rpc.users import User


@dataclass(frozen=True)
class ServerOptions:
    """`log` is a file that gets a line for each call: docs/formats/call-report.md.

    If there are `users`, only they may call.
    """

    log: Path | None = None
    users: tuple[User, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """What the front end is told."""
        return {
            "log_file": "" if self.log is None else str(self.log.absolute()),
            "users": [one.to_json() for one in self.users],
        }
