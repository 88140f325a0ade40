"""Our own figure: what four estimators say of a tail index that is known."""

from __future__ import annotations

import numpy as np

from teacherstudent.figures.declaration import Canvas, Figure, Numbers, constants
from teacherstudent.figures.heavy_tails import setting
from teacherstudent.figures.kit import columns, legends, style
from teacherstudent.figures.kit.columns import Column, Trace
from teacherstudent.figures.kit.comparison import draws_of

ID = "ht-estimators"
INDICES = (0.7, 1.0, 1.4, 2.0, 2.8, 4.0, 6.0)
DRAWS, CHAINS, BURN_IN, TOP = 16, 4000, 500, 40
TRUE = {"symbol": "alpha", "long_name": "true tail index", "units": "1"}
SAID = {"symbol": "alpha", "long_name": "estimated tail index", "units": "1"}
LOOKS = {
    "hill": style.Look("Hill: mean log of largest sizes", style.BLUE, "o"),
    "rank": style.Look("rank: log rank over log size", style.ORANGE, "s"),
    "growth": style.Look("growth: from products of steps", style.BLACK, "D"),
    "stable": style.Look("published: block sums", style.VERMILION, "^"),
}


def compute(quick: bool) -> Numbers:
    """Estimates over the true index, one group by estimator."""
    rates = [setting.rate_of(index, 1, 1) for index in INDICES]
    order = np.argsort(rates)
    seeds = draws_of(ID, quick, DRAWS, setting.FEW)
    found: Numbers = {}
    for estimator in LOOKS:
        drawn = setting.ask_stationary_law(
            "simulation", np.array(rates)[order].tolist(), seeds, d=1, batch=1, estimator=estimator,
            chains=CHAINS, burn_in=BURN_IN, **({} if estimator in ("growth", "stable") else {"top": TOP}),
        )  # fmt: skip
        sample = drawn["tail_index"].values
        claimed = np.array(INDICES)[order]
        each = setting.compared(claimed, sample, "true", claimed.tolist(), TRUE)
        found[estimator] = each.assign(index=each["index"].assign_attrs(SAID))
    return found


def draw(canvas: Canvas, numbers: Numbers) -> None:
    """Estimates over the truth, and the distance in standard errors: estimators are biased."""
    low, high = ends = 0.6, 7.0
    shown = [Trace(look, drawn=numbers[name], judged=name != "stable") for name, look in LOOKS.items()]
    some, below = numbers["hill"], {columns.THEORY: "z"}
    ticks = {"x": columns.DIGITS, "y": columns.DIGITS}
    panel = Column("true", "index", shown, residuals=below, ticks=ticks, log="xy", xlim=ends, ylim=ends)
    ((axes, _),) = columns.draw(canvas, [panel])
    axes.plot([low, high], [low, high], color=style.ANY.colour, **style.THEORY, zorder=1.9)
    axes.axhline(2.0, color="0.4", lw=0.9, ls=(0, (1, 2)))
    axes.annotate("2", (low, 2.0), (4, 3), textcoords="offset points", color="0.3")
    entries = [
        legends.theory("theory: $h(\\alpha) = 1$, the true index"),
        legends.simulation(f"simulation: mean of {some.attrs['n_seeds']} draws ± 1 standard error"),
        legends.band(["above 2 Hill and rank are biased"]),
    ]
    fixed = f"linear regression, $d$ = $b$ = 1, new examples; {CHAINS} students (Hill, rank: largest {TOP})"
    notes = f"The lower panel omits the published estimator (far larger errors). {setting.UNTOLD}"
    legends.around(canvas, list(LOOKS.values()), entries, fixed=fixed, notes=notes)


FIGURE = Figure(
    id=ID,
    title="The published estimator of the tail index gives about 2 for every light tail",
    caption=(
        f"Estimates of the tail index from {CHAINS} independent students, over the true index, for d = b = "
        "1. The Hill and rank estimators use the largest sizes. Both are right for heavy tails, and too low "
        "for light tails, whose power law begins at larger sizes. The growth estimator finds the order at "
        "which the moments of products of steps neither grow nor shrink. The growth estimator does not use "
        "sizes and is right wherever all draws give an estimate. The published estimator assumes stable "
        "distributions: it is wrong for heavy tails and gives about 2 for every light tail. Below: estimate "
        "minus truth in standard errors."
    ),
    paper="gurbuzbalaban2021",
    ref="estimator of the tail index; parameters: ours",
    compute=compute,
    draw=draw,
    small=setting.FEWEST | constants(__name__, INDICES=(1.0, 2.0), CHAINS=300, TOP=12, BURN_IN=100),
)
