"""`tasuki serve`: starts the front end with the modules that it serves."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import tasuki
from tasuki.base.errors import CommandError
from tasuki.base.programs import DATA, require_program
from tasuki.launcher.mpiexec import allow_root
from tasuki.rpc.address import url_of
from tasuki.rpc.demo import demo_programs
from tasuki.rpc.programs import Launch, ServedProgram, programs_of
from tasuki.rpc.server_options import ServerOptions

HOST = "127.0.0.1"


class FrontEnd:
    """The front end's process; `port` is where clients connect. Ends it on leaving.

    It listens at the address `host`; the command `before` starts it.
    """

    def __init__(
        self,
        programs: list[ServedProgram],
        launch: Launch,
        port: int,
        host: str = HOST,
        before: Sequence[str] = (),
        options: ServerOptions | None = None,
    ) -> None:
        environment = dict(os.environ)
        environment.pop("TASUKI_TOKEN", None)  # No routine needs it.
        if any(one.needs_mpi for one in programs):
            allow_root(environment)
        self._process = subprocess.Popen(
            [*before, require_program("serve", "tasuki_server")],
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        question = {
            "host": host,
            "port": port,
            "page": {"folder": str(DATA / "page"), "version": tasuki.__version__},
            "modules": [one.to_json(launch) for one in programs],
            "options": (options or ServerOptions()).to_json(),
        }
        assert self._process.stdin is not None and self._process.stdout is not None
        print(json.dumps(question), file=self._process.stdin, flush=True)
        answer = self._process.stdout.readline()
        if not answer:
            self._process.wait()
            raise CommandError("serve", "the server did not start", "see its message above")
        self.port: int = json.loads(answer)["port"]

    @property
    def pid(self) -> int:
        return self._process.pid

    def __enter__(self) -> "FrontEnd":
        return self

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        self._process.wait()

    def drain(self) -> None:
        """Lets it end once the calls under way have ended; it begins no others."""
        self._order("drain")

    def reopen_log(self) -> None:
        """Lets it go on in a new file if the log has been renamed."""
        self._order("reopen")

    def _order(self, what: str) -> None:
        assert self._process.stdin is not None
        with contextlib.suppress(BrokenPipeError):  # It has ended.
            print(json.dumps({"do": what}), file=self._process.stdin, flush=True)

    def wait(self) -> int:
        """Returns the front end's exit code once it ends."""
        return self._process.wait()


def serve(
    paths: list[Path], is_demo: bool, launch: Launch, port: int, options: ServerOptions
) -> None:
    """Serves the routines of files and folders, and those of the demo, until it is interrupted."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    with tempfile.TemporaryDirectory(prefix="tasuki-") as folder:
        programs = [*programs_of(paths), *(demo_programs(Path(folder), launch) if is_demo else [])]
        if not programs:
            raise CommandError("serve", "nothing to serve", "tasuki serve --demo, or FILE.idl")
        _serve(programs, launch, port, options)


def _serve(
    programs: list[ServedProgram], launch: Launch, port: int, options: ServerOptions
) -> None:
    with FrontEnd(programs, launch, port, options=options) as front_end:
        url = url_of("localhost", front_end.port)
        print(f"serving on {url} (process {os.getpid()}; Ctrl-C ends)")
        sys.stdout.flush()
        _obey_signals(front_end)
        with contextlib.suppress(KeyboardInterrupt):
            front_end.wait()


def _obey_signals(front_end: FrontEnd) -> None:
    """SIGTERM drains, a second one ends at once; SIGHUP opens the log again."""
    is_draining = False

    def end(*_: object) -> None:
        nonlocal is_draining
        if is_draining:
            raise KeyboardInterrupt
        is_draining = True
        front_end.drain()

    signal.signal(signal.SIGTERM, end)
    signal.signal(signal.SIGHUP, lambda *_: front_end.reopen_log())
