"""Variance of the test error of ridge regression between data sets: draws of two sizes, and the limit.

A ridge below zero may be best: the limit's curve over the ridge, to below 0, against drawn rows.

Few strong directions carry the target, and many weak ones act as a ridge of their own (Kobak, Lomond and
Sanchez 2020). Rows are Gaussian, and each student solves its own linear equations, with no theory.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from teacherstudent.house.running import run
from teacherstudent.paper_checks.judging.agreement import above_zero
from teacherstudent.paper_checks.judging.claims import worst_of
from teacherstudent.paper_checks.judging.comparison import Own, Values
from teacherstudent.paper_checks.judging.effects import Contrast
from teacherstudent.paper_checks.judging.evidence import Seeds, Verdict, WrongClaim
from teacherstudent.paper_checks.judging.finite_size import agree_extrapolated
from teacherstudent.paper_checks.judging.judges import AtSizes
from teacherstudent.paper_checks.measured_spectrum import check, compared
from teacherstudent.problems.measured_spectrum import PROBLEM, MeasuredSpectrum
from teacherstudent.theory.measured_spectrum import spread_between_sets
from teacherstudent.theory.measured_spectrum.best_ridge import best_ridge, error_at
from teacherstudent.theory.spectral.spread import Mixed, variance

RIDGES = np.array([0.2, 0.02])
"""For each mode."""


def question(size: int) -> dict[str, Any]:
    """Two scales of modes and 3/4 as many rows."""
    modes = ((size // 4, 1.0, 1.0), (3 * size // 4, 0.1, 0.3))
    return {"modes": modes, "n": 3 * size // 4, "noise": 0.5, "times": 1 / (size * RIDGES)}


def of_draws(_: str, asked: dict[str, Any], seeds: list[int]) -> Values:
    """Squared differences of test errors from their mean, times the number of modes, (S, T)."""
    test = run("measured-spectrum", "ridge", "instance", seeds=seeds, **asked)["generalisation_error"].values
    size = sum(count for count, *_ in asked["modes"])
    return {"variance": size * (test - test.mean(axis=0)) ** 2 * len(test) / (len(test) - 1)}


def limit(_: str, asked: dict[str, Any], __: list[int], how: str = "") -> Values:
    """The variance of the limit, times the number of modes, (T,). Wrong: `frozen`, the test error that is
    added to the loss does not change kappa; `rows`, squared errors of n independent test rows, 2 test^2/n."""
    size, n = sum(count for count, *_ in asked["modes"]), asked["n"]
    if how == "frozen":
        shape = {name: each for name, each in asked.items() if name != "times"}
        kept, *moving, _last = spread_between_sets.population(PROBLEM.instance(**shape), 1 / asked["times"])
        df2, shared = (Mixed(each.value, 0 * each.slope, 0 * each.mixed) for each in moving)
        return {"variance": size * variance(n, kept, df2, shared)}
    told: dict[str, Any] = {"observable": ("scatter",), "sampling": "population"}
    answer = run("measured-spectrum", "ridge", "asymptotic", **told, **asked)
    if how == "rows":
        return {"variance": size * 2 * answer["generalisation_error"].values ** 2 / n}
    return {"variance": size * answer["generalisation_error_scatter"].values ** 2}


SCATTER = compared(
    id="own-scatter",
    title="the variance of the test error between Gaussian data sets, from two sizes, agrees with the limit",
    ref="two-point formula for minima of the loss",
    clocks={"ridge": {}},
    questions=question,
    routes=(Own(of_draws), Own(limit, sampled=False)),
    draws={60: 5000, 120: 3000},
    stream="size {}",
    judge=AtSizes(extrapolated=True),
    effect=Contrast("kappa held fixed", "the effect of the change of kappa"),
    wrong={
        "kappa held fixed": {"route": Own(partial(limit, how="frozen"), sampled=False)},
        "variance of n independent test rows": {"route": Own(partial(limit, how="rows"), sampled=False)},
        "no label noise": {"noise": 0.0},
    },
    slow=True,
)

# A ridge below zero --------------------------------------------------------------------------------------

STRONG, WEAK, ROWS = (1, 20.0, 1.0), (400, 1.0, 0.0), 30
"""Count, eigenvalue and power of the target; training rows; for one copy of all."""

NOISE = 0.3
SIGNED = np.array([-180.0, -160.0, -80.0, 1e-9, 50.0, 200.0, 1000.0])
DRAWS = {2: 1500, 4: 1000}


def problem_of(copies: int = 1, noise: float = NOISE, strong: float = STRONG[1]) -> MeasuredSpectrum:
    """So many copies of the modes, whose traces, and so the ridges that matter, stay as they are."""
    modes = tuple((copies * m, v / copies, power) for m, v, power in ((STRONG[0], strong, STRONG[2]), WEAK))
    found: MeasuredSpectrum = PROBLEM.instance(modes=modes, n=copies * ROWS, noise=noise)
    return found


def solved_rows(seeds: Seeds) -> dict[int, np.ndarray]:
    """Evidence: test errors of each draw at `SIGNED`, (S, R) by size."""
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
        for ridge in SIGNED
    ]
    return np.array(errors) + NOISE**2


@dataclass(frozen=True)
class Claimed:
    """Test errors at `SIGNED`, (R,), and the best ridge."""

    errors: np.ndarray
    best: float


def limit_of_modes(_: object, noise: float = NOISE, strong: float = STRONG[1]) -> Claimed:
    """The claim: by the limit."""
    problem = problem_of(noise=noise, strong=strong)
    return Claimed(error_at(problem, SIGNED), best_ridge(problem).limit.ridge)


def positive(evidence: object) -> Claimed:
    """Wrong: the best of the ridges that are not negative."""
    right = limit_of_modes(evidence)
    some = SIGNED > 0
    return Claimed(right.errors, float(SIGNED[some][np.argmin(right.errors[some])]))


def reflected(evidence: object) -> Claimed:
    """Wrong: errors at negative ridges are those at positive ones."""
    return Claimed(error_at(problem_of(), np.abs(SIGNED)), limit_of_modes(evidence).best)


@worst_of
def best_and_as_large(evidence: dict[int, np.ndarray], claimed: Claimed) -> Iterator[Verdict]:
    """Errors at each ridge, extrapolated in 1/size; and students at the best one beat all others."""
    yield agree_extrapolated(evidence, claimed.errors)
    sample = evidence[max(evidence)]
    best = int(np.argmin(np.abs(SIGNED - claimed.best)))
    others = np.delete(sample, best, axis=1) - sample[:, [best]]
    yield above_zero(others.T / sample.mean(), "gain over another ridge")


REFLECTED = "errors at negative ridges equal to the errors at positive ridges"

NEGATIVE = check(
    id="own-negative-ridge",
    title="where weak modes regularise enough, a negative ridge is best, in the limit and in draws",
    ref="two-point formula, continued to the edge of the spectrum",
    evidence=solved_rows,
    claim=limit_of_modes,
    judge=best_and_as_large,
    effect=Contrast(REFLECTED, "the effect of the sign of the ridge"),
    wrong=(
        WrongClaim(REFLECTED, reflected),
        WrongClaim("no negative ridge", positive),
        WrongClaim("no label noise", partial(limit_of_modes, noise=0.0)),
        WrongClaim("strong modes 10 % stronger", partial(limit_of_modes, strong=1.1 * STRONG[1])),
    ),
    slow=True,
)

CHECKS = (
    SCATTER,
    NEGATIVE,
)
