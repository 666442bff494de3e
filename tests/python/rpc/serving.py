"""A `tasuki serve` of interface files for tests."""

import contextlib
import os
import re
import signal
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import tasuki
from certificates import Certificate, make_authority, make_certificate
from conftest import Command, name_of, wait_for
from tasuki.rpc.client import Server


def build_interfaces(folder: Path, **texts: str) -> None:
    """Writes the interface file NAME.idl for each text into the folder, and builds it."""
    for name, text in texts.items():
        (folder / f"{name}.idl").write_text(text)
        result = Command()("idl", "build", folder / f"{name}.idl")
        assert result.returncode == 0, result.stderr


class ServeCommand:
    """The command, all processes of which `command` finds; leaving the context ends it."""

    def __init__(
        self, *arguments: object, port: int = 0, stderr: Any = subprocess.PIPE, **settings: str
    ) -> None:
        self.command = Command()
        self.command.environment.update(settings)
        self.process = self.command.start("serve", *arguments, "--port", port, stderr=stderr)
        found = re.search(r"tasukis?://\S+", self.process.stdout.readline())
        assert found, self.process.stderr.read()
        self.url = found[0]
        self.port = int(self.url.rpartition(":")[2])

    def __exit__(self, *_: object) -> None:
        # Not SIGTERM, after which the calls under way go on to their ends.
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        self.process.communicate(timeout=60)
        wait_for(lambda: not self.command.processes())

    def kill_front_end(self) -> None:
        """Returns when it has ended; ranks that compute may go on."""
        [front_end] = self._front_ends()
        os.kill(front_end, signal.SIGKILL)
        wait_for(lambda: not self._front_ends(), 60)

    def kill(self) -> None:
        """Returns when all its processes have ended, the front end first."""
        self.kill_front_end()
        for one in self.command.processes():
            with contextlib.suppress(ProcessLookupError):  # It may end by itself meanwhile.
                os.kill(one, signal.SIGKILL)
        wait_for(lambda: not self.command.processes(), 60)
        self.process.communicate()

    def _front_ends(self) -> list[int]:
        return [one for one in self.command.processes() if name_of(one) == "tasuki_server"]


class Serving(ServeCommand):
    """`tasuki serve` with arguments of a test's, in whose context there is a client."""

    def __enter__(self) -> Server:
        return tasuki.connect(self.url)


@dataclass(frozen=True)
class Served:
    """A server of interfaces on two ranks; by TLS, its certificate and who has signed that."""

    serving: ServeCommand
    tls: tuple[Certificate, Certificate] | None = None

    def connect(self, url: str = "", **options: str) -> Any:
        ca_file = self.tls[1].file if self.tls else None
        return tasuki.connect(url or self.serving.url, ca_file=ca_file, **options)


@contextlib.contextmanager
def plain_server(folder: Path) -> Iterator[Served]:
    serving = ServeCommand(folder, "-n", 2)
    try:
        yield Served(serving)
    finally:
        serving.__exit__()


@contextlib.contextmanager
def encrypted_server(folder: Path) -> Iterator[Served]:
    authority = make_authority(folder, "authority")
    own = make_certificate(folder, authority, "server", "DNS:localhost")
    serving = ServeCommand(folder, "-n", 2, "--tls-certificate", own.file, "--tls-key", own.key)
    try:
        yield Served(serving, (own, authority))
    finally:
        serving.__exit__()
