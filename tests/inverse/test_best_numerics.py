"""Minima of functions that are known in closed form: all of them, each where it is said to be."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

from teacherstudent.house.errors import InputError
from teacherstudent.inverse.constraint import Box, Side, read_constraint
from teacherstudent.inverse.frontier import local_slopes, read_power
from teacherstudent.inverse.minima import Search, find_minima

DECADES = Side(1e-3, 1e3, log=True, name="x")


def search(f: Callable[..., np.ndarray], *sides: Side, text: str = "", drawn: bool = False) -> Search:
    """The minima of a function of one array for each side, under a constraint."""
    box = under(text, *sides) if text else Box(sides)
    return find_minima(lambda points: f(*points.T), box, drawn)


def under(text: str, *sides: Side) -> Box:
    constraint, (value, *_) = read_constraint(text, sides)
    return Box(sides, constraint).meeting(value)


def side(low: float, high: float, log: bool = False, whole: bool = False, name: str = "x") -> Side:
    return Side(low, high, log, whole, name)


def dips(x: np.ndarray) -> np.ndarray:
    return 1 - 0.5 * np.exp(-(((np.log(x) - 1) / 0.05) ** 2)) - 0.3 * np.exp(-((np.log(x) + 2) ** 2))


@pytest.mark.parametrize(
    ("f", "sides", "places"),
    [
        (lambda x: (x * x + 0.1) / (1 + x) ** 2, [side(1e-6, 10, log=True)], [[0.1]]),
        (lambda x: (x * x + 1e-4) / (1 + x) ** 2, [side(0, 10)], [[1e-4]]),
        (lambda x: (np.log(x) ** 2 - 1) ** 2, [DECADES], [[1 / math.e], [math.e]]),
        (lambda x: np.cosh(x + 0.3), [side(-5, 5)], [[-0.3]]),
        (lambda x: (x - 31.4) ** 2, [side(1, 1e4, log=True, whole=True)], [[31]]),
        (lambda x: (x - 7.6) ** 2, [side(1, 10, whole=True)], [[8]]),
        (lambda x, y: (1 - x) ** 2 + 9 * (y - x * x) ** 2, [side(-2, 2), side(-2, 2, name="y")], [[1, 1]]),
        (
            lambda x, y: (x - 31.4) ** 2 + (np.log(y) - x / 9) ** 2,
            [side(1, 1e3, True, True), side(1e-3, 1e3, True, name="y")],
            [[31, math.exp(31 / 9)]],
        ),
        (
            lambda x, y, z: (x - 1) ** 2 + (y + x) ** 2 + (z - y) ** 2,
            [side(-3, 3), side(-3, 3, name="y"), side(-3, 3, name="z")],
            [[1, -1, -1]],
        ),
    ],
)
def test_minima_are_where_they_are_said_to_be(f: Callable, sides: list[Side], places: list) -> None:
    found = search(f, *sides)
    assert len(found.minima) == len(places)
    assert found.certified == (len(sides) < 3)
    known = {tuple(np.round(each.point, 6)): each for each in found.minima}
    for place in places:
        each = known[tuple(np.round(place, 6))]
        assert np.all(np.abs(each.point - place) <= each.error + 4e-16 * np.abs(place))
        assert np.all(each.error <= 1e-7)
        assert not each.ends


@pytest.mark.parametrize("noise", [0.0, 1e-11, 1e-6])
def test_stated_accuracies_hold_on_random_curves(noise: float) -> None:
    """a e^(b u) + c e^(-d u) over u = log x, with the minimum at log(c d/(a b))/(b + d), and jitter."""
    draw = np.random.default_rng(0)
    for a, b, c, d in draw.uniform(0.3, 3, (30, 4)):

        def f(x: np.ndarray, a: float = a, b: float = b, c: float = c, d: float = d) -> np.ndarray:
            return (a * x**b + c * x**-d) * (1 + noise * np.sin(1e12 * x))

        (found,) = search(f, DECADES).minima
        u = math.log(c * d / (a * b)) / (b + d)
        assert abs(found.point[0] - math.exp(u)) <= found.error[0] < 1e-8 + 10 * math.sqrt(noise)
        value, bend = (a * b**k * math.exp(b * u) + c * d**k * math.exp(-d * u) for k in (0, 2))
        assert abs(found.value - value) <= found.value_error + 1e-15 * value
        assert found.curvature[0] == pytest.approx(bend, rel=0.02)


def test_a_narrow_dip_between_the_nodes_of_the_first_grid_is_found() -> None:
    best, other = search(dips, DECADES).minima
    np.testing.assert_allclose([*best.point, *other.point], [math.e, math.exp(-2)], rtol=1e-5)


def test_what_is_no_minimum_says_so() -> None:
    falling = search(lambda x: -x, DECADES).minima[0]
    assert falling.ends == ("the upper end of x",)
    assert falling.point[0] == DECADES.high
    flat = search(lambda x: 0 * x + 0.2, DECADES).minima[0]
    assert "no point is best" in flat.note
    level = search(lambda x: 1 + np.exp(-x), side(0.01, 1e6, log=True)).minima[0]
    assert level.ties is not None
    assert level.ties[0] == pytest.approx([-math.log(1e-12), 1e6], rel=1e-2)
    lost = search(lambda x: np.where(x > 3, np.nan, -x), DECADES)
    assert "values without an answer" in lost.minima[0].note
    assert np.isnan(lost.values).any()
    assert lost.minima[0].point[0] == pytest.approx(3, rel=1e-6)
    pole = search(lambda x: -1 / np.abs(x - 2.1234), DECADES).minima[0]
    assert "decreases without bound" in pole.note
    kink = search(lambda x: np.abs(x - 2.1234), DECADES).minima[0]
    assert "no smooth minimum" in kink.note
    assert abs(kink.point[0] - 2.1234) <= kink.error[0]
    assert not search(lambda x: np.full(len(x), np.nan), DECADES).minima


def test_an_edge_of_a_plane_is_polished_along_it() -> None:
    (found,) = search(lambda x, y: (np.log(x) - 1) ** 2 + x * y, DECADES, side(0, 1, name="y")).minima
    assert found.ends == ("the lower end of y",)
    assert found.point == pytest.approx([math.e, 0], rel=1e-9)


W, T = side(1, 1e5, log=True, name="width"), side(1, 1e8, log=True, name="time")


@pytest.mark.parametrize(
    ("text", "f", "sides", "place"),
    [
        ("width*time = 1e6", lambda w, t: w**-0.5 + t**-0.7, (W, T), (0, 0)),
        ("width + 2*time = 300", lambda w, t: -w * t, (W, T), (150, 75)),
        ("width^2/time = 4", lambda w, t: w + t / w, (W, T), (2, 1)),
        ("time - width = -0.5", lambda w, t: t**2 + w**2, (W, side(-5, 5, name="time")), (1, 0.5)),
    ],
)
def test_constraints_are_met_and_minima_are_found_under_them(
    text: str, f: Callable, sides: tuple, place: tuple
) -> None:
    best = search(f, *sides, text=text).minima[0]
    constraint, (value,) = read_constraint(text, sides)
    assert constraint.left(dict(zip(["width", "time"], best.point, strict=True))) == pytest.approx(value)
    if any(place):
        np.testing.assert_allclose(best.point, place, rtol=1e-9)
    else:  # the slopes by log width and log time are equal
        slopes = 0.5 * best.point[0] ** -0.5, 0.7 * best.point[1] ** -0.7
        assert slopes[0] == pytest.approx(slopes[1], rel=1e-10)


def test_three_under_a_constraint_and_its_end() -> None:
    sides = tuple(side(1, 1e4, log=True, name=each) for each in "abc")
    found = search(lambda a, b, c: (a + b + c) / 30, *sides, text="a*b*c = 1000")
    np.testing.assert_allclose(found.minima[0].point, 10, rtol=1e-8)
    short = side(1, 100, log=True, name="time")
    ended = search(lambda w, t: w**0.1 + 1 / t, W, short, text="width*time = 1e6").minima[0]
    assert ended.ends == ("the upper end of time",)
    assert ended.point == pytest.approx([1e4, 100])


@pytest.mark.parametrize(
    "text",
    [
        *("width*time", "width < 3", "width = x", "width*tim = 3", "__import__('os') = 1", "width.real = 1"),
        *("7 = 7", "width/0 = 1", "(-1)^0.5*width = 1", "(width - 9)^2 = 3", "width*time = 1:2:3:4"),
        *("width*time = 1e99", "width^1e9^9*time = 1", "width^1000*time = 1", "width = 1 = 2"),
        "(" * 99 + "width" + ")" * 99 + " = 1",
    ],
)
def test_other_constraints_are_refused(text: str) -> None:
    with pytest.raises(InputError, match=r"^--subject-to "):
        under(text, W, T)


def test_exponents_follow_from_local_slopes_once_these_have_settled() -> None:
    budget = np.geomspace(1e2, 1e8, 9)
    inside, exact = np.ones(9, dtype=bool), np.zeros(9)
    slopes, errors = local_slopes(budget, 3 * budget**-0.4, exact)
    power = read_power(budget, slopes, errors, inside)
    assert power.exponent == pytest.approx(-0.4)
    assert power.error < 1e-12
    assert not power.caution
    slopes, errors = local_slopes(budget, budget**-0.4 + 0.01, exact)
    power = read_power(budget, slopes, errors, inside)
    assert "still change" in power.caution
    mixed = budget**-0.4 * (1 + budget**-0.2)
    slopes, errors = local_slopes(budget, mixed, exact)
    power = read_power(budget, slopes, errors, inside)
    assert abs(power.exponent + 0.4) < 3 * power.error < 0.1
    ended = read_power(budget, slopes, errors, np.arange(9) < 2)
    assert math.isnan(ended.exponent)
    assert "fewer than three" in ended.caution


def noisy(draw: np.random.Generator, seeds: int) -> tuple[Callable[..., np.ndarray], np.ndarray]:
    """Parabolas over log x, (P, S), with noise in place and height that is the same at every point."""
    shift, height = 1 + 0.3 * draw.normal(size=seeds), 1 + 0.1 * draw.normal(size=seeds)
    return lambda x: height + (np.log(x)[:, None] - shift) ** 2 * (1 + 0.2 * height), shift


def test_a_drawn_minimum_has_the_standard_error_of_the_draws() -> None:
    f, shift = noisy(np.random.default_rng(1), 40)
    (best,) = search(f, DECADES, drawn=True).minima
    assert best.stderr[0] / best.point[0] == pytest.approx(shift.std(ddof=1) / math.sqrt(40), rel=0.05)
    assert math.log(best.point[0]) == pytest.approx(shift.mean(), abs=0.02)
    assert best.value_stderr > 0


@pytest.mark.thorough
def test_standard_errors_of_drawn_minima_are_calibrated() -> None:
    """Of 300 optima 2 standard errors hold about 95 %; 12 draws leave Student's tails (92.9 %)."""
    draw, held = np.random.default_rng(2), 0
    for _ in range(300):
        (best,) = search(noisy(draw, 12)[0], DECADES, drawn=True).minima
        held += abs(math.log(best.point[0]) - 1) <= 2 * best.stderr[0] / best.point[0]
    assert 0.88 <= held / 300 <= 0.97
