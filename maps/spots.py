"""Spot checks: at some places of a map what it claims is drawn, and judged.

They lie on both sides of boundaries or, where there are none, all over the plane (`maps.placing`). Of a
curve's turns the claim is a sign: whether the observable is higher or lower at a later time. It holds, or
does not, at the sizes that are drawn; near a boundary of infinite sizes chance and finite size may decide.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import astuple
from typing import Any, Protocol, runtime_checkable

import numpy as np
import xarray as xr

from teacherstudent.house.errors import InputError
from teacherstudent.maps.field import Field
from teacherstudent.maps.plane import Place
from teacherstudent.maps.question import Question
from teacherstudent.maps.verdicts import Claim, routes_of, seen, verdict
from teacherstudent.paper_checks.judging.agreement import quantile

COLUMNS = {
    "spot_x": "along x",
    "spot_y": "along y",
    "earlier": "time of the claim, or the first of two",
    "later": "the last time of the claim",
    "claimed": "by theory: the value, or its change between the times",
    "simulated": "the same, mean over draws",
    "stderr": "one standard error of that mean",
    "exact": "the same by the theory that is exact for each draw, mean; NaN without such theory",
    "apart": "simulated less exact, mean over draws",
    "apart_stderr": "one standard error of that mean",
    "off": "simulated less claimed: of a limit, chance and finite size",
    "verdict": "what the draws say",
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

    pairs: places to try, as `maps.placing.pairs` gives them. exact: whether theory is exact in its limit, so
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
        drawn = seen(claim, routes, seeds, question.drawable(place), options)
        said = verdict(claim, drawn, limit, question.limit and exact)
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
