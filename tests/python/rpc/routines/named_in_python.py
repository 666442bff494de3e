"""The functions of named_in_python.idl."""

from pathlib import Path

import numpy as np


def greet(name, others, greeting, words):
    greeting[0] = " ".join([f"hello {name}", *others])
    words[:] = [one[::-1] for one in words]


def shout(input, output, size):
    text = Path(input).read_text()
    with open(output, "w") as file:
        file.write(text.upper() if size.layout.coordinates[0] == 0 else "not this")
    size[:] = len(text)


def sample(f, start, values, ranks, rank):
    if ranks.layout.coordinates[0] == rank:
        for index in range(3):
            value = np.zeros(1)
            f(start + index, value)
            values[index] = value[0]
