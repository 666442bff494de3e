"""Keys are numbered as by sorting them, dense or not."""

import numpy as np
import pytest
from tasuki.profile.numbered import numbered


@pytest.mark.parametrize("most", [1, 2, 100, 10**12])
@pytest.mark.parametrize("count", [0, 1, 50])
def test_it_is_unique_with_inverse(most, count):
    keys = np.random.default_rng(seed=1).integers(0, most, count)
    for found, expected in zip(numbered(keys), np.unique(keys, return_inverse=True), strict=True):
        np.testing.assert_array_equal(found, expected)
