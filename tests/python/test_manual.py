"""tools/man_pages.py: the manual has a page for each command, and mandoc finds nothing in it."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import REPOSITORY
from tasuki.commands.options import MPIS


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The pages by name."""
    folder = tmp_path_factory.mktemp("manual") / "man1"
    writer = [sys.executable, REPOSITORY / "tools" / "man_pages.py", folder, "1.2.3"]
    subprocess.run(writer, check=True, env={**os.environ, "SOURCE_DATE_EPOCH": "0"})
    return {path.stem: path for path in folder.iterdir()}


# What the package needs beside typer, which alone a wheel is built with (pyproject.toml).
BARE = """
import sys
class Absent:
    def find_spec(self, name, path=None, target=None):
        if name in ("cloudpickle", "lark", "matplotlib", "numpy"):
            raise ModuleNotFoundError(name)
sys.meta_path.insert(0, Absent())
import tasuki.commands.app
"""


def test_the_manual_takes_typer_alone() -> None:
    subprocess.run([sys.executable, "-c", BARE], check=True)


def rendered(page: Path) -> str:
    formatter = ["mandoc", "-T", "ascii", "-O", "width=200", page]
    text = subprocess.run(formatter, check=True, capture_output=True, text=True).stdout
    return re.sub(".\x08", "", text)  # What is bold is printed twice.


def test_each_command_has_a_page(pages: dict[str, Path]) -> None:
    assert {"tasuki", "tasuki-run", "tasuki-bench", "tasuki-bench-npb"} <= pages.keys()
    assert all(f"tasuki-{name}(1)" in rendered(pages["tasuki"]) for name in ("run", "info", "idl"))


def test_a_page_says_what_the_help_says(pages: dict[str, Path]) -> None:
    text = rendered(pages["tasuki-run"])
    assert "tasuki 1.2.3" in text
    assert "1970-01-01" in text
    assert "  tasuki run -n 2 ./simulation : -n 1 python analysis.py\n" in text
    assert f"--mpi <{'|'.join(MPIS)}>" in text
    assert "-h, --help" in text


def test_mandoc_finds_nothing(pages: dict[str, Path]) -> None:
    lint = ["mandoc", "-T", "lint", "-W", "warning", *pages.values()]
    found = subprocess.run(lint, capture_output=True, text=True)
    assert found.returncode == 0, found.stdout
