"""The plane of alignment R and norm Q, in which training is a path: its risk, its edge, the way of time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import xarray as xr

from teacherstudent.figures.declaration import Axes
from teacherstudent.figures.kit import legends, style

if TYPE_CHECKING:
    from matplotlib.contour import ContourSet

EDGE = {"ec": "0.75", "hatch": "//", "lw": 0}
"""What no student can reach."""
IMPOSSIBLE = legends.area("impossible: $Q < R^2$", "white", **EDGE)
HEAD = {"arrowstyle": "-|>,head_length=0.5,head_width=0.25", "lw": 1.2}


def plane(answer: xr.Dataset, highest: float = 1.4) -> xr.Dataset:
    """The excess risk of every (R, Q) by Eq. 4.2.6, to the `highest` Q, and the least Q that an R allows."""
    R = xr.DataArray(np.linspace(0, 1.05, 106), dims="R", attrs=answer["R"].attrs)
    Q = xr.DataArray(np.linspace(0, highest, round(100 * highest) + 1), dims="Q", attrs=answer["Q"].attrs)
    risk = ((1 - 2 * R + Q) / 2).transpose("Q", "R")  # Eq. 4.2.6
    least = R**2  # Cauchy-Schwarz in Eq. 4.2.7, |w|^2 = d
    return xr.Dataset(
        {
            "excess_risk": risk.assign_attrs(answer["excess_risk"].attrs),
            "least_Q": least.assign_attrs(answer["Q"].attrs),
        },
        {"R": R, "Q": Q},
    )


def background(axes: Axes, plane: xr.Dataset) -> ContourSet:
    """Contours of the excess risk, a tenth apart; what no student can reach is hatched.

    Returns what a colour bar needs.
    """
    from matplotlib import colormaps
    from matplotlib.colors import ListedColormap

    pale = ListedColormap(colormaps["Greys"](np.linspace(0, 0.4, 256)))
    risk = plane["excess_risk"].clip(min=0)
    levels = 0.1 * np.arange(np.ceil(10 * float(risk.max())) + 1)
    filled = axes.contourf(plane["R"], plane["Q"], risk, levels, cmap=pale)
    axes.fill_between(plane["R"], 0, plane["least_Q"], fc="white", **EDGE)
    axes.plot(plane["R"], plane["least_Q"], color="0.4", lw=0.8)
    axes.set(xlim=(0, 1.05), ylim=(0, float(plane["Q"].max())))
    axes.set_xlabel(style.axis_label(plane["R"]))
    axes.set_ylabel(style.axis_label(plane["Q"]))
    return filled


def arrow(axes: Axes, answer: xr.Dataset, colour: str, share: float) -> None:
    """Which way time runs, at that share of the length of a path."""
    path = np.stack([answer["R"].values, answer["Q"].values], axis=-1)
    length = np.concatenate([[0], np.linalg.norm(np.diff(path, axis=0), axis=-1).cumsum()])
    tail, head = (
        [np.interp(at * length[-1], length, x) for x in path.T] for at in (share - 0.01, share + 0.01)
    )
    axes.annotate("", head, tail, arrowprops={**HEAD, "color": colour}, zorder=4)
