"""Two units in which the article contradicts itself: sum or mean of the loss, norm of the teacher."""

from __future__ import annotations

from typing import Any

import numpy as np

from teacherstudent.paper_checks.judging.comparison import Own, Values, otherwise, scaled
from teacherstudent.paper_checks.judging.effects import Contrast
from teacherstudent.paper_checks.judging.judges import Means, Rounding
from teacherstudent.paper_checks.multiscale import compared, misprints
from teacherstudent.paper_checks.multiscale.kit.students import EXACT, drawn

# The loss: a mean in Eq. 4.2.3, a sum in .2.12-.2.16 ------------------------------------------------

N, STEPS = 12, 40


def on_the_mean(_: str, asked: dict[str, Any], seeds: list[int]) -> Values:
    """Students after descent on the mean loss as Eq. 4.2.3 prints it, by automatic differentiation."""
    import jax
    import jax.numpy as jnp

    import teacherstudent.sims.arrays  # noqa: F401  double precision
    from teacherstudent.sims.multiscale.data import training_set

    draws = drawn(asked, seeds)

    def loss(w: jax.Array, x: jax.Array, y: jax.Array) -> jax.Array:
        return jnp.mean((y - x @ w) ** 2) / 2 + asked["ridge"] / 2 * jnp.sum(w**2)  # Eq. 4.2.3

    gradient = jax.jit(jax.vmap(jax.grad(loss)))
    weights = jnp.zeros(draws.initial.shape)
    for _step in range(STEPS):
        weights = weights - asked["learning_rate"] * gradient(weights, *training_set(draws))  # Eq. 4.2.4
    return {"weights": np.asarray(weights)}


LOSS = compared(
    id="ms-mean-loss",
    title="descent on the mean loss is descent on the sum with eta/n and n ridge",
    ref="Eqs. 4.2.3-4.2.4, .2.12-.2.16",
    clocks={"descent": {"times": (STEPS,), "learning_rate": 0.2}},
    questions={"n": N, "d": 8, "p": 5, "kappa": 3.0, "noise": 0.3, "ridge": 0.01},
    routes=(Own(on_the_mean), EXACT),
    draws=3,
    judge=Rounding(STEPS * N, "rounding of k steps: k n eps |w|", "weight"),
    claimed={"learning_rate": scaled(1 / N), "ridge": scaled(N)},
    wrong={"learning rate alone divided by n": {"ridge": scaled(1 / N)}},
    errata=misprints({"ms-mean-for-sum": otherwise({"learning_rate": scaled(N), "ridge": scaled(1 / N)})}),
)

# The teacher: |w| = 1 in the text, |w|^2 = d in the dynamics --------------------------------------------


def at_zero(_: str, asked: dict[str, Any], __: list[int]) -> Values:
    """Eq. 4.2.5 at w_hat = 0: Var(z.w)/2 for z of variance 1/d, by default for |w|^2 = d."""
    return {"risk": np.array(asked.get("norm", asked["d"]) / asked["d"] / 2)}


NORM = compared(
    id="ms-teacher-norm",
    title="the untrained student's excess risk is 1/2, as Eq. 4.2.6 has it at R = Q = 0",
    ref="Eqs. 4.2.1, 4.2.6",
    clocks={"descent": {"times": (0, 1)}},
    questions={"n": 20, "d": 100, "p": 60, "observable": ("generalisation",)},
    routes=("simulation", Own(at_zero, sampled=False)),
    seen=lambda said: {"risk": said["generalisation_error"][:, 0] / 2} if len(said) > 1 else said,
    draws=100,
    judge=Means(),
    effect=Contrast("ms-unit-teacher", "the difference between risks of 1/2 and 1/(2d)"),
    wrong={"a teacher 3 % longer": {"norm": 1.03**2 * 100}},
    errata=misprints({"ms-unit-teacher": otherwise({"norm": 1.0})}),
)

CHECKS = (LOSS, NORM)
