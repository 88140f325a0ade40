"""Spot checks: at some places of a map what it claims is drawn, and judged.

They lie on both sides of boundaries or, where there are none, all over the plane (`pairs`). Of a curve's
turns the claim is a sign: whether the observable is higher or lower at a later time. It holds, or does not,
at the sizes that are drawn; near a boundary of infinite sizes chance and finite size may decide.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import astuple
from typing import Any, Protocol, runtime_checkable

import numpy as np
import xarray as xr
from scipy.stats import qmc

from teacherstudent.house.errors import InputError
from teacherstudent.maps.field import Boundary, Field
from teacherstudent.maps.plane import Place
from teacherstudent.maps.question import Question
from teacherstudent.maps.verdicts import Claim, judge_claim, measure_claim, routes_of
from teacherstudent.paper_checks.judging.agreement import quantile

COLUMNS = {
    "spot_x": "along x",
    "spot_y": "along y",
    "earlier": "time of the claim, or the first of two times",
    "later": "the last time of the claim",
    "claimed": "value, or its change between the times, by theory",
    "simulated": "the same value or change, as a mean over draws",
    "stderr": "one standard error of that mean",
    "exact": "mean of a theory that is exact for each draw; NaN if there is none",
    "apart": "simulated minus exact, averaged over draws",
    "apart_stderr": "one standard error of that mean",
    "off": "simulated minus claimed, due to chance and, for a limit, to finite size",
    "verdict": "verdict of the draws on the claim",
}


@runtime_checkable
class Claiming(Protocol):
    """A field that says what to draw at a place, given one on the other side of a boundary."""

    def claim(self, place: Place, other: Place) -> Claim | None: ...


def spots(
    question: Question,
    field: Field,
    pairs: Iterable[tuple[Place, Place]],
    count: int,
    seeds: Sequence[int],
    exact: bool,
) -> xr.Dataset:
    """`count` spots, or as many as have something to claim, with the `COLUMNS`, each with a verdict.

    pairs: places to try, as the function `pairs` gives them. exact: whether theory is exact in its limit, so
    that what differs from a limit may be due to finite size. Every mean is compared at a quantile for all
    comparisons together. Raises `InputError` where no route draws, or the field claims nothing.
    """
    if not isinstance(field, Claiming):
        untold = f"--of {question.of} of {question.curve}, which has no times"
        raise InputError("spots", count, f"0 for {'--along' if question.along else untold}")
    found = list(itertools.islice(_claims(field, pairs), count))
    ways = [routes_of(question.problem, claim.dynamics, claim.observable) for _, claim in found]
    comparisons = sum(1 if each.exact is None else 2 for each in ways)
    limit = quantile(max(comparisons, 1), len(seeds) - 1)
    rows: list[tuple[Any, ...]] = []
    for (place, claim), routes in zip(found, ways, strict=True):
        options = dict(question.options) if claim.dynamics == question.dynamics else {}
        drawn = measure_claim(claim, routes, seeds, question.drawable(place), options)
        said = judge_claim(claim, drawn, limit, question.limit and exact)
        at = question.plane.values(place).values()
        off = drawn.simulated - claim.claimed
        rows.append((*at, claim.times[0], claim.times[-1], claim.claimed, *astuple(drawn), off, said))
    columns = {
        name: (
            "spot",
            np.array([row[i] for row in rows], dtype=object if name == "verdict" else float),
            {"long_name": meaning},
        )
        for i, (name, meaning) in enumerate(COLUMNS.items())
    }
    attrs = {
        "spot_quantile": limit,
        "spot_route": ", ".join(sorted({each.drawing.name for each in ways})),
        "n_seeds": len(seeds),
        "first_seed": seeds[0],
    }
    return xr.Dataset(columns, attrs=attrs)


def _claims(field: Claiming, pairs: Iterable[tuple[Place, Place]]) -> Iterator[tuple[Place, Claim]]:
    for one, other in pairs:
        for place, opposite in ((one, other), (other, one)):
            if claim := field.claim(place, opposite):
                yield place, claim


AWAY = 0.04
"""Distance of a spot from its boundary, in units of the axes."""

PARTS = (2, 4, 8, 16, 32)
"""Curves are visited in the middle, then at odd quarters, eighths and so on: nowhere twice."""

TRIED = 4
"""Places that are tried for each spot: where theory is not certain nothing is claimed."""


def pairs(
    boundaries: Sequence[Boundary], lines: Sequence[Boundary], count: int
) -> Iterator[tuple[Place, Place]]:
    """Enough pairs of places for `count` spots, one in each place, none twice.

    Both places of a pair lie across a boundary: in the middle of each boundary, longest first, then at its
    quarters, and so on. Where there is no boundary every other place lies on a level line, as long as there
    are any, and the rest is spread evenly over the plane.
    """
    if boundaries:
        for points, share in _visited(boundaries):
            yield from _across(points, share)
        return
    on_lines = (_along(points, share)[0] for points, share in _visited(lines))
    rest = iter(_spread(TRIED * count + 1))
    for one in rest:
        other = next(on_lines, None) or next(rest, None)
        if other:
            yield one, other


def _visited(curves: Sequence[Boundary]) -> Iterator[tuple[np.ndarray, float]]:
    """Points of a curve and a share of its length, curve after curve, longest first."""
    longest = sorted((each.points for each in curves), key=_length, reverse=True)
    for parts in PARTS:
        for k, points in itertools.product(range(1, parts, 2), longest):
            yield points, k / parts


def _length(points: np.ndarray) -> float:
    return float(np.linalg.norm(np.diff(points, axis=0), axis=1).sum())


def _along(points: np.ndarray, share: float) -> tuple[Place, np.ndarray]:
    """The place at that share of a curve's length, and the unit vector along it there."""
    ways = np.diff(points, axis=0)
    lengths = np.linalg.norm(ways, axis=1)
    reached = np.cumsum(lengths)
    i = min(int(np.searchsorted(reached, share * reached[-1])), len(lengths) - 1)
    along = ways[i] / max(lengths[i], 1e-300)
    x, y = points[i + 1] - (reached[i] - share * reached[-1]) * along
    return (float(x), float(y)), along


def _across(points: np.ndarray, share: float) -> Iterator[tuple[Place, Place]]:
    """A place on each side of a curve there, if both lie on the map."""
    (x, y), along = _along(points, share)
    right, up = -AWAY * float(along[1]), AWAY * float(along[0])
    pair = (x + right, y + up), (x - right, y - up)
    if all(0 <= each <= 1 for place in pair for each in place):
        yield pair


def _spread(count: int) -> list[Place]:
    """Halton's sequence (1960) from its second point on: evenly spread however many there are."""
    sequence = qmc.Halton(2, scramble=False)
    return [(float(x), float(y)) for x, y in sequence.fast_forward(1).random(count)]
