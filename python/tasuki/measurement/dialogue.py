"""A program that answers each line of JSON with one (apps/measure, apps/explain/simulate.cpp)."""

import json
import subprocess
from typing import Any

from tasuki.base.errors import ProgramError


def ask(process: subprocess.Popen[str], operation: str, **fields: Any) -> dict[str, Any]:
    """The answer to the fields. Raises ProgramError with the exit code of a program that has ended
    instead; it has said why on standard error."""
    line = json.dumps(fields)
    assert process.stdin is not None and process.stdout is not None
    try:
        process.stdin.write(line + "\n")
        process.stdin.flush()
    except BrokenPipeError:
        pass  # What it printed says why.
    answer = process.stdout.readline()
    if not answer.startswith("{"):
        raise ProgramError(
            f"tasuki: {operation}: the measuring job ended at '{line}'", process.wait() or 1
        )
    found: dict[str, Any] = json.loads(answer)
    return found
