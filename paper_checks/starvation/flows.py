"""The five flows: limits of simulated steps, equal ends, and the descent that is a mirror ascent."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from scipy.integrate import solve_ivp

from teacherstudent.paper_checks.judging.agreement import first_order
from teacherstudent.paper_checks.judging.claims import per_case, worst_case, worst_of
from teacherstudent.paper_checks.judging.evidence import Seeds, Verdict, WrongClaim
from teacherstudent.paper_checks.judging.exactness import relatively_equal
from teacherstudent.paper_checks.starvation import check
from teacherstudent.paper_checks.starvation.kit.drawn import (
    DUAL,
    DYNAMICS,
    SHIFTED,
    drawn_problems,
    flowing,
    orthonormal,
)
from teacherstudent.paper_checks.starvation.kit.primal import decoupled_loss, minimum, ridge_loss
from teacherstudent.problems.starvation import PROBLEM, Starvation
from teacherstudent.theory.starvation import duality, flow

Paths = Mapping[str, np.ndarray]
"""Responses z (T, n) by the name of the dynamics."""


# First order in the learning rate -------------------------------------------------------------------------

TIMES = np.array([0.16, 0.8, 3.2])
RATES = (2e-3, 1e-3, 5e-4, 2.5e-4)
START, SHIFT = 0.1, 0.7


@dataclass(frozen=True)
class Stepped:
    """A problem and its simulated z (T, n), by dynamics and learning rate."""

    problem: Starvation
    z: dict[str, dict[float, np.ndarray]]


def stepped(seeds: Seeds) -> Stepped:
    """Evidence: each dynamics simulated at ever smaller steps."""
    from teacherstudent.sims.starvation.paths import paths

    random = np.random.default_rng(seeds(1))
    problem = PROBLEM.instance(vectors=orthonormal(3, random), strengths=(2.0, 1.0, 0.5), ridge=0.5)
    options = {"alpha0": START, "shift": SHIFT}

    def at(dynamics: str, rate: float) -> np.ndarray:
        return paths([problem], dynamics, TIMES, learning_rate=rate, **options)[0]

    return Stepped(problem, {name: {rate: at(name, rate) for rate in RATES} for name in DYNAMICS})


def limits(
    evidence: Stepped, time: float = 1.0, ridge: float = 1.0, start: float = 1.0, shift: float = 1.0
) -> Paths:
    """The flows; factors on their ingredients for the negative controls."""
    problem = replace(evidence.problem, ridge=ridge * evidence.problem.ridge)
    return {
        dynamics: flowing(problem, dynamics, time * TIMES, start * START, shift * SHIFT)
        for dynamics in DYNAMICS
    }


@worst_of
def approached(evidence: Stepped, claimed: Paths) -> Iterator[Verdict]:
    """A dual bends by s^2/ridge + 1/(alpha(1-alpha)) at its start, a loss by s^2/4 + ridge max(1, s^2)."""
    largest = evidence.problem.s.max() ** 2
    bends = {True: largest / evidence.problem.ridge + 1 / (START * (1 - START)), False: largest}
    for dynamics, z in evidence.z.items():
        yield first_order(z, claimed[dynamics], bends[dynamics in DUAL])


STEPS = check(
    id="gs-steps",
    title="simulated gradient descents and ascents approach their flows at first order in the learning rate",
    ref="Eqs. 6.3.5, 6.3.9, 6.3.17-6.3.18",
    evidence=stepped,
    claim=limits,
    judge=approached,
    wrong=(
        WrongClaim("training 1 % too fast", partial(limits, time=1.01)),
        WrongClaim("ridge 1 % too large", partial(limits, ridge=1.01)),
        WrongClaim("initial value of the dual 1 % too large", partial(limits, start=1.01)),
        WrongClaim("shift omitted", partial(limits, shift=0.0)),
    ),
    slow=True,
)


# Ends -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Minima:
    """A problem, its shift, and z (n,) at the minimum of either loss by the primal Newton."""

    problem: Starvation
    shift: float
    z: dict[str, np.ndarray]


def minima(seeds: Seeds) -> list[Minima]:
    """Evidence: responses at the minimum of each loss, by an independent Newton."""
    own, found = seeds(6), []
    for seed, problem in zip(own, drawn_problems(own), strict=True):
        shift = float(np.random.default_rng([seed, 1]).uniform(-2, 2))
        X = problem.U * problem.s
        ridge = problem.s * minimum(ridge_loss(X, problem.ridge))
        decoupled = problem.s * minimum(decoupled_loss(X, problem.ridge, shift))
        z = {dynamics: decoupled if dynamics in SHIFTED else ridge for dynamics in DYNAMICS}
        found.append(Minima(problem, shift, z))
    return found


@per_case
def long_flows(case: Minima, foldings: float = 30.0, ridge: float = 1.0) -> Paths:
    """The flows after that many e-foldings of their slowest mode; factors for the negative controls.

    Slowest rates are at least 4 on the dual clock, and on the primal one the ridge, or the
    ridge times the smallest s^2 under spectral decoupling.
    """
    slowest = dict.fromkeys(DYNAMICS, case.problem.ridge) | dict.fromkeys(DUAL, 4.0)
    slowest["primal-decoupled"] *= case.problem.s.min() ** 2
    moved = replace(case.problem, ridge=ridge * case.problem.ridge)
    return {
        dynamics: flowing(moved, dynamics, np.array([foldings / rate]), shift=case.shift)[0]
        for dynamics, rate in slowest.items()
    }


ENDS = check(
    id="gs-flow-ends",
    title="the dual, mirror and primal flows of a loss all end at its minimum",
    ref="App. .3, Eqs. 6.3.9, 6.3.18",
    evidence=minima,
    claim=long_flows,
    judge=worst_case(
        lambda case, ends: [
            relatively_equal(z, ends[dynamics], 1e-6, "accuracy requested of long flows")
            for dynamics, z in case.z.items()
        ]
    ),
    wrong=(
        WrongClaim("one sixth of the time", partial(long_flows, foldings=5.0)),
        WrongClaim("ridge 1e-4 (relative) too large", partial(long_flows, ridge=1.0001)),
    ),
)


# Primal flow = mirror flow ----------------------------------------------------------------------------------

MOMENTS = np.array([0.01, 0.1, 1.0, 10.0, 100.0])


@dataclass(frozen=True)
class Descended:
    """A problem and z (T, n) of descent on its ridge loss, integrated over parameters."""

    problem: Starvation
    z: np.ndarray


def descended(seeds: Seeds) -> list[Descended]:
    """theta' = -gradient, by an implicit Runge-Kutta method on the loss itself."""
    found = []
    for problem in drawn_problems(seeds(4), n=5):
        loss = ridge_loss(problem.U * problem.s, problem.ridge)
        solution = solve_ivp(
            lambda _, theta, loss=loss: -loss.derivatives(theta)[0],
            (0, MOMENTS[-1]),
            np.zeros(5),
            "Radau",
            MOMENTS,
            jac=lambda _, theta, loss=loss: -loss.derivatives(theta)[1],
            rtol=1e-10,
            atol=1e-12,
        )
        found.append(Descended(problem, solution.y.T * problem.s))
    return found


@per_case
def both_forms(case: Descended, rate: float = 1.0) -> tuple[np.ndarray, ...]:
    """The theory's primal and mirror flows; a factor on the mirror's rate for a negative control."""
    path = flow.mirror_path(duality.of_ridge(case.problem), rate * case.problem.ridge, MOMENTS)
    return flowing(case.problem, "primal", MOMENTS), path.states @ case.problem.U


MIRROR = check(
    id="gs-mirror",
    title="gradient descent on the ridge loss is the ascent 6.3.9 in the entropy metric, at every time",
    ref="App. .3",
    evidence=descended,
    claim=both_forms,
    judge=worst_case(
        lambda case, forms: [
            relatively_equal(case.z, z, 1e-7, "a thousand steps of tolerance 1e-10") for z in forms
        ]
    ),
    wrong=(
        WrongClaim(
            "in the Euclidean metric", per_case(lambda case: (flowing(case.problem, "dual", MOMENTS),))
        ),
        WrongClaim("learning rate 1e-5 (relative) too large", partial(both_forms, rate=1 + 1e-5)),
    ),
)

CHECKS = (STEPS, ENDS, MIRROR)
