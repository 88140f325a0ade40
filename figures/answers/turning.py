"""Minima and maxima over training on the curve that has them, and where with a parameter they appear."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import xarray as xr

from teacherstudent.figures.answers import lines, question
from teacherstudent.figures.declaration import Axes, Canvas
from teacherstudent.figures.kit import legends, style

MARKS = {True: "v", False: "^"}
"""Of a minimum and of a maximum."""

EDGE: dict[str, Any] = {"color": style.BLACK, "lw": 2.4}


def draw_turns(canvas: Canvas, turns: xr.Dataset, curve: xr.Dataset) -> None:
    """Every turn of one curve, with its time."""
    name = _observable(turns)
    said = [] if turns.sizes["turn"] else ["no minimum and no maximum: it falls, or rises, throughout"]
    (axes,) = lines.draw(canvas, curve, [name], more=_entries(style.VERMILION), said=said)
    clock = question.clock_of(turns)
    for i in range(turns.sizes["turn"]):
        turn = turns.isel(turn=i)
        _mark(axes, turn, name, style.VERMILION)
        at = f"{question.symbol(clock.time)} = {float(turn['time']):.3g}" if clock else ""
        down = bool(turn["is_minimum"])
        axes.annotate(
            at,
            (float(turn["time"]), float(turn[name])),
            xytext=(0, -9 if down else 9),
            textcoords="offset points",
            ha="center",
            va="top" if down else "bottom",
        )
    axes.margins(y=0.15)  # room for the words


def draw_onset(
    canvas: Canvas, onset: xr.Dataset, curves: xr.Dataset, edge: xr.Dataset, turns: Sequence[xr.Dataset]
) -> None:
    """Curves on both sides of a boundary with their turns, and the one on it.

    curves: along the parameter; edge: at the boundary; turns: of each of the curves.
    """
    name = _observable(turns[0])
    parameter = question.declared(curves)[onset.attrs["parameter"]]
    sides = f"{onset.attrs['counted']}: {int(onset['below'])} below, {int(onset['above'])} above"
    boundary = question.valued(parameter, float(onset["value"]))
    more = [legends.Entry(f"at the boundary, {boundary}", EDGE), *_entries(style.ANY.colour)]
    said = [f"{sides} the boundary, {boundary}"]
    (axes,) = lines.draw(canvas, curves, [name], swept=parameter.name, more=more, said=said)
    axes.plot(edge["time"], edge[name], zorder=2.5, **EDGE)
    for each in turns:
        for i in range(each.sizes["turn"]):
            _mark(axes, each.isel(turn=i), name, style.ANY.colour)


def _entries(colour: str) -> list[legends.Entry]:
    named = {"minimum": True, "maximum": False}
    return [legends.Entry(name, _marked(low, colour)) for name, low in named.items()]


def _marked(is_minimum: bool, colour: str) -> dict[str, Any]:
    return {"ls": "none", "marker": MARKS[is_minimum], "ms": 7, "mfc": "white", "color": colour}


def _mark(axes: Axes, turn: xr.Dataset, name: str, colour: str) -> None:
    place = float(turn["time"]), float(turn[name])
    axes.plot(*place, **_marked(bool(turn["is_minimum"]), colour), zorder=4)


def _observable(turns: xr.Dataset) -> str:
    """The observable that turns."""
    return next(name for name in question.observables(turns))
