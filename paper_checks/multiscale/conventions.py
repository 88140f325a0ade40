"""Two units in which the article contradicts itself: sum or mean of the loss, norm of the teacher.

Where two scales are equal, their split p means nothing: the simplest test of any formula.

Any modulation matrix F = U S V^T is its singular values: rotations move students, not their risk.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from teacherstudent.house.running import run
from teacherstudent.paper_checks.judging.agreement import within_bound
from teacherstudent.paper_checks.judging.claims import worst_of
from teacherstudent.paper_checks.judging.comparison import (
    Found,
    Own,
    Question,
    Values,
    otherwise,
    scaled,
    then,
)
from teacherstudent.paper_checks.judging.effects import Contrast
from teacherstudent.paper_checks.judging.evidence import Verdict
from teacherstudent.paper_checks.judging.exactness import EPS
from teacherstudent.paper_checks.judging.judges import Means, Rounding
from teacherstudent.paper_checks.multiscale import compared, misprints
from teacherstudent.paper_checks.multiscale.kit.students import EXACT, drawn, trained
from teacherstudent.theory import marchenko_pastur

# The loss: a mean in Eq. 4.2.3, a sum in .2.12-.2.16 ------------------------------------------------

N, STEPS = 12, 40


def mean_loss_descent(_: str, asked: dict[str, Any], seeds: list[int]) -> Values:
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
    title="descent on the mean loss equals descent on the summed loss with eta/n and n ridge",
    ref="Eqs. 4.2.3-4.2.4, .2.12-.2.16",
    clocks={"descent": {"times": (STEPS,), "learning_rate": 0.2}},
    questions={"n": N, "d": 8, "p": 5, "kappa": 3.0, "noise": 0.3, "ridge": 0.01},
    routes=(Own(mean_loss_descent), EXACT),
    draws=3,
    judge=Rounding(STEPS * N, "rounding of k steps: k n eps |w|", "weight"),
    claimed={"learning_rate": scaled(1 / N), "ridge": scaled(N)},
    wrong={"only the learning rate divided by n": {"ridge": scaled(1 / N)}},
    errata=misprints({"ms-mean-for-sum": otherwise({"learning_rate": scaled(N), "ridge": scaled(1 / N)})}),
)

# The teacher: |w| = 1 in the text, |w|^2 = d in the dynamics --------------------------------------------


def untrained_student(_: str, asked: dict[str, Any], __: list[int]) -> Values:
    """Eq. 4.2.5 at w_hat = 0: Var(z.w)/2 for z of variance 1/d, by default for |w|^2 = d."""
    return {"risk": np.array(asked.get("norm", asked["d"]) / asked["d"] / 2)}


NORM = compared(
    id="ms-teacher-norm",
    title="the excess risk of the untrained student is 1/2, as in Eq. 4.2.6 at R = Q = 0",
    ref="Eqs. 4.2.1, 4.2.6",
    clocks={"descent": {"times": (0, 1)}},
    questions={"n": 20, "d": 100, "p": 60, "observable": ("generalisation",)},
    routes=("simulation", Own(untrained_student, sampled=False)),
    seen=lambda said: {"risk": said["generalisation_error"][:, 0] / 2} if len(said) > 1 else said,
    draws=100,
    judge=Means(),
    effect=Contrast("ms-unit-teacher", "the difference between risks of 1/2 and 1/(2d)"),
    wrong={"a teacher norm 3 % too large": {"norm": 1.03**2 * 100}},
    errata=misprints({"ms-unit-teacher": otherwise({"norm": 1.0})}),
)

# Equal scales --------------------------------------------------------------------------------------------

RIDGE = 0.1


def split_by_sample_share(found: Found) -> list[Values]:
    """Wrong: each block sees n samples scaled by its own share, as if blocks were apart."""
    of = (case.question["p"] for case in found.cases)
    asked: dict[str, Any] = {"d": 100, "p": 50, "kappa": 1.0, "times": [1 / RIDGE]}
    own = [run("multiscale", "ridge", "asymptotic", n=int(1.5 * p) or 1, **asked) for p in of]
    return [{"excess_risk": answer["excess_risk"].values} for answer in own]


@worst_of
def indifferent(found: Found, claimed: list[Values]) -> Iterator[Verdict]:
    """risks of all splits p agree with each other and with the average of (ridge/(lambda + ridge))^2

    over Eq. 2.3.30: rounding of sums of d terms."""
    drawn = np.array([case.flat.mean() for case in found.cases])
    claims = np.array([each["excess_risk"].item() for each in claimed])
    spectrum = marchenko_pastur.quadrature(150 / 100, 1.0)
    limit = (RIDGE / (spectrum.eigenvalues + RIDGE)) ** 2 @ spectrum.weights / 2
    spreads = [np.ptp(values) / np.mean(values) for values in (drawn, claims)]
    for error in (*spreads, np.max(np.abs(claims / limit - 1))):
        yield within_bound(error, 100 * 64 * EPS, "rounding: 64 d eps, relative", "relative")


# Any modulation matrix -----------------------------------------------------------------------------------


def frames(asked: Question, seeds: list[int]) -> np.ndarray:
    """Drawn rotations U and V of each F, (2, S, d, d)."""
    d = drawn(asked, seeds[:1]).strengths.size
    found = [np.random.default_rng([seed, 99]).standard_normal((2, d, d)) for seed in seeds]
    return np.swapaxes(np.linalg.qr(np.stack(found))[0], 0, 1)


def full_matrix(_: str, asked: dict[str, Any], seeds: list[int]) -> Values:
    """R and Q of descent by hand on inputs modulated by F = U S V^T."""
    draws, (left, right) = drawn(asked, seeds), frames(asked, seeds)
    matrix = (left * draws.strengths) @ np.swapaxes(right, -1, -2)  # F = U S V^T
    inputs = draws.inputs @ matrix  # x = F^T z, Eq. 4.2.2
    labels = np.einsum("snd,sd->sn", draws.inputs, draws.teacher) + draws.noise
    weights, found = draws.initial, []
    for step in range(max(asked["times"]) + 1):
        if step in asked["times"]:
            modulated = np.einsum("sij,sj->si", matrix, weights)
            found.append([np.mean(draws.teacher * modulated, axis=1), np.mean(modulated**2, axis=1)])
        missed = np.einsum("snd,sd->sn", inputs, weights) - labels
        gradient = np.einsum("snd,sn->sd", inputs, missed) + asked["ridge"] * weights
        weights = weights - asked["learning_rate"] * gradient
    R, Q = np.moveaxis(np.array(found), 1, 0).swapaxes(1, 2)
    return {"R": R, "Q": Q}


def singular_values_only(dynamics: str, asked: dict[str, Any], seeds: list[int]) -> Values:
    """R and Q of the project's students on z' = U^T z, w' = U^T w, from V^T w_hat_0.

    unturned: what is left in the frame of F.
    """
    from teacherstudent.sims.multiscale.data import observables

    unturned = asked.pop("unturned", "")
    draws, (left, right) = drawn(asked, seeds), frames(asked, seeds)
    turned = replace(
        draws,
        inputs=draws.inputs if unturned == "inputs" else draws.inputs @ left,
        teacher=np.einsum("sij,si->sj", left, draws.teacher),
        initial=draws.initial if unturned == "start" else np.einsum("sij,si->sj", right, draws.initial),
    )
    return observables(turned, trained(dynamics, asked, turned))


CHECKS = (
    LOSS,
    NORM,
    compared(
        id="ms-split-of-equals",
        title="at equal scales the risk is the one-scale risk, for any split into two blocks",
        ref="Assumption 4.2.1, Eqs. 4.2.13-4.2.16",
        clocks={"ridge": {"times": (1 / RIDGE,)}},
        questions={str(p): {"n": 150, "d": 100, "kappa": 1.0, "p": p} for p in (5, 20, 50, 80, 95)},
        routes=("simulation", "asymptotic"),
        observables=("excess_risk",),
        draws=4,
        stream="",  # the same draws at every split
        judge=indifferent,
        wrong={
            "each block with its own samples": split_by_sample_share,
            "the same risk for every split, off by 1e-9": then(
                lambda said: {"excess_risk": (1 + 1e-9) * said["excess_risk"]}
            ),
        },
        errata=misprints({"ms-kappa-one": otherwise({"route": "printed"})}),
        functions=("theory.marchenko_pastur:quadrature",),
    ),
    compared(
        id="ms-any-matrix",
        title="replacing a full matrix F by its singular values does not change R and Q of any draw",
        ref="Eq. 4.2.2",
        clocks={"descent": {"times": (0, 1, 20, 400), "learning_rate": 0.1}},
        questions={
            "n": 15,
            "scales": ((3, 1.0), (1, 0.7), (4, 0.2), (2, 0.03)),
            "noise": 0.3,
            "ridge": 0.02,
            "init": 0.2,
        },
        routes=(Own(full_matrix), Own(singular_values_only)),
        observables=("R", "Q"),
        draws=4,
        judge=Rounding(400 * 10, "rounding of k steps: k d eps", "R and Q"),
        wrong={
            "inputs not rotated with the teacher": {"unturned": "inputs"},
            "initial weights not rotated": {"unturned": "start"},
        },
    ),
)
