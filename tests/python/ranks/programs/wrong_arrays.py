"""Prints what the errors say of arrays that do not fit."""

import numpy as np
from tasuki import ranks


class OnDevice:
    """A tensor that lies elsewhere."""

    def __dlpack__(self, **_options):
        raise BufferError("not here")

    def __dlpack_device__(self):
        return (2, 0)


class Tensor:
    """An array that has DLPack and no buffer protocol."""

    def __init__(self, array: np.ndarray) -> None:
        self.array = array

    def __dlpack__(self, **options):
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


def provoke(call, *arguments, **named) -> None:
    try:
        call(*arguments, **named)
    except ranks.Error as failure:
        print(failure)
    else:
        raise AssertionError("that was right")


def main() -> None:
    if ranks.rank() != 0:
        return
    numbers = np.zeros(4)
    provoke(ranks.allreduce, np.zeros((4, 4))[:, 0])
    provoke(ranks.allreduce, np.zeros(4, "f2"))
    provoke(ranks.allreduce, numbers.astype(complex), op=ranks.Max)
    provoke(ranks.allreduce, numbers, op=ranks.BitwiseOr)
    provoke(ranks.allreduce, numbers, np.zeros(4, "f4"))
    provoke(ranks.allreduce, numbers, np.zeros(3))
    provoke(ranks.allreduce, [1.0, 2.0])
    provoke(ranks.allreduce, OnDevice())
    provoke(ranks.allreduce, Tensor(np.zeros((4, 4))[:, 0]))
    provoke(ranks.allreduce, np.zeros(4, ">f8"))
    numbers.flags.writeable = False
    provoke(ranks.broadcast, numbers, 0)
    provoke(ranks.broadcast, bytearray(3), 7)
    provoke(ranks.world_team().split(-1).size)


ranks.run(main)
