"""What a reproduction has measured, in a file: so that one that was stopped can be resumed.

Lines of JSON: the conditions of all that follows, then a line for each run. A line is written when
its run has ended, so that whatever ends the command leaves what was measured until then.
"""

import fcntl
import hashlib
import json
import os
import threading
from pathlib import Path
from typing import Any

import tasuki
from tasuki.base.errors import CommandError
from tasuki.base.programs import find_program
from tasuki.output.machine import describe_machine

# Changes when the lines have another meaning.
FORMAT = 1


class Notebook:
    """The runs in the file at `path`, which is made if it is not there.

    `conditions` are what must not have changed, beside the machine and Tasuki itself. Raises
    CommandError if something has, or if the file is something else.
    """

    def __init__(self, path: Path, conditions: dict[str, Any]) -> None:
        self.path = path
        # As they are when they have been written and read.
        self._conditions = {**_surroundings(), **json.loads(json.dumps(conditions))}
        first_line = json.dumps(self._conditions) + "\n"
        self._lock = threading.Lock()  # Simulations run several at a time.
        try:
            if path.exists() and not path.is_file():
                raise self._error("it is no regular file")
            self._file = path.open("a+b")
            self._take()
            self._file.seek(0)
            lines = self._file.read().decode().splitlines(keepends=True)
            # What ended the command may have cut the last line short.
            whole = [line for line in lines if line.endswith("\n")]
            if not whole and not first_line.startswith("".join(lines)):
                raise self._error("it holds no measurements of a reproduction")
            self._runs = self._parse(whole) if whole else {}
            self._file.truncate(len("".join(whole).encode()))
            if not whole:
                self._write(self._conditions)
        except OSError as failure:
            raise self._error(failure.strerror or str(failure)) from failure
        except UnicodeDecodeError as failure:
            raise self._error("it is no text") from failure

    def _take(self) -> None:
        """Keeps other commands from the file for as long as it is open here."""
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise CommandError(
                "reproduce",
                f"{self.path}: another command is measuring into this file",
                "wait until it has ended, or name another file",
            ) from None

    def find(self, name: str) -> Any:
        """What was kept under the name, or None."""
        return self._runs.get(name)

    def keep(self, name: str, value: Any) -> None:
        """Writes a value, of what JSON has, into the file."""
        with self._lock:
            self._runs[name] = value
            self._write([name, value])

    def damaged(self, name: str) -> CommandError:
        """What to raise if the value under the name is not of its form."""
        return self._error(f"what it holds of {name} is damaged")

    def _parse(self, lines: list[str]) -> dict[str, Any]:
        try:
            conditions, *runs = map(json.loads, lines)
            found = dict(runs)
            changed = [
                f"{key} was {conditions.get(key)!r} and is {value!r}"
                for key, value in self._conditions.items()
                if conditions.get(key) != value
            ]
        except (ValueError, TypeError, AttributeError) as failure:
            raise self._error("it holds no measurements of a reproduction") from failure
        if changed:
            raise self._error(f"what is in it was measured otherwise: {'; '.join(changed)}")
        return found

    def _write(self, value: Any) -> None:
        self._file.write((json.dumps(value) + "\n").encode())
        self._file.flush()

    def _error(self, happened: str) -> CommandError:
        return CommandError(
            "reproduce", f"{self.path}: {happened}", "name another file, or remove this one"
        )


def build_of(program_name: str) -> str:
    """Tells one build of a program from another; "" if it is not built."""
    program = find_program(program_name)
    return "" if program is None else hashlib.sha256(program.read_bytes()).hexdigest()[:16]


def _surroundings() -> dict[str, Any]:
    settings = {
        name: value
        for name, value in sorted(os.environ.items())
        if name.startswith(("TASUKI_", "OMPI_MCA_", "MPIR_CVAR_"))
    }
    return {
        "format": FORMAT,
        "tasuki": tasuki.__version__,
        "build": build_of("tasuki_measure"),
        "settings": settings,
        **describe_machine(),
    }
