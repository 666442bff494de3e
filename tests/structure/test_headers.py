"""Headers explain themselves; that they compile by themselves is the target header_checks."""

import re
from pathlib import Path

import pytest
from sources import headers, name, public_headers


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
