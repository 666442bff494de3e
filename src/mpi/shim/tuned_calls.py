"""Where a wrapper lets Tasuki carry a call out, or wait: lines of C++ of the wrapper."""

import re
from collections.abc import Sequence

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
# Those of src/mpi/wait/waited_calls.hpp: those that start nothing, and those that start a receive.
PROBES = {"MPI_Probe", "MPI_Mprobe"}
RECEIVING = {
    f"MPI_{name}{form}" for name in ("Recv", "Sendrecv", "Sendrecv_replace") for form in ("", "_c")
}
# Blocking functions of which the non-blocking form is started.
STARTED = {f"MPI_{name}{form}" for name in "Send Ssend Rsend Mrecv".split() for form in ("", "_c")}
# Those that wait for what other ranks send, and are timed for the report.
TIMED_KINDS = ("receive", "send_receive", "collective")
# Kinds of parameters that a call reads or writes: src/mpi/shim/converted_arguments.hpp.
CONVERTED = ("STATUS", "MESSAGE")
RECEIVES = ("receive", "ireceive", "send_receive")
# Those that know of messages taken ahead of them: src/mpi/wait/bounced_calls.hpp.
BOUNCED = ("MPI_Recv", "MPI_Irecv")
PLACE = "Call::place()"
CARRIED_OUT = "code != collectives::left_to_library"
NOTED = "call.carried_out_by(collectives::algorithm_used());"
FREEING = {"MPI_Comm_free", "MPI_Comm_disconnect"}
# Before the call and after it: functions that delete attributes may use the communicator meanwhile.
FORGET = (
    "if (collectives::is_tuning()) collectives::forget(freed);",
    "if (ahead::is_bouncing()) ahead::bounces().forget(freed);",
)
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


def waiting(function: Function, arguments: dict[str, str]) -> str | None:
    """Returns the call that waits by polls in place of a blocking one, None where there is none.

    `arguments` are those of C, by the names of the parameters.
    """
    plain = function.name.removeprefix("MPI_")
    if function.name in PROBES:
        return f"wait::{plain.lower()}({PLACE}, {', '.join(arguments.values())})"
    if function.name in RECEIVING:
        return receiving(function, arguments)
    if function.name not in STARTED and function.kind != "collective":
        return None
    # A receive gives its status when it is complete, not when it starts.
    status = arguments["status"] if function.statuses() else "MPI_STATUS_IGNORE"
    given = [text for name, text in arguments.items() if name != "status"]
    started = starting(f"I{plain[0].lower()}{plain[1:]}", given)
    return f"wait::started_by({PLACE}, {status}, {started})"


def starting(name: str, arguments: Sequence[str]) -> str:
    """Returns a lambda that calls a non-blocking function of the MPI library."""
    called = f"PMPI_{name}({', '.join([*arguments, 'request'])})"
    return f"[&](MPI_Request* request) {{ return {called}; }}"


def receiving(function: Function, arguments: dict[str, str]) -> str:
    """The same as `waiting`, of functions that start a receive."""
    plain = function.name.removeprefix("MPI_")
    form = "_c" if plain.endswith("_c") else ""

    def of(*names: str) -> list[str]:
        return [arguments[name] for name in names]

    is_exchange = function.has("recvbuf")
    buffer = (
        of("recvbuf", "recvcount", "recvtype") if is_exchange else of("buf", "count", "datatype")
    )
    envelope = of("source", "recvtag" if function.has("recvtag") else "tag", "comm")
    given = [PLACE, f"{{{', '.join(buffer)}}}"]
    if function.has("recvtag") and not is_exchange:
        given += of("dest", "sendtag")
    given += [*envelope, arguments["status"], starting(f"Irecv{form}", [*buffer, *envelope])]
    if is_exchange:
        sent = of("sendbuf", "sendcount", "sendtype", "dest", "sendtag", "comm")
        given.append(starting(f"Isend{form}", sent))
    waited = f"wait::{plain.removesuffix('_c').lower()}({', '.join(given)})"
    if function.name == "MPI_Recv":
        bounced = f"wait::bounced_recv({PLACE}, {', '.join(arguments.values())})"
        return f"(ahead::is_bouncing() ? {bounced} : {waited})"
    return waited


def waits_if(function: Function, arguments: dict[str, str]) -> str:
    """Returns what must be true, beside that calls wait by polls, with && before it."""
    if function.kind == "collective":
        # Blocking and non-blocking collectives do not match: all ranks must decide alike.
        return f" && all_start_collectives({arguments['comm']})"
    if function.kind == "receive" and function.has("source"):
        return f" && {arguments['source']} != MPI_PROC_NULL"
    if "replace" in function.name:
        return f" && wait::SentCopy::can_hold({arguments['count']}, {arguments['datatype']})"
    return ""


def carried_out(function: Function, arguments: str) -> list[str]:
    """Returns what sets `code` in a wrapper of C."""
    native = f"P{function.name}({arguments})"
    names = [one.name for one in function.parameters]
    given = dict(zip(names, function.passed(), strict=True))
    if waited := waiting(function, given):
        native = f"wait::is_on(){waits_if(function, given)} ? {waited} : {native}"
    if function.name == "MPI_Irecv":
        bounced = f"wait::bounced_irecv({PLACE}, {arguments})"
        native = f"ahead::is_bouncing() ? {bounced} : {native}"
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
    if parameter.kind in CONVERTED:
        return f"converted_{name}.in_c()"
    conversions = {
        "BUFFER": language.buffer(name),
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
    return [
        "  if (stands_for_c<Entry>() && collectives::is_tuning()) {",
        f"    const int code = {tuned_name(function)}({arguments});",
        f"    if (call && {CARRIED_OUT}) {NOTED}",
        f"    if ({CARRIED_OUT}) return set_fortran_code(ierror, code);",
        "  }",
    ]


def carried_out_in_fortran(function: Function, language: Language, native: str) -> list[str]:
    """Returns what waits in a wrapper of Fortran where no wrapper of C follows, or does `native`.

    In Open MPI blocking and non-blocking collectives would meet; in MPICH the symbols of those that
    have buffers reach the wrappers of C.
    """
    is_collective = function.kind == "collective"
    arguments = {one.name: in_c(one, language) for one in function.parameters}
    waited = waiting(function, arguments)
    if not waited or (is_collective and any(o.kind == "BUFFER" for o in function.parameters)):
        return [native]
    converted = [
        f"  Converted{one.kind.capitalize()} converted_{one.name}({one.name});"
        for one in function.parameters
        if one.kind in CONVERTED
    ]
    return [
        f"if (polls<Entry>(){waits_if(function, arguments)}) {{",
        *converted,
        f"  set_fortran_code(ierror, {waited});",
        "} else {",
        f"  {native}",
        "}",
    ]


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
            *FORGET,
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
        condition = "if (calls_pmpi<Entry>()) " if is_fortran else ""
        lines.append(f"{condition}ahead::count_receive({source});")
    if function.kind in TIMED_KINDS or function.name in PROBES:
        counted = "(calls_pmpi<Entry>())" if is_fortran else ""
        lines.append(f"const ahead::TimedWait timed{counted};")
    if function.name == "MPI_Request_free":
        request = language.request("request")
        given = language.if_given("request")
        lines.append(f"{given}if (ahead::follows_persistent()) ahead::forget_posted({request});")
    return lines


def excluded_from_bouncing(function: Function, language: Language) -> list[str]:
    """Returns what tells bounce receives of a function that does not know of them."""
    # Partitioned messages meet no others.
    if not function.has("source") or not function.has("comm") or function.has("partitions"):
        return []
    condition = "ahead::is_bouncing()"
    if isinstance(language, Fortran):
        condition += " && calls_pmpi<Entry>()"
        if function.name == "MPI_Recv":
            condition += " && !polls<Entry>()"
    elif function.name in BOUNCED:
        return []
    tag = "recvtag" if function.has("recvtag") else "tag"
    source, tag = language.number("source"), language.number(tag)
    arguments = f'"{function.name}", {source}, {tag}, {language.communicator("comm")}'
    return [f"if ({condition}) ahead::bounces().exclude({arguments});"]


def tuning_after(function: Function, condition: str) -> list[str]:
    if function.name in ("MPI_Init", "MPI_Init_thread"):
        return [f"if ({condition}) start_acting();"]
    return list(FORGET) if function.name in FREEING else []


def noted_for_waits(function: Function, language: Language, condition: str) -> list[str]:
    """Returns what is noted after a call, as the wait for the message knows only the request."""
    if function.name in ("MPI_Irecv", "MPI_Irecv_c"):
        asked, note = "is_predicting", "note_posted"
    elif function.name in ("MPI_Recv_init", "MPI_Recv_init_c"):
        asked, note = "follows_persistent", "note_prepared"
    else:
        return []
    if isinstance(language, Fortran):
        condition = f"stands_for_c<Entry>() && {condition}"
    source, tag = language.number("source"), language.number("tag")
    count, datatype = language.number("count"), language.datatype("datatype")
    buffer = f"{{{language.buffer('buf')}, {count}, {datatype}}}"
    request, communicator = language.request("request"), language.communicator("comm")
    return [
        f"if (ahead::{asked}() && {condition} && {source} != MPI_PROC_NULL) {{",
        f"  ahead::{note}({request}, {buffer}, {source}, {tag}, {communicator});",
        "}",
    ]
