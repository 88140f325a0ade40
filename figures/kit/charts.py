"""Maps of any number that a figure computes place by place: an adaptive grid, and lines traced as curves.

`figures.kit.regions` draws them, as it draws what `teacherstudent map` answers.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import xarray as xr

from teacherstudent.figures.declaration import constants
from teacherstudent.house.grids import Span
from teacherstudent.maps.field import UNKNOWN, Curve, Sample
from teacherstudent.maps.plane import Axis, Place, Plane

SMALL = (
    constants("teacherstudent.maps.grid", COARSE=4)
    | constants("teacherstudent.maps.chart", DEPTH=0)
    | constants("teacherstudent.maps.regions", POINTS=11)
    | constants("teacherstudent.maps.levels", ABOUT=2)
    | constants(
        "teacherstudent.maps.walking",
        **{
            "TOLERANCE": 5e-3,
            "SAGITTA": 1e-2,
            "PASSES": 2e-2,
            "SHORTEST": 2e-2,
            "FIRST": 0.1,
            "LONGEST": 0.25,
        },
    )
    | constants("teacherstudent.maps.continuation", MISS=1e-2, CLOSE=1e-2, FIRST=0.1, LONGEST=0.3)
)
"""What makes a small run of any map: few places, none between them, and lines of few points."""


@dataclass
class Valued:
    """A number over a plane, from the values of both parameters; its logarithm where `log` says so."""

    at: Callable[[Mapping[str, float]], float]
    plane: Plane
    log: bool = False
    jump: float = math.inf
    known: dict[Place, Sample] = field(default_factory=dict, repr=False)

    def samples(self, places: Sequence[Place]) -> list[Sample]:
        """The number at each place."""
        return [self.sample(place) for place in places]

    def sample(self, place: Place) -> Sample:
        """The number at one place, asked for once."""
        if place not in self.known:
            value = self.at(self.plane.values(place))
            known = Sample(0, math.log10(value) if self.log else value)
            self.known[place] = known if math.isfinite(value) else Sample(UNKNOWN, reason="no number")
        return self.known[place]

    def value(self, place: Place) -> float:
        """The number that is mapped, NaN where there is none."""
        return self.sample(place).value

    def beside(self, places: Sequence[Place], states: Sequence[float]) -> list[tuple[float, float]]:
        """The numbers there; nothing helps to find them sooner."""
        return [(self.sample(place).value, state) for place, state in zip(places, states, strict=True)]

    def traced(self, one: Place, other: Place) -> list[Curve]:
        """Nothing but values changes."""
        return []


def plane_of(x: tuple[str, Span], y: tuple[str, Span]) -> Plane:
    """Two named axes; the counts of their spans are of no use here."""
    axes = (Axis(name, span.low, span.high, span.spacing == "log") for name, span in (x, y))
    return Plane(*axes)


def mapped(
    at: Callable[[Mapping[str, float]], float],
    plane: Plane,
    levels: Sequence[float],
    attrs: Mapping[str, Any],
    described: Mapping[str, Mapping[str, Any]],
    log: bool = False,
) -> xr.Dataset:
    """The number on an even grid as `value`, with these `attrs`, and the lines on which it has these levels.

    described: attributes of both axes, by name.
    """
    from teacherstudent.maps.answer import accuracy_of, boundaries_of, specials_of
    from teacherstudent.maps.chart import chart_field
    from teacherstudent.maps.field import Boundary
    from teacherstudent.maps.levels import level_lines
    from teacherstudent.maps.regions import rasterise

    valued = Valued(at, plane, log)
    chart = chart_field(valued)
    even = rasterise(chart, valued)
    lines = level_lines(chart, valued, [math.log10(each) if log else each for each in levels], even)
    drawn = [Boundary(each.points, 0, 0, 0.0, each.level) for each in lines]
    axes = {
        axis.name: (
            axis.name,
            np.array([axis.value(float(each)) for each in even.along]),
            described[axis.name],
        )
        for axis in (plane.x, plane.y)
    }
    value = 10**even.values if log else even.values
    scales = {f"{letter}_scale": "log" if axis.log else "linear" for letter, axis in vars(plane).items()}
    answer = xr.Dataset(
        {"value": ((plane.y.name, plane.x.name), value, attrs), **boundaries_of(drawn, plane, log)},
        axes,
        {"x": plane.x.name, "y": plane.y.name, **scales, "value_scale": "log" if log else "linear"},
    )
    return answer.merge(specials_of(chart, plane)).assign_attrs(
        samples=len(valued.known), **accuracy_of(even, log)
    )
