"""The five flows: limits of simulated steps, equal ends, and the descent that is a mirror ascent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from scipy.integrate import solve_ivp

from teacherstudent.paper_checks.judging.agreement import at_rate, within_bound
from teacherstudent.paper_checks.judging.evidence import Check, Seeds, Tooth, Verdict, worst
from teacherstudent.paper_checks.starvation.primal import (
    decoupled_loss,
    drawn_problems,
    minimum,
    orthonormal,
    ridge_loss,
)
from teacherstudent.problems.starvation import PROBLEM, Starvation
from teacherstudent.theory.starvation import duality, flow

DUAL = ("dual", "decoupled")
SHIFTED = ("decoupled", "primal-decoupled")
DYNAMICS = tuple(clock.name for clock in PROBLEM.dynamics)

Paths = Mapping[str, np.ndarray]
"""Responses z (T, n) by the name of the dynamics."""


def flowing(
    problem: Starvation, dynamics: str, times: np.ndarray, alpha0: float = 1e-8, shift: float = 0.0
) -> np.ndarray:
    """z (T, n) of the theory's flow."""
    options = {"alpha0": alpha0} if dynamics in DUAL else {}
    options |= {"shift": shift} if dynamics in SHIFTED else {}
    of = getattr(flow, dynamics.replace("-", "_"))
    named = of(problem, times, learning_rate="auto", **options)
    return np.stack([named["z1"], named["z2"]], axis=-1) if problem.n == 2 else named["z"]


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
    return Stepped(
        problem,
        {
            dynamics: {
                rate: paths([problem], dynamics, TIMES, learning_rate=rate, **options)[0] for rate in RATES
            }
            for dynamics in DYNAMICS
        },
    )


def limits(
    evidence: Stepped, time: float = 1.0, ridge: float = 1.0, start: float = 1.0, shift: float = 1.0
) -> Paths:
    """The flows; factors on their ingredients for the teeth."""
    problem = replace(evidence.problem, ridge=ridge * evidence.problem.ridge)
    return {
        dynamics: flowing(problem, dynamics, time * TIMES, start * START, shift * SHIFT)
        for dynamics in DYNAMICS
    }


def first_order(evidence: Stepped, claimed: Paths) -> Verdict:
    """The next order changes an error by the rate times the curvature, relatively, and so the slope by
    that at a typical rate. A dual bends by s^2/ridge + 1/(alpha(1-alpha)) at its start, a loss by
    s^2/4 + ridge max(1, s^2)."""
    largest = evidence.problem.s.max() ** 2
    bends = {True: largest / evidence.problem.ridge + 1 / (START * (1 - START)), False: largest}
    verdicts = []
    for dynamics, z in evidence.z.items():
        errors = [np.linalg.norm(z[rate] - claimed[dynamics]) for rate in RATES]
        slack = np.sqrt(RATES[0] * RATES[-1]) * bends[dynamics in DUAL]
        verdicts.append(at_rate(RATES, errors, 1.0, slack=float(slack)))
    return worst(*verdicts)


STEPS = Check(
    id="gs-steps",
    problem="starvation",
    title="simulated descents and ascents approach their flows at first order in the learning rate",
    paper="pezeshki2022",
    ref="Eqs. 6.3.5, 6.3.9, 6.3.17-6.3.18",
    evidence=stepped,
    claim=limits,
    judge=first_order,
    teeth=(
        Tooth("one per cent fast", partial(limits, time=1.01)),
        Tooth("ridge one per cent large", partial(limits, ridge=1.01)),
        Tooth("start of the dual one per cent large", partial(limits, start=1.01)),
        Tooth("shift forgotten", partial(limits, shift=0.0)),
    ),
    covers=("App. .3 simulated",),
)


# Ends -------------------------------------------------------------------------------------------------------

ASKED = 1e-6
"""Accuracy asked of the end of a flow, relative to the largest response."""


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
        z = {each: decoupled if each in SHIFTED else ridge for each in DYNAMICS}
        found.append(Minima(problem, shift, z))
    return found


def long_flows(evidence: list[Minima], foldings: float = 30.0, ridge: float = 1.0) -> list[Paths]:
    """The flows after that many e-foldings of their slowest mode; factors for the teeth.

    Slowest rates are at least 4 on the dual clock, and on the primal one the ridge, or the
    ridge times the smallest s^2 under spectral decoupling.
    """
    answers: list[Paths] = []
    for each in evidence:
        slowest = dict.fromkeys(DYNAMICS, each.problem.ridge) | dict.fromkeys(DUAL, 4.0)
        slowest["primal-decoupled"] *= each.problem.s.min() ** 2
        moved = replace(each.problem, ridge=ridge * each.problem.ridge)
        answers.append(
            {
                dynamics: flowing(moved, dynamics, np.array([foldings / rate]), shift=each.shift)[0]
                for dynamics, rate in slowest.items()
            }
        )
    return answers


def arrived(evidence: list[Minima], claimed: list[Paths]) -> Verdict:
    """Judge: where long flows end, to the accuracy asked of them."""
    verdicts = []
    for each, ends in zip(evidence, claimed, strict=True):
        for dynamics, z in each.z.items():
            error = np.max(np.abs(ends[dynamics] - z)) / np.max(np.abs(z))
            verdicts.append(within_bound(error, ASKED, "accuracy asked of long flows", "relative"))
    return worst(*verdicts)


ENDS = Check(
    id="gs-flow-ends",
    problem="starvation",
    title="all flows of a loss end at its minimum, dual, mirror and primal alike",
    paper="pezeshki2022",
    ref="App. .3, Eqs. 6.3.9, 6.3.18",
    evidence=minima,
    claim=long_flows,
    judge=arrived,
    teeth=(
        Tooth("a sixth of the time", partial(long_flows, foldings=5.0)),
        Tooth("ridge one part in 1e4 large", partial(long_flows, ridge=1.0001)),
    ),
    covers=("App. .3 ends",),
)


# Primal flow = mirror flow ----------------------------------------------------------------------------------

MOMENTS = np.array([0.01, 0.1, 1.0, 10.0, 100.0])


@dataclass(frozen=True)
class Descended:
    """A problem and z (T, n) of descent on its ridge loss, integrated over parameters."""

    problem: Starvation
    z: np.ndarray


def descended(seeds: Seeds) -> list[Descended]:
    """theta' = -gradient, by an implicit Runge-Kutta method on the loss of the other witness."""
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


def both_forms(evidence: list[Descended], rate: float = 1.0) -> list[tuple[np.ndarray, ...]]:
    """The theory's primal and mirror flows; a factor on the mirror's rate for a tooth."""
    answers: list[tuple[np.ndarray, ...]] = []
    for each in evidence:
        path = flow.mirror_path(duality.of_ridge(each.problem), rate * each.problem.ridge, MOMENTS)
        answers.append((flowing(each.problem, "primal", MOMENTS), path.states @ each.problem.U))
    return answers


def euclidean(evidence: list[Descended]) -> list[tuple[np.ndarray, ...]]:
    """6.3.9 itself on the same clock, from responses of about 0."""
    return [(flowing(each.problem, "dual", MOMENTS),) for each in evidence]


def one_path(evidence: list[Descended], claimed: list[tuple[np.ndarray, ...]]) -> Verdict:
    """Judge: the whole path, to the accuracy of the solver."""
    verdicts = []
    for each, forms in zip(evidence, claimed, strict=True):
        for z in forms:
            error = np.max(np.abs(z - each.z)) / np.max(np.abs(each.z))
            verdicts.append(within_bound(error, 1e-7, "a thousand steps of tolerance 1e-10", "relative"))
    return worst(*verdicts)


MIRROR = Check(
    id="gs-mirror",
    problem="starvation",
    title="descent on the ridge loss is the ascent 6.3.9 in the entropy metric, at every time",
    paper="pezeshki2022",
    ref="App. .3",
    evidence=descended,
    claim=both_forms,
    judge=one_path,
    teeth=(
        Tooth("in the Euclidean metric", euclidean),
        Tooth("rate one part in 1e5 large", partial(both_forms, rate=1 + 1e-5)),
    ),
    covers=("App. .3 one flow",),
)

CHECKS = (STEPS, ENDS, MIRROR)
