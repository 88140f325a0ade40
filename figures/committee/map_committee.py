"""Our own map: what label noise leaves beside the teacher, over learning rate and units in excess."""

from __future__ import annotations

from typing import Any

import numpy as np
import xarray as xr

from teacherstudent.figures.declaration import Canvas, Figure, Numbers, constants
from teacherstudent.figures.kit import legends, maps, style
from teacherstudent.house.grids import Span
from teacherstudent.problems.committee import PROBLEM

ID = "map-committee"
DOTTED = "0.75"
MOST = 3.0
"""What the shades show: more looks the same."""
TEACHER = 2
RATES = Span(0.03, 3.0, 70)
EXCESS = tuple(range(9))
AXES: dict[str, dict[str, str]] = {
    "rate": {"symbol": "eta", "long_name": "learning rate", "units": "1/output^2"},
    "excess": {"symbol": "L", "long_name": "extra student units", "units": "units"},
}
FLOOR = {"symbol": "E/sigma_eps^2", "long_name": "excess risk over noise variance", "units": "1"}


def compute(quick: bool) -> Numbers:
    """The floor of small noise at each place, NaN beyond the rate at which it diverges; those rates."""
    rates = np.array(RATES.values())
    floors = np.array([[floor(excess, rate) for rate in rates] for excess in EXCESS])
    # beyond its pole the linearised floor is negative: the teacher repels, there is none
    beyond = np.maximum.accumulate(floors <= 0, axis=1)
    largest = [pole(excess, rates, gone) for excess, gone in zip(EXCESS, beyond, strict=True)]
    return {
        "map": xr.Dataset(
            {
                "floor": (("excess", "rate"), np.where(beyond, np.nan, floors), FLOOR),
                "largest": ("excess", largest, AXES["rate"]),
            },
            {"excess": ("excess", list(EXCESS), AXES["excess"]), "rate": ("rate", rates, AXES["rate"])},
        )
    }


def floor(excess: int, rate: float) -> float:
    """Excess risk over the variance of the noise, as it goes to 0."""
    from teacherstudent.theory.committee.final import small_noise_floor

    width = TEACHER + excess
    return small_noise_floor(PROBLEM.instance(width=width, teacher_width=TEACHER, learning_rate=rate))


def pole(excess: int, rates: Any, gone: Any) -> float:
    """The learning rate at which the floor diverges."""
    from scipy.optimize import brentq

    at = int(np.argmax(gone))
    return float(brentq(lambda rate: 1 / floor(excess, rate), rates[at - 1], rates[at], xtol=1e-9))


def draw(canvas: Canvas, numbers: Numbers) -> None:
    """Shades of the floor, its pole, and where it is a saddle's."""
    from matplotlib.colors import LogNorm

    style.size(canvas, 4.5)
    axes = canvas.add_subplot()
    found = numbers["map"]
    shown = maps.field(
        axes,
        found["floor"].fillna(MOST),  # cells that the pole divides are covered from there on
        "rate",
        "excess",
        norm=LogNorm(3e-3, MOST),
        cmap="viridis",
    )
    canvas.colorbar(shown, ax=axes, extend="max", label=style.axis_label(found["floor"]))
    for excess, largest in zip(found["excess"].values, found["largest"].values, strict=True):
        axes.fill_betweenx([excess - 0.5, excess + 0.5], largest, RATES.high, color="white", lw=0)
        axes.plot([largest] * 2, [excess - 0.5, excess + 0.5], color=style.VERMILION, lw=2.2)
    axes.axhline(1.5, color=DOTTED, lw=1.6, ls=(0, (1, 1.5)))
    axes.set(
        xscale="log",
        xlim=(RATES.low, RATES.high),
        title="The final error grows with extra units and with the learning rate",
    )
    style.digits(axes.xaxis, RATES.low, RATES.high)
    style.ticks(axes.yaxis, EXCESS)
    axes.set_xlabel(style.axis_label(found["rate"]))
    axes.set_ylabel(style.axis_label(found["excess"]))
    entries = [
        legends.theory("exact: above this learning rate (white) the teacher is not found", style.VERMILION),
        legends.theory(
            "above the dotted line: a saddle, where extra units form pairs", DOTTED, ls=(0, (1, 1.5))
        ),
    ]
    fixed = (
        f"erf units, $M$ = {TEACHER}, $K = M + L$, $T_{{mn}} = \\delta_{{mn}}$, first layer in "
        "training, small label noise, no decay"
    )
    legends.around(canvas, [], entries, fixed=fixed)


FIGURE = Figure(
    id=ID,
    title="With label noise, more units and faster learning leave a larger final error",
    caption=(
        "Excess risk at the end of training, divided by the variance of the label noise, in the limit of "
        "small noise. Students with K = M + L erf units learn online from a teacher with M = 2 units; only "
        "the first layer is trained, and d is infinite. The values come from the equations of the overlaps, "
        "linearised at the teacher. The red line marks the learning rate at which the error diverges. For "
        "L >= 2 (above the dotted line) this end is a saddle: extra units form "
        "pairs, and after a time of order 1/(eta^2 sigma^2) the error falls below the value shown."
    ),
    paper="goldt2019",
    ref="final error over the width; parameters: ours",
    compute=compute,
    draw=draw,
    no_residuals="checks compare these values with published ones and with runs",
    small=constants(__name__, RATES=Span(0.1, 3.0, 6), EXCESS=(0, 1)),
)
