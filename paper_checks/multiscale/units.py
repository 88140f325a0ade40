"""Two units in which the article contradicts itself: sum or mean of the loss, norm of the teacher."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from teacherstudent.house.running import run
from teacherstudent.paper_checks.judging.agreement import mean_within_errors
from teacherstudent.paper_checks.judging.cases import stated
from teacherstudent.paper_checks.judging.effects import Contrast
from teacherstudent.paper_checks.judging.evidence import Seeds, Tooth, Verdict
from teacherstudent.paper_checks.judging.exactness import equal_after_steps
from teacherstudent.paper_checks.multiscale import check, misprints
from teacherstudent.problems.multiscale import PROBLEM
from teacherstudent.problems.multiscale.data import Draws, draw
from teacherstudent.theory.multiscale import instance

# The loss: a mean in Eq. 4.2.3, a sum in .2.12-.2.16 ------------------------------------------------

SHAPE = PROBLEM.instance(n=12, d=8, p=5, kappa=3.0, noise=0.3)
RATE, RIDGE, STEPS = 0.2, 0.01, 40


@dataclass(frozen=True)
class Descended:
    """Students (S, d) after `STEPS` steps on Eq. 4.2.3 as printed, by automatic differentiation."""

    draws: Draws
    weights: np.ndarray


def on_the_mean(seeds: Seeds) -> Descended:
    """Evidence: descent on the mean loss as Eq. 4.2.3 prints it, by automatic differentiation."""
    import jax
    import jax.numpy as jnp

    import teacherstudent.sims.arrays  # noqa: F401  double precision
    from teacherstudent.sims.multiscale.data import training_set

    draws = draw(SHAPE, seeds(3))

    def loss(w: jax.Array, x: jax.Array, y: jax.Array) -> jax.Array:
        return jnp.mean((y - x @ w) ** 2) / 2 + RIDGE / 2 * jnp.sum(w**2)  # Eq. 4.2.3

    gradient = jax.jit(jax.vmap(jax.grad(loss)))
    weights = jnp.zeros(draws.initial.shape)
    for _ in range(STEPS):
        weights = weights - RATE * gradient(weights, *training_set(draws))  # Eq. 4.2.4, no noise
    return Descended(draws, np.asarray(weights))


def on_the_sum(rate: float, ridge: float, evidence: Descended) -> np.ndarray:
    """Eqs. .2.12-.2.17, which hold for the sum, at this learning rate and ridge."""
    rule = instance.descent_rule(ridge, rate)
    return instance.students(evidence.draws, np.array([float(STEPS)]), rule)[:, 0]


def equal_to_rounding(evidence: Descended, claimed: np.ndarray) -> Verdict:
    """Judge: the weights, to the rounding that k steps gather."""
    reason = "rounding of k steps: k n eps |w|"
    return equal_after_steps(evidence.weights, claimed, STEPS, SHAPE.n, reason=reason)


LOSS = check(
    id="ms-mean-loss",
    title="descent on the mean loss is descent on the sum with eta/n and n ridge",
    ref="Eqs. 4.2.3-4.2.4, .2.12-.2.16",
    evidence=on_the_mean,
    claim=partial(on_the_sum, RATE / SHAPE.n, SHAPE.n * RIDGE),
    judge=equal_to_rounding,
    teeth=(Tooth("learning rate alone divided by n", partial(on_the_sum, RATE / SHAPE.n, RIDGE)),),
    errata=misprints({"ms-mean-for-sum": partial(on_the_sum, RATE, RIDGE)}),
)

# The teacher: |w| = 1 in the text, |w|^2 = d in the dynamics --------------------------------------------

DIMENSION = 100


def first_errors(seeds: Seeds) -> np.ndarray:
    """1/2 of the mean squared error of untrained students on unseen noiseless examples, (S,)."""
    answer = run(
        "multiscale", "descent", "simulation", [0, 1], n=20, d=DIMENSION, p=60, observable=["generalisation"],
        seeds=seeds(100),
    )  # fmt: skip
    return answer["generalisation_error"].values[:, 0] / 2


def at_zero(norm: float) -> Callable[[object], float]:
    """The claim of Eq. 4.2.5 at w_hat = 0: Var(z.w)/2 for |w|^2 = `norm` and z of variance 1/d."""
    return stated(norm / DIMENSION / 2)


NORM = check(
    id="ms-teacher-norm",
    title="the untrained student's excess risk is 1/2, as Eq. 4.2.6 has it at R = Q = 0",
    ref="Eqs. 4.2.1, 4.2.6",
    evidence=first_errors,
    claim=at_zero(DIMENSION),
    judge=mean_within_errors,
    effect=Contrast("ms-unit-teacher", "the difference between risks of 1/2 and 1/(2d)"),
    teeth=(Tooth("a teacher 3 % longer", at_zero(1.03**2 * DIMENSION)),),
    errata=misprints({"ms-unit-teacher": at_zero(1.0)}),
)

CHECKS = (LOSS, NORM)
