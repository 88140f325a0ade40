"""A quantity over the parameters that were searched, with its minima; and the best value over a budget."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import xarray as xr

from teacherstudent.figures.answers import page, question, scales
from teacherstudent.figures.declaration import Axes, Canvas
from teacherstudent.figures.kit import legends, style
from teacherstudent.house.errors import InputError

BEST = {"ls": "none", "marker": "*", "ms": 13, "mfc": "white", "color": style.VERMILION, "zorder": 5}
OTHER = {"ls": "none", "marker": "v", "ms": 7, "mfc": "white", "color": style.BLACK, "zorder": 4}
ASKED = {"ls": "none", "marker": "o", "ms": 2.2, "mfc": "white", "color": style.BLACK, "mew": 0.4}
SPREAD = {"ls": "none", "marker": "o", "ms": 4.5, "mfc": "white", "color": style.BLUE}

HEIGHT, BELOW = 2.8, 1.2
"""Inches on paper of a panel and of the panel of slopes."""

MOST, LEVELS, FEWEST = 7, 14, 5
"""Curves that have a colour each; shades of a map; points that make a picture."""


def draw(canvas: Canvas, answer: xr.Dataset) -> None:
    """Draw what `teacherstudent.best` found on an empty canvas."""
    if answer.sizes["sample"] < FEWEST:
        raise InputError("plot", "(minima alone)", "absent where theory announces the minima and no curve")
    sides = json.loads(answer.attrs["searched"])
    free = [name for name, side in sides.items() if side["free"]]
    frontier = "slope" in answer
    labels = json.loads(answer.attrs["questions"])
    plane = len(free) == 2 and len(labels) == 1
    columns = 1 if frontier or plane or len(free) < 2 else len(free)
    entries = [legends.Entry("best", BEST)]
    if frontier:
        entries = [legends.Entry("best for each budget", SPREAD)]
        if (answer["edge"] != "").any():
            entries.append(legends.Entry("best at an end of the box", {**SPREAD, "mfc": style.BLUE}))
    elif plane:
        entries.append(legends.Entry("points that were computed", ASKED))
    if (answer["rank"] > 1).any():
        entries.append(legends.Entry("other minima", OTHER))
    looks = {label: style.ANY for label in labels}
    if 1 < len(labels) <= MOST:
        looks = dict(zip(labels, style.ordered_looks(labels), strict=True))
        entries = [*(legends.theory(look.label, look.colour) for look in looks.values()), *entries]
    largest = answer.attrs["largest"]
    place = page.laid(
        canvas,
        f"{question.title(answer)}: where it is {'largest' if largest else 'least'}",
        [entries],
        [_said(answer), *question.notes(answer, [])],
        HEIGHT * -(-columns // 2) + (BELOW if frontier else 0),
    )
    if frontier:
        upper, lower = place.subplots(2, 1, sharex=True, height_ratios=[HEIGHT, BELOW])
        _frontier(upper, lower, answer, labels, looks)
    elif plane:
        _map(place, place.subplots(), answer, free, sides)
    else:
        grid = place.add_gridspec(-(-columns // 2), min(columns, 2))
        for i, name in enumerate(free):
            axes = place.add_subplot(grid[divmod(i, 2)])
            _curves(axes, answer, name, sides[name]["log"], labels, looks, joined=len(free) == 1)


def _said(answer: xr.Dataset) -> list[str]:
    """The box, the constraint, and the best point of a single question."""
    said = [f"box {answer.attrs['over']}", *filter(None, [answer.attrs["subject_to"]])]
    if len(json.loads(answer.attrs["questions"])) > 1:
        return said
    if "slope" in answer:
        power, error = float(answer["exponent"][0]), float(answer["exponent_error"][0])
        return [*said, f"exponent {power:.3g} ± {error:.2g} at the largest budgets"]
    names = [*json.loads(answer.attrs["searched"]), "value"]
    place = ", ".join(f"{name.replace('_', ' ')} {float(answer[name][0]):.5g}" for name in names)
    return [*said, f"best: {place}"]


def _curves(
    axes: Axes,
    answer: xr.Dataset,
    name: str,
    log: bool,
    labels: list[str],
    looks: dict[str, Any],
    joined: bool,
) -> None:
    """The value over one parameter, a curve for each question, or all points that were asked."""
    every = []
    for i, label in enumerate(labels):
        own = answer["searched_question"].values == i
        x, y = answer[f"searched_{name}"].values[own], answer["searched_value"].values[own]
        order = np.argsort(x, kind="stable")
        colour = style.BLUE if len(labels) == 1 else looks[label].colour
        drawn = {**style.JOINED, "marker": "."} if "value_stderr" in answer else style.THEORY
        axes.plot(x[order], y[order], **({**drawn, "color": colour} if joined else ASKED))
        every.append(y)
    _marks(axes, answer, answer[name].values, answer["value"].values, answer.get(f"{name}_stderr"))
    if log:
        axes.set_xscale("log")
    _values(axes, every)
    axes.set_xlabel(scales.label(answer[name]))
    axes.set_ylabel(_wrapped(answer))


def _map(place: Any, axes: Axes, answer: xr.Dataset, free: list[str], sides: dict[str, Any]) -> None:
    """The value over two parameters as shades, with the points that were computed."""
    from matplotlib.colors import LogNorm
    from matplotlib.ticker import LogLocator, MaxNLocator

    values = answer["searched_value"].values
    known = np.isfinite(values)
    x, y = (answer[f"searched_{name}"].values for name in free)
    for name, set_scale in zip(free, (axes.set_xscale, axes.set_yscale), strict=True):
        set_scale("log" if sides[name]["log"] else "linear")
    log = scales.over_decades([values])
    levels = (LogLocator(numticks=LEVELS) if log else MaxNLocator(LEVELS)).tick_values(*_ends(values))
    shades = {"levels": levels, "cmap": "viridis", "norm": LogNorm() if log else None, "extend": "max"}
    flat = [np.log(each) if sides[name]["log"] else each for name, each in zip(free, (x, y), strict=True)]
    from matplotlib.tri import Triangulation

    mesh = Triangulation(flat[0][known], flat[1][known])
    drawn = axes.tricontourf(Triangulation(x[known], y[known], mesh.triangles), values[known], **shades)
    axes.plot(x, y, **ASKED)
    _marks(axes, answer, answer[free[0]].values, answer[free[1]].values)
    axes.set_xlabel(scales.label(answer[free[0]]))
    axes.set_ylabel(scales.label(answer[free[1]]))
    place.colorbar(drawn, ax=axes, aspect=30).set_label(_wrapped(answer))


def _ends(values: np.ndarray) -> tuple[float, float]:
    """Between which values there are shades: what grows like a pole does not take them all."""
    known = values[np.isfinite(values)]
    return float(known.min()), float(np.percentile(known, 95))


def _frontier(upper: Axes, lower: Axes, answer: xr.Dataset, labels: list[str], looks: dict[str, Any]) -> None:
    """The best value over the constraint, and its local slopes beneath."""
    for i, label in enumerate(labels):
        own = answer.isel(minimum=answer["question"].values == i)
        colour = style.BLUE if len(labels) == 1 else looks[label].colour
        inside = (own["edge"] == "").values
        for rows, face in ((inside, "white"), (~inside, colour)):
            some = own.isel(minimum=rows)
            upper.plot(some["constraint"], some["value"], **{**SPREAD, "color": colour, "mfc": face})
        lower.errorbar(
            own["constraint"],
            own["slope"],
            own["slope_accuracy"],
            **{**SPREAD, "color": colour},
            **style.BARS,
        )
    upper.set(xscale="log", yscale="log")
    upper.set_ylabel(_wrapped(answer))
    lower.set_ylabel("local slope")
    lower.set_xlabel(answer["constraint"].attrs["long_name"])


def _marks(
    axes: Axes, answer: xr.Dataset, x: np.ndarray, y: np.ndarray, error: xr.DataArray | None = None
) -> None:
    """The best point and the other minima."""
    for rows, mark in ((answer["rank"].values > 1, OTHER), (answer["rank"].values == 1, BEST)):
        across = None if error is None else error.values[rows]
        if rows.any():
            axes.errorbar(x[rows], y[rows], xerr=across, **mark, **style.BARS)


def _values(axes: Axes, curves: list[np.ndarray]) -> None:
    if scales.over_decades(curves):
        axes.set_yscale("log")
    else:
        scales.unoffset(axes)


def _wrapped(answer: xr.Dataset) -> str:
    return question.stated(answer, answer["value"].attrs["long_name"])
