"""What draws show that a comparison of their means takes for granted: each in a sentence.

Independent draws, with tails that their number can show, and a claim that was not made from them.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from teacherstudent.paper_checks.judging.skewed import skewness, skewness_error, typical_skewness

SURE = 4.0
"""Standard errors from which on a correlation or a tail is not chance."""

FITTED = 1e-12
"""Relative distance within which a claim and the means of draws are the same numbers."""

FEWEST = 20
"""Draws from which on they show whether one follows another."""


def cautions_about(sample: np.ndarray, claimed: np.ndarray) -> Iterator[str]:
    """What must be known of draws (S, P) and a claim (P,) beside the verdict."""
    yield from _repeated(sample)
    spread, varied = sample.std(axis=0), np.ptp(sample, axis=0) > 0
    if same := int((~varied).sum()):
        yield (
            f"{same} of {len(varied)} points have one value in all draws; they are compared at single "
            "precision"
        )
    if varied.any():
        standardised = (sample[:, varied] - sample[:, varied].mean(axis=0)) / spread[varied]
        yield from _serial(standardised)
        yield from _heavy(standardised)
        yield from _uneven(sample)
    mean = sample.mean(axis=0)
    if varied.any() and np.all(np.abs(mean - claimed)[varied] <= FITTED * np.abs(mean)[varied]):
        yield "the theory equals the mean of these draws: if it was fitted to them, agreement means nothing"


def _repeated(sample: np.ndarray) -> Iterator[str]:
    _, counts = np.unique(sample, axis=0, return_counts=True)
    more = int((counts - 1).sum())
    levels = len(np.unique(sample))  # draws of few values, as right or wrong, repeat by chance
    if more and not np.all(sample == sample[0]) and levels >= max(len(sample) // 2, 3):
        yield f"{more} of {len(sample)} draws repeat another draw: repeated draws are not independent"


def _serial(standardised: np.ndarray) -> Iterator[str]:
    """Correlation of each draw with the next: those of a chain follow each other."""
    count = len(standardised)
    correlation = float((standardised[1:] * standardised[:-1]).mean())
    if count >= FEWEST and abs(correlation) > SURE / np.sqrt(count):
        if correlation > 0:
            worth = max(1, round(count * (1 - correlation) / (1 + correlation)))
            yield (
                f"successive draws are correlated ({correlation:.2f}): {count} draws count as about "
                f"{worth}, and standard errors are too small"
            )
        else:
            yield (f"successive draws are anticorrelated ({correlation:.2f}): they are not independent")


def _uneven(sample: np.ndarray) -> Iterator[str]:
    """Points that are much more skewed than most, by which the quantile is chosen."""
    found = np.abs(skewness(sample))
    if more := int((found > typical_skewness(sample) + SURE * skewness_error(len(sample))).sum()):
        yield (f"{more} of {len(found)} points are more skewed than most: they may disagree by chance")


def _heavy(standardised: np.ndarray) -> Iterator[str]:
    """Tails by the kurtosis, the median over points: then standard errors are themselves uncertain."""
    count = len(standardised)
    excess = float(np.median((standardised**4).mean(axis=0))) - 3
    if excess > max(1.0, SURE * np.sqrt(24 / count)):
        off = np.sqrt((excess + 2) / count) / 2
        said = f"heavy tails (excess kurtosis {excess:.1f})"
        yield f"{said}: the standard errors are uncertain by {off:.0%}"
