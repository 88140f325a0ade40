"""From a comparison to a verdict: what was seen, what could have been, which wrong theories were refuted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import isnan
from typing import Any

import numpy as np

from teacherstudent.api.judged.judgement import Judgement, said, share_of
from teacherstudent.api.judged.statistics import By, Compared, compare, draws_that_would_do
from teacherstudent.house.errors import InputError
from teacherstudent.paper_checks.judging.cautions import cautions_about
from teacherstudent.paper_checks.judging.effects import WEAK

FEW = 30
"""Fewer draws than these, where very skewed, did not meet the level (tests/test_judge_calibration.py)."""


@dataclass(frozen=True)
class Effect:
    """The size (Q,) of an error that matters; `other`: whether it is the distance to another theory."""

    size: np.ndarray
    words: str
    other: bool = False

    def shares(self, found: Compared) -> np.ndarray:
        """The detectable error as a share of the effect, at points where the effect is not 0."""
        matters = (self.size > 0) & ~np.isnan(found.seen)
        return found.seen[matters] / self.size[matters]


def effect_of_values(claimed: np.ndarray) -> Effect:
    """The values themselves; at points where they are small, the median of all values."""
    size = np.abs(claimed)
    return Effect(np.maximum(size, np.nanmedian(size)), "the values themselves")


def effect_of_other(other: np.ndarray, claimed: np.ndarray, name: str) -> Effect:
    """The distance to another theory. Raises `InputError` if the two theories are equal."""
    size = np.abs(other - claimed)
    if not np.nansum(size):
        raise InputError("effect", name, "a theory that differs from the judged one")
    return Effect(np.nan_to_num(size), f"what {name} changes", other=True)


def verdict_of(
    samples: By,
    claims: By,
    others: Mapping[str, By],
    found: Compared,
    effect: Effect,
    points: tuple[Any, ...],
    rules: tuple[bool, float | None, float],
    remarks: list[str],
) -> Judgement:
    """The judgement of a comparison under these rules (exact, exponent, level)."""
    wrong = {name: compare(samples, each, *rules) for name, each in others.items()}
    missed = tuple(name for name, each in wrong.items() if not each.refuted)
    shares = effect.shares(found)
    share = float("inf") if not shares.size else float(shares.min() if effect.other else np.median(shares))
    word, reason, factor = _decided(found, effect, share, shares, points)
    if word == "agrees" and missed:
        gaps = [np.abs(wrong[name].claimed - found.claimed) / found.seen for name in missed]
        apart = min(float(np.nan_to_num(each).max()) for each in gaps)
        word, factor = "blunt", 1 / (WEAK * apart) if apart else 0.0
        named = " and ".join(map(repr, missed))
        reason = f"the theory agrees, and so does {named}, which is wrong: too few draws to tell them apart"
    draws, needed = min(map(len, samples.values())), None
    if factor > 1:
        stderrs = factor * float(np.nanmedian(found.allowed / found.seen)) / found.verdict.threshold
        needed = draws_that_would_do(samples, stderrs * np.sqrt(draws), len(found.mean), rules[2])
    return Judgement(
        verdict=word,
        reason=reason + (f"; about {needed} draws would suffice" if needed else ""),
        points=points,
        mean=found.mean,
        stderr=found.stderr,
        theory=found.claimed,
        residuals=found.residuals,
        threshold=found.verdict.threshold,
        worst=points[int(np.nanargmax(np.abs(found.residuals)))],
        detectable=found.seen,
        share=share,
        effect=effect.words,
        draws=draws,
        needed=needed,
        wrong={name: float(np.nanmax(np.abs(each.residuals))) for name, each in wrong.items()},
        missed=missed,
        bias=found.bias,
        cautions=tuple(dict.fromkeys([*remarks, *found.said, *_cautions(samples, claims, found)])),
        level=rules[2],
    )


def _decided(
    found: Compared, effect: Effect, share: float, shares: np.ndarray, points: tuple[Any, ...]
) -> tuple[str, str, float]:
    """The verdict without regard to wrong theories, why, and by which factor errors are too large to tell."""
    rate, bias, untold = found.of_rate, found.bias, int(np.isnan(found.residuals).sum())
    worst = int(np.nanargmax(np.abs(found.residuals)))
    largest, most = abs(found.residuals[worst]), f"{found.verdict.threshold:.3g}"
    blind = 0 if effect.other else int((shares > 1).sum())
    word, factor = "cannot tell", 0.0
    if rate and bias and rate.refutes:
        measured = f"size^-{bias.exponent:.3g} +- {bias.exponent_stderr:.2g}"
        word, reason = "disagrees", f"the bias falls like {measured}, not like size^-{bias.declared:g}"
    elif found.crooked:
        reason = "the bias does not follow a power of size at these sizes; use more or larger sizes"
    elif found.verdict.refutes:
        seen = f"the draws say {found.mean[worst]:.5g} +- {found.stderr[worst]:.2g}"
        at = f"at {said(points[worst])} {seen}, the theory {found.claimed[worst]:.5g}"
        word, reason = "disagrees", f"{at}: {largest:.3g} standard errors, {most} allowed"
    elif untold:
        reason = f"there is no number at {untold} of {len(points)} points; the others agree"
    elif rate and isnan(rate.statistic):
        reason = "the bias is too small, or the draws too few, to measure its exponent; the limit agrees"
    elif not shares.size:
        reason = "the values are 0, so give the effect that must be resolved"
    elif not share <= WEAK:
        reason = f"errors up to {share_of(share, effect.words)} would pass; no disagreement seen"
        factor = max(share / WEAK, float(shares.max()) if blind else 0.0)
    elif blind:
        where = f"at {blind} of {len(points)} points an error as large as {effect.words} would pass"
        reason, factor = f"{where}; no disagreement seen", float(shares.max())
    else:
        seen = f"an error of {share_of(share, effect.words)} would have been detected"
        word = "agrees"
        reason = f"the largest residual is {largest:.2g} standard errors, {most} are allowed; {seen}"
    return word, reason, factor


def _cautions(samples: By, claims: By, found: Compared) -> Iterator[str]:
    """What must be known besides."""
    sample, draws = next(iter(samples.values())), min(map(len, samples.values()))
    if found.verdict.too_few_draws:
        yield (
            f"few draws: {found.verdict.from_few_draws:.0%} of the {found.verdict.threshold:.3g} standard "
            "errors allowed are due to the small number of draws, which determine neither spread nor "
            "skewness well"
        )
    for size in samples:
        yield from cautions_about(samples[size], claims[size])
    if found.verdict.refutes and draws < FEW:
        yield (
            f"fewer than {FEW} draws: with very skewed draws, such as chi-squared with one degree of "
            "freedom, more correct theories are rejected than stated"
        )
    if found.of_rate and found.of_rate.share > WEAK:
        yield f"the exponent is known only to +-{found.of_rate.resolution:.2g}"
    if untold := int(np.isnan(found.residuals).sum()):
        yield f"points without a number are not judged: {untold} of {len(found.mean)} points"
    if len(samples) == 1 and sample.shape[0] == sample.shape[1] > 1:
        yield "there are as many draws as points, and rows were read as draws"
