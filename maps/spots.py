"""Spot checks: at places on both sides of boundaries what a map claims is drawn, and judged.

Of a curve's turns the claim is a sign: whether the observable is higher or lower at a later time. It holds,
or does not, at the sizes that are drawn; near a boundary of infinite sizes chance and finite size may
decide.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np
import xarray as xr

from teacherstudent.house import catalogue
from teacherstudent.house.declarations import Route
from teacherstudent.house.errors import InputError
from teacherstudent.house.running import run
from teacherstudent.maps.chart import Chart
from teacherstudent.maps.field import Field
from teacherstudent.maps.plane import Place
from teacherstudent.maps.question import Question
from teacherstudent.paper_checks.judging.agreement import quantile
from teacherstudent.paper_checks.judging.draws import drawn_mean

AWAY = 0.04
"""Distance of a spot from its boundary, in units of the axes."""

AGREES, DISAGREES, UNTOLD = "agrees", "disagrees", "cannot tell"


@dataclass(frozen=True)
class Claim:
    """An observable at one time, or its change between two, and theory's number for that."""

    observable: str
    dynamics: str
    times: tuple[float, ...]
    claimed: float
    entry: tuple[int, ...] = ()

    @property
    def signed(self) -> bool:
        """Whether it is the sign that is claimed."""
        return len(self.times) == 2


@runtime_checkable
class Claiming(Protocol):
    """A field that says what to draw at a place, given one on the other side of a boundary."""

    def claim(self, place: Place, other: Place) -> Claim | None: ...


def spots(question: Question, field: Field, chart: Chart, count: int, seeds: Sequence[int]) -> xr.Dataset:
    """`count` spots, or as many as have something to claim, each with a verdict.

    agrees, disagrees: of a change, its sign is known at the quantile for so many spots and is theory's, or
    the other; of a value, it lies within the quantile of theory's, or does not. Otherwise it cannot tell.
    Raises `InputError` where no route draws, or the field claims nothing.
    """
    if not isinstance(field, Claiming):
        raise InputError("spots", count, f"0 for --of {question.of} of {question.curve}, which has no times")
    found = list(itertools.islice(_claims(field, chart), count))
    limit = quantile(max(len(found), 1), len(seeds) - 1)
    rows = [_row(question, place, claim, seeds, limit) for place, claim in found]
    kinds = {"verdict": object}
    names = ("spot_x", "spot_y", "earlier", "later", "claimed", "simulated", "stderr", "verdict")
    columns = {
        name: ("spot", np.array([row[i] for row in rows], dtype=kinds.get(name, float)))
        for i, name in enumerate(names)
    }
    drawn = {drawing(question.problem, claim.dynamics).name for _, claim in found}
    attrs = {
        "spot_quantile": limit,
        "spot_route": ", ".join(sorted(drawn)),
        "n_seeds": len(seeds),
        "first_seed": seeds[0],
    }
    return xr.Dataset(columns, attrs=attrs)


def _claims(field: Claiming, chart: Chart) -> Iterator[tuple[Place, Claim]]:
    for one, other in _pairs(chart):
        for place, opposite in ((one, other), (other, one)):
            if claim := field.claim(place, opposite):
                yield place, claim


def _pairs(chart: Chart) -> Iterator[tuple[Place, Place]]:
    """Places on both sides of boundaries: in the middle of each, longest first, then at quarters, and so on.

    Where there is no boundary, places along a diagonal.
    """
    lengths = [np.linalg.norm(np.diff(each.points, axis=0), axis=1) for each in chart.boundaries]
    order = sorted(range(len(lengths)), key=lambda i: -lengths[i].sum())
    for parts in (2, 4, 8, 16, 32):
        for k in range(1, parts, 2):
            for i in order:
                yield from _across(chart.boundaries[i].points, lengths[i], k / parts)
            if not order:
                yield (k / parts, k / parts), (1 - k / parts, k / parts)


def _across(points: np.ndarray, lengths: np.ndarray, share: float) -> Iterator[tuple[Place, Place]]:
    i = min(int(np.searchsorted(np.cumsum(lengths), share * lengths.sum())), len(lengths) - 1)
    way = (points[i + 1] - points[i]) / max(lengths[i], 1e-300)
    middle, normal = (points[i] + points[i + 1]) / 2, AWAY * np.array([-way[1], way[0]])
    pair = [tuple(float(each) for each in middle + sign * normal) for sign in (1, -1)]
    if all(0 <= each <= 1 for place in pair for each in place):
        yield pair[0], pair[1]  # type: ignore[misc]


def _row(
    question: Question, place: Place, claim: Claim, seeds: Sequence[int], limit: float
) -> tuple[Any, ...]:
    route = drawing(question.problem, claim.dynamics)
    options = dict(question.options) if claim.dynamics == question.dynamics else {}
    values = question.drawable(place)
    answer = run(question.problem, claim.dynamics, route.name, claim.times, seeds=seeds, **values, **options)
    where: Any = (slice(None), slice(None), *claim.entry)
    numbers = answer[claim.observable].values[where]
    sample = numbers[:, -1] - numbers[:, 0] if claim.signed else numbers[:, 0]
    at = drawn_mean(sample)
    x, y = question.plane.values(place).values()
    verdict = _verdict(claim, float(at.mean), float(at.stderr), limit)
    return (x, y, claim.times[0], claim.times[-1], claim.claimed, float(at.mean), float(at.stderr), verdict)


def _verdict(claim: Claim, mean: float, error: float, limit: float) -> str:
    if not np.isfinite([mean, error]).all():
        return UNTOLD
    if not claim.signed:
        return AGREES if abs(mean - claim.claimed) <= limit * error else DISAGREES
    if abs(mean) <= limit * error:
        return UNTOLD
    return AGREES if (mean > 0) == (claim.claimed > 0) else DISAGREES


def drawing(problem: str, dynamics: str) -> Route:
    """The route that draws: a simulation, or theory given each draw where that is not simulated."""
    own = [each for each in catalogue.routes() if (each.problem, each.dynamics) == (problem, dynamics)]
    drawn = sorted((each for each in own if each.sampled), key=lambda each: ".sims." not in each.entry)
    if not drawn:
        raise InputError("spots", dynamics, f"0 for --dynamics {dynamics}, which no route draws")
    return drawn[0]
