"""Headers explain themselves; that they compile by themselves is the target header_checks."""

import functools
import re
from pathlib import Path

import pytest
from sources import CPP_FOLDERS, ROOT, headers, name, public_headers

INCLUDE = re.compile(r'^#include [<"]([^">]+)[">]', re.MULTILINE)
# Names that other headers of some standard libraries bring along, and those of others do not.
STANDARD = {
    "cstdint": re.compile(r"\bstd::u?int(?:8|16|32|64|ptr|max)_t\b"),
    "algorithm": re.compile(r"\bstd::(?:max|min|clamp|copy|copy_n|fill|fill_n|sort|find_if)\("),
    "cstring": re.compile(r"\bstd::(?:mem(?:cpy|move|set|cmp|chr)|str(?:len|cmp|error))\("),
    "cstdlib": re.compile(r"\bstd::(?:abort|exit|getenv|_Exit|malloc|free)\("),
}
# Headers that take long to compile. What needs one is in a header of ours that few programs need,
# or can be had another way.
HEAVY = re.compile(
    r"algorithm|chrono|complex|condition_variable|execution|filesystem|format|fstream|future"
    r"|iomanip|iostream|istream|locale|mutex|ostream|random|ranges|regex|sstream|thread|valarray"
    r"|cereal/(?:archives/.*|types/(?:complex|memory|polymorphic)\.hpp)"
)


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


@functools.cache
def included_by(path: Path) -> frozenset[str]:
    """Returns what the file includes, by itself and through the project's own headers."""
    found = set(INCLUDE.findall(path.read_text()))
    for written in tuple(found):
        places = (path.parent, *(ROOT / folder for folder in CPP_FOLDERS))
        own = next((place / written for place in places if (place / written).is_file()), None)
        if own is not None:
            found |= included_by(own)
    return frozenset(found)


@pytest.mark.parametrize("path", headers(), ids=name)
def test_header_includes_the_standard_headers_of_what_it_names(path: Path) -> None:
    """Not each compiler finds such a name by other headers: GCC 12 and 14 differ here."""
    used = {header for header, names in STANDARD.items() if names.search(path.read_text())}
    assert used - included_by(path) == set()


def test_what_every_program_includes_has_no_heavy_headers() -> None:
    """python bench/compile/compile_time.py measures what programs take to compile."""
    heavy = {
        each for each in included_by(ROOT / "include/tasuki/tasuki.hpp") if HEAVY.fullmatch(each)
    }
    assert heavy == set()
