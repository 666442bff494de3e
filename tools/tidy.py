"""Runs clang-tidy on the translation units that changed since they were last found clean.

A unit counts as changed when its text, that of a project header it includes (as Ninja recorded at
the last build), its command line, or the checks did. The user's cache remembers the clean units, of
all clones and, if they share the cache, of all systems: headers of the system do not count.
"""

import argparse
import hashlib
import json
import math
import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# The one of the virtual environment: its version is pinned, and checks differ between versions.
CLANG_TIDY = str(Path(sys.executable).parent / "clang-tidy")
GCC_ONLY_OPTIONS = {"-fno-gnu-unique"}
# GCC is the compiler of record: clang need not know its warnings, nor add its own.
# Of its headers clang has no omp.h of its own.
GCC_HEADERS = subprocess.run(
    ["g++", "-print-file-name=include"], stdout=subprocess.PIPE, text=True, check=True
).stdout.strip()
CLANG_OPTIONS = ["--extra-arg=-w", f"--extra-arg=-idirafter{GCC_HEADERS}"]


def included_files(build: Path) -> dict[Path, list[Path]]:
    """Returns, for each object file of the build, the project's files that it was made from."""
    recorded = subprocess.run(
        ["ninja", "-C", str(build), "-t", "deps"], stdout=subprocess.PIPE, text=True, check=True
    ).stdout
    files: dict[Path, list[Path]] = {}
    current: list[Path] = []
    for line in recorded.splitlines():
        if line and not line.startswith(" "):
            current = files.setdefault(build / line.split(":")[0], [])
        elif line.strip():
            path = (build / line.strip()).resolve()
            if path.is_relative_to(ROOT) and not path.is_relative_to(build):
                current.append(path)
    return files


def fingerprint(unit: dict, included: list[Path], checks: bytes) -> str:
    """Returns a hash of everything that decides what clang-tidy says about the unit."""
    digest = hashlib.sha256(checks + unit["command"].replace(str(ROOT), "").encode())
    for path in sorted({Path(unit["file"]), *included}):
        if path.exists():
            digest.update(str(path.relative_to(ROOT)).encode() + path.read_bytes())
    return digest.hexdigest()


def check(unit: dict, commands: Path) -> tuple[bool, str]:
    """Returns whether clang-tidy finds the unit clean, and what it says."""
    headers = f"^{ROOT}/(include|src|apps|bench|examples|tests)/"
    options = ["-p", str(commands), "--quiet", f"--header-filter={headers}"]
    options += [f"--config-file={ROOT / '.clang-tidy'}", *CLANG_OPTIONS]
    command = [CLANG_TIDY, *options, unit["file"]]
    ended = subprocess.run(command, capture_output=True, text=True)
    if ended.returncode == 0:
        return True, ended.stdout
    return False, ended.stdout or ended.stderr


def read_units(build: Path, folder: Path) -> list[dict]:
    """Returns the project's units, and leaves in the folder what clang-tidy is to know of them.

    Of a file that is built several times (for each MPI), the unit with the most definitions stands
    for all: the others have less of the file's text.
    """
    units: dict[str, dict] = {}
    for unit in json.loads((build / "compile_commands.json").read_text()):
        file = Path(unit["file"])
        others = (build, ROOT / ".venv")  # Sources of nanobind are in the virtual environment.
        is_own = file.is_relative_to(ROOT) and not any(map(file.is_relative_to, others))
        if not is_own or file.suffix != ".cpp":
            continue
        words = unit["command"].split(" ")
        unit["command"] = " ".join(word for word in words if word not in GCC_ONLY_OPTIONS)
        other = units.get(unit["file"])
        if other is None or unit["command"].count(" -D") > other["command"].count(" -D"):
            units[unit["file"]] = unit
    (folder / "compile_commands.json").write_text(json.dumps(list(units.values())))
    return list(units.values())


def changed_units(build: Path, commands: Path, clean: Path) -> tuple[int, list[tuple[dict, Path]]]:
    """Returns the number of units, and those to check with the file that marks each as clean."""
    version = subprocess.run([CLANG_TIDY, "--version"], stdout=subprocess.PIPE, check=True).stdout
    checks = version + (ROOT / ".clang-tidy").read_bytes()
    included = included_files(build)
    units = read_units(build, commands)
    changed = []
    for unit in units:
        words = unit["command"].split()
        made = build / words[words.index("-o") + 1]
        mark = clean / fingerprint(unit, included.get(made, []), checks)
        if not mark.exists():
            changed.append((unit, mark))
    return len(units), changed


def main() -> int:
    """Returns 0 if every translation unit is clean."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument(
        "--seconds",
        type=float,
        default=math.inf,
        help="begin no unit later; what is left is counted, and checked by the next run",
    )
    parser.add_argument("build", type=Path)
    options = parser.parse_args()
    build = options.build.resolve()
    commands = build / "tidy"
    commands.mkdir(exist_ok=True)
    clean = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "tasuki" / "tidy"
    clean.mkdir(parents=True, exist_ok=True)
    count, changed = changed_units(build, commands, clean)
    failed = left = 0
    deadline_s = time.monotonic() + options.seconds
    with ThreadPoolExecutor(options.jobs) as pool:
        outcomes = pool.map(
            lambda item: check(item[0], commands) if time.monotonic() < deadline_s else None,
            changed,
        )
        for (unit, mark), outcome in zip(changed, outcomes, strict=True):
            if outcome is None:
                left += 1
                continue
            is_clean, said = outcome
            verdict = "clean " if is_clean else "FAILED"
            print(verdict, Path(unit["file"]).relative_to(ROOT), flush=True)
            if is_clean:
                mark.touch()
            else:
                failed += 1
                print(said, flush=True)
    checked = len(changed) - left
    print(f"{count} units, {checked} checked, {failed} failed, {left} left for the next run")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
