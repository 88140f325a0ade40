"""Accuracies of Adam and its variants in three versions of one paper: which differences their tables show."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import numpy as np

from teacherstudent.paper_checks.judging.agreement import within_bound
from teacherstudent.paper_checks.judging.claims import worst_of
from teacherstudent.paper_checks.judging.effects import Effect
from teacherstudent.paper_checks.judging.evidence import Seeds, Verdict, WrongClaim
from teacherstudent.paper_checks.judging.printed import Count, Difference, Told, against_print, claim_except
from teacherstudent.paper_checks.scale_invariant import check, misprints
from teacherstudent.paper_checks.scale_invariant.kit.tables import (
    NETWORKS,
    NO_AFFINE,
    SPHERE_2020,
    SPHERE_2021,
    SPHERE_2022,
)

SAME = {"Adam": "Adam", "AdamW": "AdamW", "AdamG": "AdamG", "Adam-S": "a", "Adam-SRT": "abc"}
"""Methods of roburin2020 under the names of the later versions."""

VERSIONS, AFFINE = (
    "2020 compared with 2021, the same methods",
    "2022: no affine layers compared with affine layers",
)
ORDER = "2022: AdamG compared with Adam on CIFAR100 ResNet18, with and without affine layers"

TOLD: Told = {
    "2020: Adam-SRT compared with Adam and its variants": (
        SPHERE_2020.against("Adam-SRT", "Adam", "AdamW", "AdamG", "Adam-S"),
        Count(30, 16, 0, 14),
    ),
    "2020: Adam-S compared with Adam": (SPHERE_2020.against("Adam-S", "Adam"), Count(8, 1, 0, 7)),
    "2020: Adam-SRT compared with Adam-S": (SPHERE_2020.against("Adam-SRT", "Adam-S"), Count(8, 5, 0, 3)),
    "2020: Adam-SRT compared with SGD-M": (SPHERE_2020.against("Adam-SRT", "SGD-M"), Count(1, 1, 4, 3)),
    "2020: SGD-MRT compared with SGD-M": (SPHERE_2020.against("SGD-MRT", "SGD-M"), Count(3, 0, 0, 8)),
    "2021: w/o (ab) compared with the others": (
        SPHERE_2021.against("ab", "Adam", "AdamW", "AdamG", "a", "abc"),
        Count(35, 23, 0, 12),
    ),
    "2021: AdamW compared with the others": (
        SPHERE_2021.against("AdamW", "Adam", "AdamG", "a", "ab", "abc"),
        Count(3, 3, 22, 10),
    ),
    "2022: w/o (ab) compared with w/o (abc), no affine layers": (
        NO_AFFINE.against("ab", "abc"),
        Count(5, 3, 0, 4),
    ),
    VERSIONS: (
        {
            f"{column}: {name}": Difference([SPHERE_2020[name, column], SPHERE_2021[later, column]])
            for name, later in SAME.items()
            for column in NETWORKS
        },
        Count(2, 1, 0, 34),
    ),
    AFFINE: (
        {
            f"{column}: {name}": Difference([NO_AFFINE[name, column], SPHERE_2022[name, column]])
            for name in ("Adam", "AdamW", "AdamG", "a", "ab", "abc")
            for column in NETWORKS
        },
        Count(13, 4, 12, 26),
    ),
    ORDER: (
        {
            table.place: table.against("AdamG", "Adam")["CIFAR100 ResNet18: Adam"]
            for table in (SPHERE_2022, NO_AFFINE)
        },
        Count(1, 1, 1, 0),
    ),
}

ACCURACIES = check(
    id="sphere-accuracies",
    title="Adam-SRT is more accurate than Adam and its variants in 30 of 30 comparisons, significantly in 16",
    ref="Tables 2 and 5: Welch's tests",
    **against_print(
        TOLD,
        *list(TOLD)[:2],
        errata=misprints(
            {
                "sphere-adamw-versions": claim_except(TOLD, **{VERSIONS: Count(0, 0, 0, 35)}),
                "sphere-marginal-affine": claim_except(TOLD, ORDER, **{AFFINE: Count(13, 0, 0, 42)}),
            }
        ),
    ),
)


# Formulas of roburin2022 ch. 2 that restate known schemes, run against what they restate -------

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


def schemes_run(seeds: Seeds) -> tuple[Inputs, Schemes]:
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
    effect = Effect(0.1, "a tenth of the weights, the momentum or the variance")
    for found, wanted in zip(evidence[1], claimed, strict=True):
        yield within_bound(found - np.asarray(wanted), 1e-12, "rounding", "fraction of the unit", effect)


SCHEMES = check(
    id="review-schemes",
    title="momentum as a sum, decoupled weight decay and instance normalisation follow corrected formulas",
    ref="Eqs. 2.13-2.15, 2.28-2.30",
    paper=PAPER,
    evidence=schemes_run,
    claim=corrected,
    judge=alike,
    wrong=(
        WrongClaim("momentum as a mean", otherwise(momentum=lambda inputs: 0.1 * to_k(inputs))),
        WrongClaim("no weight decay", otherwise(shrunk=lambda _: 1.0)),
    ),
    errata=misprints(
        {
            "review-momentum-sum": otherwise(momentum=to_k),
            "review-decoupled-sign": otherwise(shrunk=lambda _: (1 + DECAY) ** STEPS),
            "review-instance-variance": otherwise(variance=around_the_batch),
        }
    ),
)

CHECKS = (
    ACCURACIES,
    SCHEMES,
)
