"""Where a wrapper lets Tasuki carry a collective out: lines of C++ of the wrapper."""

from notes import Function, Language

# Those that src/mpi/collectives/tuned.hpp declares.
TUNED = {
    f"MPI_{name}"
    for name in (
        "Barrier Bcast Reduce Allreduce Scan Exscan Gather Scatter Allgather Alltoall"
        " Reduce_scatter_block"
    ).split()
}
NAMESPACE = "collectives"


def tuned_name(function: Function) -> str:
    return f"{NAMESPACE}::{function.name.removeprefix('MPI_').lower()}"


def carried_out(function: Function, arguments: str) -> str:
    """Returns the call that a wrapper of C makes."""
    native = f"P{function.name}({arguments})"
    if function.name not in TUNED:
        return native
    return f"{NAMESPACE}::is_tuning() ? {tuned_name(function)}({arguments}) : {native}"


def in_c(name: str, kind: str, language: Language) -> str:
    """Returns an argument of Fortran as C passes it."""
    conversions = {
        "BUFFER": f"fortran_buffer({name})",
        "DATATYPE": language.datatype(name),
        "COMMUNICATOR": language.communicator(name),
        "OPERATION": f"PMPI_Op_f2c({language.number(name)})",
    }
    return conversions.get(kind, language.number(name))


def tuned_in_fortran(function: Function, language: Language) -> list[str]:
    """Returns what a wrapper of Fortran does where no wrapper of C follows."""
    if function.name not in TUNED:
        return []
    arguments = ", ".join(in_c(one.name, one.kind, language) for one in function.parameters)
    return [
        f"  if (fortran_calls_pmpi && {NAMESPACE}::is_tuning()) {{",
        f"    return set_fortran_code(ierror, {tuned_name(function)}({arguments}));",
        "  }",
    ]


def tuning_before(function: Function, language: Language) -> list[str]:
    if function.name == "MPI_Finalize":
        return [f"{NAMESPACE}::end_tuning();"]
    if function.name in ("MPI_Comm_free", "MPI_Comm_disconnect"):
        freed = language.freed_communicator("comm")
        return [f"if ({NAMESPACE}::is_tuning()) {NAMESPACE}::forget({freed});"]
    return []


def tuning_after(function: Function, condition: str) -> list[str]:
    if function.name in ("MPI_Init", "MPI_Init_thread"):
        return [f"if ({condition}) {NAMESPACE}::start_tuning();"]
    return []
