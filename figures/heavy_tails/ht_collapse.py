"""Our own figure: the tail index over step size per example, which rules alone for small steps only."""

from __future__ import annotations

import numpy as np
import xarray as xr

from teacherstudent.figures.declaration import Canvas, Figure, Numbers, constants
from teacherstudent.figures.heavy_tails import setting
from teacherstudent.figures.kit import columns, legends, style
from teacherstudent.figures.kit.columns import Column, traces
from teacherstudent.figures.kit.comparison import draws_of
from teacherstudent.house.grids import Span

ID = "ht-collapse"
DIMENSIONS = (1, 5)
BATCHES = (1, 2, 5, 10)
RATIOS = Span(0.03, 3, 45)
"""Step size over batch."""
INDICES = Span(0.1, 80, 2)
"""Tail indices that are shown."""
SHARES = (0.5, 0.65, 0.8)
"""Step sizes at which students are drawn, over the largest that has a stationary law."""
DRAWS, CHAINS = 12, 2000
FEW = "orders come out too large where few steps are rare ones"
RATIO = {"symbol": "eta/b", "long_name": "step size over batch", "units": "1/(input^2 examples)"}


def compute(quick: bool) -> Numbers:
    """By dimension and batch: the exact index, the law of small steps, and the index by growth of steps."""
    found: Numbers = {}
    ratios = np.array(RATIOS.values())
    seeds = draws_of(ID, quick, DRAWS, setting.FEW)
    small = setting.ask_stationary_law("small-step", list(ratios), batch=1, d=1)["tail_index"].values
    for d in DIMENSIONS:
        for b in BATCHES:
            exact = setting.indices(b * ratios, batch=b, d=d)
            exact = np.where(exact > 0, exact, np.nan)
            found[f"theory_{d}_{b}"] = xr.Dataset(
                {"index": ("ratio", exact, setting.INDEX), "small": ("ratio", small, setting.INDEX)},
                {"ratio": ("ratio", ratios, RATIO)},
            )
            rates = np.array(SHARES) * setting.rate_of(0, b, d)
            claimed = setting.indices(rates, batch=b, d=d)
            drawn = setting.ask_stationary_law(
                "simulation", list(rates), seeds, batch=b, d=d, estimator="growth",
                chains=CHAINS,
            )  # fmt: skip
            sample = drawn["tail_index"].values
            found[f"drawn_{d}_{b}"] = setting.compared(claimed, sample, "ratio", list(rates / b), RATIO)
    return found


def draw(canvas: Canvas, numbers: Numbers) -> None:
    """One input on the left, more on the right; residuals below."""
    looks = style.family(BATCHES, "$b$ = {}")
    shown = {d: traces(numbers, looks, f"theory_{d}_{{}}", f"drawn_{d}_{{}}") for d in DIMENSIONS}
    below = {columns.THEORY: "z"}
    ticks = {"x": RATIOS, "y": INDICES}
    panels = [
        Column("ratio", "index", shown[d], title, below, ticks=ticks, log="xy", xlim=RATIOS, ylim=INDICES)
        for d, title in ((d, f"({letter}) $d$ = {d}") for d, letter in zip(DIMENSIONS, "ab", strict=False))
    ]
    for d, (axes, _) in zip(DIMENSIONS, columns.draw(canvas, 12.5, 7.6, panels), strict=True):
        style.approximation(axes, numbers[f"theory_{d}_{BATCHES[0]}"], "ratio", "small", style.ANY)
    entries = [
        *setting.entries("order at which products of steps neither grow nor shrink", [FEW]),
        legends.approximation("approximation of small steps: $\\alpha\\eta/b$ = 1.7956 for all"),
    ]
    fixed = "linear regression, inputs of variance 1, new examples at each step"
    notes = f"Lines end where there is no stationary law. {setting.UNTOLD}"
    legends.around(canvas, list(looks.values()), entries, columns=1, fixed=fixed, notes=notes)


FIGURE = Figure(
    id=ID,
    title="The tail index over step size over batch: one curve for small steps only",
    caption=(
        "Tail index of SGD over the ratio of step size and batch. For small ratios alpha eta/b is the same "
        "number for all batches and dimensions (dashed); where tails are heavy each batch has a curve of "
        "its own, and the more so the more inputs there are: the ratio alone does not tell how heavy a tail "
        "is, nor whether there is a stationary law. Solid: exact; markers: the order at which products of "
        "simulated steps neither grow nor shrink; below, simulation minus theory in standard errors."
    ),
    paper="gurbuzbalaban2021",
    ref="the tail index as a function of step size over batch, with parameters of our own",
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
