"""Other systems that move arrays to processes: which there are, and processes of them that wait.

`./dev peers` installs them into a Python of their own, whose programs are in `rpc_peers`.
"""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from tasuki.bench.peers import PEERS_FOLDER
from tasuki.launcher.tied_command import tied

NAMES = ("flight", "dask", "ray")
PYTHON = PEERS_FOLDER / "python" / "bin" / "python"
PROGRAMS = Path(__file__).with_name("rpc_peers")


class RpcPeer:
    """A system with its processes. A context manager.

    Raises OSError on entering if it does not start.
    """

    def __init__(
        self,
        name: str,
        array_bytes: int,
        processes: int,
        python: Path = PYTHON,
        programs: Path = PROGRAMS,
    ) -> None:
        self._command = tied([str(python), str(programs / f"{name}_peer.py")])
        self._question = {"array_bytes": array_bytes, "processes": processes}
        self.name = name

    def __enter__(self) -> "RpcPeer":
        self._process = subprocess.Popen(
            self._command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        try:
            self.setting = str(self._ask(self._question))  #: In which it is fastest here.
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()

    def send_s(self) -> float:
        """Seconds until each process has its part of an array."""
        return float(self._ask("send"))

    def call_s(self) -> float:
        """Seconds of a call that returns at once."""
        return float(self._ask("call"))

    def _ask(self, question: Any) -> Any:
        assert self._process.stdin is not None and self._process.stdout is not None
        print(json.dumps(question), file=self._process.stdin, flush=True)
        line = self._process.stdout.readline()
        if not line:
            raise OSError(f"{self.name} has ended with code {self._process.wait()}")
        return json.loads(line)


@contextmanager
def peers_here(array_bytes: int, processes: int) -> Iterator[list[RpcPeer]]:
    """Those that can be started; says of the others why they are left out."""
    with ExitStack() as stack:
        started = []
        for name in NAMES if PYTHON.exists() else ():
            try:
                started.append(stack.enter_context(RpcPeer(name, array_bytes, processes)))
            except OSError as fault:
                print(f"tasuki: bench rpc: {name} is left out: {fault}", file=sys.stderr)
        if not PYTHON.exists():
            print("tasuki: bench rpc: no peers are here; ./dev peers has some", file=sys.stderr)
        yield started
