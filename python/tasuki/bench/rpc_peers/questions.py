"""How a peer is asked: a line of JSON on its standard input, answered by one on its output.

The first line says how many bytes go to how many processes. Then "send" asks for the seconds until
each process has its part of an array, and "call" for those of a call that returns at once.
"""

import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import Any, NamedTuple

import numpy as np

CALLS_IN_A_SAMPLE = 50


class Question(NamedTuple):
    array_bytes: int
    processes: int


def _nothing() -> None:
    pass


class Peer(NamedTuple):
    """What a peer can be asked for, in which setting, and what it does after each `send`."""

    send: Callable[[], None]
    call: Callable[[], None]
    setting: str
    release: Callable[[], None] = _nothing


def array_of(question: Question) -> np.ndarray:
    """Numbers in memory that is mapped, in one row for each process."""
    count = question.array_bytes // 8 // question.processes
    return np.ones((question.processes, count))


def seconds(work: Callable[[], Any]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def _mean_seconds(work: Callable[[], Any]) -> float:
    return sum(seconds(work) for _ in range(CALLS_IN_A_SAMPLE)) / CALLS_IN_A_SAMPLE


def _lines() -> Iterator[Any]:
    for line in sys.stdin:
        yield json.loads(line)


def answer(start: Callable[[Question], AbstractContextManager[Peer]]) -> None:
    """Answers until standard input ends. What the system prints goes to standard error."""
    output = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)

    def say(value: Any) -> None:
        print(json.dumps(value), file=output, flush=True)

    lines = _lines()
    with start(Question(**next(lines))) as peer:
        peer.send()
        peer.release()
        peer.call()
        say(peer.setting)
        for one in lines:
            if one == "send":
                say(seconds(peer.send))
                peer.release()
            else:
                say(_mean_seconds(peer.call))
