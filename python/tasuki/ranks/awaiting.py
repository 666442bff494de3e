"""`await future`: a Future in an event loop of asyncio, or in any that steps coroutines."""

from collections.abc import Generator
from typing import TypeVar

from tasuki.ranks.extension import Future

_T = TypeVar("_T")

# How long other tasks of the event loop may have to wait for their turn.
STEP_S = 50e-6


def _await(future: Future[_T]) -> Generator[None, None, _T]:
    """Waits in steps; between them the event loop runs its other tasks."""
    while not future.wait_for(STEP_S):
        yield
    return future.get()


def enable() -> None:
    """Lets futures be awaited."""
    Future.__await__ = _await  # type: ignore[assignment, method-assign]
