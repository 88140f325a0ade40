"""How far the formulas can be trusted on these rows: what subsets measured, and how unlike the rows are."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import xarray as xr

from teacherstudent.paper_checks.judging.agreement import quantile
from teacherstudent.theory.measured_spectrum.trust import INVENTED, SURE

TRUST, BAND, DISTRUST = "trust", "band", "do not trust"
CLOSE, NEAR = 0.05, 0.2
"""Relative differences: with its error below the first, a prediction is trusted; less its error above the
second, it is not."""

DOUBT = 0.05
"""Probability that chance alone moves any difference of a curve further than its error is said to be."""

BEFORE, AT, AFTER = "before the stop", "at the stop", "after the stop"
REGIMES = (BEFORE, AT, AFTER)
PARTS = {"Until the stop": (BEFORE, AT), "After the stop": (AFTER,)}
"""What is said of whole parts of training."""


@dataclass(frozen=True)
class Judged:
    """One regime at one size. `difference` of theory from what was measured, over theory, and its 95 %
    `error` stand where the two together are largest.

    bound: how far a prediction may be off. spread: the largest, NaN where one is unknown. verdict: the least
    trusting of all times.
    """

    regime: str
    difference: float
    error: float
    bound: float
    spread: float
    verdict: str


def verdict(difference: float, error: float, spread: float) -> str:
    """That on a relative difference that may be off by an error, among rows of that spread."""
    if abs(difference) + error <= CLOSE and spread < SURE:
        return TRUST
    return BAND if abs(difference) - error <= NEAR and spread < INVENTED else DISTRUST


def factor(answer: xr.Dataset) -> float:
    """What makes a standard error of a measured mean a 95 % error, simultaneous over all marks of a size."""
    return quantile(answer.sizes["mark"], int(answer.attrs["n_seeds"]) - 1, DOUBT)


def preferred(pool: xr.DataArray, corrected: xr.DataArray) -> xr.DataArray:
    """The formula corrected by leverages, which comes closer on real rows; that of a pool where it is NaN."""
    return corrected.where(corrected.notnull(), pool)


def at_marks(answer: xr.Dataset, name: str = "error") -> xr.DataArray:
    """The pool's formula at the times that were measured, (size, mark)."""
    return answer[name].sel(time=answer["mark"].values).rename(time="mark").assign_coords(mark=answer["mark"])


def judged(answer: xr.Dataset, size: int) -> list[Judged]:
    """The verdict on each regime that has marks, at one size.

    Differences are in units of the theory: few subsets know their own mean badly. Their errors are quantiles
    of Student for so many subsets and marks.
    """
    here = answer.sel(size=size)
    theory = preferred(at_marks(answer).sel(size=size), here["corrected"])
    difference = ((theory - here["measured"]) / theory).values
    stderr = (here["measured_stderr"] / theory).values
    widened = factor(answer) * stderr
    spread, bound = here["spread"].values, np.abs(difference) + widened
    nearest, places = nearest_mark(answer, size), np.arange(difference.size)
    found = []
    for regime, among in zip(REGIMES, (places < nearest, places == nearest, places > nearest), strict=True):
        known = places[among & np.isfinite(difference)]
        if known.size:
            worst = known[np.argmax(bound[known])]
            verdicts = [verdict(difference[at], widened[at], spread[at]) for at in known]
            off, error, most = (float(each[worst]) for each in (difference, widened, bound))
            found.append(Judged(regime, off, error, most, float(spread[known].max()), overall(verdicts)))
    return found


def nearest_mark(answer: xr.Dataset, size: int) -> int:
    """The mark nearest to the best time to stop."""
    marks, stop = answer["mark"].values, float(answer["stopping"].sel(n=size))
    return int(np.argmin(np.abs(np.log(np.maximum(marks, 1e-300) / max(stop, 1e-300)))))


def overall(verdicts: list[str]) -> str:
    """The least trusting of several."""
    return max(verdicts, key=(TRUST, BAND, DISTRUST).index)
