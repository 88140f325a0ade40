"""Numbers that cannot be negative are 0 only where rounding explains it."""

from __future__ import annotations

import numpy as np

from teacherstudent.house.certainty import not_negative


def test_only_what_rounding_allows_is_taken_for_zero() -> None:
    found = not_negative(np.array([2.0, 0.0, -1e-12, -1e-3, np.nan]), np.array(1e-9))
    np.testing.assert_array_equal(found, [2.0, 0.0, 0.0, np.nan, np.nan])


def test_nothing_is_taken_for_zero_where_what_is_allowed_is_not_known() -> None:
    """As where it is a share of the largest of numbers of which one is lost, or diverges."""
    for unknown in (np.nan, np.inf):
        found = not_negative(np.array([2.0, -1e-3, np.inf]), np.array(unknown))
        np.testing.assert_array_equal(found, [2.0, np.nan, np.inf])
