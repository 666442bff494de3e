"""`tasuki serve`: starts the front end with the modules that it serves."""

import contextlib
import json
import os
import queue
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import tasuki
from tasuki.base.errors import CommandError
from tasuki.base.programs import DATA, require_program
from tasuki.idl.errors import IdlError
from tasuki.launcher.mpiexec import allow_root
from tasuki.rpc.address import url_of
from tasuki.rpc.building import Building
from tasuki.rpc.demo import demo_programs
from tasuki.rpc.programs import Launch, ServedProgram, programs_of
from tasuki.rpc.server_options import ServerOptions, is_loopback
from tasuki.rpc.users import User

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
        allow_root(environment)
        self._launch = launch
        self._ordering = threading.Lock()
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
        self._order({"do": "drain"})

    def reload(
        self, programs: list[ServedProgram], users: Sequence[User], happened: Sequence[str]
    ) -> None:
        """Lets it serve other programs to other users once the calls under way have ended.

        It goes on in a new file if the log has been renamed; `happened` is written there.
        Raises CommandError if there is no mpiexec for a program.
        """
        self._order(
            {
                "do": "reload",
                "modules": [one.to_json(self._launch) for one in programs],
                "users": [one.to_json() for one in users],
                "happened": list(happened),
            }
        )

    def _order(self, order: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        with self._ordering, contextlib.suppress(BrokenPipeError):  # It has ended.
            print(json.dumps(order), file=self._process.stdin, flush=True)

    def wait(self) -> int:
        """Returns the front end's exit code once it ends."""
        return self._process.wait()


def serve(
    paths: list[Path],
    building: Building,
    is_demo: bool,
    launch: Launch,
    port: int,
    options: ServerOptions,
    known_users: Callable[[], Sequence[User]],
) -> None:
    """Serves the routines of files and folders, and those of the demo, until it is interrupted.

    `known_users` reads who they are, at the start and whenever the server reloads.
    """
    signal.signal(signal.SIGINT, signal.default_int_handler)
    options = replace(options, users=tuple(known_users()))
    options.check()
    with tempfile.TemporaryDirectory(prefix="tasuki-") as folder:
        own = programs_of(paths, building)
        demo = demo_programs(Path(folder), launch) if is_demo else []
        _require_other_names(own, demo)
        if not own and not demo:
            raise CommandError("serve", "nothing to serve", "tasuki serve --demo, or FILE.idl")
        with FrontEnd([*own, *demo], launch, port, options.listen, options=options) as front_end:
            host = "localhost" if is_loopback(options.listen) else options.listen
            url = url_of(host, front_end.port, options.tls_certificate is not None)
            reloading = Reloading(front_end, paths, building, own, demo, options.users, known_users)
            _obey_signals(front_end, reloading)
            print(f"serving on {url} (process {os.getpid()}; Ctrl-C ends)")
            sys.stdout.flush()
            with contextlib.suppress(KeyboardInterrupt):
                front_end.wait()


def _require_other_names(own: Sequence[ServedProgram], demo: Sequence[ServedProgram]) -> None:
    """Raises CommandError if a module of the user's has the name of one of the demo."""
    names = {one.name for one in demo}
    for one in own:
        if one.name in names:
            raise CommandError(
                "serve", f"{one.file} is module {one.name}, and so is one of --demo",
                "give it another name by a Module statement, or leave out --demo",
            )  # fmt: skip


class Reloading:
    """Reads again what a server serves and to whom, on a thread of its own.

    What cannot be read or built stays what it was, and standard error says why.
    """

    def __init__(
        self,
        front_end: FrontEnd,
        paths: list[Path],
        building: Building,
        own: list[ServedProgram],
        demo: list[ServedProgram],
        users: Sequence[User],
        known_users: Callable[[], Sequence[User]],
    ) -> None:
        self._front_end = front_end
        self._paths = paths
        self._building = building
        self._own = own
        self._demo = demo
        self._users = users
        self._known_users = known_users
        self._happened: list[str] = []
        self._wishes: queue.SimpleQueue[None] = queue.SimpleQueue()
        threading.Thread(target=self._run, daemon=True).start()

    def wish(self) -> None:
        """Lets it read all once more; for handlers of signals."""
        self._wishes.put(None)

    def _run(self) -> None:
        while True:
            self._wishes.get()
            while not self._wishes.empty():
                self._wishes.get()
            self._reload()

    def _reload(self) -> None:
        self._happened = []
        try:
            self._users = self._known_users()
        except (CommandError, OSError) as fault:
            self._report(fault)
        try:
            own = programs_of(self._paths, self._building, self._as_before)
            _require_other_names(own, self._demo)
            self._own = own
        except (CommandError, IdlError, OSError) as fault:
            self._report(fault)
        try:
            self._front_end.reload([*self._own, *self._demo], self._users, self._happened)
        except CommandError as fault:
            self._report(fault)

    def _as_before(self, path: Path, fault: CommandError | IdlError) -> list[ServedProgram]:
        self._report(fault)
        of_path = {path, self._building.registration_of(path)}
        folders = {path, self._building.folder_of(path)}
        return [one for one in self._own if one.file in of_path or one.file.parent in folders]

    def _report(self, fault: Exception) -> None:
        self._happened.append(str(fault))
        print(str(fault), file=sys.stderr, flush=True)


_DRAINING = "ending after the calls under way; a second SIGTERM, or Ctrl-C, ends at once"


def _obey_signals(front_end: FrontEnd, reloading: Reloading) -> None:
    """SIGTERM drains, a second one ends at once; SIGHUP reloads and opens the log again."""
    is_draining = False

    def end(*_: object) -> None:
        nonlocal is_draining
        if is_draining:
            raise KeyboardInterrupt
        is_draining = True
        print(_DRAINING, file=sys.stderr, flush=True)
        front_end.drain()

    signal.signal(signal.SIGTERM, end)
    signal.signal(signal.SIGHUP, lambda *_: reloading.wish())
