"""An intercept that is fitted to the training rows: exact for Gaussian rows; what is left on real ones."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from teacherstudent.paper_checks.judging.agreement import mean_within_errors
from teacherstudent.paper_checks.judging.comparison import Found, Values, flat, then
from teacherstudent.paper_checks.judging.effects import Contrast
from teacherstudent.paper_checks.judging.evidence import Claim, Seeds, Verdict, WrongClaim
from teacherstudent.paper_checks.measured_spectrum import check, compared
from teacherstudent.paper_checks.measured_spectrum.kit.asking import ERRORS, errors
from teacherstudent.paper_checks.measured_spectrum.kit.tables import bundled

KNOWN = "a known mean"

# Gaussian rows: exact at any size ----------------------------------------------------------------------

N = 12
LAW: dict[str, Any] = {"modes": ((10, 1.0, 0.7), (20, 0.2, 0.3)), "noise": 0.5, "init": 0.1, "ridge": 0.3}


def by_one_row_less(n: int = N - 1, test: float = 1 + 1 / N, seen: float = 1 - 1 / N) -> Claim:
    """The claim: (1 + 1/n) times the test error, and (1 - 1/n) times the training error, of a known mean and
    n - 1 rows; by the exact dynamics of as many draws, which begin with the same rows."""
    factors = dict(zip(ERRORS, (test, seen), strict=True))

    def scaled(errors: Values) -> Values:
        return {name: factors[name] * each for name, each in errors.items()}

    return then(scaled, {"n": n, "intercept": "none"})


def no_difference(found: Found, claimed: list[Values]) -> Verdict:
    """differences at equal seeds, pooled over both dynamics, have mean zero"""
    apart = [case.flat - flat(claim, True) for case, claim in zip(found.cases, claimed, strict=True)]
    return mean_within_errors(np.concatenate(apart, axis=1), 0.0)


GAUSSIAN = compared(
    id="own-intercept",
    title="a trained intercept on 12 Gaussian rows acts like a known mean, one row less and a factor 1 + 1/n",
    ref="the mean and the differences of Gaussian rows are independent",
    clocks={"ridge": {"times": (0.3, 3.0)}, "descent": {"times": (2, 30), "learning_rate": 0.02}},
    questions={"n": N, "intercept": "trained", **LAW},
    routes=("simulation", "instance"),
    observables=ERRORS,
    draws=3000,
    judge=no_difference,
    effect=Contrast(KNOWN, "the cost of fitting the intercept"),
    wrong={
        KNOWN: by_one_row_less(n=N, test=1.0, seen=1.0),
        "factor 1 + 1/n omitted": by_one_row_less(test=1.0),
        "n rows instead of n - 1": by_one_row_less(n=N),
    },
    slow=True,
    claim=by_one_row_less(),
)

# Real rows ---------------------------------------------------------------------------------------------

SIZES, TIMES, SUBSETS = (8, 15, 30), (0.02, 0.2), 1500


def of_real_rows(route: str, intercept: str, **drawn: Any) -> np.ndarray:
    """The test error of ridge regression on the diabetes data, (S, N T) or (N T,)."""
    features, targets = bundled("diabetes")
    asked = {"features": features, "targets": (targets - 152) / 77, "intercept": intercept, **drawn}
    return np.concatenate([errors("ridge", route, TIMES, n=n, **asked)[..., 0, :] for n in SIZES], axis=-1)


def on_real_rows(seeds: Seeds) -> tuple[np.ndarray, np.ndarray]:
    """Evidence: simulated errors with a trained intercept, (S, N T), and how far the pool formula is off
    where the mean is known, (N T,), on the same subsets."""
    drawn = seeds(SUBSETS)
    known = of_real_rows("simulation", "pool", seeds=drawn).mean(axis=0)
    off = np.abs(known - of_real_rows("asymptotic", "pool"))
    return of_real_rows("simulation", "trained", seeds=drawn), off


def by_formula(_: object, route: str, intercept: str = "trained", factor: bool = True) -> np.ndarray:
    """The claim: a formula with a trained intercept, with or without its factor 1 + 1/n."""
    share = np.repeat([1.0 if factor else 1 / (1 + 1 / n) for n in SIZES], len(TIMES))
    return of_real_rows(route, intercept) * share


def as_far_off(evidence: tuple[np.ndarray, np.ndarray], claimed: np.ndarray) -> Verdict:
    """The formula is off by no more than it is with a known mean."""
    sample, off = evidence
    return mean_within_errors(sample, claimed, off)


def of_route(route: str) -> Any:
    """The check of one formula."""
    return check(
        id=f"own-intercept-{route}",
        title=f"with a trained intercept on 8, 15, 30 rows of diabetes, {route} is as accurate as for a "
        "known mean",
        ref="one mode with infinite eigenvalue",
        evidence=on_real_rows,
        claim=partial(by_formula, route=route),
        judge=as_far_off,
        effect=Contrast(KNOWN, "the cost of fitting the intercept"),
        wrong=(
            WrongClaim(KNOWN, partial(by_formula, route=route, intercept="pool")),
            WrongClaim("factor 1 + 1/n omitted", partial(by_formula, route=route, factor=False)),
        ),
        slow=True,
    )


CHECKS = (GAUSSIAN, *map(of_route, ("asymptotic", "leverage", "per-row")))
