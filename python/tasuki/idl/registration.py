"""The record beside a program that serves routines: what it offers, and how it is started.

Written by `tasuki idl build`, read by `tasuki serve`; docs/formats/registration.md.
"""

import json
from dataclasses import dataclass
from pathlib import Path

from tasuki.idl.errors import IdlError
from tasuki.idl.interface import module_from_json, module_to_json
from tasuki.idl.launches import LAUNCHES
from tasuki.idl.model import Module

SUFFIX = ".routines.json"
VERSION = 1


@dataclass(frozen=True)
class Registration:
    """A program and its routines; `program` is the interface's folder for functions of Python."""

    module: Module
    program: Path
    launch: str

    def write(self, file: Path) -> None:
        """Replaces the file."""
        record = {
            "registration": VERSION,
            "program": str(self.program.resolve()),
            "launch": self.launch,
            "interface": module_to_json(self.module),
        }
        file.write_text(json.dumps(record, indent=1) + "\n")


def read_registration(file: Path) -> Registration:
    """Raises IdlError if the file is none."""
    try:
        record = json.loads(file.read_text())
        if record["registration"] != VERSION or record["launch"] not in LAUNCHES:
            raise IdlError(f"{file} is of another version of Tasuki: build it again")
        return Registration(
            module_from_json(record["interface"]), Path(record["program"]), record["launch"]
        )
    except (OSError, ValueError, KeyError, TypeError) as fault:
        raise IdlError(f"{file} is no registration of routines: {fault}") from None
