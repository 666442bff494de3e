"""Functions of Python that a routine calls while the client waits for it."""

import ctypes
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from tasuki.idl import model
from tasuki.idl.shapes import integers_of, shape_of_array

_Call = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.POINTER(ctypes.c_void_p))


class CallbackInC(ctypes.Structure):
    """tasuki_callback of include/tasuki/client.h."""

    _fields_ = (("name", ctypes.c_char_p), ("call", _Call), ("context", ctypes.c_void_p))


def arrays_at(
    addresses: Any, callback: model.Callback, integers: Mapping[str, int]
) -> list[np.ndarray]:
    """The arrays of a callback, in the memory of who calls; what only comes in cannot be written.

    `integers` are those of the call."""
    arrays = []
    for index, one in enumerate(callback.parameters):
        shape = shape_of_array(one, integers).sizes
        dtype = np.dtype(one.type.wire)
        count = int(np.prod(shape))
        memory: Any = (ctypes.c_char * (count * dtype.itemsize)).from_address(addresses[index])
        array = np.frombuffer(memory, dtype, count).reshape(shape)
        array.flags.writeable = one.mode is not model.Mode.IN
        arrays.append(array)
    return arrays


class Callback:
    """A function for the callback of a routine, for one call.

    What it raises is `fault` afterwards; then the call fails, too. So it does if the function
    returns a value, as its results belong in its arrays.
    """

    def __init__(
        self, callback: model.Callback, function: Callable[..., Any], integers: Mapping[str, int]
    ) -> None:
        self.fault: BaseException | None = None
        self._callback = callback
        self._function = function
        self._integers = integers
        self._text: Any = None
        self.in_c = CallbackInC(callback.name.encode(), _Call(self._run), None)

    def _run(self, context: Any, addresses: Any) -> int | None:
        """The address of a text that says why it has failed, or None."""
        del context
        try:
            returned = self._function(*arrays_at(addresses, self._callback, self._integers))
            if returned is not None:
                raise TypeError(_returned_value(self._callback))
        except BaseException as fault:
            self.fault = fault
            text = f"{type(fault).__name__}: {fault}".encode(errors="replace").replace(b"\0", b"?")
            self._text = ctypes.create_string_buffer(text)
            return ctypes.addressof(self._text)
        return None


def _returned_value(callback: model.Callback) -> str:
    """What has happened if the function returned one, which nothing takes."""
    happened = "it returned a value"
    written = [one for one in callback.parameters if one.mode is not model.Mode.IN]
    if not written:
        return f"{happened}, and the routine takes none; let it return None"
    index = ", ".join("0" for _ in written[0].dimensions)
    return f"{happened}; write it into its arrays, as in {written[0].name}[{index}] = ..."


def callbacks_of(
    routine: model.Routine,
    functions: Mapping[str, Callable[..., Any]],
    scalars: Mapping[str, Any],
) -> list[Callback]:
    """For the routine's callbacks, of which each has a function."""
    if not functions:
        return []
    integers = integers_of(routine, scalars)
    callbacks = (one for one in routine.parameters if isinstance(one, model.Callback))
    return [Callback(one, functions[one.name], integers) for one in callbacks]
