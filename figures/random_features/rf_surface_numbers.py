"""The numbers of `rf-surface`: the risk over features and time, its turns, and slices that are simulated."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import xarray as xr

from teacherstudent.figures.declaration import Numbers
from teacherstudent.figures.kit.comparison import Times, draws_of, on_clock
from teacherstudent.figures.random_features import setting
from teacherstudent.figures.random_features.setting import RISK, Setting
from teacherstudent.house.grids import Span

ID = "rf-surface"
WIDTH = "width_per_sample"


@dataclass(frozen=True)
class Surface:
    """A setting with its samples per input, and where its surface is cut.

    widths and span: N/n and flow times of the surface. times: of the slices over width. cuts: N/n of the
    slices over time; these are simulated, and so are `drawn`.
    """

    asked: Setting
    samples: float
    widths: Span
    span: tuple[float, float]
    times: tuple[float, float, float]
    cuts: tuple[float, float, float]
    drawn: tuple[float, ...]


ONE = Surface(
    Setting({"hermite": (0.0, 0.5, 0.3), "init": 2.0, "noise": 0.4}, 60),
    samples=3.0,
    widths=Span(0.05, 10, 80),
    span=(0.1, 1e5),
    times=(1.0, 30.0, 1e4),
    cuts=(0.3, 1.0, 4.0),
    drawn=(0.15, 0.6, 1.6),
)
TWO = Surface(
    Setting(
        {"hermite": (0.0, 0.99**0.5, 0.0, 0.1)},
        100,
        0.02,
        ((0.22, 13.0), (0.78, 1.0)),
    ),
    samples=0.55,
    widths=Span(0.05, 30, 90),
    span=(0.01, 1e5),
    times=(0.3, 3.0, 1e3),
    cuts=(0.5, 1.0, 6.5 / 0.55),
    drawn=(0.2, 2.0, 5.0),
)
SURFACES = {"one": ONE, "two": TWO}
TIMES = 120
"""Of the surface and of the lines over time."""
STAMPS = 9
"""Times of the simulated slices."""


def compute(quick: bool) -> Numbers:
    """Surface, slices over width and over time of each setting, by limit and simulation."""
    seeds = draws_of(ID, quick, 24, setting.FEW)
    return {
        f"{part}_{name}": each
        for name, surface in SURFACES.items()
        for part, each in sliced(surface, seeds).items()
    }


def sliced(surface: Surface, seeds: Sequence[int]) -> Numbers:
    """The numbers of one setting."""
    rate, (low, high) = surface.asked.rate, surface.span
    steps = [each / rate for each in surface.times]
    stamps = sorted({*Span(max(low / rate, 1), high / rate, STAMPS).values(), *steps})

    def over(widths: Iterable[float], dynamics: str, times: Times) -> xr.Dataset:
        answer = setting.along(
            WIDTH, widths, lambda width: surface.asked.limit(dynamics, width * samples, samples, times)
        )
        return answer if dynamics == "flow" else on_clock(answer, "flow", rate)

    def drawn(width: float) -> xr.Dataset:
        return surface.asked.drawn("descent", width * samples, samples, stamps, seeds)

    samples, widths = surface.samples, surface.widths.values()
    whole = over(widths, "flow", Span(low, high, TIMES))[[RISK]]
    simulated = setting.along(WIDTH, sorted({*surface.drawn, *surface.cuts}), drawn)
    return {
        "surface": turned(turned(whole, "time"), WIDTH),
        f"over_{WIDTH}": over(sorted({*widths, *surface.cuts}), "descent", steps),
        "over_time": over(surface.cuts, "descent", Span(max(low / rate, 1), high / rate, TIMES)),
        "simulation": on_clock(simulated, "flow", rate),
    }


def little(surface: Surface) -> Surface:
    """The same, of few places and inputs; all drawn sizes are the same, so that one program trains them."""
    return replace(
        surface,
        asked=replace(surface.asked, size=9),
        samples=1.0,
        widths=Span(0.5, 2, 5),
        cuts=(1.0, 1.02, 1.04),
        drawn=(),
    )


def turned(answer: xr.Dataset, along: str) -> xr.Dataset:
    """The answer with the lines on which its risk turns over the logarithm of that axis.

    `least_over_<along>` and `largest_over_<along>` hold places on both axes, (axis, point), NaN between
    pieces. A line is where the slope is 0; of which kind, the bend there says. Slopes and bends below `FLAT`
    are rounding, where the risk no longer moves.
    """
    from matplotlib.figure import Figure
    from scipy.interpolate import RegularGridInterpolator

    across, axes = next(each for each in (WIDTH, "time") if each != along), [WIDTH, "time"]
    logs = [np.log(answer[name].values) for name in (across, along)]
    values = answer[RISK].transpose(across, along).values
    slope = np.gradient(values, logs[1], axis=1, edge_order=2) / values
    bends = np.gradient(slope, logs[1], axis=1)
    bend = RegularGridInterpolator(logs, bends, bounds_error=False, fill_value=None)  # edges are rounded
    moving = np.ma.masked_where(np.abs(slope) < FLAT, slope)
    lines: list[np.ndarray] = []
    if moving.count() and moving.min() < 0 < moving.max():
        lines = Figure().subplots().contour(*logs[::-1], moving, levels=[0.0]).allsegs[0]
    found = {}
    for kind, sign in (("least", 1), ("largest", -1)):
        pieces = [np.full((1, 2), np.nan)]
        for line in lines:
            kept = sign * bend(line[:, ::-1]) > FLAT
            pieces += [np.where(kept[:, None], np.exp(line), np.nan), pieces[0]]
        points = np.concatenate(pieces)
        name = f"{kind}_over_{along}"
        attrs = {"units": "as the axis", "long_name": f"places on {', '.join(axes)} where the risk is {kind}"}
        ordered = points if along == axes[0] else points[:, ::-1]
        found[name] = (("axis", f"{name}_point"), ordered.T, attrs)
    return answer.assign(found)


FLAT = 1e-7
"""Slopes and bends below this share of the risk, over the logarithm of an axis, are taken for rounding."""
