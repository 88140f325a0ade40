"""Formulas of roburin2022 ch. 2 that restate known schemes, run against what they restate."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import numpy as np

from teacherstudent.paper_checks.judging.agreement import within_bound
from teacherstudent.paper_checks.judging.cases import worst_of
from teacherstudent.paper_checks.judging.effects import Effect
from teacherstudent.paper_checks.judging.evidence import Seeds, Tooth, Verdict
from teacherstudent.paper_checks.scale_invariant import check, misprints

PAPER = "roburin2022"
BETA, DECAY, STEPS = 0.9, 0.1, 6
BATCH, CHANNELS, POSITIONS = 3, 4, 50


class Inputs(NamedTuple):
    """gradients g_0, g_1, ...: (STEPS + 1,). activations of images: (BATCH, CHANNELS, POSITIONS)."""

    gradients: np.ndarray
    activations: np.ndarray


class Schemes(NamedTuple):
    """momentum: after STEPS steps from 0. shrunk: weights over the first ones, after as many steps without a
    gradient. variance: of each image's channel once it is normalised, (BATCH, CHANNELS)."""

    momentum: float
    shrunk: float
    variance: np.ndarray


def run(seeds: Seeds) -> tuple[Inputs, Schemes]:
    """Evidence: the recursion of momentum, optax's decoupled decay, and a channel standardised by itself."""
    import jax.numpy as jnp
    import optax

    import teacherstudent.sims.arrays  # noqa: F401  (double precision)

    (seed,) = seeds(1)
    generator = np.random.default_rng(seed)
    gradients = generator.standard_normal(STEPS + 1)
    momentum = 0.0
    for gradient in gradients[:STEPS]:
        momentum = BETA * momentum + gradient
    rule = optax.chain(optax.add_decayed_weights(DECAY), optax.scale(-1.0))
    weights = jnp.ones(1)
    state = rule.init(weights)
    for _ in range(STEPS):
        change, state = rule.update(jnp.zeros(1), state, weights)
        weights = optax.apply_updates(weights, change)
    shift = generator.standard_normal((BATCH, CHANNELS, 1))
    activations = shift + generator.standard_normal((BATCH, CHANNELS, POSITIONS))
    spread = activations.std(axis=-1, keepdims=True)
    normalised = (activations - activations.mean(axis=-1, keepdims=True)) / spread
    found = Schemes(momentum, float(np.asarray(weights)[0]), normalised.var(axis=-1))
    return Inputs(gradients, activations), found


def corrected(evidence: tuple[Inputs, Schemes]) -> Schemes:
    """The claim: the sum to k - 1, weights that shrink, variance 1."""
    gradients = evidence[0].gradients
    momentum = sum(BETA ** (STEPS - 1 - i) * gradients[i] for i in range(STEPS))
    return Schemes(float(momentum), (1 - DECAY) ** STEPS, np.ones((BATCH, CHANNELS)))


def otherwise(**change: Callable[[Inputs], Any]) -> Callable[[tuple[Inputs, Schemes]], Schemes]:
    """A claim that is wrong in one scheme."""

    def claim(evidence: tuple[Inputs, Schemes]) -> Schemes:
        changed: dict[str, Any] = {name: of(evidence[0]) for name, of in change.items()}
        return corrected(evidence)._replace(**changed)

    return claim


def to_k(inputs: Inputs) -> float:
    """As printed: the sum ends at k, so that its last term has the power -1."""
    return float(sum(BETA ** (STEPS - 1 - i) * inputs.gradients[i] for i in range(STEPS + 1)))


def around_the_batch(inputs: Inputs) -> np.ndarray:
    """As printed: the spread of an image is taken around the mean of the batch."""
    own = inputs.activations.var(axis=-1)
    apart = inputs.activations.mean(axis=-1) - inputs.activations.mean(axis=(0, 2))
    return np.asarray(own / (own + apart**2))


@worst_of
def alike(evidence: tuple[Inputs, Schemes], claimed: Schemes) -> Iterable[Verdict]:
    """Each scheme to rounding."""
    effect = Effect(0.1, "a tenth of weights, momentum or variance")
    for found, wanted in zip(evidence[1], claimed, strict=True):
        yield within_bound(found - np.asarray(wanted), 1e-12, "rounding", "of its unit", effect)


SCHEMES = check(
    id="review-schemes",
    title="momentum as a sum, decoupled weight decay, and instance normalisation",
    ref="Eqs. 2.13-2.15, 2.28-2.30",
    paper=PAPER,
    evidence=run,
    claim=corrected,
    judge=alike,
    teeth=(
        Tooth("momentum that is a mean", otherwise(momentum=lambda inputs: 0.1 * to_k(inputs))),
        Tooth("no decay", otherwise(shrunk=lambda _: 1.0)),
    ),
    errata=misprints(
        {
            "review-momentum-sum": otherwise(momentum=to_k),
            "review-decoupled-sign": otherwise(shrunk=lambda _: (1 + DECAY) ** STEPS),
            "review-instance-variance": otherwise(variance=around_the_batch),
        }
    ),
)

CHECKS = (SCHEMES,)
