"""`tasuki info`: settings, topology, transports, what UCX uses and folders of plug-ins, as the
program tasuki_info sees them, or the routines of a server."""

from typing import Annotated, Any

import typer

from tasuki.base.program_answer import answer_of
from tasuki.commands.info_memory import DEFAULT_MEMORY, MemoryOptions, require_alone, show_memory
from tasuki.commands.options import CaFile, Json, TokenFile
from tasuki.output.report import Row, envelope, print_json, print_table, result

MIB = 1 << 20


def info(
    url: Annotated[
        str,
        typer.Argument(help="A server, tasuki://HOST:PORT, or several, as in A,B: show routines."),
    ] = "",
    routine: Annotated[
        str, typer.Argument(help="Only this routine, with all that it takes and gives.")
    ] = "",
    token_file: TokenFile = None,
    ca_file: CaFile = None,
    memory: MemoryOptions = DEFAULT_MEMORY,
    as_json: Json = False,
) -> None:
    """Show settings, topology and transports, memory, or the routines of a server."""
    require_alone(memory, url, {"--token-file": token_file, "--ca-file": ca_file})
    if memory.memory:
        show_memory(memory, as_json)
        return
    if url:
        from tasuki.rpc.info_command import show_routines

        show_routines(url, routine, as_json, token_file, ca_file)
        return
    seen = ask_program()
    if as_json:
        print_json(envelope("info", rows_of(seen), ranks=None, transport=None))
        return
    settings = seen["settings"]
    print_table(
        "Settings (environment variables; * set here)",
        ("name", "value", "unit", "what it does"),
        [
            (("*" if row["is_set"] else "") + row["name"], row["value"], row["unit"], row["help"])
            for row in settings
            if row["audience"] == "user"
        ],
    )
    print_table("Topology", ("what", "value", "unit"), topology_lines(seen["topology"]))
    print_table(
        "Transports",
        ("name", "usable here", "what it is"),
        [
            (row["name"], row["unavailable_because"] or "yes", row["summary"])
            for row in seen["transports"]
        ],
    )
    print_table("What UCX uses here", ("what", "value"), ucx_lines(seen))
    print_table(
        "Folders of MPI plug-ins, as they are searched (* for tasuki mpi-plugin)",
        ("folder",),
        [
            (("*" if row["is_home"] else "") + row["directory"],)
            for row in seen["mpi_plugin_directories"]
        ],
    )


def ask_program() -> dict[str, Any]:
    """settings, topology, transports and folders of plug-ins of this build on this machine."""
    return answer_of("info", "tasuki_info")


def topology_lines(topology: dict[str, Any]) -> list[tuple[str, object, str]]:
    """(what, value, unit) for each number of the topology."""
    lines: list[tuple[str, object, str]] = [
        ("machine", topology["machine"], ""),
        ("sockets", topology["sockets"], ""),
        ("numa_nodes", topology["numa_nodes"], ""),
        ("cores", topology["cores"], ""),
        ("hardware_threads", topology["hardware_threads"], ""),
        ("allowed_cores", topology["allowed_cores"], ""),
        ("memory", topology["memory_bytes"] // MIB, "MiB"),
    ]
    for cache in topology["caches"]:
        lines.append((f"l{cache['level']}_cache", cache["size_bytes"] // 1024, "KiB"))
        lines.append((f"l{cache['level']}_caches", cache["count"], ""))
    return lines


def ucx_lines(seen: dict[str, Any]) -> list[tuple[str, str]]:
    """(what, value) of UCX; where there is none, why."""
    ucx = seen["ucx"]
    if ucx is None:
        (why,) = (row["unavailable_because"] for row in seen["transports"] if row["name"] == "ucx")
        return [("ucx", f"none: {why}")]
    if ucx["failure"]:
        return [("ucx", f"none: {ucx['failure']}")]
    nothing = "nothing: see UCX_TLS and UCX_NET_DEVICES"
    return [
        ("ucx_version", ucx["version"]),
        ("ucx_between_hosts", ", ".join(ucx["between_hosts"]) or nothing),
        ("ucx_within_host", ", ".join(ucx["within_host"]) or nothing),
        ("ucx_finds", ", ".join(ucx["here"])),
    ]


def rows_of(seen: dict[str, Any]) -> list[Row]:
    """The rows of the JSON output; `kind` tells settings, topology and the others apart."""
    settings = [
        result(
            row["name"],
            row["value"],
            row["unit"],
            kind="setting",
            **{key: row[key] for key in ("type", "default", "help", "audience", "is_set")},
        )
        for row in seen["settings"]
    ]
    topology = [
        result(name, value, unit, kind="topology")
        for name, value, unit in topology_lines(seen["topology"])
    ]
    transports = [
        result(
            row["name"],
            "available" if not row["unavailable_because"] else "unavailable",
            "",
            kind="transport",
            summary=row["summary"],
            unavailable_because=row["unavailable_because"] or None,
        )
        for row in seen["transports"]
    ]
    ucx = [result(name, value, "", kind="ucx") for name, value in ucx_lines(seen)]
    directories = [
        result(
            "mpi_plugin_directory",
            row["directory"],
            "",
            kind="mpi_plugin_directory",
            is_home=row["is_home"],
        )
        for row in seen["mpi_plugin_directories"]
    ]
    return settings + topology + transports + ucx + directories
