"""Schemes that are others in disguise: L2 as a schedule of learning rates, AdamW as Adam."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np

from teacherstudent.paper_checks.judging.agreement import at_order
from teacherstudent.paper_checks.judging.claims import per_case, worst_case, worst_of
from teacherstudent.paper_checks.judging.effects import Contrast, Effect
from teacherstudent.paper_checks.judging.evidence import Seeds, Verdict, WrongClaim
from teacherstudent.paper_checks.judging.exactness import within_operations
from teacherstudent.paper_checks.scale_invariant import check, misprints
from teacherstudent.paper_checks.scale_invariant.kit.training import (
    D,
    Gradient,
    Repeatable,
    Task,
    both_tasks,
    start,
    train,
    train_adagradg,
    train_on,
)
from teacherstudent.theory.scale_invariant import schedules, sphere
from teacherstudent.theory.scale_invariant.schedules import AdaGradG

STEPS = np.arange(300.0)
RATE, RIDGE = 0.3, 0.05


Repeated = tuple[np.ndarray, np.ndarray]
"""Directions (K+1, d) and radii (K+1,) of a training, as another scheme gives them."""


@worst_case
def same_path(case: Repeatable, claim: Repeated) -> Iterator[Verdict]:
    """Directions and radii of the training; the rounding of each step is carried on."""
    u, r = claim
    direction = np.max(np.linalg.norm(u - case.training.u, axis=1))
    for error in (direction, np.max(np.abs(r / case.training.r - 1))):
        yield within_operations(error, D, len(u), unit="direction, ratio")


# Eq. 44 ----------------------------------------------------------------------------------------------


Schedule = Callable[[np.ndarray], np.ndarray]
"""Learning rates of steps k, (K,)."""


def theorys(steps: np.ndarray) -> np.ndarray:
    """The theory's schedule."""
    return schedules.l2_schedule(RATE, RIDGE, steps)


@per_case
def scheduled(schedule: Schedule, case: Repeatable, sign: float = 0.0) -> Repeated:
    """SGD without L2 on these learning rates, its radii shrunk by alpha^k."""
    rates = schedule(STEPS)
    t = train(case.gradient, "sgd", case.training.x[0], rates, ridge=sign * RIDGE)
    shrunk = (1 - RATE * RIDGE) ** np.arange(len(rates) + 1) if sign == 0 else 1.0
    return t.u, shrunk * t.r


def exponents(power: Schedule) -> Callable[[list[Repeatable]], list[Repeated]]:
    """The schedule eta alpha^power."""
    return partial(scheduled, lambda steps: RATE * (1 - RATE * RIDGE) ** power(steps))


SCHEDULE = check(
    id="sphere-schedule",
    title="L2 regularisation is an exponential schedule of the learning rate, exactly",
    ref="Lemma 3, Eqs. 44-45",
    evidence=lambda seeds: [
        Repeatable(train_on(task, "sgd", RATE, len(STEPS), ridge=RIDGE), task.gradient)
        for task in both_tasks(seeds)
    ],
    claim=partial(scheduled, theorys),
    judge=same_path,
    effect=Effect(1.0, "length 1 for a direction, otherwise the size of the quantity"),
    wrong=(
        WrongClaim("alpha^(-2k)", exponents(lambda k: -2 * k)),
        WrongClaim("alpha^(-k-1)", exponents(lambda k: -k - 1)),
    ),
    errata=misprints(
        {
            "sphere-sign": partial(scheduled, lambda steps: np.full(steps.size, RATE), sign=-1.0),
            "sphere-exponent": exponents(lambda k: -3 * k),
        }
    ),
)


# AdamW -----------------------------------------------------------------------------------------------

ADAM_RATE, DECAY = 0.02, 0.5
ADAM_STEPS = np.arange(600.0)


@per_case
def as_adam(case: Repeatable, decay: float = DECAY, slower: float = 1.0, corrected: bool = True) -> Repeated:
    """Adam without decay on the schedule, its radii shrunk by alpha^k; else for negative controls."""
    t = case.training
    same = schedules.adam_of_adamw(ADAM_RATE, decay, t.beta1, t.beta2, ADAM_STEPS)
    alpha = 1 - ADAM_RATE * decay
    rates = same.learning_rates if corrected else ADAM_RATE * alpha ** -(ADAM_STEPS + 1)
    other = train(case.gradient, "adam", t.x[0], rates, beta1=same.beta1, beta2=same.beta2 * slower)
    return other.u, alpha ** np.arange(len(rates) + 1) * other.r


ADAMW = check(
    id="sphere-adamw",
    title="AdamW is exactly Adam without decay, with a learning-rate schedule and shorter memories",
    ref="Section 4.2",
    evidence=lambda seeds: [
        Repeatable(train_on(task, "adamw", ADAM_RATE, len(ADAM_STEPS), ridge=DECAY), task.gradient)
        for task in both_tasks(seeds)
    ],
    claim=as_adam,
    judge=same_path,
    effect=Effect(1.0, "length 1 for a direction, otherwise the size of the quantity"),
    wrong=(
        WrongClaim("decay of (eta lambda)^2 per step", partial(as_adam, decay=ADAM_RATE * DECAY**2)),
        WrongClaim("beta2' = alpha beta2", partial(as_adam, slower=1 / (1 - ADAM_RATE * DECAY))),
        WrongClaim("no ratio of bias corrections", partial(as_adam, corrected=False)),
    ),
)


# Theorem 4: SGD with L2 is AdaGradG on the unit sphere, to which order, and how it becomes exact -------

DECAYING, RADIUS = 0.1, 1.0
SPAN, TAKEN = 8.0, 6
RATES = {3.0: (0.05, 0.025, 0.0125, 0.00625), 5.0: (0.1, 0.05, 0.025, 0.0125)}
"""Learning rates by the order that they show: of errors at the same time eta K, at the same steps K."""


@dataclass(frozen=True)
class Run:
    """SGD + L2: directions, (K+1, d), and what an equivalent scheme must share with it."""

    gradient: Gradient
    u: np.ndarray
    learning_rate: float
    ridge: float


def sgd(gradient: Gradient, seed: int, learning_rate: float, ridge: float, steps: int) -> Run:
    """Train from the seed's start."""
    rates = np.full(steps, learning_rate)
    t = train(gradient, "sgd", start(seed, RADIUS), rates, ridge=ridge)
    return Run(gradient, t.u, learning_rate, ridge)


Map = Callable[[float, float, float], AdaGradG]
"""AdaGradG's parameters from learning rate, ridge and initial radius."""


def equivalent(
    run: Run, law: Map, more: Callable[[float, float, float], float] | None = None, present: bool = False
) -> np.ndarray:
    """Directions, (K+1, d), of AdaGradG; `more(beta, v, |g|^2)` is added to v a step."""
    same = law(run.learning_rate, run.ridge, RADIUS)
    added = (lambda v, square: more(same.beta, v, square)) if more else (lambda v, square: 0.0)
    numbers = same.learning_rate, same.beta, same.v0
    return train_adagradg(run.gradient, run.u[0], len(run.u) - 1, *numbers, added, present)


# The order of Theorem 4 --------------------------------------------------------------------------------

Series = dict[float, list[Run]]
"""Runs of falling learning rate, by the exponent with which their error must fall."""


def series(seeds: Seeds) -> Series:
    """On one fixed batch for the same time eta K (3), and on minibatches for the same number of steps (5)."""
    task = both_tasks(seeds)[1]
    fixed = partial(on_batch, task, 0)
    return {
        3.0: [sgd(fixed, task.seed, eta, DECAYING, round(SPAN / eta)) for eta in RATES[3.0]],
        5.0: [sgd(task.gradient, task.seed, eta, DECAYING, TAKEN) for eta in RATES[5.0]],
    }


def on_batch(task: Task, batch: int, _: int, x: np.ndarray) -> np.ndarray:
    """The gradient on one batch, whatever the step."""
    return task.gradient(batch, x)


def theorem_4(law: Map, evidence: Series, present: bool = False) -> dict[float, list[np.ndarray]]:
    """AdaGradG's directions for every run."""
    return {order: [equivalent(run, law, None, present) for run in runs] for order, runs in evidence.items()}


@worst_of
def falls_as_claimed(evidence: Series, claimed: dict[float, list[np.ndarray]]) -> Iterator[Verdict]:
    """The largest angle falls like eta^3, at a fixed number of steps like eta^5."""
    for order, paths in claimed.items():
        runs = evidence[order]
        errors = [np.max(sphere.angle(path, run.u)) for path, run in zip(paths, runs, strict=True)]
        yield at_order(RATES[order], errors, order)


def with_memory(power: int, learning_rate: float, ridge: float, radius0: float) -> AdaGradG:
    """Theorem 4 with beta = alpha^power."""
    beta = (1 - learning_rate * ridge) ** power
    v0 = radius0**4 / (2 * learning_rate**2 * np.sqrt(beta))
    return AdaGradG(float((2 * beta) ** -0.5), beta, float(v0))


def half_v0(learning_rate: float, ridge: float, radius0: float) -> AdaGradG:
    """Theorem 4 without the factor 2 in v_0."""
    same = schedules.adagradg_of_sgd(learning_rate, ridge, radius0)
    return AdaGradG(same.learning_rate, same.beta, 2 * same.v0)


THEOREM_4 = check(
    id="sphere-adagradg",
    title="SGD with L2 equals AdaGradG up to eta^3 at a fixed time, and up to eta^5 after a fixed number of "
    "steps",
    ref="Theorem 4, Eqs. 47-48",
    evidence=series,
    claim=partial(theorem_4, schedules.adagradg_of_sgd),
    judge=falls_as_claimed,
    wrong=(
        WrongClaim("v_k includes gradient k", partial(theorem_4, schedules.adagradg_of_sgd, present=True)),
        WrongClaim("beta = alpha^2", partial(theorem_4, partial(with_memory, 2))),
        WrongClaim("v_0 without the factor 2", partial(theorem_4, half_v0)),
    ),
)


# Exact ---------------------------------------------------------------------------------------------------

LARGE, EXACT_STEPS = 0.5, 300


Sides = tuple[list[Run], list[Run]]
"""SGD with eta lambda below 1 and above it."""


def sides(seeds: Seeds) -> Sides:
    """Large steps on minibatches, eta lambda = .05 and 1.5."""
    both = both_tasks(seeds)
    below = [sgd(task.gradient, task.seed, LARGE, DECAYING, EXACT_STEPS) for task in both]
    return below, [sgd(task.gradient, task.seed, LARGE, 1.5 / LARGE, 4) for task in both]


Claims = list[tuple[Run, np.ndarray]]
"""Runs, and directions that are claimed to be theirs."""


def exact(evidence: Sides, quartic: float = 0.25, anywhere: bool = False, past: bool = True) -> Claims:
    """AdaGradG with |g|^4/(4 beta v) more in v; or, for the negative controls, another factor of it."""

    def more(beta: float, v: float, square: float) -> float:
        return quartic * square**2 / (beta * v)

    below, above = evidence
    runs = [*below, *(above if anywhere else [])]
    return [(run, equivalent(run, schedules.adagradg_of_sgd, more, not past)) for run in runs]


EXACT = check(
    id="sphere-adagradg-exact",
    title="with |g|^4/(4 beta v) added per step, AdaGradG equals SGD with L2 exactly if eta lambda < 1",
    ref="Theorem 4, Eq. 46",
    evidence=sides,
    claim=exact,
    judge=worst_of(
        lambda _, claimed: [
            within_operations(np.max(sphere.angle(path, run.u)), D, len(path), unit="rad")
            for run, path in claimed
        ]
    ),
    effect=Contrast("Theorem 4 without the new term", "the effect of the new term"),
    wrong=(
        WrongClaim("|g|^4/(2 beta v)", partial(exact, quartic=0.5)),
        WrongClaim("v_k includes gradient k", partial(exact, past=False)),
        WrongClaim("Theorem 4 without the new term", partial(exact, quartic=0.0)),
    ),
    errata=misprints({"sphere-any-ridge": partial(exact, anywhere=True)}),
)

CHECKS = (
    SCHEDULE,
    ADAMW,
    THEOREM_4,
    EXACT,
)
