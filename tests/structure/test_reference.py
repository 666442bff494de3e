"""The reference that ./dev docs makes has every public header and every name for users."""

import importlib.util
from pathlib import Path
from types import ModuleType
from xml.etree import ElementTree

import pytest
from header_examples import declarations, users_headers
from sources import ROOT, name

SITE = ROOT / "tools" / "site"


def tool(module: str) -> ModuleType:
    """A module of tools/site, which is no package."""
    spec = importlib.util.spec_from_file_location(module, SITE / f"{module}.py")
    assert spec and spec.loader
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


@pytest.fixture(scope="module")
def names(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """What the reference describes: names of headers, classes, functions and members."""
    folder = tmp_path_factory.mktemp("reference")
    tool("reference").write(folder)
    index = ElementTree.parse(folder / "xml" / "index.xml")
    return {element.text or "" for element in index.iter("name")}


# These two headers only include that of the same name in include/tasuki.
OTHER_NAMES = [ROOT / "include" / header for header in ("grpc.h", "ninf.h")]


@pytest.mark.parametrize("header", users_headers(), ids=name)
def test_the_reference_has_each_name_of_a_header(names: set[str], header: Path) -> None:
    if header in OTHER_NAMES:
        assert declarations(header) == []
        return
    assert header.name in names
    missing = {
        one.full_name()
        for one in declarations(header)
        if not any(one.name == known or known.endswith(f"::{one.name}") for known in names)
    }
    assert missing == set()


def test_what_is_for_the_library_alone_is_left_out(names: set[str]) -> None:
    inner = ("tasuki::runtime", "tasuki::base", "tasuki::coll", "tasuki::rpc::detail")
    assert [one for one in names if one.startswith(inner)] == []


def test_a_header_is_shown_with_its_opening_and_its_code() -> None:
    text = (
        "// A lamp.\n//\n// Thread-safety: none.\n#pragma once\n\n"
        "/// Of all.\n///     lamp();\nint x;\n"
    )
    assert tool("header_filter").filtered(text) == (
        "/// @file\n///\n/// A lamp.\n///\n/// Thread-safety: none.\n#pragma once\n\n"
        "/// Of all.\n/// @code{.cpp}\n///     lamp();\n/// @endcode\nint x;\n"
    )


def test_doxygen_that_is_missing_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SystemExit, match="there is no doxygen. Remedy: apt install doxygen"):
        tool("reference").write(tmp_path / "reference")
