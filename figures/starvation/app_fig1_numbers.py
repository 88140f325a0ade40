"""The numbers behind App. Fig. 1 of pezeshki2022: paths of both witnesses, and where they end."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import xarray as xr

from teacherstudent.figures.declaration import Numbers
from teacherstudent.figures.kit.comparison import Curve
from teacherstudent.house.grids import Span

SETTING = {"s2": 2.0, "delta": 0.5}
FIRST = (2.0, 3.0, 4.0, 5.0, 6.0)
"""Strengths s1 of the paths."""
LOCUS = Span(2.0, 6.0, 33, "lin")
"""Strengths s1 of the line that joins the ends."""
ALPHA0 = 1e-6
"""Start of the duals, an output below 0.01, and well above a learning rate: they move by steps, not leaps."""
SHARES = [i / 16 for i in range(1, 16)] + [1 - 1e-6]
"""Of a path's length: where simulations are recorded."""
SETTLED = 1e-9
"""Step-size errors below this, in margins, drown in rounding: a path has ended there."""

ERROR = {
    "units": "step-size errors",
    "symbol": "e",
    "long_name": "distance of theory and of simulation extrapolated to learning rate 0",
}
SHARE = {"units": "1", "symbol": "l", "long_name": "share of the path's length"}


@dataclass(frozen=True)
class Kind:
    """A dynamics on its own clock: regulariser, learning rate, and times that hold its whole path."""

    dynamics: str
    ridge: float
    learning_rate: float
    span: Span

    def curve(self, s1: float, **more: Any) -> Curve:
        """The question at this s1; `more` are options of the dynamics."""
        dual = {} if self.dynamics.startswith("primal") else {"alpha0": ALPHA0}
        return Curve("starvation", self.dynamics, {**SETTING, "s1": s1, "ridge": self.ridge, **dual, **more})


RIDGE, DECOUPLING = 0.01, 0.002
PANELS = {
    "ridge": (
        Kind("dual", RIDGE, 2.5e-7, Span(1e-8, 0.1, 400)),
        Kind("primal", RIDGE, 2e-3, Span(1e-5, 3e3, 400)),
    ),
    "decoupling": (
        Kind("decoupled", DECOUPLING, 1e-6, Span(1e-8, 0.5, 400)),
        Kind("primal-decoupled", DECOUPLING, 2e-3, Span(1e-5, 1e4, 400)),
    ),
}


def compute(quick: bool) -> Numbers:
    """Paths by theory and step by step, and the ends. Nothing is drawn: `quick` changes nothing."""
    numbers: Numbers = {}
    for panel, kinds in PANELS.items():
        for kind in kinds:
            for s1 in FIRST:
                numbers |= path(kind, s1)
        numbers[f"ends_{panel}"] = ends(kinds[0], FIRST)
        numbers[f"locus_{panel}"] = ends(kinds[0], LOCUS.values())
    return numbers


def path(kind: Kind, s1: float) -> Numbers:
    """One path: theory all along; simulation at equal shares of its length, with its residual.

    The step-size error of the simulation is what halving the learning rate changes, to first order in
    the rate. Taken off, it leaves the next order: far less than itself where the theory is right.
    """
    flow = kind.curve(s1).by("theory", kind.span)
    z = responses(flow)
    lengths = np.cumsum(np.hypot(*np.diff(z, axis=0, prepend=0).T))  # from the origin
    times = np.exp(np.interp(SHARES, lengths / lengths[-1], np.log(flow["time"])))
    fine, coarse = (
        kind.curve(s1, learning_rate=kind.learning_rate / part).by("simulation", times) for part in (2, 1)
    )
    step = np.linalg.norm(responses(fine) - responses(coarse), axis=-1)
    extrapolated = 2 * responses(fine) - responses(coarse)
    gap = np.linalg.norm(extrapolated - responses(kind.curve(s1).by("theory", times)), axis=-1)
    ratio = np.where(step > SETTLED, gap / step, np.nan)
    at = {"share": ("share", SHARES, SHARE)}
    name = f"{kind.dynamics}_s1_{s1:g}"
    return {
        f"theory_{name}": flow,
        f"simulation_{name}": fine.assign(error=("share", ratio, ERROR))
        .assign_coords(at)
        .assign_attrs(step_error=step.max()),
    }


def ends(kind: Kind, strengths: tuple[float, ...] | list[float]) -> xr.Dataset:
    """Where the loss is least, for each s1; both dynamics of a panel end there."""
    found = [kind.curve(s1).by("fixed-point", [0.0]).isel(time=0, drop=True) for s1 in strengths]
    attrs = {"units": "margin/weight", "symbol": "s_1", "long_name": "strength of feature 1"}
    return xr.concat(found, xr.DataArray(list(strengths), dims="s1", name="s1", attrs=attrs))


def responses(answer: xr.Dataset) -> np.ndarray:
    """z, (T, 2)."""
    return np.stack([answer["z1"], answer["z2"]], axis=-1)
