"""Remote calls of Python functions: `invoke` waits for the result, `ainvoke` returns a Future,
`post` is one-way.

The function runs on the target whenever that rank waits in a call of Tasuki, and may wait itself.
It and its arguments travel by pickle (see pickled.py). What it raises comes back as itself, caused
by a `RemoteError` that has the rank and the traceback there.
"""

from collections.abc import Callable
from types import CodeType
from typing import Any, ParamSpec, TypeVar

from tasuki.ranks import extension, pickled
from tasuki.ranks.extension import Future
from tasuki.ranks.remote_error import RemoteError, line_of, text_of

_P = ParamSpec("_P")
_R = TypeVar("_R")

# What hang reports call functions, by their code.
_places: dict[CodeType, str] = {}

_RETURNED = b"\0"
_RAISED = b"\1"


def invoke(rank: int, function: Callable[_P, _R], *args: _P.args, **kwargs: _P.kwargs) -> _R:
    """Calls `function` on `rank` and waits.

    Returns: what it returned there. Raises what it raised there.
        three = ranks.invoke(1, max, 1, 3)
    """
    return _asked("invoke", rank, function, args, kwargs).get()


def ainvoke(
    rank: int, function: Callable[_P, _R], *args: _P.args, **kwargs: _P.kwargs
) -> Future[_R]:
    """Calls `function` on `rank`. Small calls travel together until the caller waits, or `flush()`.

    futures = [ranks.ainvoke(rank, os.getpid) for rank in range(ranks.size())]
    pids = [future.get() for future in futures]
    """
    return _asked("ainvoke", rank, function, args, kwargs)


def post(rank: int, function: Callable[_P, Any], *args: _P.args, **kwargs: _P.kwargs) -> None:
    """One-way call of `function` on `rank`. What it raises there is reported, and ends the job.

    ranks.post(0, print, "from", ranks.rank())
    """
    extension.post_pickled(rank, _pickled(function, args, kwargs))


def _asked(
    operation: str, rank: int, function: Callable[..., _R], args: Any, kwargs: Any
) -> Future[_R]:
    """A call, sent. `operation` is what errors say that the user called."""
    call = _pickled(function, args, kwargs)
    return extension.ainvoke_pickled(operation, rank, call, _place_of(function))


def _pickled(function: Any, args: Any, kwargs: Any) -> bytes:
    try:
        return pickled.dumps((function, args, kwargs))
    except Exception as failure:
        raise extension.make_error(
            f"calling {_name_of(function)}",
            f"it or an argument cannot be pickled: {failure}",
            "pass what pickle or cloudpickle takes: no open files, locks or threads",
        ) from failure


def _name_of(function: Any) -> str:
    """As in "module.Class.method"; without the module for functions of the main program."""
    name: str = getattr(function, "__qualname__", None) or repr(function)
    module = getattr(function, "__module__", None)
    return name if module in (None, "__main__", "builtins") else f"{module}.{name}"


def _place_of(function: Any) -> str:
    """The name with file and line, where there is code of Python."""
    code = getattr(function, "__code__", None)
    if code is None:
        return _name_of(function)
    place = _places.get(code)
    if place is None:
        file = code.co_filename.rpartition("/")[2]
        place = _places[code] = f"{_name_of(function)} ({file}:{code.co_firstlineno})"
    return place


def _failure(function: Any, failure: BaseException) -> tuple[str, str]:
    """The function's name, and the traceback without the frame of this module."""
    return _name_of(function) if function is not None else "a function", text_of(failure)


def _serve(call: memoryview) -> bytes:
    """Runs a pickled call. Returns: its pickled outcome; never raises."""
    function = None
    try:
        function, args, kwargs = pickled.loads(call)
        extension.name_served(_place_of(function))
        return _RETURNED + pickled.dumps(function(*args, **kwargs))
    except BaseException as failure:
        said = (*_failure(function, failure), line_of(failure))
        return _RAISED + pickled.dumps((extension.rank(), *said, _travelling(failure)))


def _travelling(failure: BaseException) -> bytes | None:
    """The pickled exception; None if it does not survive that, or would end its new rank."""
    if not isinstance(failure, Exception):
        return None
    try:
        data = pickled.dumps(failure)
        pickled.loads(data)
        return data
    except Exception:
        return None


def _serve_one_way(call: memoryview) -> tuple[str, str] | None:
    """Runs a pickled call. Returns: the name of the function and the traceback if it failed."""
    function = None
    try:
        function, args, kwargs = pickled.loads(call)
        extension.name_served(_place_of(function))
        function(*args, **kwargs)
        return None
    except BaseException as failure:
        return _failure(function, failure)


def _value(outcome: memoryview) -> Any:
    """What the call returned. Raises what it raised."""
    if outcome[:1] == _RETURNED:
        return pickled.loads(outcome[1:])
    remote_rank, name, text, line, data = pickled.loads(outcome[1:])
    remote = RemoteError(remote_rank, name, text, line)
    if data is None:
        raise remote
    raise pickled.loads(data) from remote


extension.set_handlers(_serve, _serve_one_way, _value)
