"""Our own map: trajectories in the plane of R and Q over families of problems."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from teacherstudent.figures.declaration import Axes, Canvas, Figure, Numbers
from teacherstudent.figures.kit import legends, style
from teacherstudent.figures.kit.comparison import FEWEST, Curve, draws_of
from teacherstudent.figures.multiscale import routes
from teacherstudent.figures.multiscale.rq_plane import IMPOSSIBLE, arrow, background, plane
from teacherstudent.house.grids import Span

ID = "map-rq"
BASE: dict[str, Any] = {"n": 220, "d": 200, "p": 140, "kappa": 30.0, "learning_rate": 0.05}
"""Twice the sizes of Fig. 4, which changes no limit: simulated norms under noise lie half as far from it."""
DENSE, SPARSE = (0.0, *Span(1, 1e7, 240).values()), Span(1, 1e7, 12)


NESTED = (7.0, 5.4, 4.0, 2.7, 1.4)
"""Widths of lines where paths coincide: the last lies on top, and all of them are seen."""


@dataclass(frozen=True)
class Family:
    """Problems that differ in one parameter; the middle one is simulated. `highest` is the top of its plane,
    `widths` are those of its lines."""

    title: str
    label: str
    parameter: str
    values: tuple[Any, ...]
    highest: float
    widths: tuple[float, ...] = (style.THEORY["lw"],) * 5


FAMILIES = (
    Family("More samples", "$n$ = {:g}", "n", (180, 200, 220, 300, 600), 2.0),
    Family("More label noise", "$\\sigma_\\epsilon$ = {:g}", "noise", (0.0, 0.1, 0.2, 0.3, 0.4), 2.8),
    Family("More fast features", "$p$ = {:g}", "p", (20, 60, 100, 140, 180), 1.4),
    Family("More ridge", "$\\lambda$ = {:g}", "ridge", (0.0, 1e-3, 1e-2, 0.1, 1.0), 1.4, NESTED),
)


def compute(quick: bool) -> Numbers:
    """Every family in the limit, and its middle member simulated."""
    numbers: Numbers = {}
    for family in FAMILIES:
        seeds = draws_of(f"{ID}/{family.parameter}", quick)
        for i, value in enumerate(family.values):
            curve = Curve("multiscale", "descent", {**BASE, family.parameter: value})
            numbers[f"asymptotic_{family.parameter}_{i}"] = curve.by("asymptotic", DENSE)
            if i == len(family.values) // 2:
                numbers[f"simulation_{family.parameter}"] = routes.simulated(curve, SPARSE, seeds)
    return {**numbers, "plane": plane(numbers["asymptotic_n_0"], max(family.highest for family in FAMILIES))}


def draw(canvas: Canvas, numbers: Numbers) -> None:
    """A plane for each family."""
    style.size(canvas, 7.5)
    panels = canvas.subplots(2, 2)
    for axes, family in zip(panels.flat, FAMILIES, strict=True):
        shade = background(axes, numbers["plane"])
        axes.set(ylim=(0, ROOM * family.highest), title=family.title)
        draw_family(axes, numbers, family)
    risk = style.axis_label(numbers["plane"]["excess_risk"], "excess risk (all panels)")
    canvas.colorbar(shade, ax=panels, location="right", aspect=60, label=risk)
    base = routes.fixed(numbers["asymptotic_n_2"], {1: f"1/κ = 1/{BASE['kappa']:g}"})
    count = numbers["simulation_n"].attrs["n_seeds"]
    entries = [
        legends.theory("exact limit $n, d \\to \\infty$; arrow: direction of time"),
        END,
        legends.draws(count),
        IMPOSSIBLE,
    ]
    notes = (
        "$|z|$: largest residual of $R$ and $Q$ over all times, in standard errors, for the exact "
        "average\ngiven each drawn $X$ and for the limit, which includes the finite-size offset of order "
        "$1/d$."
    )
    legends.around(canvas, [], entries, fixed=f"unless varied: {base}", notes=notes)


ROOM = 1.35
"""Of the axis, for the legend above the paths."""


def draw_family(axes: Axes, numbers: Numbers, family: Family) -> None:
    """Its paths, each to its end, and the simulated one."""
    middle = len(family.values) // 2
    looks = style.ordered_looks([family.label.format(value) for value in family.values])
    for i, (look, width) in enumerate(zip(looks, family.widths, strict=True)):
        path = numbers[f"asymptotic_{family.parameter}_{i}"]
        style.theory(axes, path, "R", "Q", look, lw=width)
        arrow(axes, path, look.colour, 0.5)
        end = path.isel(time=-1)
        axes.plot(end["R"], end["Q"], **{**END.drawn, "color": look.colour, "mfc": look.colour}, zorder=4)
    drawn = numbers[f"simulation_{family.parameter}"]
    style.simulation(axes, drawn, "R", "Q", looks[middle], zorder=5)
    given, limit = (
        max(float(abs(drawn[f"{name}_minus_{route}"]).max()) for name in ("R", "Q"))
        for route in ("instance", "asymptotic")
    )
    entries = [
        legends.theory(look.label, look.colour, lw=width)
        for look, width in zip(looks, family.widths, strict=True)
    ]
    score = f"simulated, $|z|$ ≤ {given:.1f}\ngiven $X$, {limit:.1f} limit"
    entries.append(legends.simulation(score, looks[middle]))
    legends.draw(axes, entries, 2, "upper left", columnspacing=1.0, handlelength=1.5, borderaxespad=0.2)


END = legends.markers(
    f"end, at step {style.number(DENSE[-1])}", style.Look("", "0.3", "o"), 8, mfc="0.3", mec="white"
)

FIGURE = Figure(
    id=ID,
    title="Samples, noise, fast features and ridge change the path of alignment and norm",
    caption=(
        "Gradient descent from the origin in the plane of alignment R and modulated norm Q. Colours: excess "
        "risk. Hatched: Q < R^2, which no student can reach. Each panel varies one parameter; the others "
        "are n = 220, d = 200, p = 140, kappa = 30, no noise, no ridge, learning rate 0.05. Lines: the "
        "limit n, d -> infinity, up to step 1e7. With a larger ridge the paths nearly coincide and end "
        "earlier; they are drawn on top of each other with thinner lines. Markers: simulated gradient "
        "descent, bars one standard error in R and Q. The legend gives the largest z-score of R and Q over "
        "all times, against the exact average given each drawn X and against the limit, which includes the "
        "finite-size offset of order 1/d."
    ),
    paper="pezeshki2022",
    ref="Fig. 4",
    compute=compute,
    draw=draw,
    no_residuals="the legend of each panel gives the largest z-scores",
    small=FEWEST,
)
