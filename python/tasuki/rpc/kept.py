"""What the clients of a user have left on the ranks of a server, as the server tells."""

from dataclasses import dataclass
from typing import Any

from tasuki.rpc.connections import Connections


@dataclass(frozen=True)
class Kept:
    """An array that was put on the ranks, or an object of a class there."""

    name: str  #: What the ranks know it by.
    module: str
    #: For which argument it lies there, as in "solve.A", or of which class it is.
    what: str
    shape: tuple[int, ...] | None  #: None: it is an object.
    dtype: str | None  #: None: it is an object.
    nbytes: int  #: On all ranks together.
    user: str  #: "" where nobody has to say who it is.
    client: str  #: The address of its client's host.
    age_s: float
    unused_s: float  #: Since the last call that has used it.
    left_s: float | None  #: After which it is freed if no call uses it; None: it has no limit.
    is_being_freed: bool  #: When the call under way has ended.
    _connections: Connections

    def free(self) -> bool:
        """Frees it after the call under way; returns whether it was there.

        Calls that name it later raise LostArrayError or LostObjectError, which say who has freed
        it. Raises CallError if the server does not answer.
        """
        with self._connections.one() as connection:
            return connection.discard(self.name)

    @property
    def form(self) -> str:
        """Type and shape, as in "float64[3, 4]", or "object"."""
        return "object" if self.shape is None else f"{self.dtype}{list(self.shape)}"

    def __repr__(self) -> str:
        left = "" if self.left_s is None else f", {self.left_s:.0f} s left"
        return (
            f"Kept({self.what}, {self.form}, {self.nbytes} bytes, {self.age_s:.0f} s old{left},"
            f" on the ranks of {self.module})"
        )


def all_kept(connections: Connections) -> list[Kept]:
    """Of all clients of the user, the oldest first; raises CallError if the server is not there."""
    with connections.one() as connection:
        return [_kept_from(one, connections) for one in connection.kept()]


def _kept_from(row: dict[str, Any], connections: Connections) -> Kept:
    is_object = row["kind"] == "object"
    return Kept(
        name=row["name"],
        module=row["module"],
        what=row["class"] if is_object else f"{row['routine']}.{row['argument']}",
        shape=None if is_object else tuple(row["shape"]),
        dtype=None if is_object else row["type"],
        nbytes=row["bytes"],
        user=row["user"],
        client=row["client"]["host"],
        age_s=row["seconds"]["age"],
        unused_s=row["seconds"]["unused"],
        left_s=row["seconds"]["left"],
        is_being_freed=row["is_being_freed"],
        _connections=connections,
    )
