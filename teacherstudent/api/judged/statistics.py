"""The comparison of somebody's draws with a theory, by the judges of `paper_checks.judging`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import optimize

from teacherstudent.api.judged.judgement import Bias
from teacherstudent.house.errors import InputError
from teacherstudent.paper_checks.judging.agreement import Shrinking, quantile, shrinking_bias, within_errors
from teacherstudent.paper_checks.judging.draws import drawn_mean
from teacherstudent.paper_checks.judging.evidence import Verdict
from teacherstudent.paper_checks.judging.finite_size import limit_of_means
from teacherstudent.paper_checks.judging.skewed import (
    BEYOND,
    DOUBT,
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
    """Means (Q,) with their errors and the theory, NaN where it says nothing; `seen` is what could be seen.

    verdict: on the means where there is a theory. of_rate: on the exponent of the bias, where one is
    declared. crooked: whether no power of size is known to fit the bias.
    """

    mean: np.ndarray
    stderr: np.ndarray
    claimed: np.ndarray
    seen: np.ndarray
    verdict: Verdict
    of_rate: Verdict | None = None
    bias: Bias | None = None
    crooked: bool = False
    said: tuple[str, ...] = ()

    @property
    def residuals(self) -> np.ndarray:
        """Mean minus theory in standard errors (Q,)."""
        return (self.mean - self.claimed) * self.verdict.threshold / self.seen

    @property
    def refuted(self) -> bool:
        """Whether the theory is wrong for sure, somewhere or in its rate."""
        return self.verdict.refutes or (self.of_rate is not None and self.of_rate.refutes)


def compare(samples: By, claims: By, exact: bool, exponent: float | None, level: float) -> Compared:
    """Draws against a theory: at each size where it is exact there or alone, otherwise in the limit."""
    if len(samples) == 1 or exact:
        drawn = [drawn_mean(each) for each in samples.values()]
        mean, stderr = (
            np.concatenate([getattr(each, name) for each in drawn]) for name in ("mean", "stderr")
        )
        return _judged(samples, mean, stderr, np.concatenate([claims[size] for size in samples]), level)
    return _in_the_limit(samples, claims, exponent, level)


def allowed(samples: By, points: int, level: float, count: int = 0) -> float:
    """The quantile for that many points of draws as skewed as these may be, or for `count` of them."""
    found = []
    for sample in samples.values():
        draws = count or len(sample)
        skew = typical_skewness(sample) + DOUBT * skewness_error(draws)
        found.append(skewed_quantile(points, draws, skew, level))
    return max(found)


def _judged(
    samples: By, mean: np.ndarray, stderr: np.ndarray, claimed: np.ndarray, level: float, count: int = 0
) -> Compared:
    threshold = allowed(samples, len(mean), level, count)
    rounding = SINGLE * np.abs(mean).max()
    bias = np.where(threshold * stderr < rounding, rounding, 0.0)
    told = ~np.isnan(claimed)
    verdict = within_errors(
        *(each[told] for each in (mean, claimed, stderr)),
        degrees=min(map(len, samples.values())) - 1,
        bias=bias[told],
        threshold=threshold,
        false_alarm=level,
    )
    smallest = 64 * np.finfo(float).eps * np.maximum(1.0, np.abs(mean))
    return Compared(mean, stderr, claimed, threshold * np.maximum(stderr, smallest) + bias, verdict)


def _in_the_limit(samples: By, claims: By, exponent: float | None, level: float) -> Compared:
    """The bias by size with its exponent, and the means extrapolated by that to infinite size."""
    level = level if exponent is None else level / 2  # two verdicts
    last = claims[max(claims)]
    told = np.all([np.ptp(samples[size], axis=0) > 0 for size in samples], axis=0)
    told &= np.all([~np.isnan(claim) for claim in claims.values()], axis=0)
    if not told.any():
        raise InputError(
            "draws", "(without spread)", "draws that differ, at a point where theory has a number"
        )
    gaps = {size: (samples[size] - claims[size])[:, told] for size in sorted(samples)}
    groups = min(GROUPS, *map(len, gaps.values()))
    with np.errstate(all="ignore"):  # exponents that a search passes on its way
        fitted = shrinking_bias(list(gaps), list(gaps.values()), -(exponent or 1.0), groups)
    without = [
        {size: gap[np.arange(len(gap)) % groups != left] for size, gap in gaps.items()}
        for left in range(groups if exponent is None else 0)
    ]
    power, free = exponent or 1.0, [_power(some) for some in without]
    said: list[str] = []
    found, doubt = (_power(gaps), _jackknifed(free)) if free else (power, 0.0)
    within = 1.05 * POWERS[0] < found < 0.95 * POWERS[1]
    if free and within and quantile(1, groups - 1, level) * doubt < found:
        power, said = found, [f"extrapolated as size^-{found:.3g}, +-{doubt:.2g}"]
    elif free:
        said = [
            "the bias is too small to measure its exponent from these means alone: extrapolated as 1/size"
        ]
        free = []
    limit, stderr, powers, crooked = _extrapolated(gaps, power, level)
    if len(powers) > 1:
        said.append(f"the bias is not size^-{power:.3g} alone: its square was fitted as well")
    if free:
        many = range(1, 1 + len(powers))
        stderr = _jackknifed(
            [
                limit_of_means(*each)[0]
                for each in zip(without, [[k * p for k in many] for p in free], strict=True)
            ]
        )
    own = {size: samples[size][:, told] for size in samples}
    seen = _judged(own, last[told] + limit, stderr, last[told], level, groups if free else 0)
    mean, errors, allowed_at = (np.full(len(last), np.nan) for _ in range(3))
    mean[told], errors[told], allowed_at[told] = seen.mean, stderr, seen.seen
    claimed = np.where(told, last, np.nan)
    measured = -fitted.exponent > quantile(1, groups - 1, level) * fitted.exponent_stderr
    rate = _rate(fitted, exponent, level)
    bias = Bias(
        tuple(gaps), -fitted.exponent if measured else np.nan, fitted.exponent_stderr, exponent,
        float(np.abs(fitted.bias).max() * (max(gaps) / min(gaps)) ** -power),
    )  # fmt: skip
    return Compared(mean, errors, claimed, allowed_at, seen.verdict, rate, bias, crooked, tuple(said))


def _power(gaps: By) -> float:
    """The power of size that fits the means best, with any limit."""

    def misfit(power: float) -> float:
        return float((limit_of_means(gaps, (power,))[2] ** 2).sum())

    return float(optimize.minimize_scalar(misfit, bounds=POWERS, method="bounded").x)


def _jackknifed(left_out: Sequence[Any]) -> Any:
    """One standard error of what was computed without each group of draws."""
    return np.sqrt((len(left_out) - 1) * np.var(left_out, axis=0))


def _extrapolated(
    gaps: By, power: float, level: float
) -> tuple[np.ndarray, np.ndarray, tuple[float, ...], bool]:
    """The gap at infinite size, its error, the powers of the fit, and whether no fit is known to hold."""
    powers: tuple[float, ...]
    for powers in ((power,), (power, 2 * power)):
        limit, stderr, misfit = limit_of_means(gaps, powers)
        most = quantile(misfit.size, min(map(len, gaps.values())) - 1, level)
        if np.abs(misfit).max() <= most:
            break
    crooked = np.abs(misfit).max() > most or len(gaps) == 1 + len(powers)
    return limit, stderr, powers, bool(crooked)


def _rate(fitted: Shrinking, exponent: float | None, level: float) -> Verdict | None:
    """The verdict on the declared exponent."""
    if exponent is None:
        return None
    whole = float(exponent).is_integer()
    return fitted.verdict(-exponent, whole, 0.0 if whole else fitted.bend, level)


def draws_that_would_do(samples: By, error_of_one: float, points: int, level: float) -> int | None:
    """How many draws see an error of 1 where one draw has that standard error: two digits, upwards.

    None where nobody draws so many.
    """
    if not error_of_one < BEYOND:
        return None

    def wanted(count: float) -> float:
        return float((allowed(samples, points, level, round(count)) * error_of_one) ** 2)

    low = max(float((quantile(points, None, level) * error_of_one) ** 2), 3.0)  # of normal draws, at best
    high = max(wanted(low), low)
    while high > 1.05 * low:
        middle = np.sqrt(low * high)
        low, high = (low, middle) if wanted(middle) <= middle else (middle, high)
    unit = 10 ** max(0, len(str(round(high))) - 2)
    return int(-(-high // unit) * unit)
