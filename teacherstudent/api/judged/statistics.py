"""The comparison of somebody's draws with a theory, by the judges of `paper_checks.judging`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import optimize

from teacherstudent.api.judged.judgement import Bias
from teacherstudent.house.errors import InputError
from teacherstudent.paper_checks.judging.agreement import quantile, shrinking_bias, within_errors
from teacherstudent.paper_checks.judging.draws import drawn_mean
from teacherstudent.paper_checks.judging.evidence import Verdict
from teacherstudent.paper_checks.judging.finite_size import limit_of_means
from teacherstudent.paper_checks.judging.skewed import (
    BEYOND,
    DOUBT,
    reach,
    skewed_quantile,
    skewness_error,
    typical_skewness,
)

By = Mapping[float, np.ndarray]
"""Draws (S, P), or a theory (P,), by size; by 0 where there is one size."""

SINGLE = 64 * 2.0**-23
"""Rounding of values in single precision, relative to the largest: so far may draws without spread be off."""

POWERS = (0.1, 6.0)
"""Between these the power of a bias is sought."""

GROUPS = 50
"""Of draws that a jackknife leaves out one after another."""


@dataclass(frozen=True)
class Compared:
    """Means (Q,) with their errors, and the theory, NaN where it gives no value.

    allowed: largest differences (Q,) at which the theory is accepted. seen: the smallest errors (Q,) that
    would be detected. verdict: the verdict on the means at points with a theory. of_rate: the verdict on the
    exponent of the bias, if one is declared. crooked: whether no power of the size fits the bias.
    """

    mean: np.ndarray
    stderr: np.ndarray
    claimed: np.ndarray
    allowed: np.ndarray
    seen: np.ndarray
    verdict: Verdict
    of_rate: Verdict | None = None
    bias: Bias | None = None
    crooked: bool = False
    said: tuple[str, ...] = ()

    @property
    def residuals(self) -> np.ndarray:
        """Mean minus theory in standard errors (Q,)."""
        return (self.mean - self.claimed) * self.verdict.threshold / self.allowed

    @property
    def refuted(self) -> bool:
        """Whether the draws refute the theory, at a point or in the rate of its bias."""
        return self.verdict.refutes or (self.of_rate is not None and self.of_rate.refutes)


def compare(samples: By, claims: By, exact: bool, exponent: float | None, level: float) -> Compared:
    """Compare draws with a theory, in the limit if there are several sizes and it is not exact at each."""
    if len(samples) > 1 and not exact:
        return _in_the_limit(samples, claims, exponent, level)
    drawn = [drawn_mean(each) for each in samples.values()]
    mean, stderr = (np.concatenate([getattr(each, name) for each in drawn]) for name in ("mean", "stderr"))
    return Compared(
        *_judged(samples, mean, stderr, np.concatenate([claims[size] for size in samples]), level)
    )


def thresholds(samples: By, points: int, level: float, count: int = 0) -> tuple[float, float]:
    """The numbers of standard errors that are allowed and that are detectable, for that many points.

    They hold for draws as skewed as these may be, or for `count` such draws.
    """
    found = []
    for sample in samples.values():
        draws, skew = count or len(sample), typical_skewness(sample)
        allowed = skewed_quantile(points, draws, skew + DOUBT * skewness_error(draws), level)
        found.append((allowed, max(reach(points, draws, skew, level), allowed)))
    return max(each[0] for each in found), max(each[1] for each in found)


def _judged(
    samples: By, mean: np.ndarray, stderr: np.ndarray, claimed: np.ndarray, level: float, count: int = 0
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray, Verdict]:
    """The first fields of what is compared."""
    threshold, seen = thresholds(samples, len(mean), level, count)
    rounding = SINGLE * np.abs(mean).max()
    bias = np.where(threshold * stderr < rounding, rounding, 0.0)
    told = ~np.isnan(claimed)
    verdict = within_errors(
        *(each[told] for each in (mean, claimed, stderr)),
        bias=bias[told],
        threshold=threshold,
        false_alarm=level,
    )
    allowed = threshold * np.maximum(stderr, 64 * np.finfo(float).eps * np.maximum(1.0, np.abs(mean))) + bias
    return mean, stderr, claimed, allowed, allowed * (seen / threshold), verdict


def _in_the_limit(samples: By, claims: By, exponent: float | None, level: float) -> Compared:
    """The bias by size with its exponent, and the means extrapolated by that to infinite size."""
    level = level if exponent is None else level / 2  # two verdicts
    last = claims[max(claims)]
    told = np.all([(np.ptp(each, axis=0) > 0) & ~np.isnan(claims[k]) for k, each in samples.items()], axis=0)
    if not told.any():
        domain = "draws that differ, at a point where theory has a number"
        raise InputError("draws", "(without spread)", domain)
    gaps = {size: (samples[size] - claims[size])[:, told] for size in sorted(samples)}
    groups = min(GROUPS, *map(len, gaps.values()))
    with np.errstate(all="ignore"):  # exponents that a search passes on its way
        fitted = shrinking_bias(list(gaps), list(gaps.values()), -(exponent or 1.0), groups)
    power, free, said = _powers(gaps, exponent, groups, level)
    limit, stderr, order, crooked = _extrapolated(gaps, power, level)
    if order > 1:
        said += (f"the bias is not size^-{power:.3g} alone: its square was fitted as well",)
    if free:
        many = range(1, 1 + order)
        limits = [
            limit_of_means(_without(gaps, i, groups), [k * p for k in many])[0] for i, p in enumerate(free)
        ]
        stderr = _jackknifed(limits)
    own = {size: each[:, told] for size, each in samples.items()}
    *shown, verdict = _judged(own, last[told] + limit, stderr, last[told], level, groups if free else 0)
    whole = np.full((len(shown), len(last)), np.nan)
    whole[:, told] = shown
    rate = None
    if exponent is not None:
        even = float(exponent).is_integer()
        rate = fitted.verdict(-exponent, even, 0.0 if even else fitted.bend, level)
    measured = -fitted.exponent > quantile(1, groups - 1, level) * fitted.exponent_stderr
    left = float(np.abs(fitted.bias).max() * (max(gaps) / min(gaps)) ** -power)
    found = -fitted.exponent if measured else np.nan
    bias = Bias(tuple(gaps), found, fitted.exponent_stderr, exponent, left)
    mean, error, claimed, allowed, seen = whole
    return Compared(mean, error, claimed, allowed, seen, verdict, rate, bias, crooked, said)


def _powers(
    gaps: By, exponent: float | None, groups: int, level: float
) -> tuple[float, list[float], tuple[str, ...]]:
    """The power of the bias, where it is measured also that without each group of draws, and what is said."""
    if exponent is not None:
        return exponent or 1.0, [], ()
    free = [_power(_without(gaps, left, groups)) for left in range(groups)]
    found, doubt = _power(gaps), _jackknifed(free)
    within = 1.05 * POWERS[0] < found < 0.95 * POWERS[1]
    if within and quantile(1, groups - 1, level) * doubt < found:
        return found, free, (f"extrapolated as size^-{found:.3g}, +-{doubt:.2g}",)
    said = "the bias is too small to measure its exponent from these means; it is extrapolated as 1/size"
    return 1.0, [], (said,)


def _without(gaps: By, left: int, groups: int) -> By:
    """Draws without one group of them."""
    return {size: gap[np.arange(len(gap)) % groups != left] for size, gap in gaps.items()}


def _power(gaps: By) -> float:
    """The power of size that fits the means best, with any limit."""

    def misfit(power: float) -> float:
        return float((limit_of_means(gaps, (power,))[2] ** 2).sum())

    return float(optimize.minimize_scalar(misfit, bounds=POWERS, method="bounded").x)


def _jackknifed(left_out: Sequence[Any]) -> Any:
    """One standard error of what was computed without each group of draws."""
    return np.sqrt((len(left_out) - 1) * np.var(left_out, axis=0))


def _extrapolated(gaps: By, power: float, level: float) -> tuple[np.ndarray, np.ndarray, int, bool]:
    """The gap at infinite size, its error, the powers of the fit, and whether no fit is known to hold."""
    for order in (1, 2):
        limit, stderr, misfit = limit_of_means(gaps, [power * k for k in range(1, 1 + order)])
        most = quantile(misfit.size, min(map(len, gaps.values())) - 1, level)
        if fits := bool(np.abs(misfit).max() <= most):
            break
    return limit, stderr, order, not fits or len(gaps) == 1 + order


def draws_that_would_do(samples: By, error_of_one: float, points: int, level: float) -> int | None:
    """How many draws detect an error of 1 if one draw has that standard error, rounded up to two digits.

    None if the number is impractically large.
    """
    if not error_of_one < BEYOND:
        return None

    def wanted(count: float) -> float:
        return float((thresholds(samples, points, level, round(count))[1] * error_of_one) ** 2)

    low = max(float((quantile(points, None, level) * error_of_one) ** 2), 3.0)  # of normal draws, at best
    high = max(wanted(low), low)
    while high > 1.05 * low:
        middle = np.sqrt(low * high)
        low, high = (low, middle) if wanted(middle) <= middle else (middle, high)
    unit = 10 ** max(0, len(str(round(high))) - 2)
    return int(-(-high // unit) * unit)
