"""Spots of a map: where they lie, and what draws say of a number of infinite sizes at a finite one."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from teacherstudent.maps.asking import question
from teacherstudent.maps.field import Boundary
from teacherstudent.maps.observed import Observed
from teacherstudent.maps.spots import AWAY, pairs, spots
from teacherstudent.maps.verdicts import AGREES, DISAGREES, OFF, UNTOLD, Claim, Seen, verdict

ARC = np.linspace(0, math.pi / 2, 40)
LINE = Boundary(0.7 * np.column_stack([np.cos(ARC), np.sin(ARC)]), 0, 1)
"""A quarter of a circle around a corner of the map."""


@pytest.mark.parametrize(("boundaries", "lines"), [([], []), ([], [LINE]), ([LINE], [])])
def test_no_two_spots_lie_in_one_place(boundaries: list[Boundary], lines: list[Boundary]) -> None:
    places = [place for pair in itertools.islice(pairs(boundaries, lines, 40), 12) for place in pair]
    assert len(places) == 24
    assert min(math.dist(one, other) for one, other in itertools.combinations(places, 2)) > 0.01
    assert all(0 <= each <= 1 for place in places for each in place)


def test_without_boundaries_spots_are_spread_over_the_plane() -> None:
    places = np.array(list(itertools.islice(pairs([], [], 40), 8))).reshape(-1, 2)
    quarters = {(x > 0.5, y > 0.5) for x, y in places}
    assert len(quarters) == 4
    x, y = places.T
    assert np.count_nonzero((np.abs(y - x) < 0.02) | (np.abs(x + y - 1) < 0.02)) < 4  # on no diagonal


def test_without_boundaries_every_other_spot_lies_on_a_level_line() -> None:
    radii = np.hypot(*np.array(list(itertools.islice(pairs([], [LINE], 40), 10))).transpose(2, 0, 1))
    assert np.all(np.abs(radii[:, 1] - 0.7) < 1e-3)
    assert np.count_nonzero(np.abs(radii[:, 0] - 0.7) < 1e-3) < 2


def test_spots_lie_on_both_sides_of_a_boundary() -> None:
    radii = np.hypot(*np.array(list(itertools.islice(pairs([LINE], [], 40), 10))).transpose(2, 0, 1))
    assert np.sort(radii, axis=1) == pytest.approx(np.tile([0.7 - AWAY, 0.7 + AWAY], (10, 1)), abs=2e-3)


def test_a_limit_that_finite_size_misses_is_off_and_not_refuted() -> None:
    """Of least squares: the error is d/(n - d - 1) = 2/5 of the noise's variance, not d/(n - d) = 1/3."""
    sizes, plane = dict(n=8, d=2, p=1), dict(x="kappa=2:30", y="noise=2:3")
    asked = question("multiscale", of="excess_risk@1e4", dynamics="ridge", **plane, **sizes)
    field = Observed(asked, "excess_risk")
    found = spots(asked, field, pairs([], [], 1), 1, range(2000), exact=True).isel(spot=0)
    bound = found.attrs["spot_quantile"]
    assert float(abs(found["off"])) > bound * float(found["stderr"])
    assert found["verdict"].item() == OFF
    assert float(found["off"]) == float(found["simulated"] - found["claimed"])
    assert float(abs(found["apart"])) < bound * float(found["apart_stderr"])


VALUE = Claim("R", "ridge", (1.0,), 0.5)
FALLS = Claim("R", "ridge", (1.0, 2.0), -0.1)


@pytest.mark.parametrize(
    ("claim", "seen", "infinite", "said"),
    [
        (VALUE, Seen(0.51, 0.01), False, AGREES),
        (VALUE, Seen(0.6, 0.01), False, DISAGREES),
        (VALUE, Seen(0.6, 0.01), True, OFF),
        (VALUE, Seen(0.6, 0.01, 0.6, 0.001, 0.01), True, OFF),
        (VALUE, Seen(0.51, 0.01, 0.4, 0.11, 0.01), True, DISAGREES),
        (VALUE, Seen(math.nan, math.nan), True, UNTOLD),
        (FALLS, Seen(-0.3, 0.01), True, AGREES),
        (FALLS, Seen(0.3, 0.01), True, OFF),
        (FALLS, Seen(0.3, 0.01), False, DISAGREES),
        (FALLS, Seen(0.03, 0.01), True, UNTOLD),
        (FALLS, Seen(-0.3, 0.01, -0.2, -0.1, 0.01), True, DISAGREES),
    ],
)
def test_verdicts(claim: Claim, seen: Seen, infinite: bool, said: str) -> None:
    assert verdict(claim, seen, 4.0, infinite) == said
