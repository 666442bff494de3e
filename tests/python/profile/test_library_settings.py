"""What the settings of an MPI library tell of the algorithms of its collectives."""

import pytest
from tasuki.profile.library_settings import NOT_TOLD, LibrarySettings

OPEN_MPI = {
    "coll": "",
    "coll_basic_priority": "10",
    "coll_libnbc_iallreduce_algorithm": "ignore",
    "coll_libnbc_ibcast_algorithm": "chain",
    "coll_self_priority": "75",
    "coll_tuned_allreduce_algorithm": "ring",
    "coll_tuned_bcast_algorithm": "ignore",
    "coll_tuned_dynamic_rules_filename": "",
    "coll_tuned_priority": "30",
    "coll_tuned_use_dynamic_rules": "true",
}
MPICH = {
    "MPIR_CVAR_ALLREDUCE_DEVICE_COLLECTIVE": "1",
    "MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM": "smp",
    "MPIR_CVAR_BCAST_INTRA_ALGORITHM": "auto",
    "MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE": "",
    "MPIR_CVAR_DEVICE_COLLECTIVES": "1",
    "MPIR_CVAR_IALLREDUCE_INTRA_ALGORITHM": "tsp_ring",
}
OWN = "library: its own choice (auto)"
SET = "library: ring (set by coll_tuned_allreduce_algorithm)"
SET_IN_MPICH = "library: smp (set by MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM)"


@pytest.mark.parametrize(
    ("changed", "function", "told"),
    [
        ({}, "MPI_Allreduce", SET),
        ({}, "MPI_Allreduce_c", SET),
        ({}, "MPI_Bcast", OWN),
        ({}, "MPI_Gatherv", NOT_TOLD),
        ({}, "MPI_Iallreduce", OWN),
        ({}, "MPI_Ibcast", "library: chain (set by coll_libnbc_ibcast_algorithm)"),
        # Then Open MPI ignores the algorithms.
        ({"coll_tuned_use_dynamic_rules": "false"}, "MPI_Allreduce", OWN),
        ({"coll_tuned_dynamic_rules_filename": "/r"}, "MPI_Bcast", "library: by the rules in /r"),
        ({"coll_han_priority": "35"}, "MPI_Allreduce", f"{SET}, if not han"),
        ({"coll_han_priority": "35", "coll": "^han"}, "MPI_Allreduce", SET),
        ({"coll": "basic"}, "MPI_Allreduce", "library: its own choice (coll: basic)"),
    ],
)
def test_open_mpi(changed: dict[str, str], function: str, told: str) -> None:
    assert LibrarySettings({**OPEN_MPI, **changed}).algorithm_of(function) == told


@pytest.mark.parametrize(
    ("changed", "function", "told"),
    [
        ({}, "MPI_Allreduce", SET_IN_MPICH),
        ({}, "MPI_Bcast", OWN),
        (
            {},
            "MPI_Iallreduce",
            "library: tsp_ring (set by MPIR_CVAR_IALLREDUCE_INTRA_ALGORITHM)",
        ),
        (
            {"MPIR_CVAR_DEVICE_COLLECTIVES": "2"},
            "MPI_Allreduce",
            f"{SET_IN_MPICH}, if not the device's",
        ),
        (
            {"MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE": "/r"},
            "MPI_Bcast",
            "library: by the rules in /r",
        ),
        ({"MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE": "/r"}, "MPI_Gatherv", NOT_TOLD),
    ],
)
def test_mpich(changed: dict[str, str], function: str, told: str) -> None:
    assert LibrarySettings({**MPICH, **changed}).algorithm_of(function) == told


def test_where_nothing_was_written_nothing_is_told(tmp_path) -> None:
    for events in ([], [tmp_path / "a-1.events"]):
        assert LibrarySettings.beside(events).algorithm_of("MPI_Bcast") == NOT_TOLD


def test_the_file_is_beside_the_events(tmp_path) -> None:
    (tmp_path / "a-1.settings").write_text("coll \nMPIR_CVAR_BCAST_INTRA_ALGORITHM ring of two\n")
    events = [tmp_path / "a-0.events", tmp_path / "a-1.events"]
    told = LibrarySettings.beside(events).algorithm_of("MPI_Bcast")
    assert told == "library: ring of two (set by MPIR_CVAR_BCAST_INTRA_ALGORITHM)"
