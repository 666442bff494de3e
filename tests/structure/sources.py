"""The project's own source files, for the tests of its structure."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
CPP_FOLDERS = ("include", "src", "apps", "bench", "examples", "tests")
PYTHON_FOLDERS = ("python", "tests", "tools")
CMAKE_FOLDERS = ("cmake", "src", "apps", "bench", "examples", "tests")


def _declared_layers() -> dict[str, dict[str, list[str]]]:
    """Returns what CMakeLists.txt says of each layer: keyword -> words (LINKS, ...)."""
    declared: dict[str, dict[str, list[str]]] = {}
    text = re.sub(r"#.*", "", (ROOT / "CMakeLists.txt").read_text())
    for layer, arguments in re.findall(r"tasuki_layer\((\w+)([^)]*)\)", text):
        keyword = ""
        declared[layer] = {"LINKS": [], "ROOMS": [], "INTERFACE": []}
        for word in arguments.split():
            if word.isupper():
                keyword = word
            else:
                declared[layer][keyword].append(word)
    return declared


def _all_below(layer: str, declared: dict[str, dict[str, list[str]]]) -> frozenset[str]:
    links = declared[layer]["LINKS"]
    return frozenset(links).union(*(_all_below(link, declared) for link in links))


_DECLARED = _declared_layers()
# Layer -> layers whose headers it may include besides its own.
LAYERS = {layer: _all_below(layer, _DECLARED) for layer in _DECLARED}
# Layer -> the folders of its sources, the lowest first, if it declares any.
ROOMS = {layer: words["ROOMS"] for layer, words in _DECLARED.items() if words["ROOMS"]}

# Users' header in include/tasuki, without suffix -> its layer and its room, "" if there are none.
INTERFACE = {
    Path(header).name: (layer, str(Path(header).parent) if "/" in header else "")
    for layer, words in _DECLARED.items()
    for header in words["INTERFACE"]
}

# Packages of python/tasuki, the lowest first -> packages whose modules they may import.
PYTHON_LAYERS: dict[str, frozenset[str]] = {
    "base": frozenset(),
    "launcher": frozenset({"base"}),
    "output": frozenset({"base", "launcher"}),
    "idl": frozenset({"base", "output"}),
    "measurement": frozenset({"base", "launcher"}),
    "profile": frozenset({"base", "launcher", "output"}),
    "tune": frozenset({"base", "launcher", "output", "measurement", "profile"}),
    "rpc": frozenset({"base", "idl", "launcher", "output"}),
    "ranks": frozenset({"base"}),
    "bench": frozenset({"base", "launcher", "output", "measurement", "idl", "rpc", "ranks"}),
    "explain": frozenset({"base", "launcher", "output", "measurement"}),
    "tuned": frozenset({"base", "launcher", "output", "profile"}),
    "predict": frozenset({"base", "launcher", "output"}),
    "reproduce": frozenset(
        {
            "base",
            "launcher",
            "output",
            "idl",
            "measurement",
            "bench",
            "explain",
            "rpc",
            "profile",
            "tuned",
            "predict",
        }
    ),  # fmt: skip
    "commands": frozenset(
        {
            "base",
            "launcher",
            "output",
            "idl",
            "measurement",
            "tune",
            "bench",
            "explain",
            "profile",
            "tuned",
            "predict",
            "reproduce",
            "rpc",
        }
    ),  # fmt: skip
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


def documents() -> list[Path]:
    """Those of the tree, whatever is built or installed in it left out."""
    folders = {*CPP_FOLDERS, *PYTHON_FOLDERS, *CMAKE_FOLDERS, "docs"}
    return sorted([*ROOT.glob("*.md"), *files(tuple(folders), ".md")])


def name(path: Path) -> str:
    """Returns the path from the root of the project, for messages and test names."""
    return str(path.relative_to(ROOT))
