"""Means over draws and their standard errors, at every magnitude that numbers can have."""

from __future__ import annotations

import numpy as np
import pytest

from teacherstudent.house.averages import averaged

DRAWS = np.random.default_rng(0).standard_normal((5, 3))


@pytest.mark.parametrize("magnitude", [-1000, -600, 0, 600, 1000])
def test_powers_of_two_change_nothing_but_the_magnitude(magnitude: int) -> None:
    for found, known in zip(averaged(np.ldexp(DRAWS, magnitude)), averaged(DRAWS), strict=True):
        np.testing.assert_array_equal(found, np.ldexp(known, magnitude))
    np.testing.assert_allclose(averaged(DRAWS)[1], DRAWS.std(axis=0, ddof=1) / 5**0.5, rtol=1e-15)


def test_a_point_does_not_depend_on_others() -> None:
    """Of 1e-300, 1 and 1e300 beside each other, each has the error that it has alone."""
    draws = np.hstack([DRAWS * 10.0**power for power in (-300, -160, 0, 160, 300)])
    together = averaged(draws)
    for i, column in enumerate(draws.T):
        alone = averaged(column[:, None])
        assert [each[i] for each in together] == [each[0] for each in alone]
    assert (together[1] > 0).all()


def test_what_is_unknown_in_one_draw_is_unknown_at_its_point_only() -> None:
    draws = np.where([[True, False, False]] + 4 * [[False] * 3], np.nan, DRAWS)
    for found, known in zip(averaged(draws), averaged(DRAWS), strict=True):
        np.testing.assert_array_equal(found, [np.nan, *known[1:]])
    np.testing.assert_array_equal(averaged(np.zeros((3, 2))), np.zeros((2, 2)))
