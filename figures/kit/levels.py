"""Words on level lines: the level, where there is room for it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
import xarray as xr

from teacherstudent.figures.declaration import Axes
from teacherstudent.figures.kit.maps import PALE

WIDE, TALL = 0.11, 0.08
"""Shares of the axes that a word takes."""

PLACES = 60
"""Along a line, at which a word may stand."""

NEAR = 1.0
"""Distance from the frame and from other words, in words, that is enough: a word with less is left out."""


def text(level: float) -> str:
    """A level as it stands on its line: far from 1 by a power of ten."""
    digits, _, power = f"{level:.3e}".partition("e")
    factor = digits.rstrip("0").rstrip(".")
    if level == 0 or abs(int(power)) < 3:
        return f"{level:.4g}"
    sign = re.sub("1$", "", factor) if factor in ("1", "-1") else rf"{factor}\cdot"
    return rf"${sign}10^{{{int(power)}}}$"


def write(axes: Axes, answer: xr.Dataset) -> None:
    """The level of each line, inside the frame and apart from other words, spots and special places."""
    taken = [np.empty((0, 2))]
    for x, y in (("spot_x", "spot_y"), ("special_x", "special_y")):
        if x in answer:
            taken.append(shares(answer, answer[x].values, answer[y].values))
    levels = answer["level"].values
    chains = {i: _chain(answer, i) for i in range(levels.size)}
    taken += [chains[i] for i in chains if not np.isfinite(levels[i])]
    for i in sorted((i for i in chains if np.isfinite(levels[i])), key=lambda i: -_length(chains[i])):
        place = _free(chains[i], np.concatenate(taken))
        if place is None:
            continue
        taken.append(place[None])
        box: Any = {**PALE, "pad": 0.6}
        axes.annotate(
            text(float(levels[i])),
            tuple(place),
            xycoords="axes fraction",
            ha="center",
            va="center",
            bbox=box,
            zorder=5,
        )


def beside(answer: xr.Dataset, x: Any, y: Any, factors: Sequence[float]) -> xr.Dataset:
    """The answer with these spots as its own: level lines have no words at these factors times their x."""
    places = {"spot_x": ("word", np.outer(factors, x).ravel()), "spot_y": ("word", np.tile(y, len(factors)))}
    return answer.assign(places)


def shares(answer: xr.Dataset, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Places as shares of both axes, (P, 2), without those that are NaN."""
    found = []
    for letter, values in (("x", x), ("y", y)):
        ends = answer[answer.attrs[letter]].values[[0, -1]].astype(float)
        if answer.attrs[f"{letter}_scale"] == "log":
            values, ends = np.log(values), np.log(ends)
        found.append((values - ends[0]) / (ends[1] - ends[0]))
    places = np.column_stack(found)
    return places[np.isfinite(places).all(axis=1)]


def _chain(answer: xr.Dataset, i: int) -> np.ndarray:
    """A line as places that are evenly far apart."""
    points = shares(answer, answer["boundary_x"].values[i], answer["boundary_y"].values[i])
    if len(points) < 2:
        return points
    along = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1))])
    even = np.linspace(0, along[-1], PLACES)
    return np.column_stack([np.interp(even, along, points[:, k]) for k in (0, 1)])


def _length(points: np.ndarray) -> float:
    return float(np.linalg.norm(np.diff(points, axis=0), axis=1).sum())


def _free(chain: np.ndarray, taken: np.ndarray) -> np.ndarray | None:
    """The place of a line nearest to its middle that has room for a word; None without."""
    word = np.array([WIDE, TALL])
    edge = (np.minimum(chain, 1 - chain) / word).min(axis=1) + 1 / 2  # a word reaches half its size
    apart = np.abs(chain[:, None] - taken[None]) / word
    room = np.minimum(edge, apart.max(axis=2).min(axis=1, initial=np.inf))
    fit = np.flatnonzero(room >= NEAR)
    if not fit.size:
        return None
    return chain[fit[np.argmin(np.abs(fit - len(chain) / 2))]]
