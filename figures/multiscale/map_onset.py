"""Our own map: how often the risk descends, over kappa and alpha, ridge, noise."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from teacherstudent.figures.declaration import Axes, Canvas, Figure, Numbers, constants
from teacherstudent.figures.kit import charts, legends, regions, style
from teacherstudent.figures.kit.comparison import FEWEST, draws_of
from teacherstudent.figures.multiscale import planes
from teacherstudent.problems.multiscale import PROBLEM

ID = "map-onset"
KAPPAS = "1:50"
ALPHA = 1.1
SHADED = "flow"
"""The dynamics whose regions are shaded."""
CURVES: dict[str, tuple[str, dict[str, Any]]] = {
    "flow": ("boundary, gradient flow (exact)", {"color": style.BLACK, "ls": "-"}),
    "ridge": ("boundary, ridge regression at 1/s (exact)", {"color": style.BLUE, "ls": "-."}),
    "printed": ("boundary, ridge regression as printed", {"color": style.ORANGE, "ls": "--"}),
}
"""Boundaries between one descent and two: what they are called, and their lines."""
WIDE = {"lw": 1.8}


@dataclass(frozen=True)
class Plane:
    """One panel: the parameter beside kappa as NAME=LO:HI, the rows where spots are simulated, and words.

    said: what a reader may ask herself.
    """

    other: str
    rows: tuple[float, ...]
    label: str
    fixed: str
    said: str

    @property
    def column(self) -> str:
        """The name of the other parameter."""
        return self.other.partition("=")[0]


PLANES = (
    Plane(
        "alpha=0.5:2.5:lin",
        (1.2, 2.0),
        planes.ALPHA,
        "$\\lambda$ = 0, $\\sigma_\\epsilon$ = 0",
        "for n < d the risk rises at the end",
    ),
    Plane(
        "ridge=0.0001:1",
        (3e-3, 5e-2),
        planes.RIDGE,
        f"$\\alpha$ = {ALPHA:g}, $\\sigma_\\epsilon$ = 0",
        "no rise for ridges of $1 - p/d$ or more",
    ),
    Plane(
        "noise=0.01:0.8:lin",
        (0.05, 0.15),
        planes.NOISE,
        f"$\\alpha$ = {ALPHA:g}, $\\lambda$ = 0",
        "with noise the risk rises at the end",
    ),
)


def compute(quick: bool) -> Numbers:
    """The map of each plane by three theories, and the spots."""
    return {name: group for plane in PLANES for name, group in _plane(plane, quick).items()}


def _plane(plane: Plane, quick: bool) -> Numbers:
    spots = [spot for row in plane.rows for spot in _spots(plane.column, row)]
    found = {
        f"{curve}_{plane.column}": planes.mapped("descents", curve, KAPPAS, plane.other, ALPHA)
        for curve in CURVES
    }
    return {
        **found,
        f"spots_{plane.column}": planes.measured(spots, draws_of(f"{ID}/{plane.column}", quick)),
    }


def _spots(column: str, row: float) -> list[planes.Spot]:
    """Two spots for each row, well below and well above the onset of gradient flow."""
    onset = _onset(column, row)
    return [_spot(column, row, factor * onset) for factor in (0.6, 1.7)]


def _values(column: str, row: float) -> tuple[float, dict[str, float]]:
    """alpha of a row, and what else it gives."""
    return (row, {}) if column == "alpha" else (ALPHA, {column: row})


def _onset(column: str, row: float) -> float:
    from teacherstudent.theory import turning
    from teacherstudent.theory.multiscale import landmarks

    alpha, values = _values(column, row)
    sizes = planes.setting(planes.THEORY_SIZE, alpha)
    return turning.boundary(
        lambda kappa: landmarks.descents(PROBLEM.instance(kappa=kappa, **sizes, **values)), 1.5, 50.0, 1e-2
    )


def _spot(column: str, row: float, kappa: float) -> planes.Spot:
    """The times to compare: the first minimum and maximum, or around the flattest point of the fall."""
    from teacherstudent.theory import turning
    from teacherstudent.theory.multiscale import landmarks

    alpha, row_values = _values(column, row)
    values = {"kappa": kappa, **row_values}
    problem = PROBLEM.instance(**planes.setting(planes.THEORY_SIZE, alpha), **values)
    curve = landmarks.flow_curve(problem)
    turns = turning.extrema(curve)
    if any(not turn.is_minimum for turn in turns):
        return planes.Spot(alpha, values, turns[0].time, turns[1].time)
    flattest = turning.flattest(curve)
    return planes.Spot(alpha, values, flattest / 1.5, flattest * 1.5)


def draw(canvas: Canvas, numbers: Numbers) -> None:
    """Three planes side by side: regions, boundaries, spots on top."""
    style.size(canvas, 5)
    grid = canvas.add_gridspec(2, 2)
    panels = [canvas.add_subplot(grid[divmod(place, 2)]) for place in range(len(PLANES))]
    entries, *_ = [_draw_plane(axes, plane, numbers) for axes, plane in zip(panels, PLANES, strict=True)]
    spots = [numbers[f"spots_{plane.column}"] for plane in PLANES]
    where = f"d = {planes.SIZE}, {spots[0].attrs['n_seeds']} draws"
    lines = [legends.Entry(label, {**line, **WIDE}) for label, line in CURVES.values()]
    marks = [
        legends.spot(f"simulated risk rises ({where})", "^"),
        legends.spot(f"simulated risk falls ({where})", "v"),
        *planes.compared(*spots),
    ]
    legends.draw(canvas, [*entries, *lines, *_specials(numbers), *marks])


SPECIAL = {
    "cusp": "cusp: two minima and a maximum merge",
    "end": "beyond this end the maximum needs a smaller ridge",
}
"""What special places of boundaries are here."""


def _specials(numbers: Numbers) -> list[legends.Entry]:
    """Entries for the special places that there are."""
    found = {
        str(kind)
        for each in numbers.values()
        if "special_kind" in each
        for kind in each["special_kind"].values
    }
    return [legends.Entry(words, regions.MARKS[kind]) for kind, words in SPECIAL.items() if kind in found]


def _draw_plane(axes: Axes, plane: Plane, numbers: Numbers) -> list[legends.Entry]:
    shaded = numbers[f"{SHADED}_{plane.column}"] if SHADED in CURVES else numbers[f"ridge_{plane.column}"]
    entries = regions.regions(axes, shaded)
    for curve, (_, line) in CURVES.items():
        answer = numbers[f"{curve}_{plane.column}"]
        axes.plot(answer["boundary_x"].T, answer["boundary_y"].T, **line, **WIDE)
        regions.specials(axes, answer)
    count = sum(numbers[f"spots_{each.column}"].sizes["spot"] for each in PLANES)
    planes.mark(axes, numbers[f"spots_{plane.column}"], plane.column, count)
    regions.frame(axes, shaded)
    style.ticks(axes.xaxis, [1, 2, 5, 10, 20, 50])
    axes.set(xlabel=planes.KAPPA, ylabel=plane.label)
    axes.set_title(f"$p/d$ = {planes.FAST_SHARE:g}, {plane.fixed}\n{plane.said}")
    return entries


SMALL = constants(
    __name__,
    CURVES={"ridge": CURVES["ridge"]},
    PLANES=tuple(replace(plane, rows=plane.rows[:1]) for plane in PLANES[1:2]),
)

FIGURE = Figure(
    id=ID,
    title="The parameters at which double descent occurs",
    caption=(
        "Number of descents of the excess risk during gradient flow, in the limit n, d -> infinity, over "
        "the condition number (1 to 50) and samples per dimension, ridge or label noise. Lines mark where "
        "this number changes from one to two. The lines are computed exactly for gradient flow, for ridge "
        "regression with ridge 1/s in place of time, and for the printed formulas (Eqs. 4.2.14-4.2.16). "
        "Under a ridge lambda, ridge regression cannot use a ridge below lambda. The region of two descents "
        "therefore ends where the maximum is at the ridge lambda itself. With noise two boundaries meet in "
        "a cusp. Below the cusp a new minimum and maximum appear before the last minimum; above it "
        "they appear after the first one. " + planes.SPOTS
    ),
    paper="pezeshki2022",
    ref="Fig. 4, Sect. 4.3.2",
    compute=compute,
    draw=draw,
    no_residuals="each simulated spot gives its z-score",
    small=FEWEST | SMALL | charts.SMALL,
)
