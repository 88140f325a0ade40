"""The statistics of agreement: quantiles, rates and bounds, never a bare tolerance.

- `within_errors`: a simulated mean against a claim, in standard errors, with the quantile
  corrected for the number of points compared and a measured bias added.
- `at_rate`: an error that must vanish like a known power of size or step.
- `within_bound`: deterministic numbers against a bound that follows from arithmetic.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from paper_checks.evidence import Verdict

FALSE_ALARM = 1e-4
"""Probability that a correct claim fails one `within_errors` comparison (all points together)."""


def quantile(points: int, degrees: int | None = None, false_alarm: float = FALSE_ALARM) -> float:
    """Two-sided quantile of a standardised mean, Sidak-corrected for `points` comparisons.

    `degrees` are the degrees of freedom of the standard error (Student's t); None: known.
    """
    tail = -np.expm1(np.log1p(-false_alarm) / points) / 2
    return float(stats.norm.isf(tail) if degrees is None else stats.t.isf(tail, degrees))


def within_errors(
    observed: ArrayLike, claimed: ArrayLike, stderr: ArrayLike, *,
    degrees: int | None = None, bias: ArrayLike = 0.0,
) -> Verdict:
    """Simulated means against a claim: max (|difference| - bias)/stderr against the quantile.

    All arrays broadcast to the observed points. A standard error of zero asks for equality to
    rounding.
    """
    observed = np.asarray(observed, dtype=float)
    rounding = 64 * np.finfo(float).eps * np.maximum(1.0, np.abs(observed))
    error = np.maximum(np.asarray(stderr, dtype=float), rounding)
    excess = np.maximum(np.abs(observed - np.asarray(claimed)) - bias, 0.0) / error
    threshold = quantile(observed.size, degrees)
    seen = threshold * error + bias
    return Verdict(
        statistic=float(np.max(excess)),
        threshold=threshold,
        resolution=float(np.median(seen)),
        unit="observable (median over points)",
        reason=f"{threshold:.2f} standard errors: {FALSE_ALARM:g} quantile over {observed.size} points",
        points=observed.size,
    )


def at_rate(
    sizes: ArrayLike, errors: ArrayLike, exponent: float, stderr: ArrayLike | None = None,
    slack: float = 0.0,
) -> Verdict:
    """Errors that must follow size**exponent: the fitted log-log slope against the exponent.

    `stderr` are standard errors of `errors`; the slope's own standard error follows and sets
    the threshold. For deterministic errors the threshold is `slack`, the next-order curvature
    that the caller measured or derived. A slope that its own error bar does not separate from
    zero proves nothing and counts as disagreement.
    """
    x, y = np.log(np.asarray(sizes, dtype=float)), np.asarray(errors, dtype=float)
    if np.any(y <= 0):
        return Verdict(np.inf, slack, np.nan, "exponent", "an error is not positive", y.size)
    if stderr is None:
        slope, allowed = float(np.polyfit(x, np.log(y), 1)[0]), slack
        reason = f"log-log slope, next-order slack {slack:g}"
    else:
        spread = np.asarray(stderr, dtype=float) / y
        weight = 1 / spread**2
        centred = x - np.average(x, weights=weight)
        slope = float(np.sum(weight * centred * np.log(y)) / np.sum(weight * centred**2))
        own = float(1 / np.sqrt(np.sum(weight * centred**2)))
        allowed = quantile(1) * own + slack
        reason = f"log-log slope, {quantile(1):.2f} standard errors of the fit ({own:.3f})"
        if allowed >= abs(exponent):
            return Verdict(np.inf, allowed, allowed, "exponent", "too noisy to measure a rate", y.size)
    return Verdict(abs(slope - exponent), allowed, allowed, "exponent", reason, y.size)


def within_bound(error: ArrayLike, bound: ArrayLike, reason: str, unit: str = "observable") -> Verdict:
    """Deterministic errors against a bound whose reason is stated."""
    error, bound = np.broadcast_arrays(np.abs(np.asarray(error)), np.asarray(bound, dtype=float))
    return Verdict(
        statistic=float(np.max(error / bound)),
        threshold=1.0,
        resolution=float(np.max(bound)),
        unit=unit,
        reason=reason,
        points=error.size,
    )
