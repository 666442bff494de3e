"""Writes src/mpi/functions.json: the functions of the MPI standard that Tasuki sees in a program.

The list comes from the standard's own data, as the package pympistandard carries it. Functions that
only ask or build something (MPI_Comm_rank, MPI_Type_vector) are not in it: programs reach them
without a detour. tests/mpi checks that the file is what this program writes.

    python tools/mpi_functions.py
"""

import json
import re
from importlib import resources
from pathlib import Path

import pympistandard

FILE = Path(__file__).resolve().parents[1] / "src" / "mpi" / "functions.json"

COLLECTIVE = (
    r"(Barrier|Bcast|Gatherv?|Scatterv?|Allgatherv?|Alltoall[vw]?|Reduce|Allreduce|"
    r"Reduce_scatter(_block)?|Scan|Exscan|Neighbor_(allgatherv?|alltoall[vw]?))"
)
COMMUNICATOR = (
    r"(Comm_(i?dup(_with_info)?|split(_type)?|create(_group|_from_group)?|free|spawn(_multiple)?|"
    r"accept|connect|disconnect|join)|Intercomm_(create(_from_groups)?|merge)|"
    r"Cart_(create|sub)|Graph_create|Dist_graph_create(_adjacent)?)"
)
ONE_SIDED = (
    r"((?i:R?(Put|Get|Accumulate|Get_accumulate))|Fetch_and_op|Compare_and_swap|"
    r"Win_(create(_dynamic)?|allocate(_shared)?|free|fence|post|start|complete|wait|test|"
    r"(un)?lock(_all)?|flush(_local)?(_all)?|sync))"
)
FILES = r"File_(open|close|i?(read|write)\w*|sync|set_size|preallocate|set_view)"

# The first kind whose expression fits a name, without MPI_ and _c, is the function's.
KINDS = (
    ("send", r"(?i:[bsr]?send)"),
    ("isend", r"I[bsr]?send"),
    ("receive", r"(?i:m?recv)"),
    ("ireceive", r"Im?recv|Isendrecv(_replace)?"),
    ("send_receive", r"Sendrecv(_replace)?"),
    ("wait", r"Wait(all|any|some)?"),
    ("test", r"Test(all|any|some)?|Parrived"),
    ("probe", r"(?i:i?m?probe)"),
    ("collective", COLLECTIVE),
    ("icollective", rf"(?i:I{COLLECTIVE})"),
    ("persistent", rf"(?i:[bsrp]?send_init|p?recv_init)|{COLLECTIVE}_init"),
    ("start", r"Start(all)?|Pready(_range|_list)?"),
    ("request", r"Request_free|Cancel"),
    ("one_sided", ONE_SIDED),
    ("file", FILES),
    ("communicator", COMMUNICATOR),
    ("process", r"Init(_thread)?|Finalize|Abort|Session_(init|finalize)"),
    ("region", r"Pcontrol"),
)


def kind_of(name: str) -> str | None:
    """Returns the kind of the function `name` (as in C), or None if Tasuki does not see it."""
    plain = name.removeprefix("MPI_").removesuffix("_c")
    for kind, expression in KINDS:
        if re.fullmatch(expression, plain):
            return kind
    return None


def parameters_of(declaration: str, kinds: dict[str, str]) -> list[list[str]]:
    """Returns declaration, name and kind (the standard's word) of each parameter."""
    inside = declaration[declaration.index("(") + 1 : declaration.rindex(")")]
    parameters = []
    for parameter in inside.split(", "):
        match = re.search(r"(\w+)(\[[^]]*\])*$", parameter)
        if match and parameter != "void":
            parameters.append([parameter, match[1], kinds[match[1]]])
    return parameters


def functions() -> list[dict[str, object]]:
    """Returns the functions that Tasuki sees, sorted by name, those of large counts (_c) too."""
    pympistandard.use_api_version(1)
    data = resources.files("pympistandard") / "data" / "apis.json"
    kinds = {
        name: {one["name"]: one["kind"] for one in function["parameters"]}
        for name, function in json.loads(data.read_text()).items()
    }
    found = []
    for name, procedure in pympistandard.PROCEDURES.items():
        expressions = [procedure.express.iso_c]
        if procedure.has_embiggenment():
            expressions.append(procedure.express.embiggen.iso_c)
        for declaration in map(str, expressions):
            match = re.match(r"int (MPI_\w+)\(", declaration)
            kind = kind_of(match[1]) if match else None
            if match is None or kind is None:
                continue
            found.append(
                {
                    "name": match[1],
                    "kind": kind,
                    "has_fortran": bool(procedure.express.f90) and not match[1].endswith("_c"),
                    "parameters": parameters_of(declaration.replace(r"\ldots", "..."), kinds[name]),
                }
            )
    return sorted(found, key=lambda one: str(one["name"]))


def text() -> str:
    """Returns the file's text: one function a line."""
    lines = ",\n".join(json.dumps(one) for one in functions())
    return f"[\n{lines}\n]\n"


if __name__ == "__main__":
    FILE.write_text(text())
