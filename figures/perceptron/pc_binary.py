"""Our own figure: weights of -1 and 1 are learned all at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from teacherstudent.figures.declaration import Figure, constants
from teacherstudent.figures.kit import legends, residuals, style, thresholds
from teacherstudent.figures.kit.comparison import draws_of
from teacherstudent.figures.perceptron import setting
from teacherstudent.house.grids import Span

if TYPE_CHECKING:
    import xarray as xr

    from teacherstudent.figures.declaration import Canvas, Numbers

ID = "pc-binary"
SIZES = {9: 600, 18: 120}
"""Draws by d."""
DRAWN = tuple(k / 9 for k in range(2, 17, 2))
"""Numbers of examples that are whole at both sizes."""
ALPHAS = Span(0.01, 1.9, 190, "lin")
LATE = 30
"""Points of the metastable branch."""
SHOWN = {"R": ("overlap of student and teacher", 0.03), "entropy": ("entropy per weight", 0.8)}
"""Names of the vertical axes, and the height at which the words of thresholds stand."""
TITLES = {"R": "The teacher is found all at once", "entropy": "Students left"}
LIMIT = style.Look("in equilibrium", style.BLACK, "o")
METASTABLE = style.Look("metastable", style.VERMILION, "v")
SIMULATED = {
    9: style.Look("enumerated, $d$ = 9", style.ORANGE, "s"),
    18: style.Look("enumerated, $d$ = 18", style.BLUE, "D"),
}


def compute(quick: bool) -> Numbers:
    """Overlap and entropy of the version space in the limit and by enumeration; the metastable branch."""
    from teacherstudent.theory.perceptron import binary

    values = {"rule": "gibbs", "weights": "binary"}
    found: Numbers = {"limit": setting.limit(ALPHAS, **values)}
    found["limit"].attrs |= {"transition": binary.transition(), "spinodal": binary.spinodal()}
    found["metastable"] = metastable(found["limit"])
    for d, draws in SIZES.items():
        seeds = draws_of(ID, quick, draws, setting.FEW, f"d={d}")
        found[f"enumerated_{d}"] = setting.drawn(DRAWN, seeds, d, **values)
    return found


def metastable(limit: xr.Dataset) -> xr.Dataset:
    """The branch that a search follows from the transition to the spinodal: R, and the entropy of a share."""
    import numpy as np
    import xarray as xr

    from teacherstudent.theory.perceptron.binary import low_branch

    share = np.linspace(0, 1, LATE) ** 0.5  # closer to the spinodal, where it is steep
    ends = limit.attrs["transition"], limit.attrs["spinodal"] * (1 - 1e-9)
    alphas = ends[0] + share * (ends[1] - ends[0])
    q, _, count, _ = low_branch(alphas)
    values = {"R": q, "entropy": count - np.log(2)}
    return xr.Dataset(
        {name: ("time", each, limit[name].attrs) for name, each in values.items()},
        {"time": ("time", alphas, limit["time"].attrs)},
    )


def draw(canvas: Canvas, numbers: Numbers) -> None:
    """Overlap and entropy side by side, each with its residuals."""
    style.size(canvas, 13, 8)
    grid = canvas.add_gridspec(2, len(SHOWN), height_ratios=residuals.heights(1))
    limit = numbers["limit"]
    for column, (name, (words, height)) in enumerate(SHOWN.items()):
        axes = residuals.stack(canvas, grid, column, [setting.LABEL])
        style.theory(axes[0], limit, "time", name, LIMIT)
        style.theory(axes[0], numbers["metastable"], "time", name, METASTABLE)
        shown = {look: numbers[f"enumerated_{d}"] for d, look in SIMULATED.items()}
        for look, drawn in shown.items():
            style.simulation(axes[0], drawn, "time", name, look)
        setting.draw_residuals(axes[1], shown, name)
        for which, more in (("transition", 0.1), ("spinodal", 0.0)):
            place = limit.attrs[which]
            thresholds.draw(axes, {place: f"{which}\n{place:.3f}"}, height + more)
        axes[0].set(xlim=(0.0, ALPHAS.high), title=f"({'ab'[column]}) {TITLES[name]}")
        axes[0].set_ylabel(style.axis_label(limit[name], words))
        axes[1].set_xlabel(style.axis_label(limit["time"]))
    draws = ", ".join(f"{numbers[f'enumerated_{d}'].attrs['n_seeds']} of d = {d}" for d in SIZES)
    legends.around(
        canvas,
        [LIMIT, METASTABLE, *SIMULATED.values()],
        [
            legends.theory("theory: replica symmetry, d → ∞"),
            legends.simulation(f"simulation: all students left (draws: {draws}), mean ± 1 standard error"),
            legends.band(["few weights do not resolve the transition"]),
        ],
        columns=1,
        fixed="weights of teacher and student −1 and 1, labels without noise, a random member of the version "
        "space",
        notes="Entropy: logarithm of the share of all students left, per weight; −ln 2 is the teacher alone.",
    )


FIGURE = Figure(
    id=ID,
    title="Binary weights are learned all at once",
    caption=(
        "Students with weights -1 and 1 that label all examples as their teacher does, over examples per "
        "weight. (a) Overlap of a random one with the teacher: at the transition it jumps to 1. (b) The "
        "entropy of those left, which at the transition is that of the teacher alone. Between transition "
        "and spinodal the branch from few examples lives on without a student on it: searches that follow "
        "it find the teacher only beyond. Lines: replica symmetry, whose stability here is taken from the "
        "literature; markers: all students of few weights tried one by one. Their entropy tends to the "
        "line like 1/d up to one example per weight; the jump itself is spread over all that is shown, so "
        "that enumeration does not confirm its place."
    ),
    paper="seung1992",
    ref="first-order transition of binary weights",
    compute=compute,
    draw=draw,
    small=setting.FEWEST | constants(__name__, DRAWN=(4 / 9, 8 / 9), ALPHAS=Span(0.1, 1.9, 5, "lin"), LATE=4),
)
