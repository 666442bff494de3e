"""What a server allows its clients, and what it writes down."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class ServerOptions:
    """`log` is a file that gets a line for each call: docs/formats/call-report.md."""

    log: Path | None = None

    def to_json(self) -> dict[str, Any]:
        """What the front end is told."""
        return {"log_file": "" if self.log is None else str(self.log.absolute())}
