"""Nothing is too long to read: files, lines, and functions (those of C++ are clang-tidy's)."""

import ast
import re
from pathlib import Path

import pytest
from sources import cmake_files, cpp_files, documents, name, python_files, scripts

LINES_MAX = 599
COLUMNS_MAX = 100
FUNCTION_LINES_MAX = 69

ALL = [*cpp_files(), *python_files(), *cmake_files(), *scripts()]


@pytest.mark.parametrize("path", ALL, ids=name)
def test_file_is_short(path: Path) -> None:
    assert len(path.read_text().splitlines()) <= LINES_MAX


@pytest.mark.parametrize("path", [*ALL, *documents()], ids=name)
def test_lines_are_short(path: Path) -> None:
    lines = enumerate(path.read_text().splitlines(), start=1)
    assert [number for number, line in lines if len(line) > COLUMNS_MAX] == []


@pytest.mark.parametrize("path", python_files(), ids=name)
def test_python_functions_are_short(path: Path) -> None:
    functions = (
        node
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    )
    lengths = {node.name: (node.end_lineno or 0) - node.lineno + 1 for node in functions}
    assert {key: value for key, value in lengths.items() if value > FUNCTION_LINES_MAX} == {}


@pytest.mark.parametrize("path", scripts(), ids=name)
def test_shell_functions_are_short(path: Path) -> None:
    bodies = re.findall(r"^(\w+)\(\) \{\n(.*?)^\}", path.read_text(), re.MULTILINE | re.DOTALL)
    lengths = {title: body.count("\n") + 2 for title, body in bodies}
    assert {key: value for key, value in lengths.items() if value > FUNCTION_LINES_MAX} == {}
