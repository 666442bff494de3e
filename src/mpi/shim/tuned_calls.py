"""Where a wrapper lets Tasuki carry a call out, or wait: lines of C++ of the wrapper."""

import re

from notes import Fortran, Function, Language, Parameter

# Those that src/mpi/collectives/tuned.hpp declares, also the functions for large counts.
TUNED = {
    f"MPI_{name}{form}"
    for name in (
        "Barrier Bcast Reduce Allreduce Scan Exscan Gather Scatter Allgather Alltoall"
        " Gatherv Scatterv Allgatherv Alltoallv Alltoallw Reduce_scatter Reduce_scatter_block"
    ).split()
    for form in ("", "_c")
}
# Those that src/mpi/wait/waited_calls.hpp declares, and those whose non-blocking form is started.
WAITED = {"MPI_Recv", "MPI_Probe", "MPI_Mprobe", "MPI_Sendrecv"}
STARTED = {f"MPI_{name}" for name in "Send Ssend Rsend Mrecv".split()}
# Those that wait for what other ranks send, and are timed for the report.
TIMED_KINDS = ("receive", "send_receive", "collective")
RECEIVES = ("receive", "ireceive", "send_receive")
PLACE = "Call::place()"
CARRIED_OUT = "code != collectives::left_to_library"
NOTED = "call.carried_out_by(collectives::algorithm_used());"
FREEING = {"MPI_Comm_free", "MPI_Comm_disconnect"}
# Before the call and after it: functions that delete attributes may use the communicator meanwhile.
FORGET = "if (collectives::is_tuning()) collectives::forget(freed);"
# Of MPI_Pcontrol: a measuring program asks for a policy.
ASKING = (
    "if (level == asking_level && collectives::is_tuning() && collectives::listens()) {",
    "  std::va_list more;",
    "  va_start(more, level);",
    "  collectives::ask(*va_arg(more, AskedPolicy*));",
    "  va_end(more);",
    "}",
)


def tuned_name(function: Function) -> str:
    return f"collectives::{function.name.removeprefix('MPI_').removesuffix('_c').lower()}"


def started_name(function: Function) -> str | None:
    """Returns the non-blocking form of a blocking function, None where there is none."""
    plain = function.name.removeprefix("MPI_")
    if function.name in STARTED or function.kind == "collective":
        return f"PMPI_I{plain[0].lower()}{plain[1:]}"
    return None


def carried_out(function: Function, arguments: str) -> list[str]:
    """Returns what sets `code` in a wrapper of C."""
    native = f"P{function.name}({arguments})"
    started = started_name(function)
    if function.name in WAITED:
        name = function.name.removeprefix("MPI_").lower()
        native = f"wait::is_on() ? wait::{name}({PLACE}, {arguments}) : {native}"
    elif started:
        # A receive gives its status when it is complete, not when it starts.
        status = "status" if function.statuses() else "MPI_STATUS_IGNORE"
        given = [one for one in function.passed() if one != "status"]
        start = (
            f"[&](MPI_Request* request) {{ return {started}({', '.join([*given, 'request'])}); }}"
        )
        # Blocking and non-blocking collectives do not match: all ranks must decide alike.
        agreed = " && all_start_collectives(comm)" if function.kind == "collective" else ""
        waited = f"wait::started_by({PLACE}, {status}, {start})"
        native = f"wait::is_on(){agreed} ? {waited} : {native}"
    if function.kind == "region":
        return [*ASKING, f"const int code = {native};"]
    if function.name not in TUNED:
        return [f"const int code = {native};"]
    return [
        "int code = collectives::left_to_library;",
        f"if (collectives::is_tuning()) code = {tuned_name(function)}({arguments});",
        f"if (call && {CARRIED_OUT}) {NOTED}",
        f"if (code == collectives::left_to_library) code = {native};",
    ]


def in_c(parameter: Parameter, language: Language) -> str:
    """Returns an argument of Fortran as C passes it."""
    name = parameter.name
    if parameter.is_array and parameter.kind == "DATATYPE":
        return language.datatype_of_each(name)
    if parameter.is_array:
        return language.numbers(name)
    conversions = {
        "BUFFER": f"fortran_buffer({name})",
        "DATATYPE": language.datatype(name),
        "COMMUNICATOR": language.communicator(name),
        "OPERATION": f"PMPI_Op_f2c({language.number(name)})",
    }
    return conversions.get(parameter.kind, language.number(name))


def tuned_in_fortran(function: Function, language: Language) -> list[str]:
    """Returns what a wrapper of Fortran does where no wrapper of C follows."""
    if function.name not in TUNED:
        return []
    arguments = ", ".join(in_c(one, language) for one in function.parameters)
    has_buffer = any(one.kind == "BUFFER" for one in function.parameters)
    lines = [
        "  if (calls_pmpi<Entry>() && collectives::is_tuning()) {",
        f"    const int code = {tuned_name(function)}({arguments});",
        f"    if (call && {CARRIED_OUT}) {NOTED}",
        f"    if ({CARRIED_OUT}) return set_fortran_code(ierror, code);",
        "  }",
    ]
    if not has_buffer:
        # As the wrapper of C does, with which other ranks may come to the same collective.
        given = [in_c(one, language) for one in function.parameters]
        start = f"{started_name(function)}({', '.join([*given, 'request'])})"
        lines += [
            f"  if (calls_pmpi<Entry>() && wait::is_on() && all_start_collectives({given[-1]})) {{",
            f"    const auto start = [&](MPI_Request* request) {{ return {start}; }};",
            "    return set_fortran_code(ierror,",
            f"        wait::started_by({PLACE}, MPI_STATUS_IGNORE, start));",
            "  }",
        ]
    return lines


def left_because(function: Function) -> str | None:
    """Returns why a collective is always left to the MPI library, None where it is not."""
    if function.kind == "icollective":
        return "it does not block"
    if function.kind == "persistent" and not re.search("send|recv", function.name.lower()):
        return "persistent (counted when it is made)"
    if function.kind != "collective" or function.name in TUNED:
        return None
    if "neighbor" in function.name.lower():
        return "of neighbours"
    return "not carried out by Tasuki"


def counted(function: Function) -> list[str]:
    """Returns what counts the calls of a collective that is always left to the MPI library."""
    why = left_because(function)
    if why is None:
        return []
    name = function.name.removeprefix("MPI_").lower()
    return [
        "if (collectives::is_tuning() && Call::is_outermost())",
        f'  collectives::count_left("{name}", "{why}");',
    ]


def tuning_before(function: Function, language: Language) -> list[str]:
    if function.name == "MPI_Finalize":
        return ["collectives::end_tuning();", "ahead::end_reporting();"]
    if function.name in FREEING:
        return [
            "MPI_Comm freed = MPI_COMM_NULL;",
            f"{language.if_given('comm')}freed = {language.freed_communicator('comm')};",
            FORGET,
        ]
    return counted(function)


def reporting_before(function: Function, language: Language) -> list[str]:
    """Returns what reports and predictions note of a call. One of Fortran that reaches C's counts
    there."""
    is_fortran = isinstance(language, Fortran)
    lines = []
    if function.kind in RECEIVES:
        # A matched message has a sender, as far as anybody can tell before it is received.
        source = language.number("source") if function.has("source") else "0"
        condition = "if (fortran_calls_pmpi) " if is_fortran else ""
        lines.append(f"{condition}ahead::count_receive({source});")
    if function.kind in TIMED_KINDS or function.name in WAITED:
        lines.append(f"const ahead::TimedWait timed{'(fortran_calls_pmpi)' if is_fortran else ''};")
    if function.name == "MPI_Request_free":
        request = language.request("request")
        given = language.if_given("request")
        lines.append(f"{given}if (ahead::is_predicting()) ahead::forget_posted({request});")
    return lines


def tuning_after(function: Function, condition: str) -> list[str]:
    if function.name in ("MPI_Init", "MPI_Init_thread"):
        return [f"if ({condition}) start_acting();"]
    return [FORGET] if function.name in FREEING else []


def noted_for_waits(function: Function) -> list[str]:
    """Returns what a wrapper of C notes, as the wait for the message knows only the request."""
    if function.name != "MPI_Irecv":
        return []
    return [
        "if (code == MPI_SUCCESS && ahead::is_predicting() && source != MPI_PROC_NULL) {",
        "  ahead::note_posted(*request, {buf, count, datatype}, source, tag, comm);",
        "}",
    ]
