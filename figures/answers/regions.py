"""A map as a picture: regions with their boundaries, or values with level lines, and all that was fixed."""

from __future__ import annotations

import json

import xarray as xr

from teacherstudent.figures.answers import page, question, scales
from teacherstudent.figures.declaration import Axes, Canvas
from teacherstudent.figures.kit import legends, regions
from teacherstudent.house.errors import InputError

HEIGHT = 4.7
"""Inches on paper of the map with its axes."""


def draw(canvas: Canvas, answer: xr.Dataset) -> None:
    """The map on an empty canvas, with legends of shades, of lines and of spots above it.

    Raises `InputError` for a part of a map.
    """
    from matplotlib.figure import Figure

    axes = {answer.attrs["x"], answer.attrs["y"]}
    if ("label" not in answer and "value" not in answer) or not axes <= set(answer.dims):
        raise InputError("answer", "(part of a map)", f"a whole map over {' and '.join(sorted(axes))}")
    # The page is laid out around legends, which say what was drawn: so it is drawn on the side first.
    families = _drawn(Figure().add_subplot(), answer)
    place = page.laid(canvas, title(answer), families, notes(answer), HEIGHT)
    _drawn(place.add_subplot(), answer)


def _drawn(axes: Axes, answer: xr.Dataset) -> list[list[legends.Entry]]:
    """The map, and the legends of what is on it."""
    shown = _shown(answer)
    if "label" in answer:
        shades = regions.regions(axes, answer)
        axes.set_title(_title(answer, shown) + _when(answer))
    else:
        shades = regions.values(axes, answer, scales.label(shown) + _when(answer))
    regions.frame(axes, answer)
    marks = regions.lines(axes, answer) + regions.specials(axes, answer)
    return [shades, marks, regions.spots(axes, answer)]


def _shown(answer: xr.Dataset) -> xr.DataArray:
    return answer["label"] if "label" in answer else answer["value"]


def _title(answer: xr.Dataset, shown: xr.DataArray) -> str:
    """What is counted; the parameter over which it is stands as mathematics."""
    said = scales.label(shown)
    if "along" not in answer.attrs:
        return said
    over = question.declared(answer)[answer.attrs["along"]]
    return said.replace(f" as {over.symbol or over.name} grows", f" as {question.symbol(over)} grows")


def _when(answer: xr.Dataset) -> str:
    """At which time an observable is mapped, or counted over a parameter; nothing where time is an axis."""
    clock, attrs = question.clock_of(answer), answer.attrs
    whole = attrs["curve"] and "along" not in attrs
    if not clock or whole or clock.time.name in (attrs["x"], attrs["y"]):
        return ""
    return f"\nat {question.valued(clock.time, float(attrs['time']))}"


def title(answer: xr.Dataset) -> str:
    """The problem and its dynamics; of a number of the problem's own, what it is counted on."""
    curve = answer.attrs["curve"]
    by = f" ({curve})" if curve and not answer.attrs["dynamics"] else ""
    return question.title(answer) + by


def notes(answer: xr.Dataset) -> list[list[str]]:
    """What stands below the map: what computed it, what was fixed, conventions, and how spots are judged."""
    attrs = answer.attrs
    routes = question.routes_of(answer) if attrs["route"] else []
    computed = [f"{route.name}: {question.prose(route.meaning)}" for route in routes]
    plain = answer.copy(deep=False)
    plain.attrs = {name: value for name, value in attrs.items() if name not in ("n_seeds", "caution")}
    if not routes:
        computed = [f"{attrs['curve']}: {question.prose(attrs['source'])}"]
    setting, *rest = question.notes(plain, [])
    found = [computed, setting, *rest]
    if attrs["approximate"] and not routes:
        found.insert(-1, [f"{attrs['curve']} is approximate: {question.prose(attrs['approximate'])}"])
    if "along" in attrs:
        found.insert(1, [_counted(answer)])
    lost = [[f"the map is unfinished: {attrs['unfinished']}"]] if "unfinished" in attrs else []
    doubts = [each for each in [question.doubts(answer)] if each]
    return [*lost, *doubts, *found, *_judged(answer)]


def _counted(answer: xr.Dataset) -> str:
    """How descents are counted over a parameter."""
    attrs = answer.attrs
    name = question.symbol(question.declared(answer)[attrs["along"]])
    values = f"{int(attrs['along_count'])} values of {name}, {attrs['along_scale']}"
    return (
        f"counted at {values}, and more where the risk bends; a slope below {float(attrs['flat']):g} of the "
        "value over the whole range is flat"
    )


def _judged(answer: xr.Dataset) -> list[list[str]]:
    """How spots are drawn, and what their verdicts mean."""
    if not answer.sizes.get("spot"):
        return []
    attrs = answer.attrs
    limit = f"{float(attrs['spot_quantile']):.2g} standard errors"
    signed = bool((answer["earlier"] < answer["later"]).any())
    said = (
        f"draws agree where the observable changes, between two times, as theory says, by more than {limit}"
        if signed
        else f"draws agree where their mean lies within {limit} of theory"
    )
    if bool(answer["exact"].notnull().any()):
        said += ", and within as many standard errors of the exact value for these draws"
    first, count = int(attrs["first_seed"]), int(attrs["n_seeds"])
    drawn = f"spots: {count} draws by route {attrs['spot_route']}, seeds {first} to {first + count - 1}"
    at = _sizes(answer)
    return [[drawn + (f", at {at}" if at else ""), said]]


def _sizes(answer: xr.Dataset) -> str:
    """The sizes that are drawn, where theory is that of infinite ones."""
    if not answer.attrs["limit"]:
        return ""
    values = json.loads(answer.attrs["fixed"])
    sizes = [each for name, each in question.declared(answer).items() if each.extensive and name in values]
    return ", ".join(question.valued(each, values[each.name]) for each in sizes)
