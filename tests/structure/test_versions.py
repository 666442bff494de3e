"""docs/guide/versions.md names the versions that the sources have."""

import re

import pytest
from sources import ROOT

PAGE = (ROOT / "docs" / "guide" / "versions.md").read_text()
# What the page says before the number, the file that declares it, and how.
DECLARATIONS = [
    ("libtasuki_client.so.", "src/rpc/CMakeLists.txt", r"TASUKI_BINARY_INTERFACE (\d+)"),
    ("libtasuki_routines.so.", "src/rpc/CMakeLists.txt", r"TASUKI_BINARY_INTERFACE (\d+)"),
    ("protocol ", "src/rpc/wire/protocol.hpp", r"protocol_version = (\d+)"),
    ("schema ", "python/tasuki/output/report.py", r"SCHEMA = (\d+)"),
    ("interface ", "src/rpc/interface/module.cpp", r'"interface"\) != (\d+)'),
    ("registration ", "python/tasuki/idl/registration.py", r"VERSION = (\d+)"),
    ("tasuki policy ", "src/coll/policy_file.cpp", r'"tasuki policy (\d+)"'),
    ("[the message trace](../formats/message-trace.md) | version ",
     "python/tasuki/profile/message_record.py", r"VERSION = .*(\d+)"),
    ("[recorded events](../formats/mpi-events.md) | version ",
     "src/events/event.hpp", r"file_version = (\d+)"),
]  # fmt: skip


@pytest.mark.parametrize(("said", "file", "declared"), DECLARATIONS, ids=lambda one: one)
def test_the_page_names_it(said: str, file: str, declared: str) -> None:
    (number,) = re.findall(declared, (ROOT / file).read_text())
    assert set(re.findall(rf"{re.escape(said)}(\d+)", PAGE)) == {number}
