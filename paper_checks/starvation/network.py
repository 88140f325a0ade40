"""Real networks: their features, and their distance to the linearised student that the theory treats."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from teacherstudent.paper_checks.judging.agreement import at_rate
from teacherstudent.paper_checks.judging.cases import per_case, stated, worst_case
from teacherstudent.paper_checks.judging.draws import drawn_mean
from teacherstudent.paper_checks.judging.effects import Effect
from teacherstudent.paper_checks.judging.evidence import Seeds, Tooth, Verdict
from teacherstudent.paper_checks.judging.exactness import relatively_equal
from teacherstudent.paper_checks.starvation import check
from teacherstudent.paper_checks.starvation.kit.primal import minimum, ridge_loss
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


@per_case
def through_features(case: Tangent, labelled: bool = True, power: float = 1.0) -> np.ndarray:
    """Margins U z of the theory's fixed point; without labels, or with S^power, for the negative controls."""
    found = features(case.jacobian, case.labels if labelled else np.ones(case.labels.size), RIDGE)
    problem = Starvation(found.vectors, tuple(found.s**power), found.ridge)
    z = duality.responses(problem, ends.fixed_point(duality.of_ridge(problem)).alpha)
    return problem.U @ z


@worst_case
def same_margins(case: Tangent, claim: np.ndarray) -> Verdict:
    """Judge: all margins, to the accuracy asked of fixed points."""
    return relatively_equal(case.margins, claim)


FEATURES = check(
    id="gs-features",
    title="features by the singular values of Y Phi0 stand for all parameters of a real network",
    ref="Def. 6.3.1, Eqs. 6.3.2, 6.3.4",
    evidence=tangents,
    claim=through_features,
    judge=same_margins,
    teeth=(
        Tooth("Phi0 without the labels", partial(through_features, labelled=False)),
        Tooth("strengths squared", partial(through_features, power=2.0)),
    ),
)


# Width ---------------------------------------------------------------------------------------------

NARROW, WIDE = (64, 128), (256, 512, 1024, 2048)
SEEDS = {"tanh": 10, "relu": 28}
"""More for relu: the units that cross their kink are few, and the distances scatter."""


Distances = dict[str, dict[int, np.ndarray]]
"""log of |network - linearised|/|linearised| after training, (S,), by activation and width."""


def distances(seeds: Seeds) -> Distances:
    """Evidence: log distance of networks to their linearisations, by width and activation."""
    from teacherstudent.sims.starvation.linearisation import beside_linearisation
    from teacherstudent.sims.starvation.moons import two_moons

    def at(width: int, activation: Any) -> np.ndarray:
        own = seeds(SEEDS[activation])
        inputs, labels = two_moons(own, EXAMPLES, GAP)
        trained = beside_linearisation(
            inputs, labels, width=width, activation=activation, ridge=RIDGE, time=10 / RIDGE, seeds=own
        )
        return np.log(trained.difference)

    return {name: {width: at(width, name) for width in NARROW + WIDE} for name in SEEDS}


Exponents = dict[str, tuple[float, float]]
"""By activation, the interval that holds the exponent of width."""


def exponents(tanh: tuple[float, float], relu: tuple[float, float]) -> Callable[[object], Exponents]:
    """The claim of those intervals.

    tanh: each unit adds a_i^3/width^(3/2) of random sign, in all 1/width. relu: so do the
    second-order terms, but sqrt(width) units cross their kink and add 1/width each, in all
    width^(-3/4); which of the two is seen depends on width.
    """
    return stated({"tanh": tanh, "relu": relu})


@worst_case
def falls_with_width(logs: dict[int, np.ndarray], interval: tuple[float, float]) -> Verdict:
    """How far the exponent over wide networks is outside its interval, within its error and the next order.

    The next order is relatively 1/width: the bend is what narrow networks show, scaled to wide ones.
    """
    low, high = interval
    middle, half = (low + high) / 2, (high - low) / 2
    narrow = (logs[NARROW[1]].mean() - logs[NARROW[0]].mean()) / np.log(NARROW[1] / NARROW[0])
    closer = np.exp(np.mean(np.log(NARROW)) - np.mean(np.log(WIDE)))
    bend = closer * max(abs(narrow - middle) - half, 0)
    drawn = [drawn_mean(logs[width]) for width in WIDE]
    means = np.exp([log.mean for log in drawn])
    errors = means * [log.stderr for log in drawn]
    other = Effect(min(abs(low + 0.5), abs(high + 0.5)), "the distance to width^(-1/2)")
    found = at_rate(WIDE, means, middle, errors, slack=float(half + bend), effect=other)
    outside = max(found.statistic - half, 0.0) if found.statistic == found.statistic else np.nan
    return replace(
        found, statistic=outside, threshold=found.threshold - half, resolution=found.resolution - half
    )


WIDTH = check(
    id="gs-width",
    title="a trained network nears its linearisation: like 1/width for tanh, at least width^(-3/4) for relu",
    ref="Sect. 6.3.1, Eqs. 6.3.2-6.3.3",
    evidence=distances,
    claim=exponents((-1.0, -1.0), (-1.0, -0.75)),
    judge=falls_with_width,
    teeth=(
        Tooth("like width^(-1/2)", exponents((-0.5, -0.5), (-0.5, -0.5))),
        Tooth("like width^(-3/2)", exponents((-1.5, -1.5), (-1.5, -1.5))),
    ),
    slow=True,
)

CHECKS = (FEATURES, WIDTH)
