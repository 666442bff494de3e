"""`tasuki serve`: starts the front end with the modules that it serves."""

import contextlib
import json
import os
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tasuki.base.errors import CommandError
from tasuki.base.programs import DATA, require_program
from tasuki.idl.interface import module_to_json
from tasuki.idl.parser import parse_file

# Program of the demonstration -> its interface.
DEMO = {"demo_linpack": DATA / "demo" / "linpack.idl"}
HOST = "127.0.0.1"


@dataclass(frozen=True)
class ServedProgram:
    """A program, and the interface file of its routines."""

    program: Path
    interface: Path

    def to_json(self, ranks: int) -> dict[str, Any]:
        command = [sys.executable, "-m", "tasuki", "run", "-n", str(ranks), str(self.program)]
        interface = module_to_json(parse_file(self.interface))
        return {"interface": interface, "command": command, "ranks": ranks}


def demo_programs() -> list[ServedProgram]:
    """Those of this installation."""
    return [ServedProgram(require_program("serve", name), file) for name, file in DEMO.items()]


class FrontEnd:
    """The front end's process; `port` is where clients connect. Ends it on leaving."""

    def __init__(self, programs: list[ServedProgram], ranks: int, port: int) -> None:
        self._process = subprocess.Popen(
            [require_program("serve", "tasuki_server")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        question = {
            "host": HOST,
            "port": port,
            "modules": [one.to_json(ranks) for one in programs],
        }
        assert self._process.stdin is not None and self._process.stdout is not None
        print(json.dumps(question), file=self._process.stdin, flush=True)
        answer = self._process.stdout.readline()
        if not answer:
            self._process.wait()
            raise CommandError("serve", "the server did not start", "see its message above")
        self.port: int = json.loads(answer)["port"]

    def __enter__(self) -> "FrontEnd":
        return self

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        self._process.wait()

    def wait(self) -> int:
        """Returns the front end's exit code once it ends."""
        return self._process.wait()


def serve(is_demo: bool, ranks: int, port: int) -> None:
    """Serves until it is interrupted."""
    if not is_demo:
        raise CommandError("serve", "nothing to serve", "tasuki serve --demo")
    signal.signal(signal.SIGINT, signal.default_int_handler)
    with FrontEnd(demo_programs(), ranks, port) as front_end:
        print(
            f"serving on tasuki://localhost:{front_end.port} (process {os.getpid()}; Ctrl-C ends)"
        )
        sys.stdout.flush()
        with contextlib.suppress(KeyboardInterrupt):
            front_end.wait()
