"""What a test says that is left out, with and without NO_SKIPS."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = """
import pytest

@pytest.mark.skipif(True, reason="no compiler")
def test_marked():
    pass

def test_inside():
    pytest.skip("no library")

@pytest.mark.xfail(strict=True)
def test_that_is_to_fail():
    raise ValueError
"""


@pytest.mark.parametrize(
    ("no_skips", "counts"), [("", "2 skipped, 1 xfailed"), ("1", "1 failed, 1 xfailed, 1 error")]
)
def test_a_test_that_is_left_out(tmp_path: Path, no_skips: str, counts: str) -> None:
    own = Path(__file__).with_name("conftest.py").read_text()
    (tmp_path / "conftest.py").write_text(own)
    (tmp_path / "test_some.py").write_text(TESTS)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(tmp_path)]
    environment = {**os.environ, "NO_SKIPS": no_skips}
    result = subprocess.run(command, env=environment, capture_output=True, text=True, cwd=tmp_path)
    assert counts in result.stdout
    is_told = "no compiler, and NO_SKIPS is set" in result.stdout
    assert (is_told, result.returncode) == (bool(no_skips), 1 if no_skips else 0)
