"""Routines that tests let wait: until the file that GATE names exists, where it is set."""

import os
import time


def double_it(x, y):
    """y = 2 x; refuses arrays without elements."""
    gate = os.environ.get("GATE")
    while gate and not os.path.exists(gate):
        time.sleep(0.01)
    if len(x) == 0:
        raise ValueError('x has <i>no</i> "elements"')
    y[:] = 2 * x


class Tally:
    """A sum of all elements that have come."""

    def __init__(self):
        self.sum = 0.0

    def add(self, x):
        self.sum += x.sum()
