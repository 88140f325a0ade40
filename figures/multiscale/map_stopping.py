"""Our own map: when to stop, and what it saves, over kappa, label noise and samples."""

from __future__ import annotations

from typing import TYPE_CHECKING

from teacherstudent.figures.declaration import Canvas, Figure, Numbers, constants
from teacherstudent.figures.kit import charts, legends, levels, regions, style
from teacherstudent.figures.kit.comparison import FEWEST, draws_of
from teacherstudent.figures.multiscale import planes
from teacherstudent.problems.multiscale import PROBLEM

if TYPE_CHECKING:
    from teacherstudent.maps.stopping import Lows

ID = "map-stopping"
KAPPAS, NOISES = "1:50", "noise=0.02:1"
ALPHA = 1.5
CURVE = "flow"
MAPS = {"stopping": "Best stopping time", "gain": "Risk saved by stopping"}

SPOTS = ((1.5, 0.2), (1.5, 0.85), (6.0, 0.2), (12.0, 0.5), (12.0, 0.85))
"""(kappa, noise) of the simulated spots, on both sides of the line where the best time jumps."""
LATE = 1e4
"""Flow time of the simulated end of training: ten times the best time, and more."""


def compute(quick: bool) -> Numbers:
    """Both maps; at the spots the risk at the best time and at a late one."""
    spots = planes.measured([_spot(*place) for place in SPOTS], draws_of(ID, quick))
    lows: Lows = {}
    maps = {of: planes.mapped(of, CURVE, KAPPAS, NOISES, ALPHA, lows) for of in MAPS}
    return {**maps, "spots": spots}


def _spot(kappa: float, noise: float) -> planes.Spot:
    """The best time, and a late time."""
    from teacherstudent.theory.multiscale import landmarks

    sizes = planes.setting(planes.THEORY_SIZE, ALPHA)
    stop = landmarks.best_stop(PROBLEM.instance(kappa=kappa, noise=noise, **sizes))
    return planes.Spot(ALPHA, {"kappa": kappa, "noise": noise}, stop.time, LATE)


def draw(canvas: Canvas, numbers: Numbers) -> None:
    """Best time left, gain right, with the spots on the gain."""
    style.size(canvas, 3.1)
    found: dict[str, legends.Entry] = {}
    for axes, (of, title) in zip(canvas.subplots(1, len(MAPS)), MAPS.items(), strict=True):
        answer = numbers[of]
        if of == list(MAPS)[-1]:
            answer = levels.beside(answer, numbers["spots"]["kappa"], numbers["spots"]["noise"], WORDS)
        entries = regions.values(axes, answer) + regions.lines(axes, answer) + regions.specials(axes, answer)
        found |= {entry.label: entry for entry in entries}
        regions.frame(axes, answer)
        style.ticks(axes.xaxis, [1, 2, 5, 10, 20, 50])
        style.ticks(axes.yaxis, [0.02, 0.05, 0.1, 0.2, 0.5, 1])
        axes.set(xlabel=planes.KAPPA, ylabel=planes.NOISE)
        axes.set_title(f"{title}: $\\alpha$ = {ALPHA:g}, $p/d$ = {planes.FAST_SHARE:g}, $\\lambda$ = 0")
    spots = numbers["spots"]
    planes.mark(axes, spots, "noise", spots.sizes["spot"], shift=(5, -3), ha="left")
    where = f"d = {planes.SIZE}, {spots.attrs['n_seeds']} draws"
    marks = [
        legends.spot(f"simulated risk at s = {LATE:g} exceeds that at the best time ({where})", "^"),
        legends.spot("simulated risk is lower than at the best time", "v"),
        *planes.compared(spots),
    ]
    legends.draw(canvas, [*found.values(), *marks])


WORDS = (1.0, 1.25, 1.6, 2.0, 2.5, 3.2, 4.0)
"""Factors from a spot to places in its words."""


FIGURE = Figure(
    id=ID,
    title="The best time to stop training, and how much stopping lowers the risk",
    caption=(
        "Left: best stopping time of gradient flow. Right: reduction of the excess risk by stopping at "
        f"this time instead of at the end of training. Limit n, d -> infinity at alpha = {ALPHA:g}, p/d = "
        f"{planes.FAST_SHARE:g}, no ridge. With any label noise, stopping lowers the risk. On the "
        "first-order line two minima are equally low: there the best time jumps from after the learning of "
        "the slow features to before it. The line ends where the two minima merge. Triangles: gradient "
        f"descent (d = {planes.SIZE}, learning rate {planes.RATE:g}) simulated at the best time and at s = "
        f"{LATE:g}; they point up where the later risk is higher. z is the simulated change minus the exact "
        "change for the same drawn X, draw by draw, in standard errors."
    ),
    paper="pezeshki2022",
    ref="Sect. 4.3.2",
    compute=compute,
    draw=draw,
    no_residuals="each simulated spot gives its z-score",
    small=FEWEST | charts.SMALL | constants(__name__, CURVE="ridge", SPOTS=SPOTS[:1]),
)
