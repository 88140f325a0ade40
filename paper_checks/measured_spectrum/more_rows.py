"""New rows: predictions from pools against data sets of as many rows, Gaussian and real.

Students have a trained intercept and are fitted here once more. Predictions are held to the mean over data
sets and, where rows are Gaussian, their differences between pools to the standard errors that they state.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

import numpy as np

from teacherstudent.house.running import run
from teacherstudent.house.tables import Table, as_table
from teacherstudent.paper_checks.judging.agreement import mean_within_errors, within_errors
from teacherstudent.paper_checks.judging.claims import worst_of
from teacherstudent.paper_checks.judging.draws import drawn_mean
from teacherstudent.paper_checks.judging.effects import Contrast
from teacherstudent.paper_checks.judging.evidence import Seeds, Verdict, WrongClaim
from teacherstudent.paper_checks.measured_spectrum import check
from teacherstudent.paper_checks.measured_spectrum.kit.tables import bundled
from teacherstudent.problems.measured_spectrum import PROBLEM
from teacherstudent.theory.measured_spectrum import more_rows

Rows = tuple[np.ndarray, np.ndarray]
"""Features (P, d) and targets (P,)."""


@dataclass(frozen=True)
class Case:
    """A question about n new rows. time: of flow, or the inverse ridge."""

    n: int
    dynamics: str
    time: float

    def fitted(self, features: np.ndarray, targets: np.ndarray) -> tuple[np.ndarray, float]:
        """Weights and intercept after training on those rows."""
        mean, level = features.mean(axis=0), targets.mean()
        left, values, right = np.linalg.svd(features - mean, full_matrices=False)
        if self.dynamics == "ridge":
            learned = values / (values**2 + 1 / self.time)
        else:
            learned = -np.expm1(-self.time * values**2) / np.where(values > 0, values, 1.0)
        weights = right.T @ (learned * (left.T @ (targets - level)))
        return weights, float(level - mean @ weights)

    def question(self, rows: tuple[np.ndarray | Table, np.ndarray]) -> dict[str, Any]:
        """What is asked of those rows as the pool."""
        return dict(features=rows[0], targets=rows[1], n=self.n, task="regression", sampling="new-rows")


@dataclass(frozen=True)
class Drawn:
    """Pools, and of each case the test errors of drawn data sets, (S,)."""

    pools: list[Rows]
    errors: dict[Case, np.ndarray]

    @cached_property
    def predictions(self) -> Predicted:
        """What the pools predict."""
        return predicted(self)


Predicted = dict[Case, np.ndarray]
"""Of each case test errors from pools, and their standard errors (0 where they are not known), (2, S)."""


def predicted(evidence: Drawn, shifted: int = 0, n: int = 0) -> Predicted:
    """The claim. Wrong: targets of other rows, another n."""
    found: Predicted = {case: np.zeros((2, len(evidence.pools))) for case in evidence.errors}
    for place, (features, targets) in enumerate(evidence.pools):
        rows = as_table(features), np.roll(targets, shifted)
        for case in found:
            asked = {**case.question(rows), "n": n or case.n}
            answer = run("measured-spectrum", case.dynamics, "extrapolation", [case.time], **asked)
            stderr = answer.get("generalisation_error_stderr", [0.0])[0]
            found[case][:, place] = answer["generalisation_error"][0], stderr
    return found


def otherwise(evidence: Drawn, matched: bool = False) -> Predicted:
    """Wrong: the pool at the ridge itself, as if kappa had n in the place of N. matched: the right kappa, but
    cross-validation without its 1 - df2/N."""
    found: Predicted = {case: np.zeros((2, len(evidence.pools))) for case in evidence.errors}
    for case in found:
        for place, rows in enumerate(evidence.pools):
            pool = more_rows.pool_of(PROBLEM.instance(**case.question(rows)))
            z = pool.matched(1 / case.time) if matched else 1 / case.time
            both, left, products = more_rows.sums_at(pool, np.array([z]))
            kept = left.value / (pool.counts.pool * both.value) if matched else 1.0
            found[case][:, [place]] = np.array(more_rows.with_error(pool, both, left, products)) / kept
    return found


def without_factor(evidence: Drawn) -> Predicted:
    """Wrong: the error is not multiplied by 1 + 1/n."""
    return {case: found / (1 + 1 / case.n) for case, found in evidence.predictions.items()}


def larger_error(evidence: Drawn) -> Predicted:
    """Wrong: a standard error twice as large."""
    return {case: found * [[1.0], [2.0]] for case, found in evidence.predictions.items()}


@worst_of
def agree(evidence: Drawn, claimed: Predicted, allowed: float | None = None) -> Iterator[Verdict]:
    """The mean over pools is that over data sets, up to an allowed relative bias; where none is allowed,
    pools of ridge regression differ from it by as much as they say."""
    for case, sample in evidence.errors.items():
        test, (prediction, error) = drawn_mean(sample), claimed[case]
        pools, name = drawn_mean(prediction), f"test error of {case.n} rows by {case.dynamics}"
        stderr, bias = np.hypot(test.stderr, pools.stderr), (allowed or 0.0) * test.mean
        degrees = min(test.degrees, pools.degrees)
        yield replace(within_errors(test.mean, pools.mean, stderr, degrees=degrees, bias=bias), unit=name)
        if case.dynamics == "ridge" and allowed is None:
            off = (prediction / test.mean - 1) ** 2 - (error / prediction) ** 2
            yield replace(mean_within_errors(off[:, None], 0.0), unit=f"squared relative error, {name}")


CASES = (
    Case(12, "ridge", 0.125),
    Case(150, "ridge", 0.04),
    Case(400, "ridge", 0.0125),
    Case(400, "flow", 0.0125),
)
POOL, POOLS, SETS = 76, 160, 160
STRENGTHS, TEACHER, NOISE = np.sqrt(np.repeat([1.0, 0.1], [30, 70])), np.repeat([0.3, 0.2], [30, 70]), 0.5


def gaussian(n: int, seed: int) -> Rows:
    """n rows of mean 1, and targets of mean 2."""
    random = np.random.default_rng(seed)
    features = random.standard_normal((n, STRENGTHS.size)) * STRENGTHS
    return features + 1.0, features @ TEACHER + NOISE * random.standard_normal(n) + 2.0


def drawn(seeds: Seeds) -> Drawn:
    """Evidence: Gaussian pools, and exact errors of students of other Gaussian rows."""
    errors = {}
    for place, case in enumerate(CASES):
        fits = [case.fitted(*gaussian(case.n, seed)) for seed in seeds(SETS, f"sets of case {place}")]
        errors[case] = np.array(
            [
                np.sum((STRENGTHS * (weights - TEACHER)) ** 2) + (weights.sum() + level - 2.0) ** 2 + NOISE**2
                for weights, level in fits
            ]
        )
    return Drawn([gaussian(POOL, seed) for seed in seeds(POOLS, "pools")], errors)


IGNORED, OWN_RIDGE = "n replaced by the number of rows of the pool", "kappa matched with n instead of N"
GAUSSIAN = check(
    id="own-new-rows",
    title="Gaussian pools predict the mean error of larger data sets, and the error of this prediction",
    ref="extrapolation by two-point cross-validation, and its standard error",
    evidence=drawn,
    claim=lambda evidence: evidence.predictions,
    judge=agree,
    effect=Contrast(IGNORED, "the effect of the number of new rows"),
    wrong=(
        WrongClaim(IGNORED, partial(predicted, n=POOL)),
        WrongClaim(OWN_RIDGE, otherwise),
        WrongClaim("errors without the factor 1 - df2/N", partial(otherwise, matched=True)),
        WrongClaim("standard error twice as large, as from the jackknife", larger_error),
        WrongClaim("the intercept's factor 1 + 1/n omitted", without_factor),
    ),
    slow=True,
)

REAL_CASES = (Case(400, "ridge", 1 / 400), Case(1000, "ridge", 1 / 400), Case(1000, "flow", 0.001))
REAL_POOL, REAL_POOLS, REAL_SETS = 100, 100, 40
WORST = 0.122
"""The largest relative bias in 41 other cases with df1/N below .65. It was measured, not derived."""


def real(seeds: Seeds) -> Drawn:
    """Evidence: parity of digits; subsets as pools, and as larger data sets tested on the other rows."""
    features, targets = bundled("digits")
    most = [np.unique(column, return_counts=True)[1].max() for column in features.T]
    features, targets = features[:, np.array(most) < 0.8 * len(features)], 2 * (targets % 2) - 1.0
    orders = [
        np.random.default_rng(seed).permutation(len(targets)) for seed in seeds(REAL_POOLS + REAL_SETS, "")
    ]
    errors = {}
    for case in REAL_CASES:
        found = []
        for order in orders[REAL_POOLS:]:
            rows, others = order[-case.n :], order[: -case.n]
            weights, level = case.fitted(features[rows], targets[rows])
            found.append(np.mean((targets[others] - features[others] @ weights - level) ** 2))
        errors[case] = np.array(found)
    pools = [order[:REAL_POOL] for order in orders[:REAL_POOLS]]
    return Drawn([(features[rows], targets[rows]) for rows in pools], errors)


REAL = check(
    id="own-new-rows-real",
    title="pools of 100 rows of digits predict 400 and 1000 rows, within the bias measured in other cases",
    ref="measured, not derived",
    evidence=real,
    claim=predicted,
    judge=partial(agree, allowed=WORST),
    effect=Contrast(IGNORED, "the effect of the number of new rows"),
    wrong=(
        WrongClaim(IGNORED, partial(predicted, n=REAL_POOL)),
        WrongClaim(OWN_RIDGE, otherwise),
        WrongClaim("targets of other rows", partial(predicted, shifted=1)),
    ),
    slow=True,
)

CHECKS = (GAUSSIAN, REAL)
