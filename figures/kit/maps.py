"""Maps: a plane of two parameters coloured by a number of theory, with simulated spots on top.

At a few spots the same number is measured by simulation; the map states by how much each differs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import xarray as xr

from teacherstudent.figures.declaration import Axes
from teacherstudent.paper_checks.judging.draws import drawn_mean

SPOT: dict[str, Any] = {"ls": "none", "ms": 8, "mfc": "white", "mec": "black", "mew": 1.3}
PALE: dict[str, Any] = {"fc": "white", "ec": "none", "alpha": 0.85, "pad": 0.8}
"""The box behind words on a map."""
ASIDE: dict[str, Any] = {"shift": (7, -3), "ha": "left"}
"""Words on the right of a spot."""


def field(axes: Axes, values: xr.DataArray, x: str, y: str, label: str = "", **shades: Any) -> Any:
    """Values as shades over x and y, cell by cell, and a colour bar of that label where there is one.

    Returns what another colour bar needs.
    """
    cells = values.transpose(y, x)
    shown = axes.pcolormesh(values[x], values[y], cells, shading="nearest", rasterized=True, **shades)
    if label:
        axes.figure.colorbar(shown, ax=axes, label=label)
    return shown


def score(claimed: float, drawn: np.ndarray) -> dict[str, float]:
    """A claim and draws (S,) at one spot: their mean, its standard error, and z, the distance in these."""
    at = drawn_mean(drawn)
    z = (at.mean - claimed) / at.stderr
    return {"claimed": claimed, "simulated": at.mean, "stderr": at.stderr, "z": z}


def paired(claimed: np.ndarray, drawn: np.ndarray) -> dict[str, float]:
    """A claim for each draw and the draws, (S,) both: means, the standard error of the simulated one, and z.

    z is the mean difference, draw by draw, in its own standard errors.
    """
    apart, at = drawn_mean(drawn - claimed), drawn_mean(drawn)
    ratio = apart.mean / apart.stderr
    return {"claimed": float(claimed.mean()), "simulated": at.mean, "stderr": at.stderr, "z": float(ratio)}


def spots(rows: Sequence[Mapping[str, Any]], **attrs: Any) -> xr.Dataset:
    """All spots of a map, from a row for each, along `spot`; 0 where a row lacks a column of another."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    return xr.Dataset({name: ("spot", [row.get(name, 0.0) for row in rows]) for name in names}, attrs=attrs)


def mark(
    axes: Axes,
    spots: xr.Dataset,
    x: str,
    y: str,
    says: Callable[[xr.Dataset], str] = lambda spot: f"z = {float(spot['z']):+.1f}",
    **how: Any,
) -> None:
    """Each spot: up where the simulated number is positive, down where it is negative, and what it `says`.

    how: where that is written (`write`).
    """
    for i in range(spots.sizes["spot"]):
        spot = spots.isel(spot=i)
        place = float(spot[x]), float(spot[y])
        axes.plot(*place, **SPOT, marker="^" if float(spot["simulated"]) > 0 else "v", zorder=6)
        write(axes, says(spot), place, **how)


def write(
    axes: Axes,
    words: str,
    place: tuple[float, float],
    shift: tuple[float, float] = (0, 6),
    ha: str = "center",
) -> None:
    """Words next to a place, above it unless shifted by a number of points."""
    axes.annotate(
        words,
        place,
        xytext=shift,
        textcoords="offset points",
        bbox=PALE,
        zorder=6,
        ha=ha,
    )
