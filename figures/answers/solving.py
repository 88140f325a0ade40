"""A quantity over what was searched, the level that it reaches, and the places where it does."""

from __future__ import annotations

import numpy as np
import xarray as xr

from teacherstudent.figures.answers import page, question, scales
from teacherstudent.figures.declaration import Axes, Canvas
from teacherstudent.figures.kit import legends, style

LEVEL = {"color": "0.3", "lw": 1.0, "ls": (0, (5, 3))}
ROOT = {"ls": "none", "marker": "o", "ms": 6.5, "mfc": "white", "color": style.VERMILION, "zorder": 4}
TOUCH = {"ls": "none", "marker": "D", "ms": 5.0, "mfc": "white", "color": style.ANY.colour, "zorder": 4}
GAP = {"fc": "0.93"}

HEIGHT = 2.5
"""Inches on paper of a panel."""

APART = 0.12
"""Share of a panel between roots that have their value written beside them."""


def draw(canvas: Canvas, answer: xr.Dataset) -> None:
    """Draw what `teacherstudent.solve` found on an empty canvas: a panel for each condition."""
    conditions = list(dict.fromkeys(answer["condition"].values.tolist()))
    looks = _looks(answer, len(conditions) > 1)
    entries = [legends.theory(look.label, look.colour) for look in looks.values() if look.label]
    entries.append(legends.Entry("level", LEVEL))
    for dim, label, mark in (("root", "root", ROOT), ("touch", "near miss", TOUCH)):
        if answer.sizes[dim]:
            entries.append(legends.Entry(label, mark))
    if answer.sizes["gap"] and answer.sizes["question"] == len(conditions):
        entries.append(legends.area("no value, or a pole", **GAP))
    columns = min(2, len(conditions))
    rows = -(-len(conditions) // columns)
    said = answer.attrs["seen"].split("\n")
    place = page.laid(
        canvas,
        f"{question.title(answer)}: where a level is reached",
        [entries],
        [said, *question.notes(answer, [])],
        HEIGHT * rows,
    )
    panels = place.subplots(rows, columns, squeeze=False).ravel()
    for axes, condition in zip(panels, conditions, strict=False):
        _panel(axes, answer, condition, looks)
    for axes in panels[len(conditions) :]:
        axes.set_visible(False)


def _looks(answer: xr.Dataset, several: bool) -> dict[int, style.Look]:
    """How the curve of each question is drawn: by the value of what was given several times."""
    labels = answer["label"].values.tolist()
    if several:  # the condition is said by the panel
        pairs = zip(labels, answer["condition"].values.tolist(), strict=True)
        labels = [label.removeprefix(condition).removeprefix(", ") for label, condition in pairs]
    members = list(dict.fromkeys(labels))
    colours = dict(zip(members, style.shades(len(members)), strict=True))
    if len(members) == 1:
        colours = dict.fromkeys(members, style.BLUE)
    first = {label: i for i, label in reversed(list(enumerate(labels)))}
    return {
        i: style.Look(label if first[label] == i else "", colours[label], "o")
        for i, label in enumerate(labels)
    }


def _panel(axes: Axes, answer: xr.Dataset, condition: str, looks: dict[int, style.Look]) -> None:
    from matplotlib.patheffects import withStroke

    numbers = np.flatnonzero(answer["condition"].values == condition)
    level = float(answer["level"][numbers[0]])
    quantity, drawn = answer["sample_value"].values, []
    for i in numbers:
        own = answer["sample_question"].values == i
        x, y = answer["sample_at"].values[own], quantity[own]
        for low, high, of in zip(
            *(answer[f"gap_{key}"].values for key in ("low", "high", "question")), strict=True
        ):
            if of == i:  # no line leads across a gap
                y = np.where((x > low) & (x < high), np.nan, y)
                place = int(np.searchsorted(x, low, side="right"))
                x, y = np.insert(x, place, (low + high) / 2), np.insert(y, place, np.nan)
        axes.plot(x, y, color=looks[int(i)].colour, **style.THEORY, marker="." if own.sum() < 40 else "")
        drawn.append(y)
    axes.axhline(level, **LEVEL)
    name = answer.attrs["parameter"]
    if answer.attrs["log"]:
        axes.set_xscale("log")
    roots = answer[name].values[np.isin(answer["root_question"].values, numbers)]
    axes.plot(roots, np.full(roots.size, level), **ROOT)
    for at in _apart(np.sort(roots), answer["sample_at"].values, bool(answer.attrs["log"])):
        said = {"xytext": (0, 8), "textcoords": "offset points", "ha": "center"}
        axes.annotate(
            f"{at:.5g}", (at, level), path_effects=[withStroke(linewidth=3, foreground="white")], **said
        )
    for i in np.flatnonzero(np.isin(answer["touch_question"].values, numbers)):
        axes.plot(float(answer["touch_at"][i]), level, **TOUCH)
    for i in np.flatnonzero(answer["gap_question"].values == numbers[0]) if len(numbers) == 1 else ():
        axes.axvspan(float(answer["gap_low"][i]), float(answer["gap_high"][i]), lw=0, zorder=0, **GAP)
    axes.margins(y=0.12)  # room for the words
    values = np.concatenate(drawn)
    stated = answer["quantity"][numbers[0]].item()
    if stated == "descents":
        scales.whole(axes)
    elif level > 0 and scales.over_decades(drawn):
        axes.set_yscale("log")
    else:
        _near_level(axes, values[np.isfinite(values)], level)
    axes.set_xlabel(scales.label(answer["sample_at"].rename(name)))
    axes.set_ylabel(question.stated(answer, stated))


def _apart(roots: np.ndarray, places: np.ndarray, log: bool) -> list[float]:
    """Those of some roots, in order, that have room for words."""
    scaled, ends = (np.log(each) if log else each for each in (roots, np.array([places.min(), places.max()])))
    found: list[int] = []
    for i in range(roots.size):
        if not found or scaled[i] - scaled[found[-1]] > APART * (ends[1] - ends[0]):
            found.append(i)
    return [float(roots[i]) for i in found]


def _near_level(axes: Axes, values: np.ndarray, level: float) -> None:
    """Leave out what a pole makes of a linear axis: show the middle half of the values and the level."""
    low, high = np.percentile(values, [25, 75])
    reach = 10 * max(high - low, abs(low - level), abs(high - level), 1e-300)
    if values.max() > level + reach or values.min() < level - reach:
        axes.set_ylim(max(values.min(), level - reach), min(values.max(), level + reach))
    else:
        scales.unoffset(axes)
