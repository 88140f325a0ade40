"""Real networks: their features, and their distance to the linearised student that the theory treats."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from teacherstudent.paper_checks.judging.agreement import at_rate, within_bound
from teacherstudent.paper_checks.judging.claims import constant_claim, per_case, worst_case, worst_of
from teacherstudent.paper_checks.judging.draws import drawn_mean
from teacherstudent.paper_checks.judging.effects import Effect, Measured
from teacherstudent.paper_checks.judging.evidence import Seeds, Verdict, WrongClaim
from teacherstudent.paper_checks.judging.exactness import EPS, relatively_equal
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


FEATURES = check(
    id="gs-features",
    title="features from the singular values of Y Phi0 represent all parameters of a tangent network",
    ref="Def. 6.3.1, Eqs. 6.3.2, 6.3.4",
    evidence=tangents,
    claim=through_features,
    judge=worst_case(lambda case, claim: relatively_equal(case.margins, claim)),
    wrong=(
        WrongClaim("Phi0 without the labels", partial(through_features, labelled=False)),
        WrongClaim("strengths squared", partial(through_features, power=2.0)),
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
    return constant_claim({"tanh": tanh, "relu": relu})


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
    other = Effect(min(abs(low + 0.5), abs(high + 0.5)), "the distance to the exponent of width^(-1/2)")
    found = at_rate(WIDE, means, middle, errors, slack=float(half + bend), effect=other)
    outside = max(found.statistic - half, 0.0) if found.statistic == found.statistic else np.nan
    return replace(
        found, statistic=outside, threshold=found.threshold - half, resolution=found.resolution - half
    )


WIDTH = check(
    id="gs-width",
    title="trained networks approach their linearisation like 1/width (tanh) or at least like width^(-3/4) "
    "(relu)",
    ref="Sect. 6.3.1, Eqs. 6.3.2-6.3.3",
    evidence=distances,
    claim=exponents((-1.0, -1.0), (-1.0, -0.75)),
    judge=falls_with_width,
    wrong=(
        WrongClaim("error like width^(-1/2)", exponents((-0.5, -0.5), (-0.5, -0.5))),
        WrongClaim("error like width^(-3/2)", exponents((-1.5, -1.5), (-1.5, -1.5))),
    ),
    slow=True,
)


# Networks and gradient descent as Ch. 2 of pezeshki2022 defines them, neuron by neuron -----------------

POINTS, UNITS, STEP_RATE = 12, 8, 0.3


class Stepped(NamedTuple):
    """Logits (n,) of a network on inputs (n, 2), and its parameters W1, b1, w2, b2, (4 h + 1,), at a step."""

    inputs: np.ndarray
    labels: np.ndarray
    before: np.ndarray
    logits: np.ndarray
    after: np.ndarray


def stepped(seeds: Seeds) -> Stepped:
    """Evidence: the network of the two-moons experiment on random points; momentum starts from nothing."""
    import jax
    import jax.numpy as jnp

    from teacherstudent.sims.starvation import training

    (seed,) = seeds(1)
    rng = np.random.default_rng(seed)
    inputs, labels = rng.standard_normal((POINTS, 2)), rng.choice([-1.0, 1.0], POINTS)
    network, keys = training.initial_networks([seed], UNITS), jax.random.split(jax.random.key(seed), 1)
    recipe = training.Recipe(learning_rate=STEP_RATE)
    moved = training.trained(network, inputs[None], labels[None], recipe, jnp.array([1]), keys)
    logits = training.logits(jax.tree.map(lambda each: each[0], network), inputs, None)
    before, after = (
        np.concatenate([np.ravel(each) for each in (first[..., :2], first[..., 2], second)])
        for first, _, _, second in (network, moved)
    )
    return Stepped(inputs, labels, before, np.asarray(logits), after)


def neuron(weights: np.ndarray, bias: float, inputs: np.ndarray) -> float:
    """sum_i w_i x_i + b, Eq. 2.1.1 before g."""
    return sum(float(w * x) for w, x in zip(weights, inputs, strict=True)) + float(bias)


def backwards(
    found: Stepped, divisor: float = POINTS, sign: float = -1.0, bias: float = 1.0
) -> list[np.ndarray]:
    """The claim: logits by Eqs. 2.1.1-2.1.3, and parameters by Eq. 2.1.6 with the mean loss of Eq. 2.1.5."""
    first, constants, second, last = np.split(found.before, np.array([2, 3, 4]) * UNITS)
    slope, logits = np.zeros_like(found.before), np.zeros(POINTS)
    for i, (x, y) in enumerate(zip(found.inputs, found.labels, strict=True)):
        fields = [neuron(w, bias * b, x) for w, b in zip(first.reshape(-1, 2), constants, strict=True)]
        hidden = np.maximum(fields, 0.0)
        logits[i] = neuron(second, bias * last[0], hidden)
        outer = -y / (1 + np.exp(y * logits[i])) / divisor  # dl/df
        inner = outer * second * (hidden > 0)  # dl/d(field of each neuron)
        slope += np.concatenate([np.outer(inner, x).ravel(), inner, outer * hidden, [outer]])
    return [logits, found.before + sign * STEP_RATE * slope]


@worst_of
def to_rounding(found: Stepped, claimed: list[np.ndarray]) -> Iterator[Verdict]:
    """Sums over units and examples of numbers about 1, each rounded."""
    bound = 4 * POINTS * UNITS * EPS
    for seen, claim in zip((found.logits, found.after), claimed, strict=True):
        yield within_bound(seen - claim, bound, "a hundred operations, each rounded", "absolute")


STEP = check(
    id="gs-network-step",
    title="a network equals its neurons composed, and a descent step follows the negative gradient of the "
    "mean loss",
    ref="Eqs. 2.1.1-2.1.3, 2.1.5-2.1.6",
    evidence=stepped,
    claim=backwards,
    judge=to_rounding,
    effect=Measured(lambda found: float(np.max(np.abs(found.after - found.before))), "the size of a step"),
    wrong=(
        WrongClaim("a loss that is a sum instead of a mean", partial(backwards, divisor=1.0)),
        WrongClaim("a step along the positive gradient", partial(backwards, sign=1.0)),
        WrongClaim("neurons without biases", partial(backwards, bias=0.0)),
    ),
)

CHECKS = (FEATURES, WIDTH, STEP)
