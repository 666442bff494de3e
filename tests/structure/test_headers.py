"""Headers explain themselves and compile by themselves."""

import os
import re
import shlex
import subprocess
from pathlib import Path

import pytest
from sources import ROOT, headers, name, public_headers

COMPILER = shlex.split(os.environ.get("CXX", "g++"))


def opening_comment(text: str) -> str:
    """Returns the comment that the text opens with, without its slashes."""
    opening = re.match(r"(?://[^\n]*\n)*", text)
    return "\n".join(line[2:].strip() for line in opening[0].splitlines()) if opening else ""


@pytest.mark.parametrize("path", public_headers(), ids=name)
def test_public_header_says_what_it_is_and_how_it_stands_with_threads(path: Path) -> None:
    opening = opening_comment(path.read_text())
    assert len(opening.split()) >= 8
    assert "Thread-safety:" in opening


@pytest.mark.parametrize("path", headers(), ids=name)
def test_header_is_included_once(path: Path) -> None:
    assert "#pragma once" in path.read_text()


def needs_mpi(path: Path) -> bool:
    return re.search(r"#include [<\"]mpi\.h[>\"]", path.read_text()) is not None


def compiles(path: Path) -> subprocess.CompletedProcess[str]:
    """Compiles a unit that consists of nothing but the header, twice included."""
    folders = [ROOT / "include", ROOT / "src", ROOT / "apps", ROOT / "tests", ROOT / "bench"]
    options = ["-std=c++20", "-fsyntax-only", *(f"-I{folder}" for folder in folders)]
    return subprocess.run(
        [*COMPILER, *options, "-x", "c++", "-"],
        input=f'#include "{path}"\n#include "{path}"\n',
        capture_output=True,
        text=True,
    )


@pytest.mark.parametrize("path", [p for p in headers() if not needs_mpi(p)], ids=name)
def test_header_compiles_by_itself(path: Path) -> None:
    compiled = compiles(path)
    assert compiled.returncode == 0, compiled.stderr


def test_a_header_that_leans_on_others_is_found(tmp_path: Path) -> None:
    header = tmp_path / "leaning.hpp"
    header.write_text("#pragma once\nstd::vector<int> values();\n")
    assert compiles(header).returncode != 0
