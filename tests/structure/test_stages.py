"""The stages of `./dev test` can begin with all options that they are run with."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DEV = (ROOT / "dev").read_text()
SELECTIONS = re.findall(r'run_tests -m "([^"]+)"', DEV)
FOLDERS = re.findall(r'"\$@" (tests/\w+)$', DEV, re.MULTILINE)


def test_stages_are_found():
    assert "not same_everywhere" in SELECTIONS
    assert {"tests/hosts", "tests/python"} <= set(FOLDERS)


@pytest.mark.parametrize("selection", SELECTIONS)
@pytest.mark.parametrize("folder", FOLDERS)
def test_tests_can_be_selected(folder: str, selection: str):
    words = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-m", selection, folder]
    collected = subprocess.run(words, cwd=ROOT, capture_output=True, text=True)
    assert collected.returncode == 0, collected.stdout + collected.stderr
