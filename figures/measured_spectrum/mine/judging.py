"""How far the formulas can be trusted on these rows: what subsets measured, and how unlike the rows are."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import xarray as xr

from teacherstudent.theory.measured_spectrum.trust import INVENTED, SURE

TRUST, BAND, DISTRUST = "trust", "band", "do not trust"
CLOSE, NEAR = 0.05, 0.2
"""Relative differences: with twice its error below the first, a prediction is trusted; less twice its error
above the second, it is not."""

QUANTILE = 2.0
"""Standard errors that a measured difference may be off by."""

BEFORE, AT, AFTER = "before the stop", "at the stop", "after the stop"
REGIMES = (BEFORE, AT, AFTER)
PARTS = {"Until the stop": (BEFORE, AT), "After the stop": (AFTER,)}
"""What is said of whole parts of training."""


@dataclass(frozen=True)
class Judged:
    """One regime at one size: the largest relative difference of theory from what was measured there, its
    standard error, the largest spread, and the verdict."""

    regime: str
    difference: float
    stderr: float
    spread: float

    @property
    def bound(self) -> float:
        """How far a prediction may be off."""
        return abs(self.difference) + QUANTILE * self.stderr

    @property
    def verdict(self) -> str:
        if self.bound <= CLOSE and self.spread < SURE:
            return TRUST
        off = abs(self.difference) - QUANTILE * self.stderr > NEAR
        return BAND if not off and self.spread < INVENTED else DISTRUST


def preferred(pool: xr.DataArray, corrected: xr.DataArray) -> xr.DataArray:
    """The formula corrected by leverages, which comes closer on real rows; that of a pool where it is NaN."""
    return corrected.where(corrected.notnull(), pool)


def at_marks(answer: xr.Dataset, name: str = "error") -> xr.DataArray:
    """The pool's formula at the times that were measured, (size, mark)."""
    return answer[name].sel(time=answer["mark"].values).rename(time="mark").assign_coords(mark=answer["mark"])


def judged(answer: xr.Dataset, size: int) -> list[Judged]:
    """The verdict on each regime that has marks, at one size."""
    here = answer.sel(size=size)
    theory = preferred(at_marks(answer).sel(size=size), here["corrected"])
    difference = ((theory - here["measured"]) / here["measured"]).values
    stderr = (here["measured_stderr"] / here["measured"]).values
    spread = here["spread"].values
    marks, stop = answer["mark"].values, float(answer["stopping"].sel(n=size))
    nearest = int(np.argmin(np.abs(np.log(np.maximum(marks, 1e-300) / max(stop, 1e-300)))))
    places = np.arange(marks.size)
    found = []
    for regime, among in zip(REGIMES, (places < nearest, places == nearest, places > nearest), strict=True):
        known = places[among & np.isfinite(difference)]
        if known.size:
            worst = known[np.argmax(np.abs(difference[known]))]
            most = float(np.nanmax(spread[known]))
            found.append(Judged(regime, float(difference[worst]), float(stderr[worst]), most))
    return found


def overall(verdicts: list[str]) -> str:
    """The least trusting of several."""
    return max(verdicts, key=(TRUST, BAND, DISTRUST).index)
