"""Arrays as NumPy has them, which programs of ranks compare theirs with."""

import numpy as np
from tasuki import ranks

KINDS = [ranks.Block, ranks.Cyclic, lambda: ranks.BlockCyclic(2), ranks.Whole]


def raised_by(function, *arguments, **named) -> str:
    try:
        function(*arguments, **named)
    except (ranks.Error, IndexError, ValueError, TypeError) as failure:
        return str(failure)
    raise AssertionError("nothing was raised")


def random_distributions(steps, count):
    made = [steps.choice(KINDS)() for _ in range(count)]
    if all(isinstance(one, ranks.Whole) for one in made):
        made[steps.randrange(count)] = ranks.Cyclic()
    return made


def random_index(steps, shape):
    """Numbers and slices, now and then an ellipsis or nothing in the place of some of them."""
    index = []
    for extent in shape:
        if steps.random() < 0.4:
            index.append(steps.randrange(-extent, extent))
        else:
            first, end = (steps.choice([None, steps.randint(-extent, extent)]) for _ in "ab")
            index.append(slice(first, end, steps.choice([None, 1, 2, -1, -2])))
    if steps.random() < 0.3:
        first, end = sorted(steps.randint(0, len(index)) for _ in "ab")
        index[first:end] = [...]
    elif steps.random() < 0.3:
        del index[steps.randint(0, len(index)) :]
    return tuple(index)


def random_grid(steps, distributions, size):
    """Numbers of ranks for the dimensions, whose product is `size`."""
    grid = [1] * len(distributions)
    divided = [d for d, one in enumerate(distributions) if not isinstance(one, ranks.Whole)]
    rest = size
    for factor in range(2, size + 1):
        while rest % factor == 0:
            grid[steps.choice(divided)] *= factor
            rest //= factor
    return grid


def part_indices(distribution, extent, process, processes):
    """Those of one process along a dimension."""
    indices = np.arange(extent)
    if isinstance(distribution, ranks.Block):
        at_a_time = max(1, -(-extent // processes))
    elif isinstance(distribution, ranks.Whole):
        at_a_time = max(1, extent)
    else:
        at_a_time = getattr(distribution, "block_extent", 1)
    return indices[indices // at_a_time % processes == process]


def number(array):
    """Element by element, in NumPy's order."""
    array.for_all(
        lambda index, elements: np.copyto(elements, np.ravel_multi_index(index, array.shape))
    )


def numbers(shape, dtype):
    return np.arange(np.prod(shape)).reshape(shape).astype(dtype)
