"""A `tasuki serve` of interface files for tests."""

import re

import tasuki
from conftest import Command, wait_for
from tasuki.rpc.client import Server


class Serving:
    """`tasuki serve` with arguments of a test's; leaving the context ends it."""

    def __init__(self, *arguments: object) -> None:
        self.command = Command()
        self.process = self.command.start("serve", *arguments, "--port", 0)
        found = re.search(r"tasuki://\S+", self.process.stdout.readline())
        assert found, self.process.stderr.read()
        self.url = found[0]

    def __enter__(self) -> Server:
        return tasuki.connect(self.url)

    def __exit__(self, *_: object) -> None:
        self.process.terminate()
        self.process.communicate(timeout=30)
        wait_for(lambda: not self.command.processes())
