"""A ridge below zero may be best: the limit's curve over the ridge, to below 0, against drawn rows.

Few strong directions carry the target, and many weak ones act as a ridge of their own (Kobak, Lomond and
Sanchez 2020). Rows are Gaussian, and each student solves its own linear equations, with no theory.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np

from teacherstudent.paper_checks.judging.agreement import above_zero
from teacherstudent.paper_checks.judging.cases import worst_of
from teacherstudent.paper_checks.judging.effects import Contrast
from teacherstudent.paper_checks.judging.evidence import Seeds, Tooth, Verdict
from teacherstudent.paper_checks.judging.finite_size import agree_extrapolated
from teacherstudent.paper_checks.measured_spectrum import check
from teacherstudent.problems.measured_spectrum import PROBLEM, MeasuredSpectrum
from teacherstudent.theory.measured_spectrum.best_ridge import best_ridge, error_at

STRONG, WEAK, ROWS = (1, 20.0, 1.0), (400, 1.0, 0.0), 30
"""Count, eigenvalue and power of the target; training rows; for one copy of all."""

NOISE = 0.3
RIDGES = np.array([-180.0, -160.0, -80.0, 1e-9, 50.0, 200.0, 1000.0])
DRAWS = {2: 1500, 4: 1000}


def problem_of(copies: int = 1, noise: float = NOISE, strong: float = STRONG[1]) -> MeasuredSpectrum:
    """So many copies of the modes, whose traces, and so the ridges that matter, stay as they are."""
    modes = tuple((copies * m, v / copies, power) for m, v, power in ((STRONG[0], strong, STRONG[2]), WEAK))
    found: MeasuredSpectrum = PROBLEM.instance(modes=modes, n=copies * ROWS, noise=noise)
    return found


def drawn(seeds: Seeds) -> dict[int, np.ndarray]:
    """Evidence: test errors of each draw at `RIDGES`, (S, R) by size."""
    return {
        copies: np.stack([solved(copies, seed) for seed in seeds(count, f"copies {copies}")])
        for copies, count in DRAWS.items()
    }


def solved(copies: int, seed: int) -> np.ndarray:
    """Of one draw, (R,): w = X^T (X X^T + ridge)^-1 y, and its exact error on fresh rows."""
    draw = np.random.default_rng(seed)
    strong, weak = STRONG[0] * copies, WEAK[0] * copies
    values = np.repeat([STRONG[1] / copies, WEAK[1] / copies], [strong, weak])
    teacher = np.concatenate([np.full(strong, np.sqrt(STRONG[2] / strong / values[0])), np.zeros(weak)])
    x = draw.standard_normal((ROWS * copies, values.size)) * np.sqrt(values)
    labels = x @ teacher + NOISE * draw.standard_normal(len(x))
    kernel = x @ x.T
    errors = [
        np.sum(values * (x.T @ np.linalg.solve(kernel + ridge * np.eye(len(x)), labels) - teacher) ** 2)
        for ridge in RIDGES
    ]
    return np.array(errors) + NOISE**2


@dataclass(frozen=True)
class Claimed:
    """Test errors at `RIDGES`, (R,), and the best ridge."""

    errors: np.ndarray
    best: float


def limit(_: object, noise: float = NOISE, strong: float = STRONG[1]) -> Claimed:
    """The claim: by the limit."""
    problem = problem_of(noise=noise, strong=strong)
    return Claimed(error_at(problem, RIDGES), best_ridge(problem).limit.ridge)


def positive(evidence: object) -> Claimed:
    """Wrong: the best of the ridges that are not negative."""
    right = limit(evidence)
    some = RIDGES > 0
    return Claimed(right.errors, float(RIDGES[some][np.argmin(right.errors[some])]))


def reflected(evidence: object) -> Claimed:
    """Wrong: errors at negative ridges are those at positive ones."""
    return Claimed(error_at(problem_of(), np.abs(RIDGES)), limit(evidence).best)


@worst_of
def best_and_as_large(evidence: dict[int, np.ndarray], claimed: Claimed) -> Iterator[Verdict]:
    """Errors at each ridge, extrapolated in 1/size; and students at the best one beat all others."""
    yield agree_extrapolated(evidence, claimed.errors)
    sample = evidence[max(evidence)]
    best = int(np.argmin(np.abs(RIDGES - claimed.best)))
    others = np.delete(sample, best, axis=1) - sample[:, [best]]
    yield above_zero(others.T / sample.mean(), "gain over another ridge")


REFLECTED = "errors at negative ridges are those at positive ones"

NEGATIVE = check(
    id="own-negative-ridge",
    title="a ridge below zero is best where weak modes regularise enough: the limit's curve against draws",
    ref="two-point formula, continued to the edge of the spectrum",
    evidence=drawn,
    claim=limit,
    judge=best_and_as_large,
    effect=Contrast(REFLECTED, "what the sign of a ridge changes"),
    teeth=(
        Tooth(REFLECTED, reflected),
        Tooth("no ridge below zero", positive),
        Tooth("no noise", partial(limit, noise=0.0)),
        Tooth("strong modes 10 % stronger", partial(limit, strong=1.1 * STRONG[1])),
    ),
    slow=True,
)

CHECKS = (NEGATIVE,)
