"""Drawn data against the limit of large size: equal but for a bias that falls like 1/d.

The bias and its exponent are measured at small sizes of one shape; at a larger size, with draws
of its own, simulation and limit must agree within standard errors plus the bias extrapolated to
that size. Any problem with a notion of size can ask this.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from teacherstudent.paper_checks.judging.agreement import shrinking_bias, within_errors
from teacherstudent.paper_checks.judging.draws import drawn_mean
from teacherstudent.paper_checks.judging.evidence import Verdict, worst_verdict


def agree_beyond_bias(
    samples: Mapping[int, np.ndarray], claimed: np.ndarray, whole: bool = False, slack: float = 0.0
) -> Verdict:
    """The exponent of the bias over all sizes but the largest, and agreement there: (S, P) against (P,).

    whole: of values that go in whole powers of 1/d, as averages of polynomials in Gaussian inputs do, where
    the next order shows at the small sizes (`Shrinking.verdict`). slack: by how much the next order moves any
    other exponent.
    """
    *sizes, large = sorted(samples)
    small = shrinking_bias(sizes, [samples[d] - claimed for d in sizes], -1)
    drawn = drawn_mean(samples[large])
    scale = sizes[0] / large
    stderr = np.hypot(drawn.stderr, small.bias_stderr * scale)
    bias = np.abs(small.bias) * scale
    means = within_errors(drawn.mean, claimed, stderr, degrees=drawn.degrees, bias=bias)
    exponent = small.verdict(-1, whole, slack)
    seen = f"{exponent.unit}, or {means.resolution:.1g} {means.unit} at the largest size"
    return worst_verdict(replace(exponent, unit=seen), means)


def agree_extrapolated(samples: Mapping[int, np.ndarray], claimed: np.ndarray) -> Verdict:
    """The same of two sizes, too few for an exponent: their means extrapolated in 1/d to infinite size."""
    small, large = sorted(samples)
    smaller, drawn = drawn_mean(samples[small]), drawn_mean(samples[large])
    step = small / (large - small)
    return within_errors(
        drawn.mean + step * (drawn.mean - smaller.mean),
        claimed,
        np.hypot((1 + step) * drawn.stderr, step * smaller.stderr),
        degrees=min(drawn.degrees, smaller.degrees),
    )


def agree_less_bias(samples: Mapping[int, np.ndarray], claimed: np.ndarray) -> Verdict:
    """Two sizes extrapolated, and means at a third, largest one less the bias at it that those two show."""
    (small, few), (middle, many), (large, drawn) = sorted(samples.items())
    first, second, found = drawn_mean(few), drawn_mean(many), drawn_mean(drawn)
    scale = 1 / large / (1 / small - 1 / middle)
    bias, error = scale * (first.mean - second.mean), scale * np.hypot(first.stderr, second.stderr)
    there = within_errors(found.mean - bias, claimed, np.hypot(found.stderr, error), degrees=found.degrees)
    return worst_verdict(agree_extrapolated({small: few, middle: many}, claimed), there)


def limit_of_means(
    samples: Mapping[float, np.ndarray], powers: Sequence[float]
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Means fitted as limit + sum of b size**-power at each point: of draws (S, P) at each size.

    Returns the limit (P,), one standard error of it (P,), and the misfit at each size in standard errors of
    the mean there (sizes, P), 0 where there are no more sizes than unknowns. Least squares by these errors.
    """
    sizes = np.array(sorted(samples), dtype=float)
    drawn = [drawn_mean(samples[size]) for size in sorted(samples)]
    means, errors = (np.stack([getattr(each, name) for each in drawn]) for name in ("mean", "stderr"))
    scale = np.maximum(errors, np.finfo(float).eps * np.maximum(1.0, np.abs(means)))
    shape = np.stack([np.ones(len(sizes)), *((sizes / sizes[0]) ** -power for power in powers)], axis=1)
    weighted = shape[None] / scale.T[:, :, None]  # (P, sizes, unknowns)
    inverse = np.linalg.pinv(weighted)
    found = np.einsum("pus,sp->pu", inverse, means / scale)
    misfit = (means - np.einsum("su,pu->sp", shape, found)) / scale
    return found[:, 0], np.linalg.norm(inverse[:, 0], axis=1), misfit
