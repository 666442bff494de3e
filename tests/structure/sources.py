"""The project's own source files, for the tests of its structure."""

from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
CPP_FOLDERS = ("include", "src", "apps", "bench", "examples", "tests")
PYTHON_FOLDERS = ("python", "tests", "tools")
CMAKE_FOLDERS = ("cmake", "src", "apps", "bench", "examples", "tests")

# Layer -> layers whose headers it may include besides its own; `None`: public headers of any.
LAYERS: dict[str, frozenset[str]] = {
    "base": frozenset(),
    "transport": frozenset({"base"}),
    "fiber": frozenset({"base"}),
    "coll": frozenset({"base"}),
    "mpi": frozenset({"base", "coll"}),
    "runtime": frozenset({"base", "transport", "fiber", "coll"}),
}

# Packages of python/tasuki, the lowest first -> packages whose modules they may import.
PYTHON_LAYERS: dict[str, frozenset[str]] = {
    "base": frozenset(),
    "launcher": frozenset({"base"}),
    "output": frozenset({"base", "launcher"}),
    "measurement": frozenset({"base", "launcher"}),
    "tune": frozenset({"base", "launcher", "output", "measurement"}),
    "bench": frozenset({"base", "launcher", "output", "measurement"}),
    "explain": frozenset({"base", "launcher", "output", "measurement"}),
    "reproduce": frozenset({"base", "launcher", "output", "measurement", "bench", "explain"}),
    "commands": frozenset(
        {"base", "launcher", "output", "measurement", "tune", "bench", "explain", "reproduce"}
    ),
    "cli": frozenset({"base", "commands"}),
    "__main__": frozenset({"cli"}),
}


def files(folders: tuple[str, ...], *suffixes: str) -> list[Path]:
    """Returns the files under the folders with one of the suffixes, sorted."""
    found = (path for folder in folders for path in (ROOT / folder).rglob("*"))
    return sorted(path for path in found if path.suffix in suffixes and path.is_file())


def cpp_files() -> list[Path]:
    return files(CPP_FOLDERS, ".hpp", ".cpp", ".h")


def headers() -> list[Path]:
    return files(CPP_FOLDERS, ".hpp", ".h")


def public_headers() -> list[Path]:
    return files(("include",), ".hpp", ".h")


def python_files() -> list[Path]:
    return files(PYTHON_FOLDERS, ".py")


def command_files() -> list[Path]:
    """Those of the package that is the `tasuki` command."""
    return files(("python/tasuki",), ".py")


def cmake_files() -> list[Path]:
    lists = [path for path in files(CMAKE_FOLDERS, ".txt") if path.name == "CMakeLists.txt"]
    return [ROOT / "CMakeLists.txt", *files(CMAKE_FOLDERS, ".cmake"), *lists]


def scripts() -> list[Path]:
    return [ROOT / "dev", ROOT / ".ci" / "run", *files(("tools",), ".sh")]


def name(path: Path) -> str:
    """Returns the path from the root of the project, for messages and test names."""
    return str(path.relative_to(ROOT))
