"""What a wrapper notes of the arguments of an MPI function: lines of C++ that tell its Call.

The same rules serve C and Fortran; a Language says how an argument is read in each.
"""

import re
from dataclasses import dataclass

# As docs/formats/mpi-events.md numbers them.
NUMBER_OF_KIND = {
    "send": 1,
    "isend": 2,
    "receive": 3,
    "ireceive": 4,
    "wait": 5,
    "test": 6,
    "probe": 7,
    "collective": 8,
    "icollective": 9,
    "start": 10,
    "one_sided": 11,
    "file": 12,
    "communicator": 13,
    "process": 14,
    "region": 15,
    "send_receive": 17,
    "persistent": 0,
    "request": 0,
}


@dataclass(frozen=True)
class Parameter:
    declaration: str
    name: str
    kind: str

    @property
    def is_array(self) -> bool:
        return "[" in self.declaration


class Function:
    def __init__(
        self, name: str, kind: str, has_fortran: bool, parameters: list[list[str]]
    ) -> None:
        self.name = name
        self.kind = kind
        self.has_fortran = has_fortran
        self.parameters = [Parameter(*one) for one in parameters]

    def has(self, *names: str) -> bool:
        return all(any(one.name == name for one in self.parameters) for name in names)

    def parameter(self, name: str) -> Parameter:
        return next(one for one in self.parameters if one.name == name)

    def passed(self) -> list[str]:
        """The arguments of the call. MPICH 4.0 declares partitions that it reads as `int[]`."""
        cast = "const_cast<int*>(array_of_partitions)"
        return [cast if "partitions[" in o.declaration else o.name for o in self.parameters]

    def statuses(self) -> list[str]:
        """The status of a receive or probe; those of waits are looked at by hand."""
        if self.kind not in ("receive", "send_receive", "probe"):
            return []
        return [one.name for one in self.parameters if one.kind == "STATUS"]

    @property
    def collective(self) -> str:
        """The name of a collective, whether blocking, non-blocking or persistent, in lower case."""
        plain = self.name.removeprefix("MPI_").removesuffix("_c").removesuffix("_init").lower()
        return plain.removeprefix("i") if self.kind == "icollective" else plain


class Language:
    """How C reads its arguments."""

    def buffer(self, name: str) -> str:
        return name

    def number(self, name: str) -> str:
        return name

    def numbers(self, name: str) -> str:
        return name

    def communicator(self, name: str) -> str:
        return name

    def window(self, name: str) -> str:
        return name

    def freed_window(self, name: str) -> str:
        return f"*{name}"

    def datatype(self, name: str) -> str:
        return name

    def datatype_of_each(self, name: str) -> str:
        return f"collectives::Datatypes({name})"

    def made_communicator(self, name: str) -> str:
        return f"*{name}"

    def freed_communicator(self, name: str) -> str:
        return f"*{name}"

    def request(self, name: str) -> str:
        return f"*{name}"

    def if_given(self, name: str) -> str:
        """Before what looks behind a pointer that may be null, which is MPI's to report."""
        return f"if ({name} != nullptr) "

    def status(self, name: str) -> str:
        return f"*{name}"

    def is_in_place(self, name: str) -> str:
        return f"{name} == MPI_IN_PLACE"

    def flag(self, name: str) -> str:
        return f"*{name} != 0"


class Fortran(Language):
    """How a wrapper of a function's Fortran symbols reads them: each is an address.

    A parameter that C declares MPI_Count has eight bytes here as well.
    """

    def __init__(self, function: Function) -> None:
        self._large = {
            one.name
            for one in function.parameters
            if "MPI_Count " in one.declaration or (one.is_array and "MPI_Aint " in one.declaration)
        }

    def buffer(self, name: str) -> str:
        return f"fortran_buffer({name})"

    def number(self, name: str) -> str:
        return f"fortran_count({name})" if name in self._large else f"fortran_integer({name})"

    def numbers(self, name: str) -> str:
        return f"fortran_counts({name})" if name in self._large else f"fortran_integers({name})"

    def communicator(self, name: str) -> str:
        return f"fortran_communicator({name})"

    def window(self, name: str) -> str:
        return f"fortran_window({name})"

    def freed_window(self, name: str) -> str:
        return self.window(name)

    def datatype(self, name: str) -> str:
        return f"fortran_datatype({name})"

    def datatype_of_each(self, name: str) -> str:
        return f"collectives::Datatypes::of_fortran({name})"

    def made_communicator(self, name: str) -> str:
        return self.communicator(name)

    def freed_communicator(self, name: str) -> str:
        return self.communicator(name)

    def request(self, name: str) -> str:
        return f"fortran_request({name})"

    def if_given(self, name: str) -> str:  # noqa: ARG002
        return ""

    def status(self, name: str) -> str:
        return f"own_{name}.status()"

    def is_in_place(self, name: str) -> str:
        return f"is_fortran_in_place<Entry>({name})"

    def flag(self, name: str) -> str:
        return f"fortran_integer({name}) != 0"


def notes_before(function: Function, language: Language) -> list[str]:
    """Returns what is noted before the call."""
    lines = []
    for name in ("comm", "local_comm", "oldcomm", "comm_old", "intercomm"):
        if function.has(name) and not function.parameter(name).declaration.startswith("MPI_Comm*"):
            lines.append(f"call.on({language.communicator(name)});")
            break
    if function.name in ("MPI_Comm_free", "MPI_Comm_disconnect"):
        freed = language.freed_communicator("comm")
        lines.append(f"{language.if_given('comm')}call.on({freed}), call.frees({freed});")
    if function.name == "MPI_Win_free":
        window = language.freed_window("win")
        lines.append(f"{language.if_given('win')}call.frees_window({window});")
    if function.name in ("MPI_Init", "MPI_Init_thread"):
        lines.append("note_initializing();")
    if function.name == "MPI_Abort":
        lines.append(f"note_aborting({language.number('errorcode')});")
    if function.kind == "region":
        lines.append(f"call.tagged({language.number('level')});")
    if function.name == "MPI_Request_free":
        request = language.request("request")
        lines.append(f"{language.if_given('request')}note_freed({request});")
    if function.name == "MPI_Cancel":
        request = language.request("request")
        lines.append(f"{language.if_given('request')}note_cancelled({request});")
    return lines + ranks_and_tags(function, language) + traffic(function, language)


def ranks_and_tags(function: Function, language: Language) -> list[str]:
    lines = []
    if function.has("dest"):
        lines.append(f"call.to({language.number('dest')});")
    if function.kind == "one_sided" and function.has("win"):
        target = "target_rank" if function.has("target_rank") else "rank"
        if function.has(target):
            window = language.window("win")
            lines.append(f"call.to_target({language.number(target)}, {window});")
    if function.has("source"):
        lines.append(f"call.from({language.number('source')});")
    if function.has("root"):
        lines.append(f"call.rooted_at({language.number('root')});")
    if function.has("sendtag"):
        lines.append(f"call.tagged({language.number('sendtag')});")
    elif function.has("tag"):
        asks = "asks_tag" if function.has("source") else "tagged"
        lines.append(f"call.{asks}({language.number('tag')});")
    return lines


def traffic(function: Function, language: Language) -> list[str]:
    """Returns what notes the bytes that this rank sends and receives."""
    if function.kind in ("collective", "icollective"):
        return traffic_of_collective(function, language)
    if function.kind == "persistent" and not re.search("send|recv", function.name.lower()):
        return traffic_of_collective(function, language)
    if function.has("sendcount", "sendtype", "recvcount", "recvtype"):
        return [sends(language, "sendcount"), receives(language, "recvcount")]
    if function.has("origin_count", "origin_datatype"):
        verb = "receives" if re.search(r"_R?get(_c)?$", function.name, re.I) else "sends"
        count, datatype = language.number("origin_count"), language.datatype("origin_datatype")
        return [f"call.{verb}({count}, {datatype});"]
    if not function.has("count", "datatype"):
        return []
    count, datatype = language.number("count"), language.datatype("datatype")
    if function.has("partitions"):
        count = f"{language.number('partitions')} * {count}"
    both = function.kind == "send_receive" or "replace" in function.name
    is_read = bool(re.search(r"recv|read", function.name.lower()))
    verbs = ("sends", "receives") if both else ("receives",) if is_read else ("sends",)
    return [f"call.{verb}({count}, {datatype});" for verb in verbs]


def sends(language: Language, count: str, times: str = "") -> str:
    number = language.number(count) + times
    return f"call.sends({number}, {language.datatype(count.replace('count', 'type'))});"


def receives(language: Language, count: str, times: str = "") -> str:
    number = language.number(count) + times
    return f"call.receives({number}, {language.datatype(count.replace('count', 'type'))});"


def each(language: Language, verb: str, counts: str) -> str:
    kind = counts.replace("counts", "type")
    return f"call.{verb}_each({language.numbers(counts)}, {language.datatype(kind)});"


def each_typed(language: Language, verb: str, counts: str) -> str:
    types = language.datatype_of_each(counts.replace("counts", "types"))
    return f"{verb}_each_typed(call, {language.numbers(counts)}, {types});"


def unless_in_place(language: Language, buffer: str, line: str) -> str:
    return f"if (!({language.is_in_place(buffer)})) {line}"


def traffic_of_collective(function: Function, language: Language) -> list[str]:
    name = function.collective
    if name == "barrier":
        return []
    peers = " * static_cast<std::int64_t>(call.peer_count())"
    if name.startswith("neighbor_"):
        return traffic_of_neighbours(function, language)
    if name == "bcast":
        count, datatype = language.number("count"), language.datatype("datatype")
        return [
            f"if (call.is_root()) call.sends({count}, {datatype});",
            f"else if (call.is_with_root()) call.receives({count}, {datatype});",
        ]
    if name in ("allreduce", "scan", "exscan", "reduce"):
        count, datatype = language.number("count"), language.datatype("datatype")
        lines = [f"call.sends({count}, {datatype});", f"call.receives({count}, {datatype});"]
        if name == "reduce":
            lines = [f"if (call.is_with_root()) {lines[0]}", f"if (call.is_root()) {lines[1]}"]
        return lines
    if name == "reduce_scatter_block":
        count, datatype = language.number("recvcount"), language.datatype("datatype")
        return [
            f"call.sends({count} * static_cast<std::int64_t>(call.own_count()), {datatype});",
            f"call.receives({count}, {datatype});",
        ]
    if name == "reduce_scatter":
        counts, datatype = language.numbers("recvcounts"), language.datatype("datatype")
        return [
            f"call.sends_each_own({counts}, {datatype});",
            f"if (call.own_rank() >= 0) call.receives({counts}[call.own_rank()], {datatype});",
        ]
    return traffic_of_exchange(name, language, peers)


def traffic_of_exchange(name: str, language: Language, peers: str) -> list[str]:
    if name in ("gather", "gatherv"):
        received = (
            receives(language, "recvcount", peers)
            if name == "gather"
            else each(language, "receives", "recvcounts")
        )
        sent = unless_in_place(language, "sendbuf", sends(language, "sendcount"))
        return [
            f"if (call.is_with_root()) {sent}",
            f"if (call.is_root()) {received}",
        ]
    if name in ("scatter", "scatterv"):
        sent = (
            sends(language, "sendcount", peers)
            if name == "scatter"
            else each(language, "sends", "sendcounts")
        )
        received = unless_in_place(language, "recvbuf", receives(language, "recvcount"))
        return [f"if (call.is_root()) {sent}", f"if (call.is_with_root()) {received}"]
    if name in ("allgather", "allgatherv"):
        received = (
            receives(language, "recvcount", peers)
            if name == "allgather"
            else each(language, "receives", "recvcounts")
        )
        return [unless_in_place(language, "sendbuf", sends(language, "sendcount")), received]
    both = {
        "alltoall": (
            sends(language, "sendcount", peers),
            receives(language, "recvcount", peers),
        ),
        "alltoallv": (
            each(language, "sends", "sendcounts"),
            each(language, "receives", "recvcounts"),
        ),
        "alltoallw": (
            each_typed(language, "sends", "sendcounts"),
            each_typed(language, "receives", "recvcounts"),
        ),
    }[name]
    return [unless_in_place(language, "sendbuf", both[0]), both[1]]


def traffic_of_neighbours(function: Function, language: Language) -> list[str]:
    """Neighbours are few: a wrapper asks MPI how many there are."""
    name = function.collective
    lines = ["const Neighbours neighbours(" + language.communicator("comm") + ");"]
    for verb, degree in (("send", "out_degree"), ("recv", "in_degree")):
        call = "sends" if verb == "send" else "receives"
        counts = f"{verb}counts"
        if function.has(counts) and name.endswith("w"):
            types = language.datatype_of_each(f"{verb}types")
            numbers = language.numbers(counts)
            lines.append(f"neighbours.{call}_typed(call, {numbers}, {types});")
        elif function.has(counts):
            datatype = language.datatype(f"{verb}type")
            lines.append(f"neighbours.{call}(call, {language.numbers(counts)}, {datatype});")
        else:
            # An allgather sends one block to all.
            times = f" * static_cast<std::int64_t>(neighbours.{degree}())"
            count, datatype = language.number(f"{verb}count"), language.datatype(f"{verb}type")
            lines.append(f"call.{call}({count}{times}, {datatype});")
    return lines


def notes_after(function: Function, language: Language) -> list[str]:
    """Returns what is noted when the call has succeeded."""
    lines = []
    if function.kind == "process":
        lines += {
            "MPI_Init": ["note_initialized();"],
            "MPI_Init_thread": ["note_initialized();"],
            "MPI_Session_init": ["note_session();"],
            "MPI_Finalize": ["note_finalized();"],
        }.get(function.name, [])
    for status in function.statuses():
        noted = f"call.received({language.status(status)});"
        found = f"if ({language.flag('flag')}) " if function.has("flag") else ""
        lines.append(found + noted)
    request = next((one for one in function.parameters if one.kind == "REQUEST"), None)
    if request and function.kind in ("isend", "ireceive", "icollective", "persistent", "file"):
        verb = "prepares" if function.kind == "persistent" else "starts"
        lines.append(f"call.{verb}({language.request(request.name)}, {direction_of(function)});")
    if function.kind == "communicator":
        made = [
            one.name
            for one in function.parameters
            if re.match(r"MPI_Comm\*", one.declaration) and one.name != "comm"
        ]
        if made:
            verb = "makes_alone" if "group" in function.name else "makes"
            # An idup is complete, and may be described, only when its request is.
            verb = "makes_later" if "idup" in function.name else verb
            lines.append(f"call.{verb}({language.made_communicator(made[0])});")
    return lines


def direction_of(function: Function) -> str:
    plain = function.name.lower()
    if function.kind == "ireceive" or re.search(r"p?recv_init", plain):
        return "Direction::receive"
    if function.kind == "isend" or re.search(r"send_init", plain):
        return "Direction::send"
    return "Direction::other"
