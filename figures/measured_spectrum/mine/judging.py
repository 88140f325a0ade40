"""How far the formulas can be trusted on these rows: what subsets measured, and how unlike the rows are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import xarray as xr

from teacherstudent.figures.measured_spectrum.mine import judging
from teacherstudent.paper_checks.judging.agreement import quantile
from teacherstudent.theory.measured_spectrum.evidence import expected_rate_error
from teacherstudent.theory.measured_spectrum.trust import INVENTED, SURE

TRUST, BAND, DISTRUST = ORDER = ("trust", "band", "do not trust")
CLOSE, NEAR = 0.05, 0.2
"""Relative differences: with its error below the first, a prediction is trusted; less its error above the
second, it is not."""

DOUBT = 0.05
"""Probability that chance alone moves any difference of a curve further than its error is said to be."""

ROUNDING, REFUTED = 1e-8, 100.0
"""Share of the targets' variance below which an error is 0: routes are exact to 1e-10 of the largest, so
that 1 % of smaller ones is rounding. What was measured refutes a 0 where it is so many times that share."""

NEGLIGIBLE = 1e-4
"""Share of the targets' variance: differences are in units of errors that are at least as large."""

BEFORE, AT, AFTER = "before the stop", "at the stop", "after the stop"
REGIMES = (BEFORE, AT, AFTER)
PARTS = {"Until the stop": (BEFORE, AT), "After the stop": (AFTER,)}
"""What is said of whole parts of training."""


@dataclass(frozen=True)
class Judged:
    """One regime at one size, as the rule sees it: `verdict(difference, error, spread)` is its verdict.

    difference of theory from what was measured, over theory, and its error, 95 % for all times of the size
    together, stand at the time whose verdict is the least trusting, and of several at that where the two
    together are largest. bound: how far a prediction may be off. spread: the largest, NaN where one is not
    known.
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


def preferred(pool: xr.DataArray, corrected: xr.DataArray) -> xr.DataArray:
    """The formula corrected by leverages, which comes closer on real rows; that of a pool where it is NaN."""
    return corrected.where(corrected.notnull(), pool)


def at_marks(answer: xr.Dataset) -> xr.DataArray:
    """The pool's formula at the times that were measured, (size, mark)."""
    return (
        answer["error"].sel(time=answer["mark"].values).rename(time="mark").assign_coords(mark=answer["mark"])
    )


def factors(answer: xr.Dataset) -> tuple[float, float]:
    """What makes 95 % of a standard error over subsets: of one mean, and of all marks of a size together."""
    draws = int(answer.attrs["n_seeds"]) - 1
    return quantile(1, draws, DOUBT), quantile(answer.sizes["mark"], draws, DOUBT)


def differences(answer: xr.Dataset) -> tuple[xr.DataArray, xr.DataArray]:
    """Theory minus what was measured, over theory, with its simultaneous error, (size, mark) each.

    Where theory is below `NEGLIGIBLE` of the target's variance, over that: a share of almost nothing is
    no reason for doubt. Both are 0 where theory is 0 to rounding and nothing much larger was measured: of
    rounding no relative difference is known.
    """
    theory = preferred(at_marks(answer), answer["corrected"])
    floor = ROUNDING * float(answer["variance"])
    error = factors(answer)[1] * answer["measured_stderr"]
    nothing = (theory <= floor) & (answer["measured"] - error <= REFUTED * floor)
    scale = np.maximum(theory, NEGLIGIBLE * float(answer["variance"]))
    return (
        ((theory - answer["measured"]) / scale).where(~nothing, 0.0),
        (error / scale).where(~nothing, 0.0),
    )


def judged(answer: xr.Dataset, size: int) -> list[Judged]:
    """The verdict on each regime that has marks, at one size.

    Differences are in units of the theory: few subsets know their own mean badly. Their errors are quantiles
    of Student for so many subsets and marks.
    """
    difference, error = (each.sel(size=size).values for each in differences(answer))
    spread, bound = answer["spread"].sel(size=size).values, np.abs(difference) + error
    nearest, places = nearest_mark(answer, size), np.arange(difference.size)
    found = []
    for regime, among in zip(REGIMES, (places < nearest, places == nearest, places > nearest), strict=True):
        known = places[among & np.isfinite(difference)]
        if known.size:
            ranks = [ORDER.index(verdict(difference[at], error[at], 0.0)) for at in known]
            worst = max(zip(ranks, bound[known], known, strict=True))[-1]
            off, by, most = float(difference[worst]), float(error[worst]), float(spread[known].max())
            said = verdict(off, by, most)
            found.append(Judged(regime, off, by, float(bound[known].max()), most, said))
    return found


def nearest_mark(answer: xr.Dataset, size: int) -> int:
    """The mark nearest to the best time to stop."""
    marks, stop = answer["mark"].values, float(answer["stopping"].sel(n=size))
    return int(np.argmin(np.abs(np.log(np.maximum(marks, 1e-300) / max(stop, 1e-300)))))


def overall(verdicts: list[str]) -> str:
    """The least trusting of several."""
    return max(verdicts, key=ORDER.index)


def at_stop(answer: xr.Dataset, size: int) -> dict[str, Any] | None:
    """The rate at the mark nearest to the best stop of a size; None of targets that are no classes.

    The error is 95 %: what was measured on other data sets of that spread in nine cases of ten, or the
    difference from these subsets with its own error, whichever is more. The verdict follows the rule of the
    squared error.
    """
    if "corrected_rate" not in answer:
        return None
    mark = judging.nearest_mark(answer, size)
    here = answer.sel(size=size).isel(mark=mark)
    value, measured = float(here["corrected_rate"]), float(here["measured_rate"])
    single, together = judging.factors(answer)
    stderr, spread = float(here["measured_rate_stderr"]), float(here["spread"])
    error = max(
        expected_rate_error(spread, size).leverage.most * value, abs(value - measured) + single * stderr
    )
    relative = (value - measured) / value if value else np.nan
    return {
        "value": value,
        "error": error,
        "measured": {"value": measured, "error": single * stderr},
        "verdict": judging.verdict(relative, together * stderr / value if value else np.nan, spread),
    }
