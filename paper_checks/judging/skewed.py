"""Student's quantile for draws that are skewed, as errors are: a mean far below the truth is then common.

Where few draws show no large one, their mean is too small and so is their standard error. Student's quantile
is that of normal draws, and is exceeded more often than it says. Here the draws are of a gamma law instead,
with the skewness that the draws have, or could have for all that so few of them show.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from scipy import optimize, special, stats

from teacherstudent.paper_checks.judging.agreement import FALSE_ALARM, quantile

DOUBT = 2.0
"""Standard errors of the skewness by which draws may be more skewed than they show."""

UNSEEN = 3.0
"""As many where the question is what new draws may show, which may be more skewed, and spread more."""

RARE = 0.05
"""Rate at which draws show less spread than is allowed for, or new draws miss what is said to be found."""

LARGE = 400
"""Of more draws the skewness is scaled: the statistic's law depends on skewness / sqrt(draws)."""

SAMPLES, LEAST = 1_000_000, 1000
"""Samples for draws squared, and at least, of which a quantile is found to some per cent."""

MOST = 6.0
"""Skewness that is allowed for: draws that show more have tails of which so few say nothing."""

BEYOND = 1e9
"""Standard errors of which nobody sees an error."""

FINE = 0.05
"""Steps in which skewness is rounded upwards, so that quantiles are kept and not computed again."""


def skewness(sample: np.ndarray) -> np.ndarray:
    """Skewness of draws (S, P) at each point with a spread, corrected for S (Fisher's G1); 0 of two draws."""
    count = len(sample)
    varied = sample[:, np.ptp(sample, axis=0) > 0]
    if count < 3:
        return np.zeros(varied.shape[1])
    centred = varied - varied.mean(axis=0)
    third = np.mean((centred / np.sqrt(np.mean(centred**2, axis=0))) ** 3, axis=0)
    corrected: np.ndarray = np.sqrt(count * (count - 1)) / (count - 2) * third
    return corrected


def typical_skewness(sample: np.ndarray) -> float:
    """The size of its median over points; 0 where no draw differs."""
    found = skewness(sample)
    return abs(float(np.median(found))) if found.size else 0.0


def skewness_error(count: int) -> float:
    """One standard error of the skewness of so many normal draws at one point; 0 of fewer than three."""
    if count < 3:
        return 0.0
    return float(np.sqrt(6 * count * (count - 1) / ((count - 2) * (count + 1) * (count + 3))))


def skewed_quantile(points: int, count: int, skew: float, false_alarm: float = FALSE_ALARM) -> float:
    """Two-sided quantile of the standardised mean of `count` gamma draws of that skewness, for `points` of
    them.

    At least Student's, which is that of no skewness; at most `BEYOND`.
    """
    student = quantile(points, count - 1, false_alarm)
    count, skew = _rounded(count, skew)
    return max(student, _quantile_of_gamma(points, count, skew, false_alarm)) if skew else student


def reach(points: int, count: int, skew: float, false_alarm: float = FALSE_ALARM) -> float:
    """Standard errors of an error of which twice is found in 95 % of new draws of that number and law.

    The quantile at an upper bound of the skewness, times by how much the spread of draws may be too small:
    its lower quantile, for gamma draws of as much skewness. New draws have a quantile and a spread of their
    own. It is an upper bound, as tests/test_judge_calibration.py measures.
    """
    skew += UNSEEN * skewness_error(count)
    least = _spread_of_gamma(*_rounded(count, skew)) if skew else _spread_of_normal(count)
    return min(skewed_quantile(points, count, skew, false_alarm) / least, BEYOND)


def _rounded(count: int, skew: float) -> tuple[int, float]:
    """A number of draws and a skewness with the same law of the statistic, as they are kept."""
    skew = min(skew, MOST)
    if count > LARGE:
        skew, count = skew * np.sqrt(LARGE / count), LARGE
    return count, float(np.ceil(skew / FINE) * FINE)


def _spread_of_normal(count: int) -> float:
    return float(np.sqrt(stats.chi2.ppf(RARE, count - 1) / (count - 1)))


@lru_cache(maxsize=256)
def _spread_of_gamma(count: int, skew: float) -> float:
    """The standard deviation that all but a few samples of gamma draws exceed, in units of the true one."""
    return float(np.quantile(_gamma(count, skew).std(axis=1, ddof=1), RARE)) * skew / 2


@lru_cache(maxsize=2)
def _gamma(count: int, skew: float) -> np.ndarray:
    """Samples of gamma draws (samples, count) of that skewness."""
    return np.random.default_rng(0).gamma(4 / skew**2, size=(max(SAMPLES // count**2, LEAST), count))


@lru_cache(maxsize=256)
def _quantile_of_gamma(points: int, count: int, skew: float, false_alarm: float) -> float:
    """How far below the truth, in its own standard errors, a mean of gamma draws is at that rate.

    Mean and coefficient of variation of gamma draws are independent, so that the tail given the second is an
    incomplete gamma function: only the second is drawn. A mean above the truth is rarer than Student's law
    says.
    """
    shape = 4 / skew**2
    draws = _gamma(count, skew)
    variation = draws.std(axis=1, ddof=1) / draws.mean(axis=1) / np.sqrt(count)
    wanted = -np.expm1(np.log1p(-false_alarm) / points)

    def excess(log: float) -> float:
        reach = np.exp(log) * variation
        below = special.gammainc(count * shape, count * shape / (1 + reach))
        above = special.gammaincc(count * shape, count * shape / np.maximum(1 - reach, 1e-9))
        return float(np.log(max((below + above).mean(), 1e-300) / wanted))

    low, high = np.log(0.1), np.log(BEYOND)
    return float(np.exp(optimize.brentq(excess, low, high, xtol=1e-3))) if excess(high) < 0 else BEYOND
