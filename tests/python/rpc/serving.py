"""A `tasuki serve` of interface files for tests."""

import re
import signal

import tasuki
from conftest import Command, wait_for
from tasuki.rpc.client import Server


class ServeCommand:
    """The command, all processes of which `command` finds; leaving the context ends it."""

    def __init__(self, *arguments: object, **settings: str) -> None:
        self.command = Command()
        self.command.environment.update(settings)
        self.process = self.command.start("serve", *arguments, "--port", 0)
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


class Serving(ServeCommand):
    """`tasuki serve` with arguments of a test's, in whose context there is a client."""

    def __enter__(self) -> Server:
        return tasuki.connect(self.url)
