"""Routes at one X and in the limit: Langevin's covariance and its limit, ridge regression, and the print.

The printed formulas are an approximation. They are right where the scales lie apart and the ridge is not
small against the slow one: there they are held to the limit, so that their transcription is known.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from teacherstudent.house.running import run
from teacherstudent.paper_checks.judging.agreement import at_order, mean_within_errors
from teacherstudent.paper_checks.judging.cases import worst_case
from teacherstudent.paper_checks.judging.comparison import scaled
from teacherstudent.paper_checks.judging.effects import Contrast
from teacherstudent.paper_checks.judging.evidence import Seeds, Tooth, Verdict
from teacherstudent.paper_checks.judging.exactness import within_operations
from teacherstudent.paper_checks.judging.judges import AtSizes
from teacherstudent.paper_checks.multiscale import check, compared
from teacherstudent.paper_checks.multiscale.kit.students import sizes
from teacherstudent.problems.multiscale import PROBLEM
from teacherstudent.problems.multiscale.data import draw

# Thermal fluctuations of one data set ------------------------------------------------------------------

SHAPE: dict[str, Any] = {
    "n": 12, "scales": ((4, 1.0), (4, 0.5), (2, 0.2)), "noise": 0.5, "ridge": 0.1, "init": 0.4,
    "output_penalty": 0.2,
}  # fmt: skip
STEPS, RATE, BETA = np.array([0.0, 1, 3, 10, 60]), 0.2, 2.0


@dataclass(frozen=True)
class Fluctuating:
    """Q0 - Q of one drawn X after each of the steps, (T,), and the draw's seed."""

    gap: np.ndarray
    seed: int


def fluctuating(seeds: Seeds) -> list[Fluctuating]:
    """tr[F^T F cov]/d with cov' = (1 - eta A) cov (1 - eta A) + 2 eta/beta, step by step (Eq. 4.2.4)."""
    problem, found = PROBLEM.instance(**SHAPE), []
    for seed in seeds(3):
        drawn = draw(problem, [seed])
        F, X = drawn.strengths, drawn.inputs[0] * drawn.strengths
        A = (1 + problem.output_penalty) * X.T @ X + problem.ridge * np.eye(problem.d)
        keep, cov, gaps = np.eye(problem.d) - RATE * A, np.zeros((problem.d, problem.d)), []
        for _ in range(int(STEPS[-1]) + 1):
            gaps.append(np.sum(F**2 * np.diag(cov)) / problem.d)
            cov = keep @ cov @ keep + 2 * RATE / BETA * np.eye(problem.d)
        found.append(Fluctuating(np.array(gaps)[STEPS.astype(int)], seed))
    return found


def by_instance(evidence: list[Fluctuating], **changed: float) -> list[np.ndarray]:
    """Q0 - Q of the instance route, (T,), with some parameters multiplied for the negative controls."""
    clock = {"learning_rate": RATE, "inverse_temperature": BETA}
    question = SHAPE | clock
    question |= {name: factor * question[name] for name, factor in changed.items()}
    answers = [
        run("multiscale", "langevin", "instance", STEPS, seeds=[case.seed], **question) for case in evidence
    ]
    return [answer["Q0"].values[0] - answer["Q"].values[0] for answer in answers]


@worst_case
def same_gap(case: Fluctuating, gap: np.ndarray) -> Verdict:
    """To the rounding of the steps, of which each multiplies matrices twice."""
    return within_operations((gap - case.gap) / case.gap[-1], 2 * SHAPE["n"], 1 + STEPS)


COVARIANCE = check(
    id="ms-langevin-covariance",
    title="Q0 - Q of Langevin descent on one X is the covariance that its noise builds up, step by step",
    ref="Eq. 4.2.4",
    evidence=fluctuating,
    claim=by_instance,
    judge=same_gap,
    teeth=(
        Tooth("temperature 1e-9 lower", partial(by_instance, inverse_temperature=1 + 1e-9)),
        Tooth("ridge 1e-8 larger", partial(by_instance, ridge=1 + 1e-8)),
        Tooth("output penalty 1e-8 larger", partial(by_instance, output_penalty=1 + 1e-8)),
        Tooth("steps 1e-9 larger", partial(by_instance, learning_rate=1 + 1e-9)),
    ),
    covers=("Eq. 4.2.4",),
)

# Langevin descent in the limit --------------------------------------------------------------------------


LIMIT = compared(  # before and in equilibrium
    id="ms-langevin-limit",
    title="R, Q, Q0 and risk of Langevin descent against the exact large-size limit, bias like 1/d",
    ref="Eq. 4.2.4",
    clocks={"langevin": {"times": (2, 10, 100), "learning_rate": RATE, "inverse_temperature": BETA}},
    questions=lambda d: {"kappa": 2.0, "noise": 0.4, "ridge": 0.1, "output_penalty": 0.2, **sizes(d)},
    routes=("simulation", "asymptotic"),
    averaged="instance",
    observables=("R", "Q", "Q0", "excess_risk"),
    draws={10: 16000, 20: 8000, 40: 4000, 100: 600},
    judge=AtSizes(whole=True),
    effect=Contrast("no output penalty", "what the output penalty changes"),
    wrong={
        "temperature 10 % higher": {"inverse_temperature": scaled(1 / 1.1)},
        "noise half as large again": {"noise": scaled(1.5)},
        "no output penalty": {"output_penalty": 0.0},
        "no ridge": {"ridge": 0.0},
        "steps 10 % larger": {"learning_rate": scaled(1.1)},
    },
    covers=("Eq. 4.2.4",),
    slow=True,
)

# Ridge regression on one X --------------------------------------------------------------------------------

TIMES, PAIRS = np.array([0.3, 3.0, 30.0]), 4000
MEASURED = ("R", "Q", "excess_risk", "training_error", "training_output")


@dataclass(frozen=True)
class Regressed:
    """Observables of students that share one X, (S, P), and the seed of that X."""

    sample: np.ndarray
    seed: int


def regressed(seeds: Seeds) -> Regressed:
    """Teacher and label noise are each student's own."""
    from teacherstudent.sims.multiscale.data import observables, training_set
    from teacherstudent.sims.multiscale.ridge import ridge_students

    problem, chosen = PROBLEM.instance(**SHAPE), seeds(PAIRS)
    draws = draw(problem, chosen)
    draws = replace(draws, inputs=np.broadcast_to(draws.inputs[:1], draws.inputs.shape))
    weights = ridge_students(draws, problem.ridge + 1 / TIMES, output_penalty=problem.output_penalty)
    inputs, labels = training_set(draws)
    outputs = np.asarray(weights) @ np.swapaxes(inputs, -1, -2)
    found = observables(draws, weights)
    found["training_error"] = np.mean((labels[:, None] - outputs) ** 2, axis=-1)
    found["training_output"] = np.mean(outputs**2, axis=-1)
    return Regressed(np.concatenate([found[name] for name in MEASURED], axis=-1), chosen[0])


def averaged(evidence: Regressed, **changed: float) -> np.ndarray:
    """The instance route's answer for that X, (P,), with parameters multiplied for the negative controls."""
    question = {**SHAPE, **{name: factor * SHAPE[name] for name, factor in changed.items()}}
    answer = run(
        "multiscale", "ridge", "instance", TIMES, seeds=[evidence.seed],
        observable=("training", "outputs"), **question,
    )  # fmt: skip
    return np.concatenate([answer[name].values[0] for name in MEASURED])


def means(evidence: Regressed, claimed: np.ndarray) -> Verdict:
    """Means over students, which are independent given X."""
    return mean_within_errors(evidence.sample, claimed)


RIDGE = check(
    id="ms-ridge-moments",
    title="ridge regression on one X, averaged over teachers and noise, against its exact averages",
    ref="Eqs. .2.14-.2.20",
    evidence=regressed,
    claim=averaged,
    judge=means,
    effect=Contrast("no output penalty", "what the output penalty changes"),
    teeth=(
        Tooth("noise 10 % larger", partial(averaged, noise=1.1)),
        Tooth("no ridge beyond 1/t", partial(averaged, ridge=0.0)),
        Tooth("no output penalty", partial(averaged, output_penalty=0.0)),
    ),
)

# Where the print is right -----------------------------------------------------------------------------------

KAPPAS = (100.0, 200.0, 400.0, 800.0)
APART: tuple[dict[str, Any], ...] = (
    {"n": 150, "d": 100, "p": 60, "noise": 0.3},
    {"n": 80, "d": 100, "p": 60, "noise": 0.5},
    {"n": 50, "d": 100, "p": 70, "noise": 0.0},
)
ADDED = np.array([3.0, 1.0, 0.3])
"""Ridges, of the order of the fast scale's eigenvalues and far above the slow one's."""

Values = dict[float, np.ndarray]
"""R, Q and excess risk, (3 T,), by kappa."""


def asked(dynamics: str, route: str, question: dict[str, Any], times: np.ndarray, **clock: float) -> Values:
    """A route's answers at every kappa."""
    found = {}
    for kappa in KAPPAS:
        whole: dict[str, Any] = {**question, **clock, "kappa": kappa}
        answer = run("multiscale", dynamics, route, times, **whole)
        found[kappa] = np.concatenate([answer[name].values for name in ("R", "Q", "excess_risk")])
    return found


def limits(_: Seeds) -> list[Values]:
    """Ridge regression in the exact limit, for every shape."""
    return [asked("ridge", "asymptotic", question, 1 / ADDED) for question in APART]


def as_printed(_: Any, late: float = 1.0, **changed: float) -> list[tuple[Values, ...]]:
    """The print on its three clocks, where time is 1/ridge; `late` divides the ridge in Eq. 4.2.12."""
    found: list[tuple[Values, ...]] = []
    for shape in APART:
        question = shape | {name: type(shape[name])(f * shape[name]) for name, f in changed.items()}
        found.append(
            (
                asked("ridge", "printed", question, late / ADDED),
                asked("flow", "printed", question, late / ADDED),
                asked("descent", "printed", question, np.array([10.0, 30, 100]), learning_rate=late / 30),
            )
        )
    return found


@worst_case
def approached(exact: Values, claim: tuple[Values, ...]) -> Iterator[Verdict]:
    """Each of R, Q and risk misses the limit by an error like kappa^-2: what the slow scale learns."""
    for clock in claim:
        errors = np.array([np.abs(clock[kappa] - exact[kappa]) for kappa in KAPPAS])
        for column in errors.T:
            yield at_order(KAPPAS, column, -2)


PRINTED = check(
    id="ms-printed-far-scales",
    title="the printed formulas give the exact limit as the scales move apart, at ridges above the slow one",
    ref="Eqs. 4.2.11-4.2.16",
    evidence=limits,
    claim=as_printed,
    judge=approached,
    teeth=(
        Tooth("Eq. 4.2.12 times 1.01", partial(as_printed, late=1 / 1.01)),
        Tooth("one fast feature more", partial(as_printed, p=1.02)),
        Tooth("two per cent more examples", partial(as_printed, n=1.02)),
    ),
    covers=("Eqs. 4.2.11-4.2.16",),
)

CHECKS = (COVARIANCE, LIMIT, RIDGE, PRINTED)
