"""Our own map: how often the risk descends, over kappa and alpha, ridge, noise."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from teacherstudent.figures.declaration import Figure
from teacherstudent.figures.kit import maps, style
from teacherstudent.figures.kit.comparison import draws_of
from teacherstudent.house.domains import Span

if TYPE_CHECKING:
    import numpy as np
    import xarray as xr
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

ID = "map-onset"
KAPPAS = (1.0, 50.0)
ALPHA = 1.1
QUICK_CELLS = 13
"""A side of a plane, in the quick version."""
ROWS, QUICK_ROWS = 13, 7
"""Points of a boundary."""
CURVES = {"flow": "-", "ridge": "-.", "printed": "--"}


@dataclass(frozen=True)
class Plane:
    """One panel: the parameter beside kappa, its range and the rows where spots are simulated."""

    column: str
    span: Span
    rows: tuple[float, ...]
    label: str


PLANES = (
    Plane(
        "alpha",
        Span(0.5, 2.5, 25, "lin"),
        (0.8, 1.7),
        "samples per dimension $\\alpha = n/d$ [dimensionless]",
    ),
    Plane("ridge", Span(1e-4, 1.0, 25), (3e-3, 5e-2), "ridge $\\lambda$ [curvature of the summed loss]"),
    Plane("noise", Span(0.0, 0.8, 25, "lin"), (0.1, 0.25), "label noise $\\sigma_\\epsilon$ [output]"),
)


def compute(quick: bool) -> dict[str, xr.Dataset]:
    """Each plane's counts from a theory sweep, the boundaries of three theories, and the spots."""
    numbers: dict[str, xr.Dataset] = {}
    for plane in PLANES:
        numbers |= _plane(plane, quick)
    return numbers


def _plane(plane: Plane, quick: bool) -> dict[str, xr.Dataset]:
    import numpy as np
    import xarray as xr

    cells = QUICK_CELLS if quick else plane.span.count
    span = Span(plane.span.low, plane.span.high, cells, plane.span.spacing)
    kappas = Span(*KAPPAS, cells)
    if plane.column == "alpha":
        n = Span(span.low * maps.THEORY_SIZE, span.high * maps.THEORY_SIZE, cells, "lin")
        sweep = maps.swept(TIMES, None, {"kappa": kappas, "n": n})
        sweep = sweep.assign_coords(n=sweep["n"] / maps.THEORY_SIZE).rename(n="alpha")
    else:
        sweep = maps.swept(TIMES, ALPHA, {"kappa": kappas, plane.column: span})
    counts = xr.Dataset(
        {"descents": (("kappa", plane.column), _descents(sweep["excess_risk"].values))},
        {"kappa": sweep["kappa"], plane.column: sweep[plane.column]},
        sweep.attrs,
    )
    rows = np.array(Span(span.low, span.high, QUICK_ROWS if quick else ROWS, span.spacing).values())
    lines = {curve: maps.onsets(curve, plane.column, rows, 1.5, KAPPAS[1]) for curve in CURVES}
    boundary = xr.Dataset(
        {f"onset_{curve}": (plane.column, line, ONSET) for curve, line in lines.items()}, {plane.column: rows}
    )
    spots = [spot for row in plane.rows for spot in _spots(plane.column, row)]
    return {
        f"counts_{plane.column}": counts,
        f"boundary_{plane.column}": boundary,
        f"spots_{plane.column}": maps.measured(spots, draws_of(f"{ID}/{plane.column}", quick)),
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


def _spots(column: str, row: float) -> list[maps.Spot]:
    """Two spots a row, well below and well above the onset of gradient flow."""
    onset = float(maps.onsets("flow", column, [row], 1.5, KAPPAS[1])[0])
    return [_spot(column, row, factor * onset) for factor in (0.6, 1.7)]


def _spot(column: str, row: float, kappa: float) -> maps.Spot:
    """The times to compare: the first minimum and maximum, or both sides of the flattest point."""
    import numpy as np

    from teacherstudent.problems.multiscale import PROBLEM
    from teacherstudent.theory.multiscale import landmarks

    alpha = row if column == "alpha" else ALPHA
    values = {"kappa": kappa} | ({} if column == "alpha" else {column: row})
    problem = PROBLEM.instance(**maps.setting(maps.THEORY_SIZE, alpha), **values)
    turns = landmarks.extrema(problem)
    if any(not turn.is_minimum for turn in turns):
        return maps.Spot(alpha, values, turns[0].time, turns[1].time)
    x = np.log(np.geomspace(1, 1e3, 200))
    slope = landmarks.flow_curve(problem).slope(x)
    inner = np.flatnonzero((slope[1:-1] > slope[:-2]) & (slope[1:-1] > slope[2:])) + 1
    flattest = float(np.exp(x[inner[0]])) if inner.size else 5.0
    return maps.Spot(alpha, values, flattest / 1.5, flattest * 1.5)


def draw(canvas: Canvas, numbers: Mapping[str, xr.Dataset]) -> None:
    """Three planes side by side: counts as shades, boundaries as lines, spots on top."""
    canvas.set_size_inches((13.5, 5.2))
    canvas.set_layout_engine("constrained")
    panels = canvas.subplots(1, len(PLANES))
    for axes, plane in zip(panels, PLANES, strict=True):
        _draw_plane(axes, plane, numbers)
    panels[0].set_title(f"No ridge, no noise, p/d = {maps.FAST_SHARE:g}")
    for axes in panels[1:]:
        axes.set_title(f"$\\alpha$ = {ALPHA:g}, p/d = {maps.FAST_SHARE:g}")
    _key(canvas, panels[0], numbers[f"spots_{PLANES[0].column}"].attrs["n_seeds"])


SHADES = ("#ffffff", "#b9d3e8", "#6a9cc4", "#2f5f8a")
"""One descent, two, three, four."""


def _draw_plane(axes: Axes, plane: Plane, numbers: Mapping[str, xr.Dataset]) -> None:
    from matplotlib.colors import BoundaryNorm, ListedColormap

    counts, boundary = numbers[f"counts_{plane.column}"], numbers[f"boundary_{plane.column}"]
    axes.pcolormesh(
        counts["kappa"], counts[plane.column], counts["descents"].T, shading="nearest",
        cmap=ListedColormap(SHADES), norm=BoundaryNorm([0.5, 1.5, 2.5, 3.5, 4.5], 4),
    )  # fmt: skip
    for curve, dashes in CURVES.items():
        colour = style.ORANGE if curve == "printed" else style.BLACK
        axes.plot(boundary[f"onset_{curve}"], boundary[plane.column], color=colour, ls=dashes, lw=1.8)
    maps.mark(axes, numbers[f"spots_{plane.column}"], "kappa", plane.column)
    axes.set(xscale="log", xlim=KAPPAS, yscale=plane.span.spacing.replace("lin", "linear"))
    axes.set(xlabel="condition number $\\kappa$ [dimensionless]", ylabel=plane.label)
    axes.set_ylim(plane.span.low, plane.span.high)


def _key(canvas: Canvas, axes: Axes, draws: int) -> None:
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    names = {
        "flow": "onset, gradient flow (exact)",
        "ridge": "onset, ridge regression (exact)",
        "printed": "onset, as printed (approximate)",
    }
    lines = [
        Line2D(
            [],
            [],
            color=style.ORANGE if curve == "printed" else style.BLACK,
            ls=dashes,
            lw=1.8,
            label=names[curve],
        )
        for curve, dashes in CURVES.items()
    ]
    spot = {"ls": "none", "mfc": "white", "mec": "black", "ms": 8}
    marks = [
        Line2D([], [], marker="^", **spot, label=f"simulated risk rises ({draws} draws)"),
        Line2D([], [], marker="v", **spot, label="simulated risk falls"),
    ]
    shades = [
        Patch(fc=shade, ec="0.5", label=f"{i + 1} descent{'s' if i else ''} (gradient flow)")
        for i, shade in enumerate(SHADES[:2])
    ]
    canvas.legend(handles=[*shades, *lines, *marks], loc="outside lower center", ncols=4, frameon=False)


FIGURE = Figure(
    id=ID,
    title="Where double descent lives",
    caption=(
        "How often the excess risk descends over training, by gradient flow in the limit n, d -> infinity, "
        "for condition numbers 1 to 50 against samples per dimension, ridge and label noise. Lines: where "
        "the count changes from one to two, solved to a relative accuracy of 1e-3 for gradient flow, for "
        "ridge regression with ridge 1/s in place of time, and by the printed formulas (Eqs. 4.2.14-4.2.16). "
        + maps.SPOTS
    ),
    paper="pezeshki2022",
    ref="Fig. 4, Sect. 4.3.2",
    compute=compute,
    draw=draw,
)
