"""The statistics of agreement: quantiles, rates and bounds, never a bare tolerance.

- `within_errors`: a simulated mean against a claim, in standard errors, with the quantile
  corrected for the number of points compared and a measured bias added.
- `mean_within_errors`: the same for the mean over draws.
- `above_zero`: means over draws that must be positive for sure.
- `at_rate`: an error that must vanish like a known power of size or step; `at_order` where the power
  is a whole number and is extrapolated, `first_order` where simulated steps approach their flow.
- `shrinking_bias`: the finite-size part of a difference, fitted as size**exponent over sizes.
- `within_bound`: deterministic numbers against a bound that follows from arithmetic.
- `none_wrong`: a count of contradictions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import SupportsFloat

import numpy as np
from numpy.typing import ArrayLike
from scipy import optimize, stats

from teacherstudent.paper_checks.judging.draws import drawn_mean
from teacherstudent.paper_checks.judging.effects import HALF_A_POWER, NEXT_ORDER, Effect
from teacherstudent.paper_checks.judging.evidence import Verdict

FALSE_ALARM = 1e-4
"""Probability that a correct claim fails one `within_errors` comparison (all points together)."""

TOO_NOISY = "too noisy to measure a rate"


def quantile(points: int, degrees: int | None = None, false_alarm: float = FALSE_ALARM) -> float:
    """Two-sided quantile of a standardised mean, Sidak-corrected for `points` comparisons.

    `degrees` are the degrees of freedom of the standard error (Student's t); None: known.
    """
    tail = -np.expm1(np.log1p(-false_alarm) / points) / 2
    return float(stats.norm.isf(tail) if degrees is None else stats.t.isf(tail, degrees))


def within_errors(
    observed: ArrayLike,
    claimed: ArrayLike,
    stderr: ArrayLike,
    *,
    degrees: int | None = None,
    bias: ArrayLike = 0.0,
    size: ArrayLike = 0.0,
    threshold: float | None = None,
    false_alarm: float = FALSE_ALARM,
) -> Verdict:
    """Simulated means against a claim: |difference| <= quantile x stderr + bias at every point.

    size: how large an error is as large as the value at each point; where it is 0 that is not known.
    threshold: another quantile at that rate of false alarms than Student's, as of draws that are skewed.

    The statistic is the largest |difference|/(stderr + bias/quantile), in proportion to the difference. The
    share of the quantile due to few draws is 1 - (that of a known standard error)/(Student's).
    All arrays broadcast to the observed points. A standard error of zero asks for equality to rounding.
    """
    observed = np.asarray(observed, dtype=float)
    rounding = 64 * np.finfo(float).eps * np.maximum(1.0, np.abs(observed))
    error = np.maximum(np.asarray(stderr, dtype=float), rounding)
    threshold = quantile(observed.size, degrees, false_alarm) if threshold is None else threshold
    seen = threshold * error + bias
    size = np.broadcast_to(size, seen.shape)
    undetected = seen[(size > 0) & (seen > size)]
    return Verdict(
        statistic=float(np.max(np.abs(observed - np.asarray(claimed)) * threshold / seen)),
        threshold=threshold,
        resolution=float(np.median(seen)),
        unit="observable (median over points)",
        reason=(
            f"at most {threshold:.2f} standard errors: chance exceeds this with probability "
            f"{false_alarm:g} over {observed.size} points"
        ),
        points=observed.size,
        from_few_draws=1 - quantile(observed.size, None, false_alarm) / threshold,
        undecided=undetected.size,
        undetected=float(np.max(undetected, initial=-np.inf)) if undetected.size else np.nan,
    )


def mean_within_errors(sample: np.ndarray, claimed: ArrayLike, bias: ArrayLike = 0.0) -> Verdict:
    """The mean over draws, which lie along the first axis, against a claim about each point."""
    drawn = drawn_mean(sample)
    return within_errors(drawn.mean, claimed, drawn.stderr, degrees=drawn.degrees, bias=bias)


def above_zero(sample: np.ndarray, unit: str) -> Verdict:
    """Whether the mean of every row is above 0 by the quantile of its own error: (rows, draws).

    Refuted only where a mean is below 0 by as much. Between, the draws are too few to tell: the statistic is
    NaN, which neither agrees nor refutes. Otherwise it is by how much the worst mean falls short.
    """
    drawn = drawn_mean(sample, axis=1)
    factor = quantile(len(sample), drawn.degrees)
    error = factor * drawn.stderr
    with np.errstate(divide="ignore", invalid="ignore"):
        weakest = int(np.argmax(error / np.abs(drawn.mean)))
    decided = np.any(drawn.mean < -error) or np.all(drawn.mean > error)
    return Verdict(
        statistic=float(np.max(error - drawn.mean)) if decided else np.nan,
        threshold=0.0,
        resolution=float(error[weakest]),
        unit=f"{unit} (weakest mean)",
        reason=(
            f"each mean above 0 by {factor:.3g} standard errors (false-alarm probability {FALSE_ALARM:g})"
        )
        + ("" if decided else "; the sign of one mean is too noisy to tell"),
        points=len(sample),
        effect=Effect(float(abs(drawn.mean[weakest])), "the mean that must be positive"),
    )


def at_rate(
    sizes: ArrayLike,
    errors: ArrayLike,
    exponent: float,
    stderr: ArrayLike | None = None,
    slack: float = 0.0,
    effect: Effect = HALF_A_POWER,
) -> Verdict:
    """Errors that must follow size**exponent: the fitted log-log slope against the exponent.

    `stderr` are standard errors of `errors`; the slope's own standard error follows and sets
    the threshold. For deterministic errors the threshold is `slack`, the next-order curvature
    that the caller measured or derived. A slope that its own error bar does not separate from
    zero proves nothing: its statistic is NaN, which neither agrees nor refutes. The unit also names the
    smallest error that stays the same at every size, and would so be detected. `effect` is the distance
    to the nearest exponent that would be another statement.
    """
    x, y = np.log(np.asarray(sizes, dtype=float)), np.asarray(errors, dtype=float)
    if np.any(y <= 0):
        return Verdict(np.inf, slack, np.nan, "exponent", "an error is not positive", y.size, effect=effect)
    weight = np.ones(y.size) if stderr is None else (y / np.asarray(stderr, dtype=float)) ** 2
    centred = x - np.average(x, weights=weight)
    spread = np.sum(weight * centred**2)
    slope = float(np.sum(weight * centred * np.log(y)) / spread)
    if stderr is None:
        allowed, reason = slack, f"log-log slope, within {slack:g} (the next order in the expansion)"
    else:
        own = float(1 / np.sqrt(spread))
        allowed = quantile(1) * own + slack
        reason = f"log-log slope, within {quantile(1):.2f} standard errors of the fit ({own:.3f} each)"
        if allowed >= abs(exponent):
            return Verdict(np.nan, allowed, allowed, "exponent", TOO_NOISY, y.size, effect=effect)
    lasting = allowed / abs(np.sum(weight * centred / y) / spread)  # d slope/d(a constant in all errors)
    unit = f"exponent, or {lasting:.1g} that does not change with size"
    return Verdict(abs(slope - exponent), allowed, allowed, unit, reason, y.size, effect=effect)


BEYOND = 0.1
"""Part of an order that is left to what an extrapolated order does not know: rounding, later corrections."""


def at_order(sizes: ArrayLike, errors: ArrayLike, order: float) -> Verdict:
    """Deterministic errors at three sizes or more that fall like size**order, a whole number.

    The order between the last two sizes is extrapolated by that of the two before: an error of the next order
    shifts it by an amount that falls like the size (like 1/size, for a negative order). The correction, and
    `BEYOND`, is the smallest deviation that can be detected. As much is allowed, but at most half of an
    order. So sizes far from the limit make a check weak; and an error that does not vanish is refuted,
    because it shifts the order by more, the nearer the limit is.
    """
    x, y = np.asarray(sizes, dtype=float), np.asarray(errors, dtype=float)
    if not np.all(y > 0):
        return Verdict(np.inf, 0.5, np.nan, "exponent", "an error is not positive", y.size, effect=NEXT_ORDER)
    last = np.argsort(x if order < 0 else -x)[-3:]
    steps = np.diff(np.log(x[last]))
    before, now = np.diff(np.log(y[last])) / steps
    correction = (now - before) / np.expm1(abs(steps.sum()) / 2)
    seen = BEYOND + abs(correction)
    found = f"order {now + correction:.3f}, extrapolated from {before:.3f} and {now:.3f}"
    reason = f"{found}, within the extrapolation correction plus {BEYOND:g}, at most half an order"
    return Verdict(
        abs(now + correction - order), min(seen, 0.5), seen, "exponent", reason, y.size, effect=NEXT_ORDER
    )


def first_order(found: Mapping[float, np.ndarray], claimed: ArrayLike, curvature: float) -> Verdict:
    """Simulated values by falling learning rate miss the claim in proportion to the rate.

    The next order changes an error by about rate x curvature, relatively, and so the log-log slope
    by that at a typical rate.
    """
    rates = list(found)
    errors = [np.linalg.norm(values - np.asarray(claimed)) for values in found.values()]
    slack = float(np.sqrt(rates[0] * rates[-1]) * curvature)
    return at_rate(rates, errors, 1.0, slack=slack, effect=NEXT_ORDER)


def within_bound(
    error: ArrayLike, bound: ArrayLike, reason: str, unit: str = "observable", effect: Effect | None = None
) -> Verdict:
    """Deterministic errors against a bound whose reason is stated; `effect` where its check has several."""
    error, bound = np.broadcast_arrays(np.abs(np.asarray(error)), np.asarray(bound, dtype=float))
    return Verdict(
        statistic=float(np.max(error / bound)),
        threshold=1.0,
        resolution=float(np.min(bound)),
        unit=unit,
        reason=reason,
        points=error.size,
        effect=effect,
    )


def none_wrong(wrong: SupportsFloat, points: int, reason: str, unit: str) -> Verdict:
    """How many of the points contradict the claim, which must be none; one of all could be detected."""
    return Verdict(float(wrong), 0.0, 1.0, unit, reason, points, effect=Effect(points, f"all {unit}"))


def jackknife(statistic: Callable[[np.ndarray], float], sample: np.ndarray, groups: int) -> float:
    """One standard error of a statistic of draws, which lie along the first axis.

    Leaves out one of the `groups` of draws after another; it has one degree of freedom less than there are.
    """
    member = np.arange(len(sample)) % groups
    return float(
        np.sqrt((groups - 1) * np.var([statistic(sample[member != group]) for group in range(groups)]))
    )


@dataclass(frozen=True)
class Shrinking:
    """Differences that shrink with size: bias_p (size/first)**exponent at each of P points.

    `degrees` are the degrees of freedom of `exponent_stderr`. `bend` is by how much the exponents of the
    first two sizes and of the last two differ.
    """

    sizes: np.ndarray
    exponent: float
    exponent_stderr: float
    degrees: int
    bias: np.ndarray
    bias_stderr: np.ndarray
    bend: float = 0.0

    def verdict(
        self, expected: float, whole: bool = False, slack: float = 0.0, false_alarm: float = FALSE_ALARM
    ) -> Verdict:
        """The fitted exponent against the expected one; too noisy to measure is NaN, as in `at_rate`.

        whole: exponents are whole, as those of averages of polynomials in Gaussian inputs are. So the bend
        and `BEYOND` are left to the next order, and with chance at most half of an order, as in `at_order`.
        slack: by how much the next order moves any other exponent, as in `at_rate`.
        """
        chance = quantile(1, self.degrees, false_alarm) * self.exponent_stderr
        seen = chance + (self.bend + BEYOND if whole else slack)
        allowed, effect = (min(seen, 0.5), NEXT_ORDER) if whole else (seen, HALF_A_POWER)
        if not chance < (0.5 if whole else abs(expected)):  # catches NaN as well
            return Verdict(np.nan, allowed, allowed, "exponent", TOO_NOISY, effect=effect)
        reason = f"finite-size exponent from sizes {self.sizes.astype(int).tolist()}: " + (
            f"{self.exponent:.3f}, standard error {self.exponent_stderr:.3f} (jackknife over draws)"
        )
        return Verdict(
            abs(self.exponent - expected), allowed, seen, "exponent", reason, self.bias.size, effect=effect
        )


def shrinking_bias(
    sizes: ArrayLike, differences: Sequence[np.ndarray], expected: float, groups: int = 50
) -> Shrinking:
    """Fit one exponent to the mean differences of all sizes, and the bias at `expected`.

    differences: for each size the drawn differences observed - claimed, (S, P), S at least
    `groups`. Points of one draw are correlated, so the exponent's standard error is a jackknife
    that leaves out groups of draws, with one degree of freedom less than there are groups.
    """
    sizes = np.asarray(sizes, dtype=float)
    logs = np.log(sizes / sizes[0])[:, None]
    spread = np.stack([drawn_mean(sample).stderr for sample in differences])

    def means(keep: Callable[[int], np.ndarray]) -> np.ndarray:
        return np.stack([sample[keep(len(sample))].mean(axis=0) for sample in differences])

    def bias_at(exponent: float, mean: np.ndarray, some: slice = slice(None)) -> np.ndarray:
        shape = np.exp(exponent * logs[some])
        return np.sum(shape * mean / spread[some] ** 2, axis=0) / np.sum(shape**2 / spread[some] ** 2, axis=0)

    def misfit(exponent: float, mean: np.ndarray, some: slice) -> float:
        model = bias_at(exponent, mean, some) * np.exp(exponent * logs[some])
        return float(np.sum(((mean - model) / spread[some]) ** 2))

    def fit(mean: np.ndarray, some: slice = slice(None)) -> float:
        start = (expected - 0.1, expected + 0.1)
        return float(optimize.minimize_scalar(misfit, start, args=(mean[some], some)).x)

    def without(group: int) -> np.ndarray:
        return means(lambda count: np.arange(count) % groups != group)

    everything = means(lambda count: np.ones(count, dtype=bool))
    left_out = [fit(without(group)) for group in range(groups)]
    error = np.sqrt((groups - 1) * np.var(left_out))
    shape = np.exp(expected * logs)
    return Shrinking(
        sizes,
        fit(everything),
        float(error),
        groups - 1,
        bias_at(expected, everything),
        1 / np.sqrt(np.sum(shape**2 / spread**2, axis=0)),
        abs(fit(everything, slice(2)) - fit(everything, slice(-2, None))),
    )
