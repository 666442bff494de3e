"""The kept corpus of fuzzing begins with every message that there is."""

import re
import runpy
from pathlib import Path

import pytest
from conftest import REPOSITORY

MESSAGES = REPOSITORY / "docs" / "design" / "remote-procedures.md"
CORPUS = REPOSITORY / "tests" / "fuzz" / "corpus"


def test_each_message_of_the_protocol_is_in_an_input() -> None:
    table = re.compile(r"^\| [\w ]+ \| [\w ]+ \| `(\w+)` \|", re.MULTILINE)
    kinds = {*table.findall(MESSAGES.read_text()), "calls", "refused", "taken"}
    assert len(kinds) > 20
    inputs = b"".join(one.read_bytes() for one in (CORPUS / "wire").iterdir())
    missing = [one for one in kinds if b"\xa7message" + bytes([0xA0 + len(one)]) + one.encode()
               not in inputs]  # fmt: skip
    assert not missing


def test_the_corpus_is_small() -> None:
    sizes = [one.stat().st_size for one in CORPUS.glob("*/*")]
    assert max(sizes) <= 4096, "libFuzzer cuts longer inputs"
    assert sum(sizes) < 100_000


@pytest.mark.parametrize("file", sorted((CORPUS / "idl").iterdir()), ids=lambda one: one.name)
def test_an_interface_file_of_the_corpus_is_a_module_or_refused(file: Path) -> None:
    runpy.run_path(str(REPOSITORY / "tests" / "fuzz" / "idl_input.py"))["parse"](file.read_bytes())
