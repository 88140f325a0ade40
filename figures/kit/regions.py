"""Maps that `maps.answer` made: regions and their boundaries, or values with level lines.

`regions` or `values` shade the map, then come `lines`, `specials` and `frame`. Each returns the entries
of a legend for what it drew.
"""

from __future__ import annotations

import json
import re
from typing import Any

import numpy as np
import xarray as xr

from teacherstudent.figures.declaration import Axes
from teacherstudent.figures.kit import legends, levels, style
from teacherstudent.figures.kit.maps import field
from teacherstudent.maps.field import ENDS

REGIONS = ("#ffffff", "#b9d3e8", "#6a9cc4", "#2f5f8a", "#0b1a29")
"""Shades of regions, told apart by lightness alone; of more regions those of a scale."""
UNKNOWN = {"hatch": "////", "ec": "0.55"}
"""Where theory gives no answer."""
LINE: dict[str, Any] = {"color": style.BLACK, "lw": 1.8, "solid_joinstyle": "round"}
JUMP: dict[str, Any] = {"color": style.VERMILION, "lw": 2.0, "ls": (0, (6, 1.5))}
LEVEL: dict[str, Any] = {"color": "0.15", "lw": 0.8}
MARKS: dict[str, dict[str, Any]] = {
    "cusp": {"marker": "D", "ms": 6, "mfc": style.ORANGE, "mec": "black", "ls": "none"},
    "birth": {"marker": "^", "ms": 7, "mfc": style.ORANGE, "mec": "black", "ls": "none"},
    "critical": {"marker": "*", "ms": 11, "mfc": style.ORANGE, "mec": "black", "ls": "none"},
    "meeting": {"marker": "o", "ms": 6, "mfc": style.ORANGE, "mec": "black", "ls": "none"},
    "end": {"marker": "X", "ms": 7, "mfc": style.ORANGE, "mec": "black", "ls": "none"},
}
"""Special places that are marked; where a boundary leaves the map or turns sharply is seen without."""


def regions(axes: Axes, answer: xr.Dataset) -> list[legends.Entry]:
    """The regions of a map in shades; returns a legend entry for each."""
    from matplotlib.colors import BoundaryNorm, ListedColormap

    labels = answer["label"]
    present = sorted(int(each) for each in np.unique(labels.values[np.isfinite(labels.values)]))
    entries = []
    if present:
        shade_of = dict(zip(present, shades(len(present)), strict=True))
        edges = [label - 0.5 for label in present] + [present[-1] + 0.5]
        norm = BoundaryNorm(edges, len(present))
        shown = {"cmap": ListedColormap(list(shade_of.values())), "norm": norm}
        field(axes, labels, answer.attrs["x"], answer.attrs["y"], **shown)
        entries = [legends.area(meaning(answer, label), shade, ec="0.5") for label, shade in shade_of.items()]
    return entries + _hatched(axes, answer, labels)


def shades(count: int) -> list[str]:
    """So many shades from light to dark."""
    from matplotlib import colormaps
    from matplotlib.colors import to_hex

    if count <= len(REGIONS):
        return list(REGIONS[:count])
    return [to_hex(colormaps["viridis_r"](i / (count - 1))) for i in range(count)]


def meaning(answer: xr.Dataset, label: int) -> str:
    """What a label means, in words."""
    names = json.loads(answer["label"].attrs.get("meanings", "{}"))
    if str(label) in names:
        return names[str(label)]
    counted = answer["label"].attrs["long_name"].removeprefix("number of ").split(" of ")[0]
    return f"{label} {counted.removesuffix('s') if label == 1 else counted}"


def values(axes: Axes, answer: xr.Dataset, label: str = "", **shades: Any) -> list[legends.Entry]:
    """The values of a map in shades with a colour bar of that label; returns legend entries."""
    from matplotlib.colors import LogNorm

    shown = answer["value"]
    if answer.attrs["value_scale"] == "log":
        shades = {"norm": LogNorm(), **shades}
    elif float(shown.min()) < 0 < float(shown.max()):
        far = float(abs(shown).max())
        shades = {"cmap": "PuOr", "vmin": -far, "vmax": far, **shades}
    field(axes, shown, answer.attrs["x"], answer.attrs["y"], label or style.axis_label(shown), **shades)
    known = answer.get("region", shown)
    return _without(axes, answer) + _hatched(axes, answer, known)


NOTHING = "#e3dccf"
"""Where there is no value to show although all is known."""


def _without(axes: Axes, answer: xr.Dataset) -> list[legends.Entry]:
    """Regions without a value: known, and not worth one."""
    from matplotlib.colors import ListedColormap

    if "region" not in answer:
        return []
    plain = answer["region"].where(answer["value"].isnull())
    if not bool(plain.notnull().any()):
        return []
    field(axes, plain, answer.attrs["x"], answer.attrs["y"], cmap=ListedColormap([NOTHING]))
    names = json.loads(answer["region"].attrs["meanings"])
    label = int(plain.min())
    return [legends.area(names[str(label)], NOTHING, ec="0.5")]


def _hatched(axes: Axes, answer: xr.Dataset, shown: xr.DataArray) -> list[legends.Entry]:
    """The hatch shows through where nothing is drawn; the legend says the usual reason."""
    from collections import Counter

    if not bool(shown.isnull().any()):
        return []
    axes.patch.set(hatch=UNKNOWN["hatch"], edgecolor=UNKNOWN["ec"])
    reasons = Counter(answer["reason"].values.tolist())
    ((reason, _),) = reasons.most_common(1) or (("not known", 1),)
    as_one = "no answer:" if len(reasons) < 2 else "no answer, at one place:"
    return [legends.area(f"{as_one} {reason}", "white", hatch=UNKNOWN["hatch"], ec=UNKNOWN["ec"])]


def lines(axes: Axes, answer: xr.Dataset) -> list[legends.Entry]:
    """Boundaries, jumps and level lines; returns a legend entry for each kind that there is."""
    found = {}
    for i in range(answer.sizes["boundary"]):
        each = answer.isel(boundary=i)
        if np.isfinite(float(each["level"])):
            axes.plot(each["boundary_x"], each["boundary_y"], **LEVEL)
            continue
        kind, line = ("jump", JUMP) if float(each["jump"]) else ("boundary", LINE)
        axes.plot(each["boundary_x"], each["boundary_y"], **line)
        found[kind] = line
    levels.write(axes, answer)
    words = {"boundary": "boundary", "jump": answer["jump"].attrs["meaning"]}
    return [legends.Entry(words[kind], line) for kind, line in found.items()]


def specials(axes: Axes, answer: xr.Dataset) -> list[legends.Entry]:
    """Marks where boundaries meet or end; returns a legend entry for each kind that there is."""
    found = {}
    for i in range(answer.sizes["special"]):
        each = answer.isel(special=i)
        kind = str(each["special_kind"].item())
        if kind in MARKS:
            axes.plot(float(each["special_x"]), float(each["special_y"]), **MARKS[kind], zorder=7)
            found[kind] = MARKS[kind]
    return [legends.Entry(f"{kind}: {ENDS[kind]}", mark) for kind, mark in found.items()]


VERDICTS: dict[str, dict[str, Any]] = {
    "agrees": {"marker": "o", "mfc": "white"},
    "disagrees": {"marker": "X", "mfc": style.VERMILION},
    "off at this size": {"marker": "D", "mfc": style.ORANGE},
    "cannot tell": {"marker": "s", "mfc": "0.6"},
}
SPOTTED = {
    "agrees": "spot: draws agree with theory",
    "disagrees": "spot: draws disagree with theory",
    "off at this size": "spot: deviates from limit at this size",
    "cannot tell": "spot: too few draws to tell",
}
"""What the verdict of a spot means."""


def spots(axes: Axes, answer: xr.Dataset) -> list[legends.Entry]:
    """The drawn spots by their verdict; returns a legend entry for each verdict that there is."""
    if "spot" not in answer.dims:
        return []
    entries = []
    for verdict, look in VERDICTS.items():
        some = answer.isel(spot=answer["verdict"].values == verdict)
        if some.sizes["spot"]:
            mark = {"ls": "none", "ms": 7, "mec": "black", "mew": 1.2, **look}
            axes.plot(some["spot_x"], some["spot_y"], zorder=8, **mark)
            entries.append(legends.Entry(SPOTTED[verdict], mark))
    return entries


def brief(values: xr.DataArray) -> str:
    """The name of what it is, without what its declaration adds in brackets and after a colon."""
    return re.split(r"[,:;]| \(", values.attrs["long_name"])[0]


def frame(axes: Axes, answer: xr.Dataset) -> None:
    """Scales, limits and names of the axes."""
    for letter in "xy":
        values = answer[answer.attrs[letter]]
        axes.set(**{f"{letter}scale": answer.attrs[f"{letter}_scale"]})
        axes.set(
            **{
                f"{letter}lim": (float(values[0]), float(values[-1])),
                f"{letter}label": style.axis_label(values, brief(values)),
            }
        )
        if answer.attrs[f"{letter}_scale"] == "log":
            axis = getattr(axes, f"{letter}axis")
            style.digits(axis, *axis.get_view_interval())
