"""Which weights form a radially invariant group, by the kind of normalisation that follows them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from teacherstudent.paper_checks.judging.agreement import within_bound
from teacherstudent.paper_checks.judging.cases import stated, worst_of
from teacherstudent.paper_checks.judging.effects import Effect
from teacherstudent.paper_checks.judging.evidence import Seeds, Tooth, Verdict
from teacherstudent.paper_checks.judging.exactness import EPS
from teacherstudent.paper_checks.scale_invariant import check

IMAGES, CHANNELS, FILTERS, PLACES = 7, 6, 4, 5
AXES = {"batch": (0, 3), "instance": (3,), "layer": (1, 2, 3), "group": (2, 3)}
"""Axes (image, channel group, filter in the group, place) over which each layer takes mean and variance."""
PER_GROUP = 2
"""Filters that group normalisation takes together."""

Derivatives = dict[str, tuple[np.ndarray, np.ndarray]]
"""By layer, weights and the loss's gradient, (FILTERS, CHANNELS) each."""


def differentiated(seeds: Seeds) -> Derivatives:
    """Gradients of a convolution by one pixel, normalised without epsilon, by automatic differentiation."""
    import jax
    import jax.numpy as jnp

    import teacherstudent.sims.arrays  # noqa: F401  double precision

    rng = np.random.default_rng(seeds(1))
    inputs = jnp.asarray(rng.standard_normal((IMAGES, CHANNELS, PLACES)))
    targets = jnp.asarray(rng.standard_normal((IMAGES, FILTERS, PLACES)))
    weights = rng.standard_normal((FILTERS, CHANNELS))

    def loss(weights: Any, axes: tuple[int, ...]) -> Any:
        h = jnp.einsum("fc,bcj->bfj", weights, inputs).reshape(IMAGES, -1, PER_GROUP, PLACES)
        mean, variance = h.mean(axes, keepdims=True), h.var(axes, keepdims=True)
        normalised = ((h - mean) / jnp.sqrt(variance)).reshape(targets.shape)
        return jnp.mean((jnp.logaddexp(0, normalised) - targets) ** 2)

    return {
        layer: (weights, np.asarray(jax.grad(loss)(jnp.asarray(weights), axes)))
        for layer, axes in AXES.items()
    }


@worst_of
def tangent_to_each_group(evidence: Derivatives, claimed: dict[str, int]) -> Iterator[Verdict]:
    """<grad L, x> = 0 in every group (Lemma 1)."""
    for layer, (weights, gradient) in evidence.items():
        shape = (-1, claimed[layer] * CHANNELS)
        x, g = weights.reshape(shape), gradient.reshape(shape)
        cosine = np.sum(x * g, axis=1) / (np.linalg.norm(x, axis=1) * np.linalg.norm(g, axis=1))
        bound = (IMAGES * PLACES + CHANNELS * FILTERS) * EPS
        yield within_bound(np.max(np.abs(cosine)), bound, "sums over images, places and weights", "cosine")


TRUE = {"batch": 1, "instance": 1, "group": PER_GROUP, "layer": FILTERS}
"""How many filters form one group, by layer."""

LAYERS = check(
    id="sphere-layers",
    title="one filter is a group before batch or instance normalisation, more before group or layer's",
    ref="App. B",
    evidence=differentiated,
    claim=stated(TRUE),
    judge=tangent_to_each_group,
    effect=Effect(1.0, "the cosine of parallel vectors"),
    teeth=(
        Tooth("one filter before layer normalisation", stated({**TRUE, "layer": 1})),
        Tooth("half the filters before layer normalisation", stated({**TRUE, "layer": PER_GROUP})),
        Tooth("one filter before group normalisation", stated({**TRUE, "group": 1})),
    ),
    slow=True,
)

CHECKS = (LAYERS,)
