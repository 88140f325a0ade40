"""Observables as curves, each route in its own way, with residuals where a simulation meets a theory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from textwrap import fill
from typing import TYPE_CHECKING, Any

import numpy as np
import xarray as xr

from teacherstudent.figures.answers import page, question, scales
from teacherstudent.figures.answers.families import Family, Panel, panels
from teacherstudent.figures.answers.roles import BAND, Role, roles_of, simulated
from teacherstudent.figures.declaration import Axes, Canvas
from teacherstudent.figures.kit import legends, residuals, style

if TYPE_CHECKING:
    from matplotlib.figure import SubFigure

RESIDUAL = "_residual"
"""Added to an observable: what was drawn minus each other route, in standard errors."""

TIME = "time"

HEIGHT, BELOW = 2.1, 0.8
"""Inches on paper of a panel, and of a residual panel below it."""

LABELS = 0.5
"""Inches of the names of an axis."""

ACROSS = 2
"""Panels next to each other."""

LONGEST = 16
"""Letters beside a residual panel: as many as it is high."""

UNCERTAINTY = "_uncertainty"
"""Added to an observable: its standard deviation over uncertain inputs."""

MOST_THREADS = 50
"""Single draws that are drawn behind their mean."""


def draw(
    canvas: Canvas,
    answer: xr.Dataset,
    names: Sequence[str],
    x: str = TIME,
    swept: str | None = None,
    dense: xr.Dataset | None = None,
    more: Sequence[legends.Entry] = (),
    said: Sequence[str] = (),
) -> list[Axes]:
    """Draw these observables over `x` on an empty canvas, a family of curves along `swept`.

    Over times they are curves; over another axis they are known at its places only, and have markers there.
    dense: the same observables by some of its routes at more times, for smooth lines.
    Returns the panels. What the caller adds to them is explained by `more` entries of the legend and by
    phrases that are `said` below.
    """
    shown = panels(answer, names, x, swept)
    roles = roles_of(answer)
    against = compared(answer, names, roles)
    columns = min(style.abreast(ACROSS), len(shown))
    rows = -(-len(shown) // columns)
    families = _coloured(shown)
    tall = HEIGHT + BELOW * len(against)
    place = page.laid(
        canvas,
        question.title(answer),
        [
            [entry for family in families for entry in family.entries(x == TIME and simulated(roles))],
            [
                *_roles_legend(answer, roles, names, shown, against, x),
                *_threads(answer),
                *_uncertain(answer, names),
                *more,
            ],
        ],
        [*([said] if said else []), *question.notes(answer, names)],
        (tall + LABELS) * rows,
    )
    grid = place.add_gridspec(
        rows * (1 + len(against)), columns, height_ratios=([HEIGHT] + [BELOW] * len(against)) * rows
    )
    upper = []
    for i, panel in enumerate(shown):
        row, column = divmod(i, columns)
        row *= 1 + len(against)
        axes = place.add_subplot(grid[row, column])
        below = [place.add_subplot(grid[row + 1 + j, column], sharex=axes) for j in range(len(against))]
        _panel(axes, answer, dense, panel, roles, x, bool(families))
        for lower, role in zip(below, against, strict=True):
            _residuals(lower, answer, panel, role)
        last = [axes, *below][-1]
        last.set_xlabel(scales.label(answer[x]))
        for each in [axes, *below][:-1]:
            each.tick_params(labelbottom=False)
        upper.append(axes)
    _colour_bars(place, families)
    return upper


def _coloured(shown: Sequence[Panel]) -> list[Family]:
    """The families that colours tell apart: where there is one, colours mean nothing else on the picture."""
    return list({panel.family.labels: panel.family for panel in shown if panel.family.coloured}.values())


def _roles_legend(
    answer: xr.Dataset,
    roles: Sequence[Role],
    names: Sequence[str],
    shown: Sequence[Panel],
    against: Sequence[Role],
    x: str,
) -> list[legends.Entry]:
    coloured = bool(_coloured(shown))
    errors = {role.route.name: _has_errors(answer, role, names) for role in roles}
    entries = [role.entry(coloured, errors[role.route.name], x != TIME) for role in roles]
    provisos = [f"{role.route.name} {role.route.proviso}" for role in against if role.route.proviso]
    return entries + ([legends.band(provisos)] if against else [])


def _threads(answer: xr.Dataset) -> list[legends.Entry]:
    """What single draws look like, where they are drawn."""
    count = min(answer.sizes.get("seed", 0), MOST_THREADS)
    return [legends.theory(f"{count} single draws", style.ANY.colour, lw=0.5)] if count else []


def _uncertain(answer: xr.Dataset, names: Sequence[str]) -> list[legends.Entry]:
    """What a shaded band round a theory is, where one is drawn."""
    if not any(f"{name}{UNCERTAINTY}" in answer for name in names):
        return []
    inputs = str(answer.attrs.get("uncertain", "inputs")).replace("+-", " ± ")
    return [legends.area(f"± 1 standard deviation due to {inputs}", style.ANY.colour, alpha=BAND, lw=0)]


def _has_errors(answer: xr.Dataset, role: Role, names: Sequence[str]) -> bool:
    if "seed" in answer.dims:
        return True
    found = (_of(answer, f"{name}_stderr", role) for name in names)
    return any(each is not None and bool(np.isfinite(each).any()) for each in found)


def _of(answer: xr.Dataset, name: str, role: Role) -> xr.DataArray | None:
    """A variable of one route; None where there is none of that name."""
    if name not in answer:
        return None
    values = answer[name]
    return values.sel(route=role.route.name) if "route" in values.dims else values


def compared(answer: xr.Dataset, names: Sequence[str], roles: Sequence[Role]) -> list[Role]:
    """The routes from which something that was drawn has residuals."""
    found = []
    for role in roles:
        residual = (_of(answer, f"{name}{RESIDUAL}", role) for name in names)
        if any(each is not None and bool(np.isfinite(each).any()) for each in residual):
            found.append(role)
    return found


def _panel(
    axes: Axes,
    answer: xr.Dataset,
    dense: xr.Dataset | None,
    panel: Panel,
    roles: Sequence[Role],
    x: str,
    coloured: bool,
) -> None:
    """One panel. coloured: colours tell members of families apart, here or beside, and not routes."""
    axes.set_ylabel(scales.label(answer[panel.name]))
    axes.set_title(panel.title)
    places = scales.along(axes, answer[x])
    drawn = []
    for role in roles:
        source, at = answer, places
        if dense is not None and role.route.name in dense.attrs["route"].split(","):
            source, at = dense, dense[x].values
        for member, look in zip(panel.family.members, panel.family.looks(), strict=True):
            y, error, threads = _curve(source, panel, role, member, at, x)
            if y is None or not np.isfinite(y).any():
                continue
            colour = look.colour if panel.family.coloured else style.ANY.colour if coloured else role.colour
            look = style.Look("", colour, style.MARKERS[role.place])
            if threads is not None:
                axes.plot(at, threads.T, color=look.colour, lw=0.5, alpha=0.3)
            role.draw(axes, y, error, look, placed=x != TIME)
            drawn.append(y.values)
    nonnegative = question.observables(answer)[panel.name].nonnegative
    if drawn and nonnegative and scales.over_decades(drawn):
        axes.set_yscale("log")
    elif answer[panel.name].attrs.get("counts"):
        scales.whole(axes)
    else:
        scales.unoffset(axes)


def _curve(
    answer: xr.Dataset, panel: Panel, role: Role, member: Mapping[Any, int], places: np.ndarray, x: str
) -> tuple[xr.DataArray | None, xr.DataArray | None, xr.DataArray | None]:
    """A curve, its standard errors and its single draws, the last two where there are some."""
    y, error = (_of(answer, name, role) for name in (panel.name, f"{panel.name}_stderr"))
    spread = _of(answer, f"{panel.name}{UNCERTAINTY}", role)
    if spread is not None and np.isfinite(spread).any():
        error = spread
    if y is None:
        return None, None, None
    y = y.isel({**panel.chosen, **member}).assign_coords({x: places})
    threads = None
    if "seed" in y.dims:
        threads = y.transpose("seed", x).isel(seed=slice(MOST_THREADS))
        y, error = y.mean("seed"), y.std("seed", ddof=1) / y.sizes["seed"] ** 0.5
    elif error is not None:
        error = error.isel({**panel.chosen, **member}).assign_coords({x: places})
        error = error if np.isfinite(error).any() else None
    return y, error, threads


def _residuals(axes: Axes, answer: xr.Dataset, panel: Panel, role: Role) -> None:
    measured = _measured(answer)
    label = (f"{measured.replace('simulation', 'sim.')} − {role.route.name}", "[std. errors]")
    residuals.name(axes, "\n".join(fill(each, LONGEST) for each in label))
    found = {}
    values = _of(answer, f"{panel.name}{RESIDUAL}", role)
    for member, look in zip(panel.family.members, panel.family.looks(), strict=True):
        if values is not None:
            some = values.isel({**panel.chosen, **member})
            if np.isfinite(some).any():
                found[look] = some
    if found:
        residuals.draw(axes, found, int(answer.attrs["n_seeds"]) - 1)
    else:
        lacking = [name for name in (measured, role.route.name) if not _gives(answer, panel.name, name)]
        why = f"{lacking[0]} does not give this" if lacking else "no standard error of the difference"
        axes.text(0.5, 0.5, why, transform=axes.transAxes, ha="center", va="center")
        axes.set_yticks([])


def _measured(answer: xr.Dataset) -> str:
    """The route whose residuals these are."""
    found = (each.attrs["measured"] for each in answer.values() if "measured" in each.attrs)
    return next(found, "simulation")


def _gives(answer: xr.Dataset, name: str, route: str) -> bool:
    return bool(answer[name].sel(route=route).notnull().any())


def _colour_bars(place: SubFigure, families: Sequence[Family]) -> None:
    for family in families:
        if family.continuous:
            values = family.values
            bar = place.colorbar(family.shades(), ax=place.axes, aspect=30)
            bar.set_label(scales.label(values) if values is not None else "curve")
