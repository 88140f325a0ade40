"""The tangent kernel, and that a wide network follows it: real gradients against the closed form."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

import numpy as np

from teacherstudent.paper_checks.judging.agreement import at_rate, mean_within_errors
from teacherstudent.paper_checks.judging.draws import drawn_mean
from teacherstudent.paper_checks.judging.effects import Contrast
from teacherstudent.paper_checks.judging.evidence import Seeds, Tooth, Verdict
from teacherstudent.paper_checks.residual_digits import check
from teacherstudent.problems.residual_digits import PROBLEM
from teacherstudent.problems.residual_digits.data import draw, images_of
from teacherstudent.theory.residual_digits import descent, kernel

# The kernel ---------------------------------------------------------------------------------------

IMAGES, NETWORKS = 6, 400
SMALL = {"n": IMAGES, "components": 8, "width": 24, "branch_scale": 0.7, "skip_scale": 0.6}


class Gradients(NamedTuple):
    """Of networks drawn anew: products of gradients of the first output, and of the first with the second.

    own and other: (networks, pairs of images). pixels and components: of those images.
    """

    own: np.ndarray
    other: np.ndarray
    pixels: np.ndarray
    components: np.ndarray


PAIRS = np.triu_indices(IMAGES)


def gradients(seeds: Seeds) -> Gradients:
    """Evidence: products of the gradients of drawn networks by all their parameters, on the same images."""
    import jax

    from teacherstudent.sims.residual_digits.network import Inputs, initial, outputs

    problem = PROBLEM.instance(**SMALL)
    images = images_of(problem)
    chosen = draw(problem, seeds(1, "images")).training[0]
    x, z = images.pixels[chosen], images.components[chosen]
    scales = (problem.skip_scale, problem.branch_scale)

    @jax.jit
    def jacobian(network: object) -> object:
        return jax.jacobian(lambda theta: outputs(theta, Inputs(x, z), scales)[:, :2])(network)

    own, other = [], []
    for seed in seeds(NETWORKS):
        parts = jacobian(initial(seed, x.shape[1], z.shape[1], problem.width, images.count))
        flat = np.concatenate([np.reshape(each, (IMAGES, 2, -1)) for each in parts], axis=-1)
        products = np.einsum("icp,jep->ijce", flat, flat)[PAIRS]
        own.append(products[:, 0, 0])
        other.append(products[:, 0, 1])
    return Gradients(np.array(own), np.array(other), x, z)


def claimed(found: Gradients, **wrong: float) -> np.ndarray:
    """The claim: the closed form of each pair, and none between outputs, (2, pairs); scales may be wrong."""
    problem = PROBLEM.instance(**{**SMALL, **wrong})
    x, z = found.pixels, found.components
    own = kernel.tangent(problem, x, z, x, z)[PAIRS]
    return np.stack([own, np.zeros_like(own)])


def without_out(found: Gradients) -> np.ndarray:
    """Wrong: gradients by W and b alone, as if the last layer were not trained."""
    x = found.pixels
    inner = x @ x.T / x.shape[1] + kernel.BIAS**2
    lengths = np.sqrt(np.diag(inner))
    angle = np.arccos(np.clip(inner / np.outer(lengths, lengths), -1, 1))
    last = kernel.branch(x, x) - inner * (np.pi - angle) / (2 * np.pi)
    return claimed(found) - np.stack([SMALL["branch_scale"] ** 2 * last[PAIRS], np.zeros(len(PAIRS[0]))])


def per_pair(found: Gradients, wanted: np.ndarray) -> Verdict:
    """Means over networks at every pair of images."""
    return mean_within_errors(np.stack([found.own, found.other], axis=1), wanted)


KERNEL = check(
    id="rd-kernel",
    title="products of a drawn network's gradients are its tangent kernel on average, at any width",
    ref="tangent kernel of a skip and a branch of rectified units",
    evidence=gradients,
    claim=claimed,
    judge=per_pair,
    effect=Contrast("a last layer that is not trained", "what the last layer's gradients add"),
    teeth=(
        Tooth("a last layer that is not trained", without_out),
        Tooth("the scale of the branch in place of its square", partial(claimed, branch_scale=0.7**0.5)),
        Tooth("no skip", partial(claimed, skip_scale=0.0)),
    ),
)

# Width --------------------------------------------------------------------------------------------

WIDTHS, STEP, DRAWS, RATE = (64, 256, 1024), 30, 12, 12.0


def distances(seeds: Seeds) -> np.ndarray:
    """Evidence: relative distance of the network's test outputs from the theory's, (widths, draws)."""
    from teacherstudent.sims.residual_digits.descent import tested_outputs

    times, drawn = np.array([STEP]), seeds(DRAWS)
    rows = []
    for width in WIDTHS:
        problem = PROBLEM.instance(width=width)
        theory = descent.outputs(problem, times, learning_rate=RATE, seeds=drawn)
        rows.append(
            [
                float(np.linalg.norm(network - each.tested) / np.linalg.norm(each.tested))
                for seed, each in zip(drawn, theory, strict=True)
                for network in [tested_outputs(problem, times, learning_rate=RATE, seed=seed)]
            ]
        )
    return np.array(rows)


def at_power(found: np.ndarray, power: float) -> Verdict:
    """Mean distances against that power of the width."""
    at = drawn_mean(found, axis=1)
    return at_rate(WIDTHS, at.mean, power, at.stderr)


WIDTH = check(
    id="rd-width",
    title=f"after {STEP} steps outputs of the network near the theory like width^(-1/2)",
    ref="networks of growing width are linear in their parameters",
    evidence=distances,
    claim=lambda _: -0.5,
    judge=at_power,
    teeth=(
        Tooth("a distance like 1/width", lambda _: -1.0),
        Tooth("a distance like width^(-1/4)", lambda _: -0.25),
    ),
    slow=True,
)

CHECKS = (KERNEL, WIDTH)
