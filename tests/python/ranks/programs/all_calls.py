"""Calls of Python functions on other ranks, in every form."""

import asyncio
import ctypes
import functools
import threading

import numpy as np
from tasuki import ranks

total = 0


def add(value, *, times=1):
    global total
    total += value * times
    return total


def fib(n):
    if n < 2:
        return n
    later = ranks.ainvoke((ranks.rank() + 1) % ranks.size(), fib, n - 1)
    return fib(n - 2) + later.get()


class OddError(Exception):
    """One that pickle cannot make again."""

    def __init__(self, one, two):
        super().__init__(f"{one} and {two}")


class EvenError(Exception):
    pass


def fail(kind):
    raise kind


def sorted_by_callback(values, library=ctypes.PyDLL):
    """Sorts in C, which calls back into Python; a PyDLL does not give the interpreter up."""
    kind = ctypes.CFUNCTYPE(
        ctypes.c_int, ctypes.POINTER(ctypes.c_int), ctypes.POINTER(ctypes.c_int)
    )
    in_c = (ctypes.c_int * len(values))(*values)
    compare = kind(lambda a, b: a[0] - b[0])
    library(None).qsort(in_c, len(values), ctypes.sizeof(ctypes.c_int), compare)
    return list(in_c)


def endless(n):
    return functools.reduce(lambda _, n: endless(n), [0, n + 1])


def check_functions(last: int) -> None:
    assert ranks.invoke(last, add, 5) == 5
    assert ranks.invoke(last, add, 5, times=2) == 15
    assert ranks.invoke(last, lambda: total) == 15, "globals are those of the rank that runs it"
    base = 100

    def counted(n):
        return base + n if n == 0 else counted(n - 1)

    assert ranks.invoke(last, counted, 3) == 100
    local = type("Local", (), {"value": 7})
    assert ranks.invoke(last, lambda: local.value) == 7
    array = np.arange(300_000.0)
    assert ranks.invoke(last, np.sum, array) == array.sum()
    np.testing.assert_array_equal(ranks.invoke(last, lambda one: one * 2, array), array * 2)
    assert ranks.invoke(last, sorted_by_callback, [3, 1, 2]) == [1, 2, 3]
    assert ranks.invoke(last, sorted_by_callback, [2, 1], ctypes.CDLL) == [1, 2]
    assert sorted_by_callback([3, 1, 2]) == [1, 2, 3]
    assert fib(10) == 55


def raised_by(function, *arguments) -> BaseException:
    try:
        function(*arguments)
    except Exception as failure:
        return failure
    raise AssertionError("nothing was raised")


def check_failures(last: int) -> None:
    failure = raised_by(ranks.invoke, last, fail, EvenError("bad 3"))
    assert type(failure) is EvenError and str(failure) == "bad 3"
    cause = failure.__cause__
    assert isinstance(cause, ranks.RemoteError)
    assert (cause.remote_rank, cause.function) == (last, "fail")
    assert cause.text.startswith("Traceback") and ", in fail\n    raise kind\n" in cause.text
    assert f"remote call of fail on rank {last}: " in str(cause) and "bad 3" in str(cause)
    odd = raised_by(ranks.invoke, last, lambda: fail(OddError(1, 2)))
    assert type(odd) is ranks.RemoteError and "OddError: 1 and 2" in str(odd)
    ended = raised_by(ranks.invoke, last, lambda: fail(SystemExit(3)))
    assert type(ended) is ranks.RemoteError and "SystemExit: 3" in str(ended)
    assert isinstance(raised_by(ranks.invoke, last, endless, 0), RecursionError)
    lock = raised_by(ranks.invoke, last, print, threading.Lock())
    assert "calling print: it or an argument cannot be pickled" in str(lock)
    result = raised_by(ranks.invoke, last, threading.Lock)
    assert isinstance(result, TypeError) and "cannot pickle" in str(result)
    for call in (ranks.invoke, ranks.ainvoke, ranks.post):
        wrong = str(raised_by(call, 99, add, 1))
        assert f": {call.__name__}: rank 99 does not exist" in wrong, wrong


def check_futures(last: int) -> None:
    later = ranks.ainvoke(last, add, 0).then(lambda value: value + 0.5)
    assert later.valid() and later.get() == 15.5 and not later.valid()
    assert "future" in str(raised_by(later.get))
    failed = ranks.ainvoke(last, fail, EvenError("one")).then(lambda _: 1)
    assert isinstance(raised_by(failed.get), EvenError)
    assert isinstance(raised_by(ranks.ainvoke(0, add, 0).then(fail).get), TypeError)
    calls = [ranks.ainvoke(rank, ranks.rank) for rank in range(ranks.size())]
    assert ranks.when_all(calls).get() == tuple(range(ranks.size()))
    calls = [ranks.ainvoke(rank, ranks.rank) for rank in range(ranks.size())]
    first = ranks.when_any(calls).get()
    assert calls[first].ready() and calls[first].get() == first
    done = ranks.ainvoke(0, lambda: 1)
    assert done.wait_for(100)
    assert ranks.when_any([done, ranks.ainvoke(0, lambda: 2)]).get() == 0
    started = threading.Event()
    never = ranks.ainvoke(0, lambda: 1)
    assert never.wait_for(100) and never.get() == 1

    def compute():
        started.set()

    thread = threading.Thread(target=compute)
    thread.start()
    assert ranks.invoke(last, add, 0) == 15
    assert started.wait(100)
    thread.join()

    check_futures_dropped_elsewhere(last)

    async def of_rank(rank):
        return await ranks.ainvoke(rank, fib, 9)

    async def several():
        return await asyncio.gather(*(of_rank(rank) for rank in range(ranks.size())))

    assert asyncio.run(several()) == [34] * ranks.size()


def check_futures_dropped_elsewhere(last: int) -> None:
    """Another thread may be the last to have a future, done or under way."""
    for is_done in (True, False):
        held = [ranks.ainvoke(last, add, 0) for _ in range(100)]
        if is_done:
            ranks.invoke(last, add, 0)
        thread = threading.Thread(target=held.clear)
        thread.start()
        while thread.is_alive():
            ranks.yield_()
        thread.join()
    assert ranks.invoke(last, add, 0) == 15


def main() -> None:
    last = ranks.size() - 1
    if ranks.rank() == 0:
        check_functions(last)
        check_failures(last)
        check_futures(last)
        assert ranks.invoke(last, add, -15) == 0
    ranks.barrier()
    for _ in range(10):
        ranks.post(0, add, 1)
    ranks.quiesce()
    if ranks.rank() == 0:
        assert total == 10 * ranks.size()
        print("all calls are right")


ranks.run(main)
