"""Our own figure: motion in a well that is driven by stable noise, and Euler's scheme in coarse steps."""

from __future__ import annotations

from teacherstudent.figures.declaration import Canvas, Figure, Numbers, constants
from teacherstudent.figures.kit import columns, legends, style
from teacherstudent.figures.kit.columns import Column, traces
from teacherstudent.figures.kit.comparison import draws_minus_theory, draws_of
from teacherstudent.figures.stable_noise import setting
from teacherstudent.house.grids import Span

ID = "sn-relaxation"
INDICES = (0.8, 1.2, 1.6, 2.0)
TIMES = Span(0.2, 6, 60, "lin")
COARSE = 0.5
RECORDED = (0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0)
ALL_STEPS = Span(0.5, 6, 12, "lin")
"""The times of the scheme."""
DRAWS, WALKERS = 60, 500
SHOWN = {"mean_log": "(a) Typical distance", "characteristic": "(b) Characteristic function at 1"}


def compute(quick: bool) -> Numbers:
    """By index: the motion's law, that of the scheme at the steps, and drawn paths."""
    seeds = draws_of(ID, quick, DRAWS, setting.FEW)
    found: Numbers = {}
    for index in INDICES:
        values = {"stability": index, "step": COARSE}
        names = list(SHOWN)
        found[f"exact_{index:g}"] = setting.ask_route("relaxation", "exact", TIMES, **values)[names]
        scheme = setting.ask_route("relaxation", "euler", RECORDED, **values)[names]
        found[f"euler_{index:g}"] = setting.ask_route("relaxation", "euler", ALL_STEPS, **values)[names]
        drawn = setting.ask_route("relaxation", "simulation", RECORDED, seeds, walkers=WALKERS, **values)
        for name in names:
            found[f"{name}_{index:g}"] = draws_minus_theory(
                drawn[name].values, scheme[name].values, scheme[name]
            )
    return found


def draw(canvas: Canvas, numbers: Numbers) -> None:
    """Both observables side by side; residuals below."""
    looks = style.family(INDICES, "$\\alpha$ = {:g}")
    below = {"sim. − scheme\n[std. errors]": "z"}
    panels = [
        Column("time", name, traces(numbers, looks, "exact_{}", f"{name}_{{}}", "euler_{}"), title, below)
        for name, title in SHOWN.items()
    ]
    columns.draw(canvas, panels)
    draws = numbers[f"mean_log_{INDICES[0]:g}"].attrs["n_seeds"]
    entries = [
        legends.theory("theory: continuous motion, stable at all times"),
        legends.approximation(
            f"approximation: Euler's scheme in steps of {COARSE:g}, stable with another scale"
        ),
        legends.simulation(f"simulation: the scheme, mean of {draws} draws ± 1 standard error"),
        legends.band(),
    ]
    fixed = f"$dX = -X dt + dL$, $X(0)$ = 0, $L$ symmetric $\\alpha$-stable; {WALKERS} paths a draw"
    legends.around(canvas, list(looks.values()), entries, fixed=fixed)


FIGURE = Figure(
    id=ID,
    title="With Euler's scheme the distribution stays stable; coarse steps change only its scale",
    caption=(
        "A motion in a quadratic well, driven by stable noise, over time. (a) Mean logarithm of the "
        "distance from the middle. (b) Characteristic function at 1. The distribution of the motion is "
        "stable at all times. The distribution of Euler's scheme is also stable at any step size; only the "
        "scale differs, by the order of the step (here half of the relaxation time, so that the difference "
        "is visible). Solid: motion. Dashed: scheme. Markers: drawn paths. Below: simulation minus the "
        "scheme's distribution in standard errors."
    ),
    paper="samorodnitsky1994",
    ref="stable integrals and sums; parameters: ours",
    compute=compute,
    draw=draw,
    small=setting.FEWEST
    | constants(
        __name__,
        INDICES=(1.2, 2.0),
        TIMES=Span(0.5, 2, 4, "lin"),
        RECORDED=(0.5, 1.0),
        ALL_STEPS=Span(0.5, 2, 4, "lin"),
        WALKERS=20,
    ),
)
