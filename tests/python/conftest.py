"""What the tests of the command share: running it, and seeing that nothing of it is left."""

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]
PROGRAMS = Path(__file__).parent / "programs"
# They make Typer colour and wrap what it says.
TERMINAL_SETTINGS = ("COLUMNS", "FORCE_COLOR", "GITHUB_ACTIONS", "PY_COLORS", "TERMINAL_WIDTH")

# A shell that starts the tests in the background lets them and their children ignore Ctrl-C, and
# nohup lets them ignore the end of the terminal.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)


# What a test may take that not everybody has, whatever is installed. Where it is, the test runs.
HAVE = {
    "takes_open_mpi_4": Path("/usr/lib/x86_64-linux-gnu/openmpi/lib/libopen-rte.so").exists(),
    "takes_root": os.geteuid() == 0,
    "takes_systemd": Path("/run/systemd/system").exists(),
}


def pytest_configure(config: pytest.Config) -> None:
    for marker in HAVE:
        config.addinivalue_line("markers", f"{marker}: it is no test elsewhere")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leaves out tests that take what is not here."""
    missing = [marker for marker, is_here in HAVE.items() if not is_here]
    out = [one for one in items if any(one.get_closest_marker(name) for name in missing)]
    items[:] = [one for one in items if one not in out]
    config.hook.pytest_deselected(items=out)


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    """Where NO_SKIPS is set, as on machines that are to have everything, what is not here fails."""
    outcome = yield
    report = outcome.get_result()
    is_left_out = report.skipped and not hasattr(report, "wasxfail")
    if os.environ.get("NO_SKIPS") and is_left_out:
        _, _, why = report.longrepr
        report.outcome = "failed"
        report.longrepr = f"{item.nodeid}: {why}, and NO_SKIPS is set. Install what it takes."


class Command:
    """Runs `tasuki` with a mark in its environment by which all it starts can be found."""

    def __init__(self) -> None:
        self.mark = f"JOB_MARK={uuid.uuid4().hex}"
        self.environment = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith("TASUKI_") and name not in TERMINAL_SETTINGS
        }
        self.environment["PYTHONPATH"] = str(REPOSITORY / "python")
        name, _, value = self.mark.partition("=")
        self.environment[name] = value

    def start(self, *arguments: str, **options) -> subprocess.Popen:
        return subprocess.Popen(
            [sys.executable, "-m", "tasuki", *map(str, arguments)],
            env=self.environment,
            text=True,
            stdin=options.pop("stdin", subprocess.DEVNULL),
            stdout=options.pop("stdout", subprocess.PIPE),
            stderr=options.pop("stderr", subprocess.PIPE),
            **options,
        )

    def __call__(self, *arguments: str, input: str = "", timeout_s: float = 300):
        """Runs to the end; the result has returncode, stdout, stderr and seconds.

        The limit is for hangs: a busy machine takes ten times as long as an idle one.
        """
        start = time.monotonic()
        process = self.start(*arguments, stdin=subprocess.PIPE)
        stdout, stderr = process.communicate(input, timeout=timeout_s)
        result = subprocess.CompletedProcess(process.args, process.returncode, stdout, stderr)
        result.seconds = time.monotonic() - start
        return result

    def processes(self) -> list[int]:
        """Every live process that this command or its ranks started."""
        found = []
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                if self.mark.encode() in (folder / "environ").read_bytes().split(b"\0"):
                    found.append(int(folder.name))
            except OSError:
                continue  # It has ended, or is somebody else's.
        return found


class InstalledCommand(Command):
    """The command of a copy of the package whose compiled programs the test makes up."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self.package = folder / "tasuki"
        shutil.copytree(REPOSITORY / "python" / "tasuki", self.package)
        self.environment["PYTHONPATH"] = str(folder)
        # An editable installation would have its say before PYTHONPATH.
        (folder / "sitecustomize.py").write_text(
            "import sys\n"
            "sys.meta_path[:] = [finder for finder in sys.meta_path\n"
            "                    if not type(finder).__name__.startswith('ScikitBuild')]\n"
        )

    def add_program(self, name: str, script: str) -> None:
        """A compiled program that is the shell script `script`."""
        program = self.package / "bin" / name
        program.parent.mkdir(exist_ok=True)
        program.write_text(f"#!/bin/sh\n{script}\n")
        program.chmod(0o755)


@pytest.fixture
def tasuki() -> Iterator[Command]:
    """The command; fails the test if it left a process or anything in /dev/shm."""
    before = set(os.listdir("/dev/shm"))
    command = Command()
    yield command
    left = command.processes()
    for pid in left:
        with contextlib.suppress(ProcessLookupError):  # It may end by itself meanwhile.
            os.kill(pid, signal.SIGKILL)
    assert not left, "processes were left over"
    assert not [name for name in os.listdir("/dev/shm") if name not in before and "tasuki" in name]


@pytest.fixture
def installed(tmp_path) -> InstalledCommand:
    return InstalledCommand(tmp_path / "site")


ENVELOPE_TYPES = {
    "schema": int,
    "command": str,
    "version": str,
    "machine": dict,
    "ranks": int | None,
    "transport": str | None,
    "results": list,
}
ROW_TYPES = {
    "name": str,
    "value": float | int | str | None,
    "unit": str,
    "spread": float | int | None,
    "repetitions": int,
    "baseline": str | None,
    "baseline_value": float | int | None,
    "ratio": float | int | None,
}


def parse_envelope(stdout: str) -> dict:
    """The JSON object, checked against docs/formats/bench.md."""
    found = json.loads(stdout)
    assert found.get("incomplete", True) is True
    assert set(found) - {"incomplete"} == set(ENVELOPE_TYPES)
    assert found["schema"] == 1
    assert set(found["machine"]) == {"cores", "cpu", "kernel", "mpi"}
    for field, kind in ENVELOPE_TYPES.items():
        assert isinstance(found[field], kind), field
    for row in found["results"]:
        for field, kind in ROW_TYPES.items():
            assert isinstance(row[field], kind), (field, row)
    return found


def name_of(pid: int) -> str:
    """What the process runs, or "" if it has ended."""
    try:
        return Path(f"/proc/{pid}/comm").read_text().strip()
    except OSError:
        return ""


def wait_for(condition, timeout_s: float = 60):
    """The first true value of condition(); fails the test if there is none in time."""
    give_up_time = time.monotonic() + timeout_s
    while time.monotonic() < give_up_time:
        value = condition()
        if value:
            return value
        time.sleep(0.01)
    raise AssertionError("the condition did not come true in time")
