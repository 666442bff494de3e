"""The file of `tasuki serve --log`, read while the server writes it."""

import json
from pathlib import Path
from typing import Any


def events_in(log: Path, name: str) -> list[dict[str, Any]]:
    """The events of this name whose lines are complete: the end of the last one may be to come."""
    lines, _, _ = log.read_text().rpartition("\n")
    return [one for one in map(json.loads, lines.splitlines()) if one["event"] == name]
