"""Our own figure: square, logistic and hinge loss on noisy labels, at several ridges and the best."""

from __future__ import annotations

from typing import Any

import xarray as xr

from teacherstudent.figures.declaration import Axes, Canvas, Figure, Numbers, constants
from teacherstudent.figures.kit import columns, legends, style
from teacherstudent.figures.kit.columns import Column, traces
from teacherstudent.figures.kit.comparison import draws_of
from teacherstudent.figures.perceptron import setting
from teacherstudent.figures.perceptron.setting import ERROR
from teacherstudent.house.grids import Span

ID = "pc-losses"
LOSSES = ("square", "logistic", "hinge")
ASKED: dict[str, Any] = {"noise": 0.5, "kappa": 3.0}
RIDGES = (3e-3, 0.3, 10.0)
ALPHAS = Span(0.1, 20, 41)
SEARCHED = Span(0.05, 5, 41)
"""Ridges among which the best is searched at each alpha."""
SIZE, DRAWS = 60, 40
DRAWN = (0.2, 0.5, 1.0, 2.0, 4.0, 8.0)
BEST = style.Look("best $\\lambda$ at each $\\alpha$", style.VERMILION, "P")
LIMITS = {"curves": (0.06, 0.46), "ridges": (SEARCHED.low / 2, SEARCHED.high * 2)}
"""Of the vertical axes."""


def compute(quick: bool) -> Numbers:
    """By loss and ridge the limit and the simulation over alpha; the least error, and its ridge."""
    found: Numbers = {}
    for loss in LOSSES:
        for i, ridge in enumerate(RIDGES):
            values = {"rule": loss, "ridge": ridge, **ASKED}
            seeds = draws_of(ID, quick, DRAWS, setting.FEW, loss)
            found[f"limit_{loss}_{i}"] = setting.limit(ALPHAS, **values)[[ERROR]]
            found[f"simulation_{loss}_{i}"] = setting.drawn(DRAWN, seeds, SIZE, **values)
        found[f"best_{loss}"] = best(loss)
    return found


def best(loss: str) -> xr.Dataset:
    """The least error over `SEARCHED` at each alpha, and `ridge`, where it is."""
    tried = [setting.limit(ALPHAS, rule=loss, ridge=ridge, **ASKED)[[ERROR]] for ridge in SEARCHED.values()]
    axis = xr.IndexVariable("searched", list(SEARCHED.values()))
    over = xr.concat(tried, axis, combine_attrs="override")
    at = over[ERROR].argmin("searched")
    attrs = {"long_name": "best ridge", "symbol": "lambda", "units": "curvature"}
    least = over.isel(searched=at).drop_vars("searched")
    return least.assign(ridge=("time", axis.values[at.values], attrs))


def looks() -> list[style.Look]:
    """Light to dark: from little ridge to much."""
    return style.ordered_looks([f"$\\lambda$ = {style.number(each)}" for each in RIDGES])


def draw(canvas: Canvas, numbers: Numbers) -> None:
    """A column for each loss: errors over alpha, their residuals, and the best ridge."""
    style.size(canvas, 4.9)
    grid = canvas.add_gridspec(3, len(LOSSES), height_ratios=[3.4, 1.0, 1.2])
    family, ends = dict(enumerate(looks())), {"xlim": ALPHAS, "ylim": LIMITS["curves"]}
    panels = [
        Column(
            "time",
            ERROR,
            traces(numbers, family, f"limit_{loss}_{{}}", f"simulation_{loss}_{{}}"),
            f"({letter}) {loss.capitalize()} loss",
            log="x",
            **ends,
        )
        for loss, letter in zip(LOSSES, "abc", strict=True)
    ]
    beside: dict[str, Axes] = {}
    for place, (axes, loss) in enumerate(
        zip(columns.draw_on(canvas, grid, panels, shared=True), LOSSES, strict=True)
    ):
        below = canvas.add_subplot(grid[2, place], sharex=axes[0], **beside)
        chosen = numbers[f"best_{loss}"]
        style.theory(axes[0], chosen, "time", ERROR, BEST)
        style.theory(below, chosen, "time", "ridge", BEST, drawstyle="steps-mid")
        axes[1].tick_params(labelbottom=False)
        axes[1].set_xlabel("")
        below.set(yscale="log", ylim=LIMITS["ridges"])
        below.tick_params(labelleft=not beside)
        below.set_xlabel(style.axis_label(chosen["time"]))
        if not beside:
            below.set_ylabel(style.axis_label(chosen["ridge"]))
        beside = beside or {"sharey": below}
    some = [numbers[name] for name in numbers if name.startswith("simulation_")]
    entries = setting.entries(f"d = {SIZE}, {some[0].attrs['n_seeds']} draws")
    fixed = (
        "labels sign$(w^\\ast{\\cdot}x + \\sigma_\\epsilon \\xi)$, noise $\\sigma_\\epsilon$ = "
        f"{ASKED['noise']:g}, half of the inputs $\\kappa$ = {ASKED['kappa']:g} times as strong as the "
        "others, loss summed over examples + $\\lambda |w|^2/2$"
    )
    legends.around(canvas, [*looks(), BEST], entries, fixed=fixed, notes=setting.off(some))


FIGURE = Figure(
    id=ID,
    title="With the best ridge, every loss improves with more noisy examples, and the three differ little",
    caption=(
        "Probability that a student labels a new input differently from the noise-free teacher, over "
        "examples per input, for square, logistic and hinge loss with a ridge. Labels have noise inside the "
        "sign; inputs have two strengths. With a very small ridge the square loss has its largest error "
        "where examples and inputs are equal in number. The other losses have a smaller maximum near the "
        "point where examples become inseparable. Bottom: the best ridge at each alpha, searched on a grid. "
        "With the best ridge, every loss improves with more examples, and the three losses differ little. "
        "The best ridge of the square loss is the same at any alpha, (1 - c^2)/c^2, where c is the slope of "
        "the labels' linear part. Solid: exact limit. Markers: students trained on drawn examples, d = "
        f"{SIZE}, to the minimum of the loss."
    ),
    paper="engel2001",
    ref="learning by minimising a cost; losses and parameters: ours",
    compute=compute,
    draw=draw,
    small=setting.FEWEST
    | constants(
        __name__,
        ALPHAS=Span(0.1, 20, 4),
        SEARCHED=Span(0.05, 5, 3),
        DRAWN=(0.5, 2.0),
        SIZE=8,
    ),
)
