"""Nothing in the project depends on the machine where it was written."""

import re
from pathlib import Path

import pytest
from sources import ROOT, cmake_files, cpp_files, documents, name, python_files, scripts

MACHINE_PATH = re.compile(r"(?<![\w.}])/(?:home|root|work|tmp|mnt|Users)/\w[\w./+-]*")
# Paths that programs may make or name on any machine.
ANY_MACHINE = re.compile(r"^/tmp/tasuki")
# Where packages come from is the system's own setting.
ARCHIVE_HOST = re.compile(r"\b(?:debian|ubuntu|pypi|pythonhosted)\.(?:org|com)\b")

ALL = [*cpp_files(), *python_files(), *cmake_files(), *scripts(), *documents()]


def machine_paths(text: str) -> list[str]:
    return [found for found in MACHINE_PATH.findall(text) if not ANY_MACHINE.match(found)]


@pytest.mark.parametrize("path", ALL, ids=name)
def test_no_paths_of_one_machine(path: Path) -> None:
    if path != Path(__file__).resolve():
        assert machine_paths(path.read_text()) == []


def test_no_hosts_of_package_archives() -> None:
    assert [name(path) for path in ALL if ARCHIVE_HOST.search(path.read_text())] == []


def test_a_machine_path_is_found() -> None:
    assert machine_paths("see /home/me/data and /tmp/tasuki-7") == ["/home/me/data"]


def test_the_version_is_declared_once() -> None:
    version = re.search(r"project\(tasuki VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text())
    assert version
    again = [name(p) for p in python_files() if f'"{version[1]}"' in p.read_text()]
    assert again == []
