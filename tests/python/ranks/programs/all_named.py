"""Calls by name between ranks of C++ (named_partner.cpp, rank 0) and of Python."""

import numpy as np
from tasuki import ranks

total = ranks.Named("total")
small = ranks.Named("small")
joined = ranks.Named("joined")
fail_in_cpp = ranks.Named("fail_in_cpp")


@ranks.named
def doubled(values):
    return values * 2


@ranks.named
def through_cpp(value):
    return total.invoke(0, np.full(value, 2.0))


@ranks.named
def length(data):
    assert isinstance(data, bytes)
    return len(data)


@ranks.named
def fail_in_python():
    raise ValueError("of Python")


@ranks.named
def same(value):
    return value


def text_of(kind, function, *arguments):
    try:
        function(*arguments)
    except kind as failure:
        return str(failure)
    raise AssertionError("nothing was raised")


def check_calls():
    assert total.invoke(0, np.arange(4.0)) == 6.0
    assert total.invoke(0, [1, 2.5]) == 3.5
    assert total.invoke(0, np.ones(200_000)) == 200_000
    assert small.invoke(0, np.int64(-128)) == -128
    assert joined.invoke(0, ["ä", "b"], True) == "äb!"
    futures = [small.ainvoke(0, value) for value in range(100)]
    assert ranks.when_all(futures).get() == tuple(range(100))
    last = ranks.size() - 1
    for value in (None, True, -5, 2**64 - 1, 0.5, "text", b"bytes", [1, ["a", []]]):
        assert same.invoke(last, value) == value
    for dtype in ("int8", "uint16", "int32", "uint64", "float32", "float64"):
        array = same.invoke(last, np.arange(5, dtype=dtype))
        assert array.dtype == dtype and array.tolist() == list(range(5)) and array.flags.writeable
    assert same("here") == "here"


def check_failures():
    assert text_of(IndexError, fail_in_cpp.invoke, 0) == "of C++"
    unknown = text_of(ranks.RemoteError, ranks.Named("other").invoke, 0)
    assert "remote call of other on rank 0" in unknown
    assert "has no function of that name, but fail_in_cpp, joined, small, total" in unknown
    wide = text_of(ranks.RemoteError, small.invoke, 0, 128)
    assert "argument 1 is the integer 128, not an integer from -128 to 127" in wide
    for call in (total.invoke, total.ainvoke, total.post):
        there = f": {call.__name__}: rank 99 does not exist"
        assert there in text_of(ranks.Error, call, 99, 0)
    assert "argument 1 is missing" in text_of(ranks.RemoteError, total.invoke, 0)
    assert "argument 1 is an array of float32, not an array of float64" in text_of(
        ranks.RemoteError, total.invoke, 0, np.zeros(2, np.float32)
    )
    assert "a set cannot be sent" in text_of(TypeError, small.invoke, 0, {1})
    assert "with 2 axes" in text_of(TypeError, total.invoke, 0, np.zeros((2, 2)))
    assert "more than 64 bits" in text_of(OverflowError, small.invoke, 0, 2**64)
    assert "have none of their own" in text_of(TypeError, lambda: small.invoke(0, value=1))
    assert "this rank has no such function" in text_of(ranks.Error, small, 1)
    assert "another one of that name" in text_of(ranks.Error, ranks.Named, "same", len)
    failure = text_of(ranks.RemoteError, fail_in_python.invoke, ranks.size() - 1)
    assert "in fail_in_python" in failure
    happened = f": remote call of fail_in_python on rank {ranks.size() - 1}: ValueError: of Python"
    assert f"{happened}. Remedy: see the traceback of that rank." in failure


def main():
    check_calls()
    check_failures()
    mine = np.array([1 + ranks.rank()], np.int32)
    ranks.allreduce(mine)
    count = ranks.size()
    assert mine[0] == count * (count + 1) // 2
    many = np.ones(100_000)
    ranks.allreduce(many)
    assert many[-1] == count
    ranks.quiesce()
    ranks.barrier()
    if ranks.rank() == 1:
        print("all calls by name are right")


ranks.run(main)
