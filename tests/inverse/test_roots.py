"""Roots of functions that are known in closed form: all of them, each in its bracket."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
import pytest

from teacherstudent.inverse.roots import Axis, Found, Height, find_roots

DECADES = Axis(0.1, 10.0, log=True)


def search(f: Callable[[float], float], axis: Axis = DECADES, rounding: float = 1e-15, **more: bool) -> Found:
    """The roots of a function; where it divides by zero, or has no real value, it is NaN."""

    def heights(places: Sequence[float]) -> list[Height]:
        return [height(place) for place in places]

    def height(place: float) -> Height:
        try:
            return Height(f(place), rounding)
        except (ValueError, ZeroDivisionError):
            return Height(math.nan, reason="no value")

    found = find_roots(heights, axis, **more)
    for root in found.roots:
        assert root.low <= root.value <= root.high
        assert not root.certified or height(root.low).sign != height(root.high).sign
    return found


@pytest.mark.parametrize(
    ("f", "axis", "roots"),
    [
        (lambda x: x - 1, DECADES, [1]),
        (lambda x: x, Axis(-3, 10), [0]),
        (lambda x: x - 10, DECADES, [10]),
        (lambda x: x - 0.1, DECADES, [0.1]),
        (lambda x: (x - 1) * (x - 1.001), DECADES, [1, 1.001]),
        (lambda x: (x - 2.2) * (x - 2.201), DECADES, [2.2, 2.201]),
        (lambda x: 1 / (x - 1) ** 2 - 1000, DECADES, [1 - 1e-3**0.5, 1 + 1e-3**0.5]),
        (lambda x: 1 / (1 + ((x - 1.234) / 1e-4) ** 2) - 0.5, DECADES, [1.2339, 1.2341]),
        (lambda x: math.tanh(1e6 * (x - 1.0003)), DECADES, [1.0003]),
        (np.cbrt, Axis(-3, 10), [0]),
        (lambda x: 1e-30 * (x - 1), DECADES, [1]),
        (lambda x: math.sin(1 / x), Axis(0.02, 1, log=True), [1 / (k * math.pi) for k in range(15, 0, -1)]),
    ],
)
def test_all_roots_are_found_to_the_stated_accuracy(
    f: Callable[[float], float], axis: Axis, roots: list[float]
) -> None:
    rounding = 0.0 if abs(f(1.5)) < 1e-20 else 1e-15
    found = search(f, axis, rounding)
    np.testing.assert_allclose([each.value for each in found.roots], roots, rtol=1e-8, atol=1e-12)
    assert all(each.accuracy <= 2e-8 and each.certified for each in found.roots)


def test_rounding_makes_brackets_wider() -> None:
    (root,) = search(lambda x: (x - 1) ** 3).roots
    assert 1e-6 < root.accuracy < 1e-4


def test_a_pole_is_a_gap_and_no_root() -> None:
    for axis in (DECADES, Axis(0, 3)):
        found = search(lambda x: 1 / (x - 1), axis)
        assert not found.roots
        (gap,) = found.gaps
        assert gap.changes
        assert gap.low < 1 < gap.high or (gap.low, gap.high) == pytest.approx((1, 1))


def test_tangents_touch_and_near_misses_say_how_near_they_come() -> None:
    (touch,) = search(lambda x: (x - 1.3) ** 2).touches
    np.testing.assert_allclose((touch.value, touch.distance), (1.3, 0), atol=1e-7)
    found = search(lambda x: (x - 1.3) ** 2 + 1e-6)
    (touch,) = found.touches
    np.testing.assert_allclose((touch.value, touch.distance), (1.3, 1e-6), rtol=1e-6)
    assert not found.roots


def test_stretches_of_zeros_have_two_ends() -> None:
    found = search(lambda x: min(0, x - 1) + max(0, x - 2))
    assert [each.kind for each in found.roots] == ["start", "end"]
    np.testing.assert_allclose([each.value for each in found.roots], [1, 2], rtol=1e-7)
    assert not search(lambda x: 0.0).roots
    assert not search(lambda x: 1.0).roots


def test_jumps_and_counts() -> None:
    (jump,) = search(lambda x: math.floor(x) - 1.5).roots
    assert jump.kind == "jump"
    found = search(lambda x: math.floor(x) - 2, stepped=True)
    assert [each.kind for each in found.roots] == ["start", "end"]
    np.testing.assert_allclose([each.value for each in found.roots], [2, 3], rtol=1e-7)


def test_stretches_without_values_keep_their_reason() -> None:
    found = search(lambda x: x - 1.5 if x <= 1 or x >= 2 else math.nan)
    (gap,) = found.gaps
    assert gap.changes
    np.testing.assert_allclose((gap.low, gap.high), (1, 2), rtol=1e-3)
    found = search(lambda x: math.sqrt(10 - x))
    (root,) = found.roots
    assert (root.value, root.certified) == (10, False)
    (gap,) = search(lambda x: math.nan).gaps
    assert (gap.low, gap.high) == (0.1, 10)


def test_whole_numbers_give_both_neighbours() -> None:
    axis = Axis(1, 1e5, log=True, whole=True)
    found = search(lambda x: (x - 500.5) * (x - 501.5) * (x - 3), axis)
    assert [(each.low, each.high) for each in found.roots] == [(2, 4), (500, 501), (501, 502)]
    assert found.roots[0].value == 3
    found = search(lambda x: 1 / abs(x - 100) - 0.3, Axis(1, 1000, log=True, whole=True))
    assert [(each.low, each.high) for each in found.roots] == [(96, 97), (103, 104)]
    (gap,) = found.gaps
    assert (gap.low, gap.high, gap.reason) == (99, 101, "no value")
