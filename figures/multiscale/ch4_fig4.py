"""Fig. 4 of pezeshki2022 ch. 4: trajectories in the plane of R and Q, and their risk over time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import xarray as xr

from teacherstudent.figures.declaration import Axes, Canvas, Figure, Numbers, constants
from teacherstudent.figures.kit import columns, residuals, style
from teacherstudent.figures.kit.comparison import DRAWS, FEWEST, Curve, draws_of
from teacherstudent.figures.multiscale import routes
from teacherstudent.figures.multiscale.rq_plane import IMPOSSIBLE, arrow, background, plane
from teacherstudent.house.grids import Span

if TYPE_CHECKING:
    from matplotlib.gridspec import SubplotSpec

ID = "ch4-fig4"
SETTING = {"n": 440, "d": 400, "p": 280, "learning_rate": 0.25}
"""Four times the sizes of the article, which changes no limit. At kappa = 100 the mean of Q lies up to .011
above its limit at d = 100, .007 at d = 200, .003 at d = 400 (800, 400 and 200 draws, each to .001)."""
KAPPAS = (1.0, 7.0, 12.0, 30.0, 100.0, 1e3, 1e5)
SIMULATED = (7.0, 100.0, 1e5)
DENSE, SPARSE = (0.0, *Span(1, 1e7, 300).values()), Span(1, 1e7, 22)
FEW = DRAWS // 2
"""Draws, fewer than elsewhere: large ones cost more, and spread less."""


def compute(quick: bool) -> Numbers:
    """Every trajectory in the limit; some simulated, with the printed approximation beside them."""
    seeds = draws_of(ID, quick, FEW)
    numbers: Numbers = {}
    for kappa in KAPPAS:
        curve = Curve("multiscale", "descent", {**SETTING, "kappa": kappa})
        name = f"kappa_{kappa:g}"
        if kappa in SIMULATED:
            numbers |= routes.answers(name, curve, DENSE, SPARSE, seeds)
        else:
            numbers[f"asymptotic_{name}"] = curve.by("asymptotic", DENSE)
    return {**numbers, "plane": plane(numbers["asymptotic_kappa_1"]), "landmarks": landmarks(numbers)}


def landmarks(numbers: Numbers) -> xr.Dataset:
    """The caption's points: A, least risk at the largest kappa; B, its end; C, the end at kappa = 1."""
    unlearned, learned = numbers[f"asymptotic_kappa_{KAPPAS[-1]:g}"], numbers["asymptotic_kappa_1"]
    points = [
        unlearned.isel(time=unlearned["excess_risk"].values.argmin()),
        unlearned.isel(time=-1),
        learned.isel(time=-1),
    ]
    columns = {
        name: ("point", [float(point[name]) for point in points], learned[name].attrs)
        for name in ("time", "R", "Q", "excess_risk")
    }
    return xr.Dataset(columns, {"point": ["A", "B", "C"]})


def draw(canvas: Canvas, numbers: Numbers) -> None:
    """The plane and the curves above; below, a column of residuals for each of E, R and Q."""
    E = "excess_risk"
    family = routes.looks_of(KAPPAS)
    markers = dict(zip(SIMULATED, style.MARKERS, strict=False))
    looks = {f"kappa_{kappa:g}": replace(family[kappa], marker=markers.get(kappa, "")) for kappa in KAPPAS}
    style.size(canvas, 6.3)
    whole = canvas.add_gridspec(2, 1, height_ratios=[1.7, 1])
    upper = whole[0].subgridspec(1, 2)
    left, right = (canvas.add_subplot(upper[place]) for place in range(2))
    risk = background(left, numbers["plane"])
    canvas.colorbar(risk, ax=left, aspect=40, label=style.axis_label(numbers["plane"][E]))
    simulated = routes.simulations(numbers, looks)
    columns.curves(left, routes.curves(numbers, looks), "R", "Q")
    columns.curves(right, routes.curves(numbers, looks), "time", E)
    for name, look in looks.items():
        for share in ARROWS:
            arrow(left, numbers[f"asymptotic_{name}"], look.colour, share)
    mark(left, right, numbers["landmarks"])
    some = numbers[f"simulation_kappa_{SIMULATED[0]:g}"]
    left.set_title("Trajectories from the origin")
    right.set(xlim=(0.5, 2e7), ylim=(-0.03, 0.5), title="Risk along the same trajectories")
    right.set_xscale("log", nonpositive="mask")  # step 0 stands in the plane only
    right.set_xlabel(style.axis_label(some["time"]))
    right.set_ylabel(style.axis_label(some[E]))
    rising = numbers["simulation_kappa_100"]
    highest = float(rising["Q_asymptotic"].idxmax())
    offset = routes.finite_size(rising, "Q", highest, "the maximum of κ = 100")
    draw_strips(canvas, whole[1], numbers, looks, (E, "R", "Q"))
    routes.legend(
        canvas,
        list(looks.values()),
        simulated,
        fixed=routes.fixed(some, {1: "$1/\\kappa$"}),
        printed=PRINTED,
        more=[IMPOSSIBLE],
        notes=[MEANING, offset, routes.unresolved(E, simulated)],
    )


def draw_strips(
    canvas: Canvas,
    place: SubplotSpec,
    numbers: Numbers,
    looks: Mapping[str, style.Look],
    names: Sequence[str],
) -> None:
    """Residual panels without curves: a column for each of these observables."""
    grid = place.subgridspec(len(routes.BELOW), len(names))
    beside: Sequence[Axes] = ()
    for column, name in enumerate(names):
        panels = [
            canvas.add_subplot(grid[row, column], **({"sharey": beside[row]} if beside else {}))
            for row in range(len(routes.BELOW))
        ]
        for panel, label in zip(panels, routes.BELOW, strict=True):
            residuals.name(panel, "" if beside else label)
            panel.tick_params(labelbottom=panel is panels[-1], labelleft=not beside)
            panel.set_xscale("log")
        columns.below(panels, routes.column(numbers, looks, name, ""))
        some = next(iter(routes.simulations(numbers, looks).values()))
        symbol = style.mathematics(some[name].attrs["symbol"])
        panels[0].set_title(f"Residuals of {symbol}")
        panels[-1].set_xlabel(style.axis_label(some["time"], "step"))
        beside = beside or panels


ARROWS = (0.3, 0.85)
"""Shares of a path at which an arrow shows which way time runs."""
MEANING = "A: smallest risk at κ = $10^5$; B: its end, slow features act as noise; C: everything is learned."


def mark(plane: Axes, curves: Axes, points: xr.Dataset) -> None:
    """The letters of the caption, in both panels."""
    box = {"boxstyle": "circle,pad=0.15", "fc": "white", "ec": "0.2", "lw": 0.8}
    away = {"A": ((16, -16), (0, -24)), "B": ((-22, 8), (-4, -24)), "C": ((0, 22), (-16, 20))}
    for name, shifts in away.items():
        at = points.sel(point=name)
        for axes, x, y, shift in ((plane, "R", "Q", shifts[0]), (curves, "time", "excess_risk", shifts[1])):
            axes.annotate(
                name, (float(at[x]), float(at[y])), xytext=shift, textcoords="offset points", bbox=box,
                ha="center", va="center", arrowprops={"arrowstyle": "-", "color": "0.2", "lw": 0.8}, zorder=5,
            )  # fmt: skip


PRINTED = "printed, Eqs. 4.2.11–4.2.16, with ridge $1/(\\eta k)$ for time"

FIGURE = Figure(
    id=ID,
    title="Double descent as a path in the plane of alignment and norm",
    caption=(
        "Left: alignment R and modulated norm Q during gradient descent from zero (the origin). Colours: "
        "excess risk 1/2 (1 - 2R + Q). Hatched: Q < R^2, which no student can reach. Arrows: direction of "
        "time. Right: excess risk along the same trajectories over the step k. Below: residuals of E, R and "
        "Q. n = 440, d = 400, 280 features of strength 1 and 120 of strength 1/kappa, no label noise, no "
        "ridge, learning rate 0.25 for all curves. The article's sizes are a quarter of these, with the "
        "same limit; its simulated means are farther from the limit. A: smallest risk at kappa = 1e5. B: "
        "end of that trajectory, where slow features act as noise. C: all features are learned. B has Q = "
        "1.225, outside the plane that the text describes, which ends at Q = 1.2. The text says that all "
        "curves approach B; those of kappa = 7 and 12 turn at distances .22 and .13 from B (check "
        "ms-figure-4). kappa = 7, 100 and 1e5 are simulated. At kappa = 7 the exact risk rises after its "
        "first descent; the printed risk does not. "
        + routes.reading("gradient descent on drawn data", "with ridge 1/(eta k) in place of time", FEW)
    ),
    paper="pezeshki2022",
    ref="Fig. 4",
    compute=compute,
    draw=draw,
    small=FEWEST | constants(__name__, SETTING={**SETTING, "n": 44, "d": 40, "p": 28}),
)
