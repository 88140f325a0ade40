"""Networks and gradient descent as Ch. 2 of pezeshki2022 defines them, neuron by neuron."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np

from teacherstudent.paper_checks.judging.agreement import within_bound
from teacherstudent.paper_checks.judging.cases import worst_of
from teacherstudent.paper_checks.judging.effects import Measured
from teacherstudent.paper_checks.judging.evidence import Seeds, Tooth, Verdict
from teacherstudent.paper_checks.starvation import check

EXAMPLES, WIDTH, RATE = 12, 8, 0.3
EPS = float(np.finfo(float).eps)


@dataclass(frozen=True)
class Stepped:
    """A network, its logits (n,) on inputs (n, 2), and its parameters after one step.

    Parameters are W1, b1, w2, b2 in one array, (4 h + 1,).
    """

    inputs: np.ndarray
    labels: np.ndarray
    before: np.ndarray
    logits: np.ndarray
    after: np.ndarray


def stepped(seeds: Seeds) -> Stepped:
    """Evidence: the network of the two-moons experiment on random points; momentum starts with no memory."""
    import jax
    import jax.numpy as jnp

    from teacherstudent.sims.starvation import training

    (seed,) = seeds(1)
    rng = np.random.default_rng(seed)
    inputs, labels = rng.standard_normal((EXAMPLES, 2)), rng.choice([-1.0, 1.0], EXAMPLES)
    network = training.initial_networks([seed], WIDTH)
    keys = jax.vmap(jax.random.key)(jnp.array([seed]))
    recipe = training.Recipe(learning_rate=RATE)
    moved = training.trained(network, inputs[None], labels[None], recipe, jnp.array([1]), keys)
    logits = training.logits(jax.tree.map(lambda each: each[0], network), inputs, None)
    flat = [
        np.concatenate([np.ravel(first[..., :2]), np.ravel(first[..., 2]), np.ravel(second)])
        for first, second in ((network.first, network.second), (moved.first, moved.second))
    ]
    return Stepped(inputs, labels, flat[0], np.asarray(logits), flat[1])


def neuron(weights: np.ndarray, bias: float, inputs: np.ndarray, rectified: bool) -> float:
    """g(sum_i w_i x_i + b), Eq. 2.1.1."""
    field = sum(float(w * x) for w, x in zip(weights, inputs, strict=True)) + float(bias)
    return max(field, 0.0) if rectified else field


def backwards(
    found: Stepped, divisor: float = EXAMPLES, sign: float = -1.0, bias: float = 1.0
) -> list[np.ndarray]:
    """The claim: logits by Eqs. 2.1.1-2.1.3, and parameters after Eq. 2.1.6 with the mean loss of Eq. 2.1.5.

    Derivatives of log(1 + e^(-y f)) by the chain rule, one example after the other.
    """
    h = WIDTH
    first, constants = found.before[: 2 * h].reshape(h, 2), bias * found.before[2 * h : 3 * h]
    second, last = found.before[3 * h : 4 * h], bias * found.before[4 * h]
    slope, logits = np.zeros_like(found.before), np.zeros(EXAMPLES)
    for i, (x, y) in enumerate(zip(found.inputs, found.labels, strict=True)):
        hidden = np.array([neuron(first[j], constants[j], x, True) for j in range(h)])
        logits[i] = neuron(second, last, hidden, False)
        outer = -y / (1 + np.exp(y * logits[i])) / divisor  # dl/df
        inner = outer * second * (hidden > 0)  # dl/d(field of each neuron)
        slope += np.concatenate([np.outer(inner, x).ravel(), inner, outer * hidden, [outer]])
    return [logits, found.before + sign * RATE * slope]


@worst_of
def to_rounding(found: Stepped, claimed: list[np.ndarray]) -> Iterator[Verdict]:
    """Sums over units and examples of numbers about 1, each rounded."""
    for seen, claim in zip((found.logits, found.after), claimed, strict=True):
        yield within_bound(
            seen - claim, 4 * EXAMPLES * WIDTH * EPS, "a hundred operations, each rounded", "absolute"
        )


STEP = check(
    id="gs-network-step",
    title="a network is its neurons, and a step of descent goes against the gradient of the mean loss",
    ref="Eqs. 2.1.1-2.1.3, 2.1.5-2.1.6",
    evidence=stepped,
    claim=backwards,
    judge=to_rounding,
    effect=Measured(lambda found: float(np.max(np.abs(found.after - found.before))), "a step"),
    teeth=(
        Tooth("a loss that is a sum", partial(backwards, divisor=1.0)),
        Tooth("along the gradient", partial(backwards, sign=1.0)),
        Tooth("neurons without bias", partial(backwards, bias=0.0)),
    ),
    functions=(
        "sims.starvation.training:initial_networks",
        "sims.starvation.training:logits",
        "sims.starvation.training:trained",
    ),
    covers=("Eqs. 2.1.1-2.1.3", "Eq. 2.1.5", "Eq. 2.1.6"),
)

CHECKS = (STEP,)
