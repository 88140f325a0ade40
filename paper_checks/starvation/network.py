"""Real networks: their features, and their distance to the linearised student that the theory treats."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from teacherstudent.paper_checks.judging.agreement import at_rate, within_bound
from teacherstudent.paper_checks.judging.evidence import Check, Seeds, Tooth, Verdict, worst
from teacherstudent.paper_checks.starvation.primal import minimum, ridge_loss
from teacherstudent.problems.starvation import Starvation
from teacherstudent.theory.starvation import duality, ends
from teacherstudent.theory.starvation.features import features

RIDGE = 0.05
EXAMPLES, GAP = 10, 0.1


# Features of a real network ------------------------------------------------------------------------


@dataclass(frozen=True)
class Tangent:
    """Phi0 of a drawn network, (n, m), labels (n,), and margins (n,) at the least ridge loss over all m."""

    jacobian: np.ndarray
    labels: np.ndarray
    margins: np.ndarray


def tangents(seeds: Seeds) -> list[Tangent]:
    """tanh networks of 16 hidden units on two moons: n = 8 examples, m = 48 parameters, or n > m = 6."""
    from teacherstudent.sims.starvation.moons import two_moons
    from teacherstudent.sims.starvation.networks import initial_parameters, tangent

    found = []
    for width in (16, 2):
        own = seeds(2, str(width))
        inputs, labels = two_moons(own, 8, GAP)
        for start, x, y in zip(initial_parameters(own, width), inputs, labels, strict=True):
            jacobian = np.asarray(tangent(start, x, "tanh"))
            X = y[:, None] * jacobian
            found.append(Tangent(jacobian, y, X @ minimum(ridge_loss(X, RIDGE))))
    return found


def through_features(evidence: list[Tangent], labelled: bool = True, power: float = 1.0) -> list[np.ndarray]:
    """Margins U z of the theory's fixed point; without labels, or with S^power, for the teeth."""
    answers = []
    for each in evidence:
        found = features(each.jacobian, each.labels if labelled else np.ones(each.labels.size), RIDGE)
        problem = Starvation(found.vectors, tuple(found.s**power), found.ridge)
        z = duality.responses(problem, ends.fixed_point(duality.of_ridge(problem)).alpha)
        answers.append(problem.U @ z)
    return answers


def same_margins(evidence: list[Tangent], claimed: list[np.ndarray]) -> Verdict:
    """Judge: all margins, to the accuracy asked of fixed points."""
    verdicts = []
    for each, claim in zip(evidence, claimed, strict=True):
        error = np.max(np.abs(claim - each.margins)) / np.max(np.abs(each.margins))
        verdicts.append(within_bound(error, 1e-10, "accuracy asked of fixed points", "relative"))
    return worst(*verdicts)


FEATURES = Check(
    id="gs-features",
    problem="starvation",
    title="features by the singular values of Y Phi0 stand for all parameters of a real network",
    paper="pezeshki2022",
    ref="Def. 6.3.1, Eqs. 6.3.2, 6.3.4",
    evidence=tangents,
    claim=through_features,
    judge=same_margins,
    teeth=(
        Tooth("Phi0 without the labels", partial(through_features, labelled=False)),
        Tooth("strengths squared", partial(through_features, power=2.0)),
    ),
    covers=("Def. 6.3.1", "Eq. 6.3.2", "Eq. 6.3.4"),
)


# Width ---------------------------------------------------------------------------------------------

NARROW, WIDE = (64, 128), (256, 512, 1024, 2048)


@dataclass(frozen=True)
class Distances:
    """log of |network - linearised|/|linearised| after training, (S,), by activation and width."""

    logs: dict[str, dict[int, np.ndarray]]


def distances(seeds: Seeds) -> Distances:
    """Evidence: log distance of networks to their linearisations, by width and activation."""
    from teacherstudent.sims.starvation.linearisation import beside_linearisation
    from teacherstudent.sims.starvation.moons import two_moons

    own = seeds(16)
    inputs, labels = two_moons(own, EXAMPLES, GAP)

    def at(width: int, activation: Any) -> np.ndarray:
        trained = beside_linearisation(
            inputs,
            labels,
            width=width,
            activation=activation,
            ridge=RIDGE,
            time=10 / RIDGE,
            seeds=own,
        )
        return np.log(trained.difference)

    return Distances({each: {width: at(width, each) for width in NARROW + WIDE} for each in ("tanh", "relu")})


Exponents = dict[str, tuple[float, float]]
"""By activation, the interval that holds the exponent of width."""


def exponents(tanh: tuple[float, float], relu: tuple[float, float], _: Distances) -> Exponents:
    """tanh: each unit adds a_i^3/width^(3/2) of random sign, in all 1/width.

    relu: so do the second-order terms, but sqrt(width) units cross their kink and add 1/width
    each, in all width^(-3/4); which of the two is seen depends on width.
    """
    return {"tanh": tanh, "relu": relu}


def falls_with_width(evidence: Distances, claimed: Exponents) -> Verdict:
    """The exponent over wide networks, within its standard error and the bend of the next order.

    The next order is relatively 1/width: the bend is what narrow networks show, scaled to wide ones.
    """
    verdicts = []
    for activation, logs in evidence.logs.items():
        low, high = claimed[activation]
        middle, half = (low + high) / 2, (high - low) / 2
        narrow = (logs[NARROW[1]].mean() - logs[NARROW[0]].mean()) / np.log(NARROW[1] / NARROW[0])
        closer = np.exp(np.mean(np.log(NARROW)) - np.mean(np.log(WIDE)))
        bend = closer * max(abs(narrow - middle) - half, 0)
        means = np.exp([logs[width].mean() for width in WIDE])
        stderr = means * [logs[width].std(ddof=1) / np.sqrt(logs[width].size) for width in WIDE]
        verdicts.append(at_rate(WIDE, means, middle, stderr, slack=float(half + bend)))
    return worst(*verdicts)


WIDTH = Check(
    id="gs-width",
    problem="starvation",
    title="a trained network nears its linearisation: like 1/width for tanh, at least width^(-3/4) for relu",
    paper="pezeshki2022",
    ref="Sect. 6.3.1, Eqs. 6.3.2-6.3.3",
    evidence=distances,
    claim=partial(exponents, (-1.0, -1.0), (-1.0, -0.75)),
    judge=falls_with_width,
    teeth=(
        Tooth("like width^(-1/2)", partial(exponents, (-0.5, -0.5), (-0.5, -0.5))),
        Tooth("like width^(-3/2)", partial(exponents, (-1.5, -1.5), (-1.5, -1.5))),
    ),
    covers=("Sect. 6.3.1 linear regime",),
    slow=True,
)

CHECKS = (FEATURES, WIDTH)
