"""What makes libraries send all messages over TCP, also those between ranks of one host."""

import os

# Of an MPI by its kind. One layer of Open MPI carries the messages; the other one might know a
# further way. It is what Open MPI takes by itself where there are no other devices.
MPI_OVER_TCP = {
    "ompi": {"OMPI_MCA_pml": "ob1", "OMPI_MCA_btl": "tcp,self"},
    # MPICH over UCX, as Debian has it, takes shared memory by UCX or by itself.
    "mpich": {"UCX_TLS": "tcp,self", "MPIR_CVAR_NOLOCAL": "1"},
}
# Where all ranks are on this host: Open MPI 5 finds no way from another device to itself.
MPI_OVER_LOOPBACK = MPI_OVER_TCP | {
    "ompi": MPI_OVER_TCP["ompi"] | {"OMPI_MCA_btl_tcp_if_include": "lo"}
}


def messages_of(transport: str) -> str:
    """How tables say that no memory is shared: what carries the messages of Tasuki over `transport`
    and of the libraries beside it."""
    named = os.environ.get("UCX_TLS")
    if transport != "ucx" or not named or {"tcp"} <= {*named.split(",")} <= {"tcp", "self"}:
        return "all messages over TCP"
    return f"messages over TCP, Tasuki's as UCX_TLS={named} says"


def ucx_over_tcp() -> dict[str, str]:
    """Of a program that uses UCX, unless the user names other transports of UCX."""
    return {} if os.environ.get("UCX_TLS") else {"UCX_TLS": "tcp"}
