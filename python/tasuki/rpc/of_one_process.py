"""What cannot go to another process, as it has connections of this one."""

import os
from typing import NoReturn

from tasuki.rpc.errors import CallError


class OfOneProcess:
    """Its objects can be neither pickled nor copied; the error says what to do instead."""

    def __reduce_ex__(self, _: object) -> NoReturn:
        raise TypeError(
            f"pickle: a {type(self).__name__} has connections of this process."
            " Remedy: call tasuki.connect in the process that calls."
        )


def require_own_process(process: int, operation: str) -> None:
    """Raises CallError in a fork of the process that has made what the operation is about."""
    if os.getpid() != process:
        raise CallError(operation, f"process {process} has put it there", "do it there")
