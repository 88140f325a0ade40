"""Our own map: descents over training, over the number of features and over the number of samples."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import xarray as xr

from teacherstudent.figures.declaration import Canvas, Figure, Numbers, constants
from teacherstudent.figures.kit import legends, maps, regions, style
from teacherstudent.figures.random_features.setting import ENDLESS, RISK
from teacherstudent.figures.random_features.setting import ID as PROBLEM
from teacherstudent.house.running import run

ID = "rf-map-descents"
TIMES = "time=0.1:1000"
TWO_SCALES = {
    "hermite": (0.0, 0.99498743710662, 0.0, 0.1),
    "scales": ((22 * ENDLESS // 100, 13.0), (78 * ENDLESS // 100, 1.0)),
    "psi2": 0.55,
}
"""Features that are linear but for 1 per cent of their variance; inputs of two strengths, 13 apart."""
NOISY = {"activation": "relu", "noise": 0.5, "d": ENDLESS}
FIXED = (
    "gradient flow, linear teacher, start $\\sigma_0$ = 0, no ridge\n"
    "left: 22 % of the inputs $\\kappa$ = 13 times as strong, $\\mu_1 = \\sqrt{0.99}$, $\\mu_* = 0.1$"
)
COUNT = 17
"""Values at which the risk over a parameter is first looked at."""
LOOKED = 80
"""Values at which the risk is evaluated at each spot."""
VISIBLE = 1e-7
"""Share of the risk below which a change from one of these values to the next is none."""


@dataclass(frozen=True)
class Panel:
    """A map over a parameter and time, and the spots at which the risk is evaluated.

    along: over which parameter descents are counted; "" is over training.
    """

    title: str
    fixed: str
    x: str
    values: Mapping[str, Any] = field(repr=False)
    spots: tuple[tuple[float, float], ...]
    along: str = ""

    @property
    def name(self) -> str:
        return self.x.partition("=")[0]

    def mapped(self) -> xr.Dataset:
        """The map."""
        from teacherstudent.maps.answer import compute_map
        from teacherstudent.maps.questions import read_map_question

        along = {"along": f"{self.along}:{COUNT}"} if self.along else {}
        return compute_map(
            read_map_question(PROBLEM, x=self.x, y=TIMES, of="descents", **along, **self.values)
        )

    def evaluated(self, place: float, time: float) -> np.ndarray:
        """The risk by the asymptotic route over training up to that time, or over the parameter at it."""
        fixed = {**self.values, self.name: place}
        if not self.along:
            return _risk(np.geomspace(time / 1e4, time, LOOKED), fixed)
        name, _, ends = self.along.partition("=")
        low, high = (float(end) for end in ends.split(":"))
        values = np.geomspace(low, high, LOOKED)
        return np.array([_risk(np.array([time]), {**fixed, name: float(value)})[0] for value in values])


def _risk(times: np.ndarray, values: Mapping[str, Any]) -> np.ndarray:
    return run(PROBLEM, "flow", "asymptotic", times, **values)[RISK].values


PANELS = {
    "epochs": Panel(
        "over training",
        "two strengths, almost linear, n/d = 0.55, no noise",
        "psi1=0.1:10",
        TWO_SCALES,
        ((0.2, 0.6), (0.2, 100.0), (0.8, 3.0), (4.0, 2.0), (4.0, 30.0)),
    ),
    "features": Panel(
        "as features are added",
        "relu, noise 0.5, N/d from 0.1 to 20",
        "psi2=0.3:5",
        NOISY,
        ((0.6, 100.0), (1.2, 1.0), (2.0, 100.0), (3.2, 5.0), (3.2, 300.0)),
        "psi1=0.1:20",
    ),
    "samples": Panel(
        "as samples are added",
        "relu, noise 0.5, n/d from 0.1 to 20",
        "psi1=0.3:5",
        NOISY,
        ((0.6, 100.0), (1.2, 1.0), (2.0, 100.0), (3.2, 5.0), (3.2, 300.0)),
        "psi2=0.1:20",
    ),
}


def compute(quick: bool) -> Numbers:
    """All maps, each with the descents that are counted at its spots."""
    numbers = {name: panel.mapped() for name, panel in PANELS.items()}
    rows = [{"panel": name, **row} for name, panel in PANELS.items() for row in _spots(panel, numbers[name])]
    return {**numbers, "spots": maps.spots(rows)}


def _spots(panel: Panel, answer: xr.Dataset) -> list[dict[str, float]]:
    """Descents at each spot: those that the map shows, and those of the risk evaluated there."""
    found = []
    for place, time in panel.spots:
        nearest = answer["label"].sel({panel.name: place, "time": time}, method="nearest")
        changes = np.diff(np.log(panel.evaluated(place, time)))
        falls = changes[np.abs(changes) > VISIBLE] < 0
        counted = int(np.sum(np.diff(falls.astype(int), prepend=0) > 0))
        found.append({"place": place, "time": time, "mapped": float(nearest), "counted": float(counted)})
    return found


def draw(canvas: Canvas, numbers: Numbers) -> None:
    """One map beside the other, each with its spots."""
    style.size(canvas, 2.7)
    entries: dict[str, legends.Entry] = {}
    spots = numbers["spots"]
    panels = canvas.subplots(1, len(PANELS), squeeze=False)[0]
    for axes, (name, panel) in zip(panels, PANELS.items(), strict=True):
        answer = numbers[name]
        for drawn in (regions.regions, regions.lines, regions.specials):
            entries |= {entry.label: entry for entry in drawn(axes, answer)}
        regions.frame(axes, answer)
        axes.set_title(f"Descents {panel.title}\n{panel.fixed}")
        _mark(axes, spots.isel(spot=(spots["panel"] == name).values))
    entries |= {"spot": legends.spot(f"counted at {LOOKED} values; ✓ agrees with the map, ✗ does not", "o")}
    legends.around(canvas, (), list(entries.values()), fixed=FIXED)


def _mark(axes: Any, spots: xr.Dataset) -> None:
    for i in range(spots.sizes["spot"]):
        spot = spots.isel(spot=i)
        place = float(spot["place"]), float(spot["time"])
        axes.plot(*place, **maps.SPOT, marker="o", zorder=6)
        same = "✓" if float(spot["counted"]) == float(spot["mapped"]) else "✗"
        maps.write(axes, f"{int(spot['counted'])} {same}", place)


SMALL = (
    constants("teacherstudent.maps.grid", COARSE=4)
    | constants("teacherstudent.maps.chart", DEPTH=0)
    | constants("teacherstudent.maps.regions", POINTS=21)
)
"""Few places, but boundaries as exact as ever: they are what is shown."""


FIGURE = Figure(
    id=ID,
    title="How often the risk of random features descends over time, width and samples",
    caption=(
        "Number of descents of the excess risk under gradient flow, in the limit n, N, d -> infinity. Left: "
        "descents over training that have begun by time s. The inputs have two strengths (22 per cent are "
        "13 times as strong), and the nonlinearity is sqrt(0.99) u + 0.1 He_3(u)/sqrt(6). The second "
        "descent begins at the maximum of the risk. Middle: descents as features are added, over n/d and "
        "time. Right: descents as samples are added, over N/d and time. The peak near N = n is absent if "
        "training stops early. A curve that only rises before the peak and falls after it has one descent. "
        "The boundaries are solutions of equations. At each spot the asymptotic route evaluates the risk at "
        f"{LOOKED} values, and its descents are counted."
    ),
    paper="mei2022",
    ref="maps of descents over width, samples and time",
    compute=compute,
    draw=draw,
    no_residuals="each spot gives the number of descents that a direct evaluation finds there",
    small=SMALL | constants(__name__, PANELS={"epochs": PANELS["epochs"]}),
)
