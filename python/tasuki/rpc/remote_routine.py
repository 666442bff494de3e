"""A routine of a server, as a function."""

import inspect
import json
import textwrap
from dataclasses import dataclass
from typing import Any

import numpy as np

from tasuki.idl.expression import evaluate
from tasuki.idl.model import Callback, Parameter, Routine
from tasuki.rpc import callback
from tasuki.rpc.arguments import Arguments, arguments_of
from tasuki.rpc.c_example import c_example
from tasuki.rpc.call_form import signature_of, type_text
from tasuki.rpc.call_progress import watcher
from tasuki.rpc.connections import Connections
from tasuki.rpc.documentation import Entry, docstring, html_of_entry
from tasuki.rpc.errors import ArgumentError, LostArrayError
from tasuki.rpc.examples import python_example, shell_example
from tasuki.rpc.job import Job
from tasuki.rpc.library import Connection
from tasuki.rpc.of_one_process import OfOneProcess
from tasuki.rpc.progress_bar import Wish, display_for
from tasuki.rpc.remote_array import RemoteArray

_TIMED_LEAST_S = 1e-3  # Of a shorter computation, what comes before and after it counts too much.


class RemoteRoutine(OfOneProcess):
    """A routine of a server, to be called like a function."""

    def __init__(self, connections: Connections, url: str, module: str, routine: Routine) -> None:
        self._connections = connections
        self._module = module
        self._routine = routine
        self.python_example = python_example(url, module, routine)
        self.c_example = c_example(url, module, routine)
        self.shell_example = shell_example(url, module, routine)
        self.__name__ = routine.name
        self.__doc__ = docstring(self._entry())
        self._report: bytes | dict[str, Any] | None = None

    @property
    def report(self) -> dict[str, Any] | None:
        """How the last call went (docs/formats/call-report.md); None before the first."""
        report = self._report
        if isinstance(report, bytes):  # Read when asked for: short calls are shorter then.
            report = self._report = json.loads(report)
        return report

    @property
    def interface(self) -> Routine:
        """What the server says of it."""
        return self._routine

    def __call__(
        self, /, *arguments: Any, out: Any = None, progress: Wish = None, **named: Any
    ) -> Any:
        """Calls with the arguments that the routine takes; returns what it gives back.

        Sizes may be left out, as the arrays tell them. One result comes as itself, several as a
        tuple. `out` has arrays for results, by name, or is the array for the only one.
        `progress` shows how far the call is: a long one in a terminal or a notebook if it is None,
        any one if True, none if False. A function is called with a CallProgress ten times a second,
        by another thread; what it raises ends the call and is raised here.
        Errors: ArgumentError before anything is sent; else CallError.
        """
        whole = arguments_of(self._routine, arguments, named, out)
        display = display_for(progress, f"call {self._routine.name}")
        with self._connections.one() as connection:
            if display is None:
                return self._call(connection, whole)[0]
            with watcher().watching(connection, display) as watched:
                results, report = self._call(connection, whole)
                watched.total_bytes = _moved_bytes(report)
                return results

    def submit(self, /, *arguments: Any, out: Any = None, **named: Any) -> Job[Any]:
        """Begins a call like `__call__`, and returns its result to come.

        Its arrays must stay unchanged until then. Wrong arguments are errors at once.
        """
        whole = arguments_of(self._routine, arguments, named, out)

        def call(connection: Connection) -> tuple[Any, int]:
            results, report = self._call(connection, whole)
            return results, _moved_bytes(report)

        return Job(self._connections, call)

    def expected_s(self, /, **integers: int) -> float | None:
        """How long the ranks will compute for these integers, at the rate of the last call.

        None if the interface has no CalcOrder, there was no call yet, or the last one has computed
        for less than a millisecond: its rate says little of a long one. Errors: EvaluationError
        if one of the integers is missing, ArgumentError if one is no argument, or they make
        it negative.
        Example: `server.linpack.solve.expected_s(n=20_000)`.
        """
        operation = f"expect the time of {self._routine.name}"
        known = [one.name for one in self._routine.scalars if one.type.is_integer]
        unknown = [one for one in integers if one not in known]
        if unknown:
            remedy = f"its integers are: {', '.join(known) or 'none'}"
            raise ArgumentError(operation, f"it has no integer {unknown[0]}", remedy)
        order = self._routine.calc_order
        report = self.report or {}
        rate = report.get("operations_per_s")
        if order is None or not (integers or rate):
            return None
        operations = evaluate(order, integers, "CalcOrder")
        if integers and operations < 0:
            given = ", ".join(f"{name} = {value}" for name, value in integers.items())
            raise ArgumentError(operation, f"{given} makes {order} negative", "give other integers")
        if not rate or report["seconds"]["computation"] < _TIMED_LEAST_S:
            return None
        return float(operations / rate)

    def _call(self, connection: Connection, whole: Arguments) -> tuple[Any, bytes]:
        """Makes the call; returns what it gives back, and its report."""
        arrays = [self._local(one) for one in whole.arrays]
        callbacks = callback.callbacks_of(self._routine, whole.functions, whole.scalars)
        report = self._exchange(connection, whole.scalars, arrays, callbacks)
        self._report = report
        results = whole.results
        if whole.has_texts:
            results = whole.complete_results(json.loads(report)["texts"])
        return (results[0] if len(results) == 1 else results), report

    def _exchange(
        self,
        connection: Connection,
        scalars: dict[str, Any],
        arrays: list[np.ndarray | str],
        callbacks: list[callback.Callback],
    ) -> bytes:
        """Makes the call; returns its report."""
        name = self._routine.name
        return connection.call(self._module, name, scalars, arrays, callbacks)

    def _local(self, array: np.ndarray | RemoteArray) -> np.ndarray | str:
        """What the library is given: an array, or the name of one that is on the ranks."""
        if not isinstance(array, RemoteArray):
            return array
        if array.module != self._module:
            raise LostArrayError(
                f"call {self._routine.name}",
                f"{array} is not on the ranks of {self._module}",
                "put it like an argument of this module",
            )
        return array.kept

    def _entry(self) -> Entry:
        name = f"{self._module}.{self._routine.name}"
        return Entry(name, self._routine, self.python_example, self.shell_example)

    @property
    def __signature__(self) -> inspect.Signature:
        return signature_of(self._routine)

    def __dir__(self) -> list[str]:
        """With the arrays, which `put` is told to put others like."""
        arrays = (one.name for one in self._routine.numbers if not one.is_scalar)
        return sorted({*object.__dir__(self), *arrays})

    def _repr_html_(self) -> str:
        return html_of_entry(self._entry())

    def __getattr__(self, name: str) -> "RemoteParameter":
        for one in self._routine.numbers:
            if not one.is_scalar and one.name.lower() == name.lower():
                return RemoteParameter(self._module, self._routine, one)
        raise AttributeError(f"routine {self._routine.name} has no array {name}")

    @property
    def signature(self) -> str:
        """What it takes and gives: "solve(n: int64, A: float64[n][n]) -> x: float64[n]"."""
        taken = ", ".join(map(_described, self._routine.given))
        given = ", ".join(map(_described, self._routine.results)) or "nothing"
        return f"{self._routine.name}({taken}) -> {given}"

    @property
    def description(self) -> str:
        """What it takes, gives and does, and an example."""
        example = textwrap.indent(self.python_example, "    ")
        return f"{self.signature}\n    {self._routine.text}\n\n{example}"

    def __repr__(self) -> str:
        return self.signature


def _moved_bytes(report: bytes) -> int:
    """Of the arrays of the call, in both directions."""
    moved: dict[str, int] = json.loads(report)["bytes"]
    return sum(moved.values())


def _described(one: Parameter | Callback) -> str:
    if isinstance(one, Callback):
        return f"{one.name}: {type_text(one)}"
    shape = "".join(f"[{dimension.size}]" for dimension in one.dimensions)
    return f"{one.name}: {one.type.wire}{shape}"


@dataclass(frozen=True)
class RemoteParameter:
    """An array that a routine takes or gives: what `Server.put` is told to put an array like."""

    module: str
    routine: Routine
    parameter: Parameter
