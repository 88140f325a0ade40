"""Networks and gradient descent as Ch. 2 of pezeshki2022 defines them, neuron by neuron."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

import numpy as np

from teacherstudent.paper_checks.judging.agreement import within_bound
from teacherstudent.paper_checks.judging.cases import worst_of
from teacherstudent.paper_checks.judging.effects import Measured
from teacherstudent.paper_checks.judging.evidence import Seeds, Tooth, Verdict
from teacherstudent.paper_checks.judging.exactness import EPS
from teacherstudent.paper_checks.starvation import check

EXAMPLES, WIDTH, RATE = 12, 8, 0.3


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
    inputs, labels = rng.standard_normal((EXAMPLES, 2)), rng.choice([-1.0, 1.0], EXAMPLES)
    network, keys = training.initial_networks([seed], WIDTH), jax.random.split(jax.random.key(seed), 1)
    recipe = training.Recipe(learning_rate=RATE)
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
    found: Stepped, divisor: float = EXAMPLES, sign: float = -1.0, bias: float = 1.0
) -> list[np.ndarray]:
    """The claim: logits by Eqs. 2.1.1-2.1.3, and parameters after Eq. 2.1.6 with the mean loss of Eq. 2.1.5.

    Derivatives of log(1 + e^(-y f)) by the chain rule, one example after the other.
    """
    first, constants, second, last = np.split(found.before, np.array([2, 3, 4]) * WIDTH)
    slope, logits = np.zeros_like(found.before), np.zeros(EXAMPLES)
    for i, (x, y) in enumerate(zip(found.inputs, found.labels, strict=True)):
        fields = [neuron(w, bias * b, x) for w, b in zip(first.reshape(-1, 2), constants, strict=True)]
        hidden = np.maximum(fields, 0.0)
        logits[i] = neuron(second, bias * last[0], hidden)
        outer = -y / (1 + np.exp(y * logits[i])) / divisor  # dl/df
        inner = outer * second * (hidden > 0)  # dl/d(field of each neuron)
        slope += np.concatenate([np.outer(inner, x).ravel(), inner, outer * hidden, [outer]])
    return [logits, found.before + sign * RATE * slope]


@worst_of
def to_rounding(found: Stepped, claimed: list[np.ndarray]) -> Iterator[Verdict]:
    """Sums over units and examples of numbers about 1, each rounded."""
    bound = 4 * EXAMPLES * WIDTH * EPS
    for seen, claim in zip((found.logits, found.after), claimed, strict=True):
        yield within_bound(seen - claim, bound, "a hundred operations, each rounded", "absolute")


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
)

CHECKS = (STEP,)
