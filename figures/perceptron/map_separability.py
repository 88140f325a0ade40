"""Our own map: where noisy labels can still all be met, over examples per input and noise."""

from __future__ import annotations

import numpy as np
import xarray as xr

from teacherstudent.figures.declaration import Canvas, Figure, Numbers, constants
from teacherstudent.figures.kit import columns, legends, maps, residuals, style, thresholds
from teacherstudent.figures.kit.comparison import draws_of, standardised
from teacherstudent.figures.perceptron import setting
from teacherstudent.house.grids import Span
from teacherstudent.problems.perceptron import PROBLEM

ID = "map-separability"
ALPHAS = Span(1, 12, 111, "lin")
NOISES = Span(0.14, 3.2, 80)
"""Of the boundary."""
SHADED = Span(0.15, 3, 16)
"""Noises at which sets are drawn."""
SIZE, DRAWS = 16, 60
BOUNDARY = style.Look("", style.VERMILION, "o")
STOPS = style.Look("mean size at which drawn sets become inseparable", style.BLACK, "s")


def compute(quick: bool) -> Numbers:
    """The boundary by theory; the share of drawn sets that are separable, and where they stop being so."""
    from teacherstudent.theory.perceptron.separability import threshold

    noise = {"long_name": "label noise", "symbol": "sigma_eps", "units": "output"}
    alpha = {"long_name": "examples per dimension", "symbol": "alpha", "units": "examples/d"}
    lines = np.array(NOISES.values())
    boundary = xr.Dataset(
        {"alpha": ("noise", [threshold(each) for each in lines], alpha)}, {"noise": ("noise", lines, noise)}
    )
    seeds = draws_of(ID, quick, DRAWS, setting.FEW)
    most = np.array([_most(each, seeds) for each in SHADED.values()])
    alphas = np.array(ALPHAS.values())
    stops = xr.DataArray(most, dims=("noise", "seed"))
    claimed = xr.DataArray([threshold(each) for each in SHADED.values()], dims="noise")
    error = stops.std("seed", ddof=1) / len(seeds) ** 0.5
    drawn = xr.Dataset(
        {
            "share": (("noise", "alpha"), (most[:, :, None] >= alphas).mean(axis=1)),
            "stops": stops.mean("seed").assign_attrs(alpha),
            "stops_stderr": error,
            "stops_minus_limit": standardised(stops.mean("seed") - claimed, error, "limit"),
        },
        {"noise": ("noise", list(SHADED.values()), noise), "alpha": ("alpha", alphas, alpha)},
        {"n_seeds": len(seeds), "d": SIZE},
    )
    return {"boundary": boundary, "drawn": drawn}


def _most(noise: float, seeds: list[int]) -> object:
    """Examples per input up to which each draw is separable, (S,)."""
    from teacherstudent.paper_checks.perceptron.kit.separating import most_separable
    from teacherstudent.problems.perceptron.data import draw

    problem = PROBLEM.instance(rule="max-stability", noise=noise, d=SIZE)
    return most_separable(draw(problem, seeds, round(ROWS * ALPHAS.high * SIZE))) / SIZE


ROWS = 2.5
"""Drawn examples over the most that the map shows: draws that are separable to the end count so."""


def draw(canvas: Canvas, numbers: Numbers) -> None:
    """Shares as shades, the boundary, and the mean of where draws stop being separable; residuals beside."""
    style.size(canvas, 5.7)
    axes, below = canvas.subplots(2, 1, sharex=True, height_ratios=residuals.heights(1))
    drawn, boundary = numbers["drawn"], numbers["boundary"]
    maps.field(
        axes, drawn["share"], "noise", "alpha", "share of separable draws $P$ [dimensionless]",
        cmap="Blues", vmin=0.0, vmax=1.0,
    )  # fmt: skip
    axes.plot(boundary["noise"], boundary["alpha"], color=BOUNDARY.colour, lw=2.2)
    style.simulation(axes, drawn, "noise", "stops", STOPS)
    axes.axhline(2.0, **thresholds.LOOK)
    maps.write(axes, "pure noise: 2", (SHADED.low, 2.0), (6, 6), ha="left")
    axes.set(xscale="log", ylim=(ALPHAS.low, ALPHAS.high), xlim=(NOISES.low, NOISES.high))
    axes.set_title("Noisy labels are separable below the line")
    axes.set_ylabel(style.axis_label(drawn["alpha"]))
    residuals.name(below, columns.LIMIT)
    residuals.draw(below, {STOPS: drawn["stops_minus_limit"]}, drawn.attrs["n_seeds"] - 1)
    style.digits(below.xaxis, NOISES.low, NOISES.high)
    below.set_xlabel(style.axis_label(drawn["noise"]))
    entries = [
        legends.theory("theory d → ∞: all draws separable below, none above", BOUNDARY.colour, lw=2.2),
        legends.simulation("simulation: mean of draws ± 1 standard error"),
        legends.band(["draws of this d deviate from the limit"]),
    ]
    fixed = (
        f"labels sign$(w^\\ast{{\\cdot}}x + \\sigma_\\epsilon \\xi)$; drawn: d = {drawn.attrs['d']}, "
        f"{drawn.attrs['n_seeds']} sets for each noise"
    )
    legends.around(canvas, [STOPS], entries, fixed=fixed)


FIGURE = Figure(
    id=ID,
    title="How many examples with noisy labels a plane can separate",
    caption=(
        "Share of drawn sets of examples that some plane through the origin separates, over label noise and "
        f"examples per input, d = {SIZE}. Linear programming separates each set or proves that it is "
        "inseparable. Line: boundary in the limit, where the largest margin vanishes; beyond it logistic "
        "regression without ridge has a finite solution. Purely random labels are separable up to two "
        "examples per input; labels without noise are always separable. Squares: mean number of examples at "
        "which a growing set becomes inseparable. The strengths of the inputs do not matter."
    ),
    paper="candes2020",
    ref="phase transition, for labels with normal noise",
    compute=compute,
    draw=draw,
    small=setting.FEWEST
    | constants(
        __name__, ALPHAS=Span(1, 3, 5, "lin"), NOISES=Span(0.8, 3, 4), SHADED=Span(0.8, 3, 3), SIZE=4
    ),
)
