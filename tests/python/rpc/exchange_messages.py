"""A client that says and hears whatever clients can: python exchange_messages.py URL MODE...

The server serves routines/messages.idl. Run with message_tap.c preloaded.
"""

import contextlib
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import tasuki
from tasuki.rpc.errors import CallError, LostArrayError, LostObjectError

N = 40_000  # Blocks that are long enough to be read from memory.


def call(server: Any, folder: Path, a: Any, fails: int = 0, title: str = "title") -> None:
    def double(x: np.ndarray, y: np.ndarray) -> None:
        y[0] = 2 * x[0]

    (folder / "input").write_text("text")
    result, message = server.messages.work(
        1j, title, folder / "input", double, a, folder / "output", fails
    )
    assert message == f"{title}: 2.0"
    assert (folder / "output").read_text() == "TEXT"
    if isinstance(a, np.ndarray):
        np.testing.assert_array_equal(result, a + 1)


def exchange(server: Any, folder: Path) -> None:
    """Calls, and leaves something on the ranks that is used, freed and missed."""
    routine = server.messages.work
    call(server, folder, np.zeros(N))
    with server.put(np.zeros(N), like=routine.a) as kept:
        files = {"input": folder / "input", "output": folder / "output"}
        routine(1j, "", f=lambda *_: None, a=kept, fails=0, **files)
    with server.messages.Total() as total:
        assert total.add(np.ones(3)) == [3]
    left = server.put(np.zeros(N), like=routine.a)
    total = server.messages.Total()
    assert [one.free() for one in server.kept] == [True, True]
    with raises(LostArrayError):
        call(server, folder, left)
    with raises(LostObjectError):
        total.add(np.ones(3))


@contextlib.contextmanager
def raises(kind: type[Exception]) -> Iterator[None]:
    try:
        yield
    except kind:
        return
    raise AssertionError(f"no {kind.__name__}")


def ask_meanwhile(url: str, folder: Path) -> None:
    """A call for so long that the client asks whether the front end is there."""
    os.environ["TASUKI_SERVER_TIMEOUT"] = "3"
    with tasuki.connect(url) as server:
        call(server, folder, np.zeros(N), title="slow")


def main(url: str, modes: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        for mode in modes:
            for wire in ("native",) if mode == "memory" else ("native", "xdr"):
                with tasuki.connect(url, mode=mode, wire=wire) as server:
                    exchange(server, Path(folder))
                    assert server.messages.work.report["mode"] == mode
                    if (mode, wire) == (modes[-1], "native"):
                        with raises(CallError):  # Once, as the ranks are started anew for it.
                            call(server, Path(folder), np.zeros(N), fails=1)
        ask_meanwhile(url, Path(folder))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
