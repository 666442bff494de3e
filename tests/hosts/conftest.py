"""What the tests on several hosts share: a laboratory of hosts, and the command on them."""

import shutil
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from laboratory import HERE, Laboratory, missing_means

REPOSITORY = HERE.parents[1]
AGENT = str(HERE / "agent.py")
WAYS = ("ompi", "mpich", "ucx")  # Between hosts: an MPI, or UCX without any.
WITHIN_S = 300.0
_why_none = missing_means()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Where no hosts can be made there are no tests of them."""
    if _why_none is not None:
        config.hook.pytest_deselected(items=list(items))
        items.clear()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if _why_none is not None:
        terminalreporter.write_line(f"tests/hosts: no hosts here: {_why_none}")


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    if _why_none is not None and exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED:
        session.exitstatus = pytest.ExitCode.OK


@pytest.fixture(scope="module")
def laboratory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Laboratory]:
    """Four hosts, of which nothing runs when the tests of a file have ended."""
    kept = [Path(sys.prefix), Path(shutil.__file__).parent, tmp_path_factory.getbasetemp()]
    with Laboratory(4, kept=kept) as laboratory:
        yield laboratory
        left = {name: laboratory.process_count(name) for name in laboratory.names}
        assert not any(left.values()), f"processes were left over: {left}"


class CommandOnHosts:
    """`tasuki` on the first host of a laboratory, with its agent."""

    def __init__(self, laboratory: Laboratory) -> None:
        self._laboratory = laboratory
        self.settings: dict[str, str] = {}

    def command(self, *words: str | Path) -> list[str]:
        return self._laboratory.command("h0", self._words(*words), self._environment())

    def __call__(self, *words: str | Path, input: str = "", within_s: float = WITHIN_S):
        """Runs to the end; the result has returncode, stdout and stderr."""
        return self._laboratory.run(
            "h0",
            self._words(*words),
            environment=self._environment(),
            input=input,
            within_s=within_s,
        )

    def run(self, hosts: str, way: str, *command: str | Path, options: Sequence[str] = ()):
        """`tasuki run` on these hosts in that way."""
        return self(*run_words(hosts, way, *command, options=options))

    def _words(self, *words: str | Path) -> list[str]:
        return [sys.executable, "-m", "tasuki", *map(str, words)]

    def _environment(self) -> dict[str, str]:
        # Root is who makes hosts; what Open MPI says of that is no part of what is tested.
        root = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
        return {"PYTHONPATH": str(REPOSITORY / "python"), **root, **self.settings}


def run_words(hosts: str, way: str, *command: str | Path, options: Sequence[str] = ()) -> list:
    """The arguments of `tasuki run`."""
    by = ["--transport", "ucx"] if way == "ucx" else ["--mpi", way]
    return ["run", "--hosts", hosts, "--rsh", AGENT, *by, *options, "--", *command]


@pytest.fixture
def tasuki(laboratory: Laboratory) -> CommandOnHosts:
    return CommandOnHosts(laboratory)


def wait_until(condition: Callable[[], object], within_s: float = 60.0) -> None:
    """Fails the test if the condition does not come true in time."""
    give_up = time.monotonic() + within_s
    while not condition():
        assert time.monotonic() < give_up, "the condition did not come true in time"
        time.sleep(0.02)
