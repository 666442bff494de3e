"""The kept corpus of fuzzing begins with every message that there is."""

import re

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
