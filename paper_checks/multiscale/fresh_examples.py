"""Generalisation means unseen inputs: simulated students on fresh examples decide the formula.

Advani and Saxe average (wbar - w) x over x that the student has not seen, which gives Eq. 2.3.14.
The thesis puts the training inputs' X X^T in the place of that average (Eqs. 2.3.19-2.3.22),
although w depends on it. Simulated students decide. Their steps are so small that descent and
flow differ by about eta lambda < 1e-4, far less than one standard error.

The bias of finite size falls like 1/d; it is measured at three sizes, averaged over teacher,
noise and start for each drawn X, and extrapolated to the size of the simulation.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from teacherstudent.house.running import run
from teacherstudent.paper_checks.judging.cases import worst_case
from teacherstudent.paper_checks.judging.effects import Contrast
from teacherstudent.paper_checks.judging.evidence import Seeds, Tooth
from teacherstudent.paper_checks.judging.finite_size import agree_beyond_bias
from teacherstudent.paper_checks.multiscale import check, misprints
from teacherstudent.problems.multiscale import PROBLEM, MultiScale
from teacherstudent.theory import marchenko_pastur
from teacherstudent.theory.multiscale import one_scale

Claim = Callable[[MultiScale, np.ndarray], np.ndarray]

ALPHAS = (0.5, 1.0, 1.5)
TIMES = np.array([1.0, 4.0, 16.0])
RATE = 1e-5
SIZES = {20: 8000, 40: 4000, 60: 2000}
LARGE, LARGE_DRAWS = 100, 300
SETTING = {"noise": 0.7, "init": 0.5}
ERRORS = ("generalisation", "training")


Samples = dict[float, dict[int, np.ndarray]]
"""Errors of each draw, generalisation then training, (S, 2T), by alpha and size: at the largest
size measured on examples, at the others exact averages given each X."""


def measured(seeds: Seeds) -> Samples:
    """Evidence: errors at small sizes to measure the bias, and on unseen inputs at the large one."""

    def ask(route: str, alpha: float, d: int, count: int) -> np.ndarray:
        question: dict[str, Any] = {"n": round(alpha * d), "scales": ((d, 1.0),), **SETTING}
        question |= {"observable": ERRORS, "learning_rate": RATE, "seeds": seeds(count, f"{alpha}/{d}")}
        answer = run("multiscale", "descent", route, TIMES / RATE, **question)
        return np.concatenate([answer[f"{name}_error"].values for name in ERRORS], axis=-1)

    return {
        alpha: {d: ask("instance", alpha, d, count) for d, count in SIZES.items()}
        | {LARGE: ask("simulation", alpha, LARGE, LARGE_DRAWS)}
        for alpha in ALPHAS
    }


def claims(_: Samples, generalisation: Claim, training: Claim) -> dict[float, np.ndarray]:
    """Both errors at each alpha, (2T,)."""
    at = {
        alpha: PROBLEM.instance(n=round(alpha * LARGE), scales=((LARGE, 1.0),), **SETTING) for alpha in ALPHAS
    }
    return {
        alpha: np.concatenate([generalisation(problem, TIMES), training(problem, TIMES)])
        for alpha, problem in at.items()
    }


def right(name: str, problem: MultiScale, times: np.ndarray, **changes: float) -> np.ndarray:
    """An error by the quadrature route, with some parameters replaced for the negative controls."""
    changed = PROBLEM.instance(n=problem.n, scales=((problem.d, 1.0),), **{**SETTING, **changes})
    return np.asarray(one_scale.flow(changed, times, observable=[name])[f"{name}_error"])


def printed_generalisation(problem: MultiScale, times: np.ndarray) -> np.ndarray:
    """The thesis's 'correction', Eq. 2.3.22: each mode weighed with lambda, (T,)."""
    scale = one_scale.one_scale(problem)
    spectrum = marchenko_pastur.quadrature(scale.alpha, max(1.0, times.max()))
    lam, p = spectrum.eigenvalues, np.exp(-spectrum.eigenvalues * times[:, None])
    modes = scale.mismatch * p**2 + scale.noise * (1 - p) ** 2 / lam  # Eq. 2.3.13, squared
    return (lam * modes) @ spectrum.weights + scale.noise  # Eqs. 2.3.15, 2.3.21-2.3.22


GENERALISATION, TRAINING = partial(right, "generalisation"), partial(right, "training")

FRESH = check(
    id="os-fresh-inputs",
    title="errors of simulated students on unseen and on seen examples, over time",
    ref="Eqs. 2.3.14-2.3.22, 2.3.29-2.3.30",
    evidence=measured,
    claim=partial(claims, generalisation=GENERALISATION, training=TRAINING),
    judge=worst_case(partial(agree_beyond_bias, whole=True)),
    effect=Contrast("os-lambda-correction", "what the printed factor lambda_i changes"),
    teeth=(
        Tooth("seen for unseen", partial(claims, generalisation=TRAINING, training=TRAINING)),
        Tooth(
            "noise 5 % larger",
            partial(claims, generalisation=partial(GENERALISATION, noise=0.735), training=TRAINING),
        ),
        Tooth(
            "start forgotten",
            partial(claims, generalisation=partial(GENERALISATION, init=0.0), training=TRAINING),
        ),
    ),
    errata=misprints(
        {"os-lambda-correction": partial(claims, generalisation=printed_generalisation, training=TRAINING)}
    ),
    slow=True,
)

CHECKS = (FRESH,)
