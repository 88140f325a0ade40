"""An intercept that is fitted to the training rows: exact for Gaussian rows; what is left on real ones."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from teacherstudent.paper_checks.judging.agreement import mean_within_errors
from teacherstudent.paper_checks.judging.effects import Contrast
from teacherstudent.paper_checks.judging.evidence import Seeds, Tooth, Verdict
from teacherstudent.paper_checks.measured_spectrum import check
from teacherstudent.paper_checks.measured_spectrum.kit.asking import errors
from teacherstudent.paper_checks.measured_spectrum.kit.tables import bundled

KNOWN = "the known mean"

# Gaussian rows: exact at any size ----------------------------------------------------------------------

N, DRAWS = 12, 3000
LAW: dict[str, Any] = {"modes": ((10, 1.0, 0.7), (20, 0.2, 0.3)), "noise": 0.5, "init": 0.1, "ridge": 0.3}
CLOCKS: dict[str, tuple[tuple[float, ...], dict[str, Any]]] = {
    "ridge": ((0.3, 3.0), {}),
    "descent": ((2, 30), {"learning_rate": 0.02}),
}


def of_gaussian_rows(route: str, n: int, intercept: str, seeds: list[int]) -> np.ndarray:
    """Both errors under every dynamics, (S, 2, 2 T)."""
    found = [
        errors(name, route, times, seeds=seeds, n=n, intercept=intercept, **LAW, **more)
        for name, (times, more) in CLOCKS.items()
    ]
    return np.concatenate(found, axis=-1)


def trained(seeds: Seeds) -> tuple[list[int], np.ndarray]:
    """Evidence: seeds, and both errors of students that fit their intercept, (S, 2, 2 T)."""
    drawn = seeds(DRAWS)
    return drawn, of_gaussian_rows("simulation", N, "trained", drawn)


def by_one_row_less(
    evidence: tuple[list[int], np.ndarray], n: int = N - 1, test: float = 1 + 1 / N, seen: float = 1 - 1 / N
) -> np.ndarray:
    """The claim: (1 + 1/n) times the test error, and (1 - 1/n) times the training error, of a known mean and
    n - 1 rows; by the exact dynamics of as many draws, which begin with the same rows."""
    known = of_gaussian_rows("instance", n, "none", evidence[0])
    return known * np.array([test, seen])[:, None]


def no_difference(evidence: tuple[list[int], np.ndarray], claimed: np.ndarray) -> Verdict:
    """Differences have a mean of zero at any size."""
    return mean_within_errors(evidence[1] - claimed, 0.0)


GAUSSIAN = check(
    id="own-intercept",
    title="a trained intercept on Gaussian rows: a known mean, one row less, and 1 + 1/n, at n = 12",
    ref="the mean and the differences of Gaussian rows are independent",
    evidence=trained,
    claim=by_one_row_less,
    judge=no_difference,
    effect=Contrast(KNOWN, "what fitting the intercept costs"),
    teeth=(
        Tooth(KNOWN, partial(by_one_row_less, n=N, test=1.0, seen=1.0)),
        Tooth("1 + 1/n omitted", partial(by_one_row_less, test=1.0)),
        Tooth("n rows in place of n - 1", partial(by_one_row_less, n=N)),
    ),
    functions=(
        *(f"theory.measured_spectrum.instance:{name}" for name in CLOCKS),
        *(f"sims.measured_spectrum.{name}:{name}" for name in CLOCKS),
    ),
    slow=True,
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
        title=f"a trained intercept on diabetes: ridge regression on n = 8, 15, 30 rows against {route}",
        ref="one mode of infinite eigenvalue",
        evidence=on_real_rows,
        claim=partial(by_formula, route=route),
        judge=as_far_off,
        effect=Contrast(KNOWN, "what fitting the intercept costs"),
        teeth=(
            Tooth(KNOWN, partial(by_formula, route=route, intercept="pool")),
            Tooth("1 + 1/n omitted", partial(by_formula, route=route, factor=False)),
        ),
        functions=(
            f"theory.measured_spectrum.{route.replace('-', '_')}:ridge",
            "sims.measured_spectrum.ridge:ridge",
        ),
        slow=True,
    )


CHECKS = (GAUSSIAN, *map(of_route, ("asymptotic", "leverage", "per-row")))
