"""Our own figure: the tail index over step size per example, which rules alone for small steps only."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import xarray as xr

from teacherstudent.figures.declaration import Canvas, Figure, Numbers, constants
from teacherstudent.figures.heavy_tails import setting
from teacherstudent.figures.kit import columns, legends, style, thresholds
from teacherstudent.figures.kit.columns import Column, traces
from teacherstudent.figures.kit.comparison import draws_of
from teacherstudent.house.grids import Span

ID = "ht-collapse"
DIMENSIONS = (1, 5)
BATCHES = (1, 2, 5, 10)
RATIOS = Span(0.03, 3, 45)
"""Step size over batch."""
NEAR = 40
"""Points of the line near its end, where it falls steeply."""
INDICES = Span(0.1, 80, 2)
"""Tail indices that are shown."""
SHARES = (0.5, 0.65, 0.8)
"""Step sizes at which students are drawn, over the largest that has a stationary law."""
DRAWS, CHAINS = 12, 2000
FEW = "estimates are too large where few steps are large"
RATIO = {"symbol": "eta/b", "long_name": "step size over batch", "units": "1/(input^2 examples)"}


def compute(quick: bool) -> Numbers:
    """By dimension and batch: the exact index, the law of small steps, and the index by growth of steps."""
    found: Numbers = {}
    even = np.array(RATIOS.values())
    seeds = draws_of(ID, quick, DRAWS, setting.FEW)
    for d in DIMENSIONS:
        for b in BATCHES:
            end = setting.rate_of(0, b, d) / b
            ratios = np.union1d(even, np.minimum(end * (1 - np.geomspace(0.5, 1e-3, NEAR)), RATIOS.high))
            small = setting.ask_stationary_law("small-step", list(ratios), batch=1, d=1)["tail_index"].values
            exact = setting.indices(b * ratios, batch=b, d=d)
            exact = np.where(exact > 0, exact, np.nan)
            found[f"theory_{d}_{b}"] = xr.Dataset(
                {"index": ("ratio", exact, setting.INDEX), "small": ("ratio", small, setting.INDEX)},
                {"ratio": ("ratio", ratios, RATIO)},
            )
            rates = np.array(SHARES) * b * end
            claimed = setting.indices(rates, batch=b, d=d)
            drawn = setting.ask_stationary_law(
                "simulation", list(rates), seeds, batch=b, d=d, estimator="growth",
                chains=CHAINS,
            )  # fmt: skip
            sample = drawn["tail_index"].values
            found[f"drawn_{d}_{b}"] = setting.compared(claimed, sample, "ratio", list(rates / b), RATIO)
    return found


TITLES = (
    "(a) $d$ = 1: large batches leave the line first",
    "(b) $d$ = 5: both batches leave the line earlier",
)
LOW = 0.3
"""The index at which names stand."""
SHOWN = {1: style.Look("$b$ = 1", style.BLUE, "o"), 10: style.Look("$b$ = 10", style.VERMILION, "s")}
"""The batches that are drawn: the smallest and the largest."""


def draw(canvas: Canvas, numbers: Numbers) -> None:
    """One input on the left, more on the right; residuals below. Each curve has its name."""
    looks = {b: look for b, look in SHOWN.items() if b in BATCHES}
    shown = {d: traces(numbers, looks, f"theory_{d}_{{}}", f"drawn_{d}_{{}}") for d in DIMENSIONS}
    below = {columns.THEORY: "z"}
    ticks = {"x": RATIOS, "y": INDICES}
    panels = [
        Column("ratio", "index", shown[d], title, below, ticks=ticks, log="xy", xlim=RATIOS, ylim=INDICES)
        for d, title in zip(DIMENSIONS, TITLES, strict=False)
    ]
    for d, (axes, _) in zip(DIMENSIONS, columns.draw(canvas, panels, shared=True), strict=True):
        lines = numbers[f"theory_{d}_{BATCHES[0]}"]
        style.approximation(axes, lines, "ratio", "small", style.ANY)
        one = replace(style.ANY, label="small steps,\nall $b$ and $d$")
        style.name(axes, lines, "ratio", "small", one, 0.5, (4, 4))
        for b, look in looks.items():
            shift = (-6, 0) if b == max(looks) else (5, 0)
            line = numbers[f"theory_{d}_{b}"]
            low = float(line["ratio"][line["index"] > LOW].max())
            style.name(axes, line, "ratio", "index", look, low, shift)
        axes.axhline(2, **thresholds.LOOK)
        axes.annotate("infinite\nvariance", (RATIOS.low, 2), (3, -2), textcoords="offset points", va="top")
    entries = [
        *setting.entries("order at which products of steps keep their mean", [FEW]),
        legends.approximation("approximation for small steps: $\\alpha\\eta/b$ = 1.7956"),
    ]
    fixed = "linear regression, inputs of variance 1, new examples at each step"
    legends.around(canvas, [], entries, fixed=fixed)


FIGURE = Figure(
    id=ID,
    title="Step size over batch size determines the tail index only for small steps",
    caption=(
        "Tail index of SGD over the ratio of step size and batch size. For small ratios the index follows "
        "the dashed line at all batch sizes and dimensions: alpha eta/b is 1.7956. Where tails are heavy, "
        "the curves of the smallest and the largest batch separate, and at d = 5 both leave the "
        "dashed line earlier. The same ratio then gives a light tail at one batch size and no stationary "
        "distribution at another. Solid: exact; markers: the order at which products of simulated steps "
        "neither grow nor shrink, at points where each draw has such an order. Lines end where no "
        "stationary distribution exists. Below: simulation minus theory in standard errors. The saved "
        f"numbers have batch sizes {', '.join(map(str, BATCHES))}."
    ),
    paper="gurbuzbalaban2021",
    ref="the tail index as a function of step size over batch, with other parameters",
    compute=compute,
    draw=draw,
    small=setting.FEWEST
    | constants(
        __name__,
        DIMENSIONS=(1,),
        BATCHES=(1, 2),
        RATIOS=Span(0.3, 3, 3),
        SHARES=(0.6, 0.8),
        CHAINS=200,
    ),
)
