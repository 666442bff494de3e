"""The list of MPI functions is what the standard's data say, and wrappers of all are made of it."""

import importlib.util
import json
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[3]
LIST = ROOT / "src" / "mpi" / "functions.json"


def module(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec and spec.loader
    loaded = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = loaded
    spec.loader.exec_module(loaded)
    return loaded


notes = module(ROOT / "src" / "mpi" / "shim" / "notes.py")
module(ROOT / "src" / "mpi" / "shim" / "abi_header.py")
module(ROOT / "src" / "mpi" / "shim" / "tuned_calls.py")
generate = module(ROOT / "src" / "mpi" / "shim" / "generate.py")


def test_the_list_is_what_the_standard_says() -> None:
    written = module(ROOT / "tools" / "mpi_functions.py").text()
    assert written == LIST.read_text(), "run python tools/mpi_functions.py"


def test_each_function_has_a_wrapper_and_an_entry() -> None:
    functions = generate.read_functions()
    wrappers, entries = generate.wrappers(functions), generate.entries(functions, "x86_64")
    for one in functions:
        assert f"&{generate.c_name(one)})" in wrappers
        assert f'"{one.name}",' in entries
        if one.has_fortran:
            assert f'"{one.name.lower()}_f08_",' in entries


def function(name: str) -> "notes.Function":
    listed = {one["name"]: one for one in json.loads(LIST.read_text())}
    return notes.Function(**listed[name])


@pytest.mark.parametrize(
    ("name", "noted"),
    [
        ("MPI_Send", ["call.on(comm);", "call.to(dest);", "call.sends(count, datatype);"]),
        ("MPI_Recv", ["call.from(source);", "call.asks_tag(tag);"]),
        ("MPI_Get", ["call.receives(origin_count, origin_datatype);"]),
        ("MPI_Rget_c", ["call.receives(origin_count, origin_datatype);"]),
        ("MPI_Accumulate", ["call.sends(origin_count, origin_datatype);"]),
        ("MPI_Psend_init", ["call.sends(partitions * count, datatype);"]),
        ("MPI_File_read_at", ["call.receives(count, datatype);"]),
        ("MPI_Ireduce", ["if (call.is_root()) call.receives(count, datatype);"]),
        (
            "MPI_Scatterv",
            [
                "if (call.is_root()) call.sends_each(sendcounts, sendtype);",
                "if (call.is_with_root())"
                " if (!(recvbuf == MPI_IN_PLACE)) call.receives(recvcount, recvtype);",
            ],
        ),
        (
            "MPI_Alltoallw",
            ["receives_each_typed(call, recvcounts, collectives::Datatypes(recvtypes));"],
        ),
        ("MPI_Put", ["call.to_target(target_rank, win);"]),
        ("MPI_Win_flush", ["call.to_target(rank, win);"]),
        ("MPI_Win_free", ["if (win != nullptr) call.frees_window(*win);"]),
    ],
)
def test_what_a_wrapper_notes(name: str, noted: list[str]) -> None:
    lines = notes.notes_before(function(name), notes.Language())
    assert [line for line in noted if line not in lines] == []


def test_fortran_passes_addresses() -> None:
    send = function("MPI_Send")
    lines = notes.notes_before(send, notes.Fortran(send))
    assert "call.sends(fortran_integer(count), fortran_datatype(datatype));" in lines


def test_fortran_passes_large_counts_as_such() -> None:
    gather = function("MPI_Allgatherv_c")
    lines = notes.notes_before(gather, notes.Fortran(gather))
    assert "call.receives_each(fortran_counts(recvcounts), fortran_datatype(recvtype));" in lines
    assert generate.fortran_symbols(gather) == [
        "mpi_allgatherv_f08_large_",
        "mpi_allgatherv_f08ts_large_",
        "mpi_allgatherv_c_f08_",
        "mpi_allgatherv_c_f08ts_",
    ]


@pytest.mark.parametrize(
    ("name", "direction"),
    [
        ("MPI_Irecv", "receive"),
        ("MPI_Issend", "send"),
        ("MPI_Precv_init", "receive"),
        ("MPI_Iallreduce", "other"),
        ("MPI_Reduce_scatter_init", "other"),
    ],
)
def test_what_completes_with_a_request(name: str, direction: str) -> None:
    (line,) = notes.notes_after(function(name), notes.Language())
    assert line.endswith(f"(*request, Direction::{direction});")
