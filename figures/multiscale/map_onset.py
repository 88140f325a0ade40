"""Our own map: how often the risk descends, over kappa and alpha, ridge, noise."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from teacherstudent.figures.declaration import Figure, constants
from teacherstudent.figures.kit import legends, maps, style
from teacherstudent.figures.kit.comparison import FEWEST, draws_of
from teacherstudent.figures.multiscale import planes
from teacherstudent.house.domains import Span

if TYPE_CHECKING:
    import numpy as np

    from teacherstudent.figures.declaration import Axes, Canvas, Numbers

ID = "map-onset"
KAPPAS = (1.0, 50.0)
ALPHA = 1.1
QUICK_CELLS = 13
"""A side of a plane, in the quick version."""
ROWS, QUICK_ROWS = 13, 7
"""Points of a boundary."""
CURVES = {
    "flow": ("onset, gradient flow (exact)", {"color": style.BLACK, "ls": "-"}),
    "ridge": ("onset, ridge regression (exact)", {"color": style.BLACK, "ls": "-."}),
    "printed": ("onset, as printed (approximate)", {"color": style.ORANGE, "ls": "--"}),
}
"""Boundaries: what they are called, and their lines."""
WIDE = {"lw": 1.8}


@dataclass(frozen=True)
class Plane:
    """One panel: the parameter beside kappa, its range and the rows where spots are simulated."""

    column: str
    span: Span
    rows: tuple[float, ...]
    label: str


PLANES = (
    Plane("alpha", Span(0.5, 2.5, 25, "lin"), (0.8, 1.7), planes.ALPHA),
    Plane("ridge", Span(1e-4, 1.0, 25), (3e-3, 5e-2), planes.RIDGE),
    Plane("noise", Span(0.0, 0.8, 25, "lin"), (0.1, 0.25), planes.NOISE),
)


def compute(quick: bool) -> Numbers:
    """Each plane's counts from a theory sweep, the boundaries of three theories, and the spots."""
    return {name: group for plane in PLANES for name, group in _plane(plane, quick).items()}


def _plane(plane: Plane, quick: bool) -> Numbers:
    import numpy as np
    import xarray as xr

    cells = QUICK_CELLS if quick else plane.span.count
    span = Span(plane.span.low, plane.span.high, cells, plane.span.spacing)
    kappas = Span(*KAPPAS, cells)
    if plane.column == "alpha":
        n = Span(span.low * planes.THEORY_SIZE, span.high * planes.THEORY_SIZE, cells, "lin")
        sweep = planes.swept(TIMES, None, {"kappa": kappas, "n": n})
        sweep = sweep.assign_coords(n=sweep["n"] / planes.THEORY_SIZE).rename(n="alpha")
    else:
        sweep = planes.swept(TIMES, ALPHA, {"kappa": kappas, plane.column: span})
    counts = xr.Dataset(
        {"descents": (("kappa", plane.column), _descents(sweep["excess_risk"].values))},
        {"kappa": sweep["kappa"], plane.column: sweep[plane.column]},
        sweep.attrs,
    )
    rows = np.array(Span(span.low, span.high, QUICK_ROWS if quick else ROWS, span.spacing).values())
    lines = {curve: planes.onsets(curve, plane.column, rows, 1.5, KAPPAS[1]) for curve in CURVES}
    boundary = xr.Dataset(
        {f"onset_{curve}": (plane.column, line, ONSET) for curve, line in lines.items()}, {plane.column: rows}
    )
    spots = [spot for row in plane.rows for spot in _spots(plane.column, row)]
    return {
        f"counts_{plane.column}": counts,
        f"boundary_{plane.column}": boundary,
        f"spots_{plane.column}": planes.measured(spots, draws_of(f"{ID}/{plane.column}", quick)),
    }


TIMES = Span(0.05, 1e7, 128)
ONSET = {"units": "1", "symbol": "kappa", "long_name": "critical condition number"}


def _descents(risk: np.ndarray) -> np.ndarray:
    """Descents of each sampled curve, (..., time): one, and one for each turn from up to down."""
    import numpy as np

    change = np.diff(risk, axis=-1)
    change = np.where(np.abs(change) > 1e-9, np.sign(change), 0)
    counts = np.ones(change.shape[:-1], dtype=int)
    last = -np.ones(change.shape[:-1])
    for step in np.moveaxis(change, -1, 0):
        counts += (last > 0) & (step < 0)
        last = np.where(step == 0, last, step)
    return counts


def _spots(column: str, row: float) -> list[planes.Spot]:
    """Two spots for each row, well below and well above the onset of gradient flow."""
    onset = float(planes.onsets("flow", column, [row], 1.5, KAPPAS[1])[0])
    return [_spot(column, row, factor * onset) for factor in (0.6, 1.7)]


def _spot(column: str, row: float, kappa: float) -> planes.Spot:
    """The times to compare: the first minimum and maximum, or both sides of the flattest point."""
    import numpy as np

    from teacherstudent.problems.multiscale import PROBLEM
    from teacherstudent.theory.multiscale import landmarks

    alpha = row if column == "alpha" else ALPHA
    values = {"kappa": kappa} | ({} if column == "alpha" else {column: row})
    problem = PROBLEM.instance(**planes.setting(planes.THEORY_SIZE, alpha), **values)
    turns = landmarks.extrema(problem)
    if any(not turn.is_minimum for turn in turns):
        return planes.Spot(alpha, values, turns[0].time, turns[1].time)
    x = np.log(np.geomspace(1, 1e3, 200))
    slope = landmarks.flow_curve(problem).slope(x)
    inner = np.flatnonzero((slope[1:-1] > slope[:-2]) & (slope[1:-1] > slope[2:])) + 1
    flattest = float(np.exp(x[inner[0]])) if inner.size else 5.0
    return planes.Spot(alpha, values, flattest / 1.5, flattest * 1.5)


def draw(canvas: Canvas, numbers: Numbers) -> None:
    """Three planes side by side: counts as shades, boundaries as lines, spots on top."""
    style.size(canvas, 13.5, 5.2)
    panels = canvas.subplots(1, len(PLANES))
    for axes, plane in zip(panels, PLANES, strict=True):
        _draw_plane(axes, plane, numbers)
    panels[0].set_title(f"No ridge, no noise, p/d = {planes.FAST_SHARE:g}")
    for axes in panels[1:]:
        axes.set_title(f"$\\alpha$ = {ALPHA:g}, p/d = {planes.FAST_SHARE:g}")
    legends.draw(canvas, _entries(numbers[f"spots_{PLANES[0].column}"].attrs["n_seeds"]), columns=4)


SHADES = ("#ffffff", "#b9d3e8", "#6a9cc4", "#2f5f8a")
"""One descent, two, three, four."""


def _draw_plane(axes: Axes, plane: Plane, numbers: Numbers) -> None:
    from matplotlib.colors import BoundaryNorm, ListedColormap

    counts, boundary = numbers[f"counts_{plane.column}"], numbers[f"boundary_{plane.column}"]
    shades = {"cmap": ListedColormap(SHADES), "norm": BoundaryNorm([0.5, 1.5, 2.5, 3.5, 4.5], 4)}
    maps.field(axes, counts["descents"], "kappa", plane.column, **shades)
    for curve, (_, line) in CURVES.items():
        axes.plot(boundary[f"onset_{curve}"], boundary[plane.column], **line, **WIDE)
    maps.mark(axes, numbers[f"spots_{plane.column}"], "kappa", plane.column)
    axes.set(xscale="log", xlim=KAPPAS, yscale=plane.span.spacing.replace("lin", "linear"))
    axes.set(xlabel=planes.KAPPA, ylabel=plane.label)
    axes.set_ylim(plane.span.low, plane.span.high)


def _entries(draws: int) -> list[legends.Entry]:
    shades = [
        legends.area(f"{i + 1} descent{'s' if i else ''} (gradient flow)", shade, ec="0.5")
        for i, shade in enumerate(SHADES[:2])
    ]
    lines = [legends.Entry(label, {**line, **WIDE}) for label, line in CURVES.values()]
    marks = {"^": f"simulated risk rises ({draws} draws)", "v": "simulated risk falls"}
    return [*shades, *lines, *(legends.spot(label, marker) for marker, label in marks.items())]


SMALL = constants(
    __name__,
    QUICK_CELLS=3,
    QUICK_ROWS=2,
    CURVES={"flow": CURVES["flow"]},
    PLANES=tuple(replace(plane, rows=plane.rows[:1]) for plane in PLANES[:2]),
)

FIGURE = Figure(
    id=ID,
    title="Where double descent lives",
    caption=(
        "How often the excess risk descends over training, by gradient flow in the limit n, d -> infinity, "
        "for condition numbers 1 to 50 against samples per dimension, ridge and label noise. Lines: where "
        "the count changes from one to two, solved to a relative accuracy of 1e-3 for gradient flow, for "
        "ridge regression with ridge 1/s in place of time, and by the printed formulas (Eqs. 4.2.14-4.2.16). "
        + planes.SPOTS
    ),
    paper="pezeshki2022",
    ref="Fig. 4, Sect. 4.3.2",
    compute=compute,
    draw=draw,
    no_residuals="each simulated spot states its z-score",
    small=FEWEST | SMALL | constants(planes.__name__, COARSE=3),
)
