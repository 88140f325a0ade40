"""Schemes that are others in disguise: L2 as a schedule of learning rates, AdamW as Adam."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from teacherstudent.paper_checks.judging.cases import per_case, worst_case
from teacherstudent.paper_checks.judging.effects import Effect
from teacherstudent.paper_checks.judging.evidence import Seeds, Tooth, Verdict
from teacherstudent.paper_checks.judging.exactness import within_operations
from teacherstudent.paper_checks.scale_invariant import check, misprints
from teacherstudent.paper_checks.scale_invariant.kit.tasks import D, both_tasks
from teacherstudent.paper_checks.scale_invariant.kit.training import Repeatable, train, train_on
from teacherstudent.theory.scale_invariant import schedules

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


def with_ridge(seeds: Seeds) -> list[Repeatable]:
    """SGD + L2 on both tasks, eta lambda = .015."""
    return [
        Repeatable(train_on(task, "sgd", RATE, len(STEPS), ridge=RIDGE), task.gradient)
        for task in both_tasks(seeds)
    ]


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
    evidence=with_ridge,
    claim=partial(scheduled, theorys),
    judge=same_path,
    effect=Effect(1.0, "a unit vector, or the quantity itself"),
    teeth=(
        Tooth("alpha^(-2k)", exponents(lambda k: -2 * k)),
        Tooth("alpha^(-k-1)", exponents(lambda k: -k - 1)),
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


def decoupled(seeds: Seeds) -> list[Repeatable]:
    """AdamW on both tasks, epsilon = 0, eta lambda = .01."""
    return [
        Repeatable(train_on(task, "adamw", ADAM_RATE, len(ADAM_STEPS), ridge=DECAY), task.gradient)
        for task in both_tasks(seeds)
    ]


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
    title="AdamW is Adam without decay on a schedule, with shorter memories, exactly",
    ref="Section 4.2",
    evidence=decoupled,
    claim=as_adam,
    judge=same_path,
    effect=Effect(1.0, "a unit vector, or the quantity itself"),
    teeth=(
        Tooth("decay (eta lambda)^2 a step", partial(as_adam, decay=ADAM_RATE * DECAY**2)),
        Tooth("beta2' = alpha beta2", partial(as_adam, slower=1 / (1 - ADAM_RATE * DECAY))),
        Tooth("no ratio of bias corrections", partial(as_adam, corrected=False)),
    ),
)

CHECKS = (SCHEDULE, ADAMW)
