"""Functions that ranks call by a name: how ranks of C++ and of Python in one job call each other.

    @ranks.named
    def mean(values): ...                      # others may call it

    cost = ranks.Named("cost")                 # a function of another program
    print(cost.invoke(1, 0.5))

Arguments and results are numbers, str, bytes, NumPy arrays of one axis, and lists of these; see
docs/guide/python-on-ranks.md.
"""

from collections.abc import Callable
from typing import Any, Generic, ParamSpec, TypeVar

from tasuki.ranks import common_values, extension
from tasuki.ranks.extension import Future
from tasuki.ranks.remote_error import from_one_text, text_with_line

_P = ParamSpec("_P")
_R = TypeVar("_R")


class Named(Generic[_P, _R]):
    """A function under a name. Calling the object calls the function of this rank."""

    def __init__(self, name: str, function: Callable[_P, _R] | None = None) -> None:
        """One of this program, or without `function` one that other programs of the job have.

        Raises Error: this program has another function of that name.
            cost: ranks.Named[[float], float] = ranks.Named("cost")
        """
        self.name = name
        self._function = function
        if function is not None:
            extension.name_function(name, _serving(name, function))

    def __call__(self, *args: _P.args, **kwargs: _P.kwargs) -> _R:
        if self._function is None:
            raise extension.make_error(
                f"calling {self.name}",
                "this rank has no such function",
                "name the rank that has it, as with invoke(rank, ...)",
            )
        return self._function(*args, **kwargs)

    def invoke(self, rank: int, *args: _P.args, **kwargs: _P.kwargs) -> _R:
        """Calls it on `rank` and waits.

        Returns: what it returned there. Raises RemoteError: what it raised there, or that rank has
        no function of that name, or takes other types; TypeError: an argument that other languages
        do not know.
            cost.invoke(1, 0.5)
        """
        return self._asked("invoke", rank, args, kwargs).get()

    def ainvoke(self, rank: int, *args: _P.args, **kwargs: _P.kwargs) -> Future[_R]:
        """The same without waiting."""
        return self._asked("ainvoke", rank, args, kwargs)

    def post(self, rank: int, *args: _P.args, **kwargs: _P.kwargs) -> None:
        """One-way. What it raises there is reported, and ends the job."""
        extension.post_named(rank, self.name, self._written(args, kwargs))

    def _asked(self, operation: str, rank: int, args: Any, kwargs: Any) -> Future[_R]:
        written = self._written(args, kwargs)
        return extension.ainvoke_named(operation, rank, self.name, written)

    def _written(self, args: Any, kwargs: Any) -> bytes:
        if kwargs:
            raise TypeError(f"{self.name} is called by name, so arguments have none of their own")
        return common_values.write(args)


def named(function: Callable[_P, _R]) -> Named[_P, _R]:
    """Lets ranks of all programs of the job call `function` by its name.

    @ranks.named
    def mean(values): ...
    """
    return Named(function.__name__, function)


def _serving(name: str, function: Callable[..., Any]) -> Callable[[memoryview], Any]:
    """What runs a call. It returns the bytes of the result, or name and text of the failure."""

    def serve(arguments: memoryview) -> bytes | tuple[str, str]:
        try:
            return common_values.write([function(*common_values.read(arguments, name))])
        except BaseException as failure:
            return name, text_with_line(failure)

    return serve


def _read_result(data: memoryview, name: str) -> Any:
    return common_values.read(data, name)[0]


extension.set_named_handlers(_read_result, from_one_text)
