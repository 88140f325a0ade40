"""Schemes that are others in disguise: L2 as a schedule of learning rates, AdamW as Adam."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from teacherstudent.paper_checks.judging.agreement import within_bound
from teacherstudent.paper_checks.judging.evidence import Check, Erratum, Seeds, Tooth, Verdict, worst
from teacherstudent.paper_checks.scale_invariant.training import EPS, D, Training, start, tasks, train
from teacherstudent.theory.scale_invariant import schedules

STEPS = np.arange(300.0)
RATE, RIDGE = 0.3, 0.05


@dataclass(frozen=True)
class Disguised:
    """A training, and the gradients with which another scheme may repeat it."""

    training: Training
    gradient: Callable[[int, np.ndarray], np.ndarray]


Repeated = list[tuple[np.ndarray, np.ndarray]]
"""Directions (K+1, d) and radii (K+1,) of each training, as another scheme gives them."""


def same_path(evidence: list[Disguised], claimed: Repeated) -> Verdict:
    """Directions and radii of the training; the rounding of each step is carried on."""
    verdicts = []
    for each, (u, r) in zip(evidence, claimed, strict=True):
        bound = len(u) * (D + 12) * EPS
        direction = np.max(np.linalg.norm(u - each.training.u, axis=1))
        for error in (direction, np.max(np.abs(r / each.training.r - 1))):
            verdicts.append(
                within_bound(error, bound, "a dozen operations on d entries in each step", "direction, ratio")
            )
    return worst(*verdicts)


# Eq. 44 ----------------------------------------------------------------------------------------------


def with_ridge(seeds: Seeds) -> list[Disguised]:
    """SGD + L2 on both tasks, eta lambda = .015."""
    found = []
    for seed in seeds(1):
        for task in tasks(seed):
            t = train(task.gradient, "sgd", start(seed), np.full(len(STEPS), RATE), ridge=RIDGE)
            found.append(Disguised(t, task.gradient))
    return found


def scheduled(rates: np.ndarray, evidence: list[Disguised], sign: float = 0.0) -> Repeated:
    """SGD without L2 on these learning rates, its radii shrunk by alpha^k."""
    answers = []
    for each in evidence:
        t = train(each.gradient, "sgd", each.training.x[0], rates, ridge=sign * RIDGE)
        shrunk = (1 - RATE * RIDGE) ** np.arange(len(rates) + 1) if sign == 0 else 1.0
        answers.append((t.u, shrunk * t.r))
    return answers


def exponents(power: Callable[[np.ndarray], np.ndarray]) -> Callable[[list[Disguised]], Repeated]:
    """The schedule eta alpha^power."""
    return partial(scheduled, RATE * (1 - RATE * RIDGE) ** power(STEPS))


SCHEDULE = Check(
    id="sphere-schedule",
    problem="scale-invariant",
    title="L2 regularisation is an exponential schedule of the learning rate, exactly",
    paper="roburin2020",
    ref="Lemma 3, Eqs. 44-45",
    evidence=with_ridge,
    claim=partial(scheduled, schedules.l2_schedule(RATE, RIDGE, STEPS)),
    judge=same_path,
    teeth=(
        Tooth("alpha^(-2k)", exponents(lambda k: -2 * k)),
        Tooth("alpha^(-k-1)", exponents(lambda k: -k - 1)),
    ),
    errata=(
        Erratum(
            "sphere-sign",
            "roburin2020",
            "Section 3.2",
            "SGD with L2 is x - eta (grad L(x) - lambda x)",
            "x - eta (grad L(x) + lambda x)",
            partial(scheduled, np.full(len(STEPS), RATE), sign=-1.0),
        ),
        Erratum(
            "sphere-exponent",
            "roburin2020",
            "App. C.1.4",
            "eta_k = (1 - eta lambda)^(-2i-k) eta, read with i = k",
            "eta_k = (1 - eta lambda)^(-2k-1) eta",
            exponents(lambda k: -3 * k),
        ),
    ),
    covers=("Lemma 3", "Eq. 44", "Eq. 45"),
)


# AdamW -----------------------------------------------------------------------------------------------

ADAM_RATE, DECAY = 0.02, 0.5
ADAM_STEPS = np.arange(600.0)


def decoupled(seeds: Seeds) -> list[Disguised]:
    """AdamW on both tasks, epsilon = 0, eta lambda = .01."""
    found = []
    for seed in seeds(1):
        for task in tasks(seed):
            rates = np.full(len(ADAM_STEPS), ADAM_RATE)
            t = train(task.gradient, "adamw", start(seed), rates, ridge=DECAY)
            found.append(Disguised(t, task.gradient))
    return found


def as_adam(
    evidence: list[Disguised],
    decay: float = DECAY,
    slower: float = 1.0,
    corrected: bool = True,
) -> Repeated:
    """Adam without decay on the schedule, its radii shrunk by alpha^k; otherwise for the teeth."""
    answers = []
    for each in evidence:
        t = each.training
        same = schedules.adam_of_adamw(ADAM_RATE, decay, t.beta1, t.beta2, ADAM_STEPS)
        alpha = 1 - ADAM_RATE * decay
        rates = same.learning_rates if corrected else ADAM_RATE * alpha ** -(ADAM_STEPS + 1)
        other = train(each.gradient, "adam", t.x[0], rates, beta1=same.beta1, beta2=same.beta2 * slower)
        answers.append((other.u, alpha ** np.arange(len(rates) + 1) * other.r))
    return answers


ADAMW = Check(
    id="sphere-adamw",
    problem="scale-invariant",
    title="AdamW is Adam without decay on a schedule, with shorter memories, exactly",
    paper="roburin2020",
    ref="Section 4.2",
    evidence=decoupled,
    claim=as_adam,
    judge=same_path,
    teeth=(
        Tooth("decay (eta lambda)^2 a step", partial(as_adam, decay=ADAM_RATE * DECAY**2)),
        Tooth("beta2' = alpha beta2", partial(as_adam, slower=1 / (1 - ADAM_RATE * DECAY))),
        Tooth("no ratio of bias corrections", partial(as_adam, corrected=False)),
    ),
    covers=("Section 4.2: AdamW as Adam",),
)

CHECKS = (SCHEDULE, ADAMW)
