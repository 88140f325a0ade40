"""New rows: predictions from pools against data sets of as many rows, Gaussian and real.

Students have a trained intercept and are fitted here once more, from the definition. A pool's predictions are
held to the mean over data sets, and their differences between pools to the standard errors that they state.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from teacherstudent.house.running import run
from teacherstudent.paper_checks.judging.agreement import mean_within_errors, within_errors
from teacherstudent.paper_checks.judging.cases import worst_of
from teacherstudent.paper_checks.judging.draws import drawn_mean
from teacherstudent.paper_checks.judging.effects import Contrast
from teacherstudent.paper_checks.judging.evidence import Seeds, Tooth, Verdict
from teacherstudent.paper_checks.measured_spectrum import check
from teacherstudent.paper_checks.measured_spectrum.kit.tables import bundled
from teacherstudent.problems.measured_spectrum import PROBLEM
from teacherstudent.theory.measured_spectrum import more_rows

ID = "measured-spectrum"
Rows = tuple[np.ndarray, np.ndarray]
"""Features (P, d) and targets (P,)."""


@dataclass(frozen=True)
class Case:
    """A question about n new rows. time: of flow, or the inverse ridge."""

    n: int
    dynamics: str
    time: float
    name: str = ""

    def fitted(self, rows: Rows) -> tuple[np.ndarray, float]:
        """Weights and intercept after training on those rows; the intercept is trained, without penalty."""
        features, targets = rows
        mean, level = features.mean(axis=0), targets.mean()
        left, values, right = np.linalg.svd(features - mean, full_matrices=False)
        if self.dynamics == "ridge":
            learned = values / (values**2 + 1 / self.time)
        else:
            learned = -np.expm1(-self.time * values**2) / np.where(values > 0, values, 1.0)
        weights = right.T @ (learned * (left.T @ (targets - level)))
        return weights, float(level - mean @ weights)


Predicted = tuple[np.ndarray, np.ndarray]
"""Test errors from pools, (S,), and their standard errors, (S,), NaN where these are not known."""


def asked(case: Case, rows: Rows) -> dict[str, Any]:
    """The question put to the route, with those rows as the pool."""
    return {
        "features": rows[0], "targets": rows[1], "n": case.n, "task": "regression", "sampling": "new-rows",
    }  # fmt: skip


def predicted(
    case: Case, pools: list[Rows], n: int = 0, error: float = 1.0, factor: bool = True
) -> Predicted:
    """The route's answers. Wrong: of another n, `error` times the standard error, without the `factor`."""
    found = np.full((2, len(pools)), np.nan)
    for place, rows in enumerate(pools):
        answer = run(
            ID, case.dynamics, "extrapolation", [case.time], **{**asked(case, rows), "n": n or case.n}
        )
        found[0, place] = answer["generalisation_error"][0]
        if case.dynamics == "ridge":
            found[1, place] = error * answer["generalisation_error_stderr"][0]
    return found[0] / (1 if factor else 1 + 1 / case.n), found[1]


def at_own_ridge(case: Case, pools: list[Rows], share: bool = False) -> Predicted:
    """Wrong: the pool at the ridge itself, as if kappa had n in the place of N. share: the right kappa, but
    cross-validation without its 1 - df2/N."""
    found = []
    for rows in pools:
        pool = more_rows.pool_of(PROBLEM.instance(**asked(case, rows)))
        z = pool.matched(1 / case.time) if share else 1 / case.time
        both, left, products = more_rows.sums_at(pool, np.array([z]))
        test, error = more_rows.with_error(pool, both, left, products)
        kept = left.value / (pool.counts.pool * both.value) if share else 1.0
        found.append(np.concatenate([test, error]) / kept)
    return tuple(np.array(found).T)


IGNORED = "n ignored: as many rows as the pool has"

# Gaussian rows ------------------------------------------------------------------------------------------

CASES = (
    Case(12, "ridge", 0.125),
    Case(150, "ridge", 0.04),
    Case(400, "ridge", 0.0125),
    Case(400, "flow", 0.0125),
)
POOL, POOLS, SETS = 76, 160, 160
STRENGTHS = np.sqrt(np.repeat([1.0, 0.1], [30, 70]))
TEACHER = np.repeat([0.3, 0.2], [30, 70])
NOISE = 0.5


def gaussian(n: int, random: np.random.Generator) -> Rows:
    """n rows with a mean of their own, and targets."""
    features = random.standard_normal((n, STRENGTHS.size)) * STRENGTHS
    targets = features @ TEACHER + NOISE * random.standard_normal(n)
    return features + 1.0, targets + 2.0


def exact_error(fit: tuple[np.ndarray, float]) -> float:
    """The mean squared error over all Gaussian rows."""
    weights, intercept = fit
    gap = weights - TEACHER
    return float(np.sum((STRENGTHS * gap) ** 2) + (weights.sum() + intercept - 2.0) ** 2 + NOISE**2)


@dataclass(frozen=True)
class Drawn:
    """Pools, and of each case test errors of drawn data sets of n rows, (S,)."""

    pools: list[Rows]
    errors: dict[Case, np.ndarray]


def drawn(seeds: Seeds) -> Drawn:
    """Evidence: Gaussian pools, and students of other Gaussian rows."""
    pools = [gaussian(POOL, np.random.default_rng(seed)) for seed in seeds(POOLS, "pools")]
    own = seeds(SETS * len(CASES), "sets")
    return Drawn(
        pools,
        {
            case: np.array(
                [
                    exact_error(case.fitted(gaussian(case.n, np.random.default_rng(seed))))
                    for seed in own[place :: len(CASES)]
                ]
            )
            for place, case in enumerate(CASES)
        },
    )


def of_each(evidence: Drawn, by: Any = predicted, **changed: Any) -> dict[Case, Predicted]:
    """The claim, right or wrong, about every case."""
    return {case: by(case, evidence.pools, **changed) for case in evidence.errors}


@worst_of
def means_and_errors(evidence: Drawn, claimed: dict[Case, Predicted]) -> Iterator[Verdict]:
    """The mean over pools is that over data sets; pools differ from it by as much as they say."""
    for case, sample in evidence.errors.items():
        test, (prediction, error) = drawn_mean(sample), claimed[case]
        of_pools = drawn_mean(prediction)
        stderr = np.hypot(test.stderr, of_pools.stderr)
        name = f"test error of {case.n} rows by {case.dynamics}"
        yield replace(within_errors(test.mean, of_pools.mean, stderr, degrees=SETS - 1), unit=name)
        if case.dynamics == "ridge":
            off = (prediction / test.mean - 1) ** 2 - (error / prediction) ** 2
            yield replace(mean_within_errors(off[:, None], 0.0), unit=f"squared relative error, {name}")


GAUSSIAN = check(
    id="own-new-rows",
    title="Gaussian pools predict larger data sets: the mean, and by how much one pool is off",
    ref="extrapolation by two-point cross-validation, and its standard error",
    evidence=drawn,
    claim=of_each,
    judge=means_and_errors,
    effect=Contrast(IGNORED, "what the number of new rows changes"),
    teeth=(
        Tooth(IGNORED, partial(of_each, n=POOL)),
        Tooth("kappa matched with n in the place of N", partial(of_each, by=at_own_ridge)),
        Tooth("errors without 1 - df2/N", partial(of_each, by=at_own_ridge, share=True)),
        Tooth("standard error twice as large, as by jackknife", partial(of_each, error=2.0)),
        Tooth("the intercept's 1 + 1/n left out", partial(of_each, factor=False)),
    ),
    functions=("theory.measured_spectrum.more_rows:flow", "theory.measured_spectrum.more_rows:ridge"),
    slow=True,
)

# Real rows ----------------------------------------------------------------------------------------------

REAL_CASES = (
    Case(400, "ridge", 1 / 400, "digits"),
    Case(400, "flow", 0.002, "digits"),
    Case(1000, "ridge", 1 / 400, "digits"),
    Case(1000, "flow", 0.001, "digits"),
)
REAL_POOL, REAL_POOLS, REAL_SETS = 100, 100, 40
WORST = 0.122
"""The largest bias in 41 other cases with df1/N below .65, as measured once: this is held, not derived."""


def measured_rows(name: str) -> Rows:
    """Standardised features that vary in a fifth of the rows, and targets of variance 1; of digits parity."""
    features, targets = bundled(name)
    targets = targets % 2 if name == "digits" else targets
    most = [np.unique(column, return_counts=True)[1].max() for column in features.T]
    return features[:, np.array(most) < 0.8 * len(features)], targets / targets.std()


@dataclass(frozen=True)
class Measured:
    """Pools by the name of the data, and of each case test errors on the rows that were left, (S,)."""

    pools: dict[str, list[Rows]]
    errors: dict[Case, np.ndarray]


def split(rows: Rows, n: int, seed: int) -> tuple[Rows, Rows]:
    """n rows, and the others."""
    order = np.random.default_rng(seed).permutation(len(rows[1]))
    return tuple((rows[0][some], rows[1][some]) for some in (order[:n], order[n:]))  # type: ignore[return-value]


def measured(seeds: Seeds) -> Measured:
    """Evidence: subsets of bundled rows, as pools and as larger data sets."""
    data = {name: measured_rows(name) for name in {case.name: None for case in REAL_CASES}}
    pools = {
        name: [split(rows, REAL_POOL, seed)[0] for seed in seeds(REAL_POOLS, f"pools of {name}")]
        for name, rows in data.items()
    }
    errors = {}
    for place, case in enumerate(REAL_CASES):
        found = []
        for seed in seeds(REAL_SETS, f"sets of case {place}"):
            trained, others = split(data[case.name], case.n, seed)
            weights, intercept = case.fitted(trained)
            found.append(np.mean((others[1] - others[0] @ weights - intercept) ** 2))
        errors[case] = np.array(found)
    return Measured(pools, errors)


def of_other_rows(case: Case, pools: list[Rows]) -> Predicted:
    """Wrong: targets of the next row."""
    return predicted(case, [(features, np.roll(targets, 1)) for features, targets in pools])


def of_each_set(evidence: Measured, by: Any = predicted, **changed: Any) -> dict[Case, Predicted]:
    """The claim about every case of real rows."""
    return {case: by(case, evidence.pools[case.name], **changed) for case in evidence.errors}


@worst_of
def within_what_was_measured(evidence: Measured, claimed: dict[Case, Predicted]) -> Iterator[Verdict]:
    """The mean over pools within the largest bias that was seen elsewhere."""
    for case, sample in evidence.errors.items():
        test, pools = drawn_mean(sample), drawn_mean(claimed[case][0])
        verdict = within_errors(
            test.mean, pools.mean, np.hypot(test.stderr, pools.stderr), degrees=REAL_POOLS - 1,
            bias=WORST * test.mean,
        )  # fmt: skip
        yield replace(verdict, unit=f"test error of {case.n} rows of {case.name} by {case.dynamics}")


REAL = check(
    id="own-new-rows-real",
    title="pools of 100 rows of digits predict 400 and 1000 rows, within the bias that others showed",
    ref="measured, not derived",
    evidence=measured,
    claim=of_each_set,
    judge=within_what_was_measured,
    effect=Contrast(IGNORED, "what the number of new rows changes"),
    teeth=(
        Tooth(IGNORED, partial(of_each_set, n=REAL_POOL)),
        Tooth("kappa matched with n in the place of N", partial(of_each_set, by=at_own_ridge)),
        Tooth("targets of other rows", partial(of_each_set, by=of_other_rows)),
    ),
    functions=("theory.measured_spectrum.more_rows:flow", "theory.measured_spectrum.more_rows:ridge"),
    slow=True,
)

CHECKS = (GAUSSIAN, REAL)
