"""Compares mpi4py's own tests with and without libtasuki_mpi.so, test by test, on each MPI.

`./dev test --mpi4py` calls it, after it has installed what is tested into build/peers: mpi4py's
wheel and its tests, Open MPI and MPICH. Any test that ends otherwise under the library is an error.

    python tools/mpi4py_suite.py [--mpi NAME] [--ranks N...] [--only REGEX]
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
PEERS = ROOT / "build" / "peers"
LIBRARY = ROOT / "build" / "release" / "lib" / "tasuki" / "libtasuki_mpi.so"
PYTHON = PEERS / "mpi4py" / "bin" / "python"
# A run takes a minute on an idle machine.
LIMIT_S = 1200
# How often a test that ends otherwise is tried again: several depend on timing by themselves.
RETRIES = 3
OUTCOMES_OF = "MPI4PY_SUITE_OUTCOMES"
# Ranks that wait let others run, as they share cores here.
ENVIRONMENT = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_mpi_yield_when_idle": "1",
    "PRTE_ALLOW_RUN_AS_ROOT": "1",
    "PRTE_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
}


class Mpi(NamedTuple):
    """An MPI: how a job is started, which of the wheel's modules it takes, where its library is."""

    start: list[str]
    abi: str
    library_folder: Path | None


def known_mpis(links: Path) -> dict[str, Mpi]:
    """Debian's MPIs and those of build/peers. `links` is a folder for links to be made in."""
    # The wheel asks for MPICH by the name that its own builds have.
    for found in Path("/usr/lib").glob("*/libmpich.so.12"):
        (links / "libmpi.so.12").symlink_to(found)
    more = ["--oversubscribe"]
    peer = {name: PEERS / name for name in ("openmpi", "mpich")}
    return {
        "openmpi4": Mpi(["mpiexec.openmpi", *more], "openmpi", None),
        "mpich4": Mpi(["mpiexec.mpich"], "mpich", links),
        "openmpi5": Mpi(
            [f"{peer['openmpi']}/bin/mpiexec", *more], "openmpi", peer["openmpi"] / "lib"
        ),
        "mpich5": Mpi([f"{peer['mpich']}/bin/mpiexec"], "mpich", peer["mpich"] / "lib"),
    }


class WrittenResult(unittest.TestResult):
    """Writes how each test ends on this rank, as soon as it does."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._file = path.open("w", buffering=1)

    def _write(self, test: unittest.TestCase, outcome: str) -> None:
        self._file.write(f"{test.id()} {outcome}\n")

    def startTest(self, test):  # noqa: N802
        super().startTest(test)
        self._write(test, "begun")

    def addSuccess(self, test):  # noqa: N802
        self._write(test, "passed")

    def addError(self, test, err):  # noqa: N802
        super().addError(test, err)
        self._write(test, "error")

    def addFailure(self, test, err):  # noqa: N802
        super().addFailure(test, err)
        self._write(test, "failed")

    def addSkip(self, test, reason):  # noqa: N802, ARG002
        self._write(test, "skipped")

    def addSubTest(self, test, subtest, err):  # noqa: N802, ARG002
        if err is not None:
            self._write(subtest, "failed")


class Runner:
    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def run(self, tests: unittest.TestSuite) -> unittest.TestResult:
        from mpi4py import MPI

        result = WrittenResult(self._folder / str(MPI.COMM_WORLD.Get_rank()))
        tests.run(result)
        return result


def run_as_rank(tests: Path, arguments: list[str], folder: Path) -> None:
    sys.dont_write_bytecode = True
    sys.path.insert(0, str(tests))
    sys.argv = [str(tests / "main.py"), *arguments]
    import main

    main.TestProgram(module=None, testRunner=Runner(folder))


def outcomes(mpi: Mpi, ranks: int, only: str, with_library: bool) -> dict[str, str]:
    """How each test ended, by "RANK TEST"; "begun" where the job ended in it."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "events").mkdir()
        environment = {**os.environ, **ENVIRONMENT, "MPI4PY_MPIABI": mpi.abi, OUTCOMES_OF: name}
        if mpi.library_folder is not None:
            environment["LD_LIBRARY_PATH"] = str(mpi.library_folder)
        if with_library:
            environment["LD_PRELOAD"] = str(LIBRARY)
            environment["TASUKI_PROFILE_FOLDER"] = f"{folder}/events"
            environment["TASUKI_PROFILE_EVENTS"] = "64K"
        command = [*mpi.start, "-n", str(ranks), PYTHON, __file__]
        command += ["discover", "-i", only] if only else ["discover"]
        try:
            with (folder / "log").open("w") as log:
                subprocess.run(
                    command, env=environment, stdout=log, stderr=log, timeout=LIMIT_S, cwd=folder
                )
        except subprocess.TimeoutExpired:
            print(f"  the job has not ended in {LIMIT_S} s", flush=True)
        found = {}
        for rank in range(ranks):
            written = folder / str(rank)
            if not written.is_file():
                print((folder / "log").read_text()[-2000:])
                continue
            for line in written.read_text().splitlines():
                test, _, outcome = line.rpartition(" ")
                found[f"{rank} {test}"] = outcome
        if with_library and not list((folder / "events").glob("*.events")):
            raise SystemExit("the library has recorded nothing: its use is not tested")
        return found


def differences(mpi: Mpi, ranks: int, only: str) -> tuple[list[str], int]:
    """Returns the tests that end otherwise under the library, and the number of all."""
    without = outcomes(mpi, ranks, only, with_library=False)
    under = outcomes(mpi, ranks, only, with_library=True)
    names = sorted(without.keys() | under.keys())
    found = [
        f"{name}: {under.get(name, 'not run')}, without the library {without.get(name, 'not run')}"
        for name in names
        if under.get(name) != without.get(name)
    ]
    return found, len(names)


def lasting_differences(mpi: Mpi, ranks: int, only: str) -> tuple[list[str], int]:
    """Those that remain when their modules run again, up to RETRIES times."""
    found, count = differences(mpi, ranks, only)
    for _ in range(RETRIES):
        if not found:
            break
        modules = sorted({re.search(r"\b(test_\w+)", line)[1] for line in found})
        print("  again:", " ".join(modules), flush=True)
        found, _ = differences(mpi, ranks, "|".join(rf"^{module}\.py" for module in modules))
    return found, count


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--mpi", action="append", help="openmpi4, mpich4, openmpi5 or mpich5")
    parser.add_argument("--ranks", type=int, nargs="+", default=[1, 2, 3])
    parser.add_argument("--only", default="", help="modules, as test_request")
    options = parser.parse_args()
    failed = 0
    links = Path(tempfile.mkdtemp())
    try:
        for name, mpi in known_mpis(links).items():
            if options.mpi and name not in options.mpi:
                continue
            for ranks in options.ranks:
                found, count = lasting_differences(mpi, ranks, options.only)
                print(f"{name}, {ranks} ranks: {count} outcomes, {len(found)} differ", flush=True)
                print("".join(f"  {line}\n" for line in found), end="", flush=True)
                failed += bool(found)
    finally:
        shutil.rmtree(links)
    return 1 if failed else 0


if __name__ == "__main__":
    if OUTCOMES_OF in os.environ:
        tests_folder = PEERS / "mpi4py" / "source" / "test"
        run_as_rank(tests_folder, sys.argv[1:], Path(os.environ[OUTCOMES_OF]))
    else:
        sys.exit(main())
