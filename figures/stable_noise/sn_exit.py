"""Our own figure: how long stable noise takes to leave an interval, with a well and without."""

from __future__ import annotations

from typing import Any

import numpy as np
import xarray as xr

from teacherstudent.figures.declaration import Canvas, Figure, Numbers, constants
from teacherstudent.figures.kit import columns, legends, style
from teacherstudent.figures.kit.columns import Column, traces
from teacherstudent.figures.kit.comparison import draws_minus_theory, draws_of
from teacherstudent.figures.stable_noise import setting
from teacherstudent.house.grids import Span

ID = "sn-exit"
INDICES = (1.2, 1.5, 1.8)
RADII = Span(0.5, 12, 45)
DRAWN_RADII = (0.6, 1.0, 1.8, 3.0, 5.0)
STARTS = Span(-0.98, 0.98, 61, "lin")
DRAWN_STARTS = (-0.9, -0.6, -0.3, 0.0, 0.3, 0.6, 0.9)
STEPS = (0.04, 0.01, 0.0025)
DRAWS, WALKERS = 16, 200
PLACE = {"symbol": "x_0/r", "long_name": "start / radius", "units": "r"}


def compute(quick: bool) -> Numbers:
    """By index: times over the radius in a well, and over the start without one; drawn ones beside."""
    found: Numbers = {}
    seeds = draws_of(ID, quick, DRAWS, setting.FEW)
    starts = np.array(STARTS.values())
    for index in INDICES:
        well: dict[str, Any] = {"stability": index, "drift": 1.0}
        for name in ("spectral", "small-noise"):
            found[f"{name}_{index:g}"] = setting.ask_route("exit", name, RADII, **well)
        claimed = setting.ask_route("exit", "spectral", DRAWN_RADII, **well)["exit_time"]
        sample = _drawn(DRAWN_RADII, seeds, index, **well)
        found[f"well_{index:g}"] = draws_minus_theory(sample, claimed.values, claimed)
        free: dict[str, Any] = {"stability": index, "drift": 0.0}
        lines = [_free("getoor", each, **free) for each in starts]
        like = xr.DataArray(lines, {"start": ("start", starts, PLACE)}, "start", "exit_time", claimed.attrs)
        found[f"getoor_{index:g}"] = like.to_dataset()
        sample = np.hstack([_drawn((1.0,), seeds, index, start=each, **free) for each in DRAWN_STARTS])
        places = like.interp(start=list(DRAWN_STARTS)).assign_attrs(like.attrs)
        right = np.array([_free("getoor", each, **free) for each in DRAWN_STARTS])
        found[f"free_{index:g}"] = draws_minus_theory(sample, right, places)
    return found


def _free(route: str, start: float, **values: Any) -> float:
    return float(setting.ask_route("exit", route, (1.0,), start=float(start), **values)["exit_time"][0])


def _drawn(radii: tuple[float, ...], seeds: list[int], index: float, **values: Any) -> np.ndarray:
    """Mean times (S, R), extrapolated from `STEPS` to no step, draw by draw."""
    from teacherstudent.paper_checks.stable_noise.kit.asking import without_step

    times = {
        step: setting.ask_route("exit", "simulation", radii, seeds, step=step, walkers=WALKERS, **values)[
            "exit_time"
        ].values
        for step in STEPS
    }
    return without_step(times, index)


def draw(canvas: Canvas, numbers: Numbers) -> None:
    """In a well on the left, without one on the right; residuals below."""
    looks = style.family(INDICES, "$\\alpha$ = {:g}")
    well = traces(numbers, looks, "spectral_{}", "well_{}", "small-noise_{}")
    free = traces(numbers, looks, "getoor_{}", "free_{}")
    titles = ("(a) From the middle of a well", "(b) Without a well, $r$ = 1")
    below = {columns.THEORY: "z"}
    left = Column("time", "exit_time", well, titles[0], below, log="xy", ticks={"x": RADII})
    columns.draw(canvas, [left, Column("start", "exit_time", free, titles[1], below)])
    draws = numbers[f"well_{INDICES[0]:g}"].attrs["n_seeds"]
    entries = [
        legends.theory("theory: (a) integral equation, in Jacobi polynomials; (b) Getoor"),
        legends.approximation("(a) approximation: power law $r^\\alpha$ of one large jump"),
        legends.simulation(
            f"simulation: Euler's scheme, extrapolated to step 0, {draws} draws ± 1 standard error"
        ),
        legends.band(),
    ]
    fixed = (
        "$dX = -aX dt + dL$, $L$ symmetric $\\alpha$-stable, one dimension; "
        f"{WALKERS} paths a draw, steps {', '.join(map(str, STEPS))}"
    )
    legends.around(canvas, list(looks.values()), entries, fixed=fixed)


FIGURE = Figure(
    id=ID,
    title="Under stable noise the exit time is a power of the well's width, not exponential in its height",
    caption=(
        "Mean time until a motion driven by stable noise leaves (-r, r). (a) The motion starts in the "
        "middle of a well of curvature 1; the time is shown over r. One large jump leaves a wide well, "
        "after a time that grows as a power of the width (dashed); Brownian motion would need an "
        "exponentially long time. In a narrow well the time is the same as without a well. (b) There is no "
        "well; the time is shown over the starting point, with Getoor's closed form. Markers: drawn paths "
        "of Euler's scheme with three step sizes, extrapolated to step 0, because a step of size h delays "
        "the exit by order h^(1/alpha). Below: simulation minus theory in standard errors."
    ),
    paper="imkeller2006",
    ref="mean exit times; parameters: ours; (b) by getoor1961",
    compute=compute,
    draw=draw,
    small=setting.FEWEST
    | constants(
        __name__,
        INDICES=(1.5, 1.8),
        RADII=Span(0.5, 2, 3),
        DRAWN_RADII=(0.5, 1.0),
        STARTS=Span(-0.9, 0.9, 5, "lin"),
        DRAWN_STARTS=(-0.5, 0.5),
        STEPS=(0.2, 0.1, 0.05),
        WALKERS=10,
    ),
)
