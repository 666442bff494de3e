"""A server that tests kill, drain and start anew, and whose calls wait for a gate."""

import json
import signal
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import tasuki
from conftest import wait_for
from serving import ServeCommand
from tasuki.rpc.client import Server

INTERFACE = """
Module first;
Define scaled(IN int64_t n, IN double x[n], OUT double y[n])
"y = factor x, once the gate is open" Calls "python" "first:scaled"(x, y);
DefClass Counter "counts"
{
    DefMethod next(OUT int *number) Calls "python" "first:Counter.next"(number);
}
"""
CODE = """
import os, pathlib, time
FOLDER = pathlib.Path({folder!r})

def scaled(x, y):
    with (FOLDER / "runs").open("a") as runs:
        runs.write("x")
    while (FOLDER / "closed").exists() and FOLDER.exists():
        time.sleep(0.01)
    if len(x) == 0:
        raise ValueError("nothing to scale")
    y[:] = {factor} * x

class Counter:
    count = 0

    def next(self, number):
        self.count += 1
        number[0] = self.count
"""


class ReplaceableServer:
    """Serves `first.scaled`, which multiplies by `factor`, on one rank."""

    def __init__(self, folder: Path, factor: int, interface: str = INTERFACE) -> None:
        folder.mkdir()
        self.folder = folder
        (folder / "first.idl").write_text(interface)
        (folder / "first.py").write_text(CODE.format(folder=str(folder), factor=factor))
        self.start()

    def start(self, port: int = 0) -> None:
        self.serving = ServeCommand(self.folder, port=port)
        self.url = self.serving.url

    def __enter__(self) -> "ReplaceableServer":
        return self

    def __exit__(self, *_: object) -> None:
        self.open()
        self.serving.__exit__()

    def connect(self, *others: str) -> Server:
        return tasuki.connect([self.url, *others])

    def close(self) -> None:
        """Calls that begin do not end until `open`."""
        (self.folder / "closed").touch()

    def open(self) -> None:
        (self.folder / "closed").unlink(missing_ok=True)

    def runs_count(self) -> int:
        """How often the routine has begun."""
        runs = self.folder / "runs"
        return len(runs.read_text()) if runs.exists() else 0

    def queued_count(self) -> int:
        """Of calls that wait for the rank."""
        status = self.url.replace("tasuki", "http", 1) + "/api/status"
        with urlopen(status, timeout=60) as answer:
            return json.load(answer)["calls"]["queued"]

    def begin(self, client: Any) -> Any:
        """A call that computes until `open`."""
        self.close()
        count = self.runs_count()
        job = client.first.scaled.submit([1.0])
        wait_for(lambda: self.runs_count() > count, 60)
        return job

    def kill_front_end(self) -> None:
        self.serving.kill_front_end()

    def kill(self) -> None:
        self.serving.kill()

    def restart(self) -> None:
        """At the port that it has had."""
        self.start(self.serving.port)

    def drain(self) -> None:
        """Returns when it takes no more calls; one must be under way."""
        client = tasuki.connect(self.url)
        self.serving.process.send_signal(signal.SIGTERM)
        wait_for(lambda: _refuses(client), 60)


def _refuses(client: Any) -> bool:
    job = client.first.scaled.submit([1.0])
    wait_for(lambda: job.done(), 60)
    return "the server is ending" in str(job.exception())
