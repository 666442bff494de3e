"""The core does not know that its time may be simulated: the mpi transport alone does.

It says what follows from it in neutral terms: `Capabilities::peers_need_calls` and
`base::job_clock_ns`.
"""

import re
from pathlib import Path

import pytest
from sources import ROOT, cpp_files, name

WORDS = re.compile(r"simgrid|smpi|simulat", re.IGNORECASE)
KNOWS_SIMULATOR = ("src/transport/mpi",)
# Predicts how long schedules take; has nothing to do with how ranks run.
SIMULATES_SCHEDULES = ("src/coll", "include/tasuki/detail/coll")


def simulator_words(file: str, text: str) -> list[str]:
    """Returns the words in the text of a file below ROOT that do not belong there."""
    allowed = KNOWS_SIMULATOR + SIMULATES_SCHEDULES
    return [] if file.startswith(tuple(f"{a}/" for a in allowed)) else WORDS.findall(text)


def core_files() -> list[Path]:
    return [p for p in cpp_files() if p.relative_to(ROOT).parts[0] in ("src", "include")]


@pytest.mark.parametrize("path", core_files(), ids=name)
def test_only_the_mpi_transport_knows_the_simulator(path: Path) -> None:
    assert simulator_words(name(path), path.read_text()) == []


def test_a_hook_elsewhere_is_found() -> None:
    text = "if (simulated_time_) return;  // SimGrid"
    assert simulator_words("src/runtime/calls/sender.cpp", text) == ["simulat", "SimGrid"]
    assert simulator_words("src/transport/mpi/endpoint.cpp", text) == []
