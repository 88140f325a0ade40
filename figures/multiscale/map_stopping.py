"""Our own map: when to stop, and what it saves, over kappa, label noise and samples."""

from __future__ import annotations

from typing import TYPE_CHECKING

from teacherstudent.figures.declaration import Figure, constants
from teacherstudent.figures.kit import maps, style
from teacherstudent.figures.kit.comparison import FEWEST, draws_of
from teacherstudent.figures.multiscale import planes
from teacherstudent.house.domains import Span

if TYPE_CHECKING:
    import xarray as xr

    from teacherstudent.figures.declaration import Canvas, Numbers

ID = "map-stopping"
KAPPAS, NOISES = Span(1.0, 50.0, 33), Span(0.02, 1.0, 33)
QUICK_CELLS = 13
"""A side of the plane, in the quick version."""
ALPHA = 1.5
TIMES = Span(0.1, 1e7, 193)
"""Flow times; the best of them is within 5 % of the best of all, where the risk is flat."""

SPOTS = ((1.5, 0.1), (1.5, 0.7), (12.0, 0.1), (12.0, 0.7))
"""(kappa, noise) of the simulated spots."""

TIME = {"units": "1/curvature", "symbol": "s", "long_name": "best stopping time"}
GAIN = {"units": "output^2", "symbol": "E", "long_name": "excess risk saved by stopping"}


def compute(quick: bool) -> Numbers:
    """The best time and the gain in every cell of a theory sweep; spots at that time and at the end."""
    import xarray as xr

    grids = [Span(span.low, span.high, QUICK_CELLS if quick else span.count) for span in (KAPPAS, NOISES)]
    sweep = planes.swept(TIMES, ALPHA, dict(zip(("kappa", "noise"), grids, strict=True)))
    risk = sweep["excess_risk"]
    best = risk.idxmin("time")
    cells = xr.Dataset(
        {
            "best_time": best.where(best < TIMES.high).assign_attrs(TIME),
            "gain": (risk.isel(time=-1) - risk.min("time")).assign_attrs(GAIN),
        },
        attrs=sweep.attrs,
    )
    spots = [_spot(risk, *place) for place in SPOTS]
    return {"cells": cells, "spots": planes.measured(spots, draws_of(ID, quick))}


def _spot(risk: xr.DataArray, kappa: float, noise: float) -> planes.Spot:
    """The best time of the nearest cell, and a late time."""
    time = float(risk.sel(kappa=kappa, noise=noise, method="nearest").idxmin("time"))
    late = 1e4
    return planes.Spot(ALPHA, {"kappa": kappa, "noise": noise}, min(time, late / 10), late)


def draw(canvas: Canvas, numbers: Numbers) -> None:
    """Best time left, gain right, with the spots on the gain."""
    from matplotlib.colors import LogNorm

    style.size(canvas, 12, 5.2)
    left, right = canvas.subplots(1, 2)
    cells = numbers["cells"]
    gain = cells["gain"].where(cells["gain"] > 1e-6)
    left.set_title("When to stop (hatched: never)")
    right.set_title("Excess risk saved against training to the end")
    for axes, values, label in (
        (left, cells["best_time"], "best stopping time $s$ [1/curvature]"),
        (right, gain, "excess risk saved [output$^2$]"),
    ):
        maps.field(axes, values, "kappa", "noise", label, norm=LogNorm())
        axes.patch.set(hatch="//", edgecolor="0.7")
        axes.set(xscale="log", yscale="log", xlabel=planes.KAPPA, ylabel=planes.NOISE)
    maps.mark(right, numbers["spots"], "kappa", "noise")


FIGURE = Figure(
    id=ID,
    title="When to stop, and what it saves",
    caption=(
        "Best stopping time of gradient flow, and how much lower the excess risk is there than at s = "
        f"1e7, in the limit n, d -> infinity at alpha = {ALPHA:g}, p/d = {planes.FAST_SHARE:g}, no ridge. "
        "Hatched: training to the end is best, to within 1e-6. Triangles: simulated at the best time and "
        f"at s = 1e4 (gradient descent, d = {planes.SIZE}, learning rate {planes.RATE:g}); up where the "
        "later risk is higher. z is the simulated change minus that of the limit in standard errors, and "
        "holds the finite-size offset."
    ),
    paper="pezeshki2022",
    ref="Sect. 4.3.2",
    compute=compute,
    draw=draw,
    no_residuals="each simulated spot states its z-score",
    small=FEWEST | constants(__name__, QUICK_CELLS=3),
)
