"""tests/ mirrors src/: each source file of these layers has a test of its own."""

from pathlib import Path

import pytest
from sources import ROOT, files, name

LAYERS = ("containers", "layout", "predict", "rpc")
WITHOUT = {
    "src/rpc/server/server_program.cpp": "it is the main function of tasuki_server, which"
    " tests/python/rpc start",
}


def its_test(source: Path) -> Path:
    inside = source.relative_to(ROOT / "src")
    return ROOT / "tests" / inside.with_name(f"{inside.stem}_test.cpp")


SOURCES = files(tuple(f"src/{layer}" for layer in LAYERS), ".cpp")


@pytest.mark.parametrize("source", [one for one in SOURCES if name(one) not in WITHOUT], ids=name)
def test_a_source_has_its_test(source: Path) -> None:
    assert its_test(source).is_file(), f"write {name(its_test(source))}, or say in WITHOUT why not"


@pytest.mark.parametrize("source", WITHOUT)
def test_what_has_none_is_there(source: str) -> None:
    assert ROOT / source in SOURCES and not its_test(ROOT / source).exists()


@pytest.mark.parametrize("header", files(("include/tasuki/containers",), ".hpp"), ids=name)
def test_a_container_has_its_test(header: Path) -> None:
    assert (ROOT / "tests" / "containers" / f"{header.stem}_test.cpp").is_file()
