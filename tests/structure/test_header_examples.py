"""Users' headers show by example how to use what they declare."""

from pathlib import Path

import pytest
from header_examples import declarations, users_headers
from sources import ROOT, name

# In a pointer, so that the examples are run: tests/examples runs these, tests/mpcxx and
# tests/python/rpc the others.
RUN_FOLDERS = (ROOT / "examples", ROOT / "tests/mpcxx", ROOT / "apps/demo")


@pytest.mark.parametrize("header", users_headers(), ids=name)
def test_an_example_shows_each_function(header: Path) -> None:
    """One for all overloads: the examples that name it are compiled and run."""
    found = declarations(header)
    shown = {one.full_name() for one in found if one.is_shown()}
    assert {one.full_name() for one in found if not one.is_class} - shown == set()


@pytest.mark.parametrize("header", users_headers(), ids=name)
def test_files_pointed_at_are_run(header: Path) -> None:
    for one in declarations(header):
        for path in one.docstring.pointers():
            assert path.is_file() and path.parent in RUN_FOLDERS, f"{one.full_name()}: {path}"


def test_a_function_without_an_example_is_found(tmp_path: Path) -> None:
    header = tmp_path / "lamp.hpp"
    header.write_text(
        "namespace tasuki {\n"
        "/// A lamp.\n///     lamp.light();\n"
        "class Lamp {\n public:\n  void light();\n  void put_out();\n"
        "\n private:\n  int burn();\n};\n"
        "/// Of all.\nint count(\n    int least);\n"
        "namespace runtime {\nvoid inside();\n}  // namespace runtime\n"
        "/// By name.\n///     find(1);\nLamp find(int number);\nLamp find_async(int number);\n"
        "}  // namespace tasuki\n"
    )
    found = {one.full_name(): one.is_shown() for one in declarations(header) if not one.is_class}
    assert found == {
        "Lamp::light": True,
        "Lamp::put_out": False,
        "count": False,
        "find": True,
        "find_async": True,
    }
