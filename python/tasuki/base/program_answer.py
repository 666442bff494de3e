"""The answer of a compiled program that is asked in JSON, on its standard input, and answers so."""

import json
import subprocess
from collections.abc import Mapping
from typing import Any

from tasuki.base.errors import ProgramError
from tasuki.base.programs import require_program


def answer_of(
    operation: str, program: str, request: Mapping[str, object] | None = None
) -> dict[str, Any]:
    """`request` is None for a program that is asked nothing.

    Raises ProgramError with the program's own words, CommandError if this build does not have it.
    """
    ended = subprocess.run(
        [require_program(operation, program)],
        input=None if request is None else json.dumps(request),
        capture_output=True,
        text=True,
    )
    if ended.returncode != 0:
        raise ProgramError(ended.stderr, ended.returncode)
    return json.loads(ended.stdout)
