"""Our own figure: between infinite variance and divergence little is left in many dimensions."""

from __future__ import annotations

import numpy as np
import xarray as xr

from teacherstudent.figures.declaration import Canvas, Figure, Numbers, constants
from teacherstudent.figures.heavy_tails import setting
from teacherstudent.figures.kit import columns, legends, style
from teacherstudent.figures.kit.columns import Column, traces
from teacherstudent.figures.kit.comparison import draws_of
from teacherstudent.house.grids import Span

ID = "ht-dimension"
BATCHES = (1, 5, 20)
DIMENSIONS = (*range(1, 11), 12, 14, 17, 20, 24, 29, 35, 42, 50, 60, 72, 86, 100, 120, 140, 170, 200)
DRAWN = {1: (1, 2, 3, 5, 10, 20), 5: (1, 3, 10, 20), 20: (1, 3, 10)}
"""Dimensions at which students are drawn, by batch."""
DRAWS, CHAINS, BURN_IN = 16, 200, 200
AROUND = 0.1
"""Share of the window by which two step sizes lie off its end: rho passes 0 between them."""
WIDTH = {"symbol": "w", "long_name": "relative width of the window", "units": "1"}


def compute(quick: bool) -> Numbers:
    """Widths over d, exactly and for large d, and where the measured rho of drawn students passes 0."""
    from teacherstudent.theory.heavy_tails import exact

    seeds = draws_of(ID, quick, DRAWS, setting.FEW)
    found: Numbers = {}
    for b in BATCHES:
        d = np.array(DIMENSIONS)
        widths = [exact.largest_rate(b, each) / exact.critical_rate(b, each) - 1 for each in DIMENSIONS]
        found[f"theory_{b}"] = xr.Dataset(
            {"width": ("d", widths, WIDTH), "large": ("d", 4 * (b + 2) / (b + d + 1) ** 2, WIDTH)},
            {"d": ("d", d, setting.DIMENSION)},
        )
        claimed = np.array([widths[DIMENSIONS.index(each)] for each in DRAWN[b]])
        sample = np.stack([_measured(b, each, seeds) for each in DRAWN[b]], axis=1)
        each = setting.compared(claimed, sample, "d", DRAWN[b], setting.DIMENSION)
        renamed = each.rename(index="width", index_stderr="width_stderr")
        found[f"drawn_{b}"] = renamed.assign(width=renamed["width"].assign_attrs(WIDTH))
    return found


def _measured(batch: int, d: int, seeds: list[int]) -> np.ndarray:
    """Widths by a line through the measured rho at two step sizes, (S,), on the same batches."""
    from teacherstudent.theory.heavy_tails import exact

    critical, end = exact.critical_rate(batch, d), exact.largest_rate(batch, d)
    rates = [end + sign * AROUND * (end - critical) for sign in (-1, 1)]
    rho = setting.ask_stationary_law(
        "simulation", rates, seeds, batch=batch, d=d, chains=CHAINS, burn_in=BURN_IN
    )["lyapunov"].values
    root = rates[0] - rho[:, 0] * (rates[1] - rates[0]) / (rho[:, 1] - rho[:, 0])
    measured: np.ndarray = root / critical - 1
    return measured


def draw(canvas: Canvas, numbers: Numbers) -> None:
    """Widths over d on logarithmic axes; residuals below."""
    looks = style.family(BATCHES, "$b$ = {}")
    some, shown = numbers[f"drawn_{BATCHES[0]}"], traces(numbers, looks, "theory_{}", "drawn_{}")
    ticks = {"x": Span(min(DIMENSIONS), max(DIMENSIONS), 2)}
    widths = Column("d", "width", shown, residuals={columns.THEORY: "z"}, ticks=ticks, log="xy")
    ((axes, _),) = columns.draw(canvas, [widths])
    for b, look in looks.items():
        style.approximation(axes, numbers[f"theory_{b}"], "d", "large", look)
    entries = [
        legends.theory("theory: $\\eta_{\\max}/\\eta_{\\mathrm{var}} - 1$, from $\\rho = 0$ and $h(2) = 1$"),
        legends.approximation("approximation for large $d$: $4(b + 2)/(b + d + 1)^2$"),
        legends.simulation(
            "simulation: zero of the measured $\\rho$, "
            f"mean of {some.attrs['n_seeds']} draws ± 1 standard error"
        ),
        legends.band(),
    ]
    fixed = "window: step sizes with tail index from 0 to 2; inputs of variance 1, new examples at each step"
    legends.around(canvas, list(looks.values()), entries, fixed=fixed)


FIGURE = Figure(
    id=ID,
    title="The window of step sizes with heavy tails closes in high dimensions",
    caption=(
        "Relative width of the window of step sizes in which the tail index is between 0 and 2. The window "
        "begins where the variance becomes infinite and ends at the largest step size with a stationary "
        "distribution. The width of the window falls as 1/d^2. At d = 100 and b = 1 the relative width is "
        "0.001, so a grid of step sizes misses the window; heavy tails can be found for d up to 10. Solid: "
        "exact. Dashed: large d. Markers: zero of the Lyapunov exponent of simulated students. Below: "
        "simulation minus theory in standard errors."
    ),
    paper="gurbuzbalaban2021",
    ref="regimes of the step size; parameters: ours",
    compute=compute,
    draw=draw,
    small=setting.FEWEST
    | constants(__name__, BATCHES=(1,), DIMENSIONS=(1, 2), DRAWN={1: (1, 2)}, CHAINS=40, BURN_IN=40),
)
