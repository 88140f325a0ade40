"""The tangent kernel, and that a wide network follows it: real gradients against the closed form."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, partial
from typing import Any, NamedTuple

import numpy as np

from teacherstudent.paper_checks.judging.agreement import above_zero, at_rate, mean_within_errors
from teacherstudent.paper_checks.judging.claims import constant_claim, worst_case
from teacherstudent.paper_checks.judging.draws import drawn_mean
from teacherstudent.paper_checks.judging.effects import Contrast
from teacherstudent.paper_checks.judging.evidence import Seeds, Verdict, WrongClaim
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
    title="at any width, the mean product of a drawn network's gradients is its tangent kernel",
    ref="tangent kernel of a skip connection and a relu branch",
    evidence=gradients,
    claim=claimed,
    judge=per_pair,
    effect=Contrast("an untrained last layer", "the contribution of the last layer's gradients"),
    wrong=(
        WrongClaim("an untrained last layer", without_out),
        WrongClaim("the branch scale instead of its square", partial(claimed, branch_scale=0.7**0.5)),
        WrongClaim("no skip connection", partial(claimed, skip_scale=0.0)),
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
    title=f"after {STEP} steps, network outputs approach the theory, with a distance proportional to "
    "width^(-1/2)",
    ref="networks become linear in their parameters as the width grows",
    evidence=distances,
    claim=lambda _: -0.5,
    judge=at_power,
    wrong=(
        WrongClaim("a distance proportional to 1/width", lambda _: -1.0),
        WrongClaim("a distance proportional to width^(-1/4)", lambda _: -0.25),
    ),
    slow=True,
)

# Two descents, and regimes of weight decay ---------------------------------------------------------------

LAST = 2000
NAMING = 40
"""Draws of which theory names the steps; none of them is trained."""


@cache
def named(seeds: tuple[int, ...]) -> tuple[int, int, int]:
    """Steps of the theory's mean test error: its first minimum, the next maximum, the lowest after it."""
    from teacherstudent.theory.residual_digits.descent import descent

    steps = np.unique(np.round(np.geomspace(1, LAST, 60)).astype(int))
    found = descent(PROBLEM.instance(), steps, learning_rate=RATE, seeds=seeds)["test_error"].mean(axis=0)
    first = int(np.argmax(np.diff(found) > 0))
    top = first + int(np.argmax(found[first:]))
    low = top + int(np.argmin(found[top:]))
    return int(steps[first]), int(steps[top]), int(steps[low])


def changes(route: str, steps: tuple[int, ...], seeds: list[int], **question: Any) -> np.ndarray:
    """By how much the test error changes from each step to the next, (S, 2)."""
    from teacherstudent.house.running import run

    answer = run("residual-digits", "descent", route, steps, seeds=seeds, learning_rate=RATE, **question)
    return np.diff(answer["test_error"].values, axis=1)


# Two descents -------------------------------------------------------------------------------------

TRAINED, LINEAR = 18, 12
"""Draws with the skip; without it, where changes are large."""
BESIDE = 40
"""Draws of which theory alone is asked, for each draw that is trained."""


def both(seeds: Seeds) -> dict[str, np.ndarray]:
    """Evidence: changes to the maximum and to the end, (S, 2); without a skip to the first, (S, 1).

    Most of the scatter is that of the images and labels, and theory has it too. So its change on the same
    draw is taken off, and its mean over other draws, some for each, is added: that leaves the mean over draws
    of the network as it is, whatever theory says.
    """
    steps = named(tuple(seeds(NAMING, "naming")))
    drawn = seeds(TRAINED)
    beyond = changes("simulation", steps, drawn) - changes("kernel", steps, drawn)
    others = changes("kernel", steps, seeds(TRAINED * BESIDE, "theory")).reshape(TRAINED, BESIDE, 2)
    return {
        "skip": beyond + others.mean(axis=1),
        "no skip": changes("simulation", steps[:2], seeds(LINEAR, "no skip"), skip_scale=0.0),
    }


@worst_case
def directions(found: np.ndarray, signs: tuple[int, ...]) -> Verdict:
    """Mean changes have these signs."""
    return above_zero((found * np.array(signs)).T, "fraction of images")


UP_AND_DOWN = {"skip": (1, -1), "no skip": (-1,)}

TWO_DESCENTS = check(
    id="rd-two-descents",
    title="the test error of a real network rises and falls again at the steps predicted by the theory",
    ref="Fig. 5 a, b: temporary overfitting of a network, for small weight decay",
    paper="pezeshki2022",
    evidence=both,
    claim=constant_claim(UP_AND_DOWN),
    judge=directions,
    wrong=(
        WrongClaim("no second descent of the test error", constant_claim({**UP_AND_DOWN, "skip": (1, 1)})),
        WrongClaim("no rise of the test error", constant_claim({**UP_AND_DOWN, "skip": (-1, -1)})),
        WrongClaim(
            "a rise of the test error without the skip connection",
            constant_claim({**UP_AND_DOWN, "no skip": (1,)}),
        ),
    ),
    slow=True,
)

# Regimes of weight decay --------------------------------------------------------------------------

DECAYS = {"large": 3e-2, "intermediate": 1e-3, "small": 1e-4}
TIMED = 16
NARROW, WIDE = 32, 128


def regimes(seeds: Seeds) -> dict[str, Mapping[str, np.ndarray]]:
    """Evidence: changes by theory and by networks of two widths, on the same draws, (S, 2) by decay."""
    steps, drawn = named(tuple(seeds(NAMING, "naming"))), seeds(TIMED)

    def at(decay: float) -> dict[str, np.ndarray]:
        ask = partial(changes, steps=steps, seeds=drawn, weight_decay=decay)
        widths = {"narrow": NARROW, "wide": WIDE}
        return {
            "theory": ask("kernel"),
            **{name: ask("simulation", width=width) for name, width in widths.items()},
        }

    return {name: at(decay) for name, decay in DECAYS.items()}


Found = Mapping[str, Mapping[str, np.ndarray]]


def predicted(found: Found, **exchanged: str) -> dict[str, np.ndarray]:
    """The claim: mean changes by theory, (2,); wrong: those of another weight decay."""
    return {name: found[exchanged.get(name, name)]["theory"].mean(axis=0) for name in found}


@worst_case
def changed(found: Mapping[str, np.ndarray], wanted: np.ndarray) -> Verdict:
    """Draw by draw, with a bias that is at most what a width four times as large changes."""
    apart = found["wide"] - found["theory"]
    bias = np.abs(found["wide"].mean(axis=0) - found["narrow"].mean(axis=0))
    return mean_within_errors(apart + found["theory"].mean(axis=0), wanted, bias=bias)


REGIMES = check(
    id="rd-regimes",
    title="a large weight decay stops the learning of all features, an intermediate one stops only slow "
    "features",
    ref="Section 4.3.3: large, intermediate and small ridge",
    paper="pezeshki2022",
    evidence=regimes,
    claim=predicted,
    judge=changed,
    effect=Contrast("the three weight decays permuted", "the effect of exchanging weight decays"),
    wrong=(
        WrongClaim(
            "the three weight decays permuted",
            partial(predicted, large="intermediate", intermediate="small", small="large"),
        ),
        WrongClaim("a large weight decay acts like a small one", partial(predicted, large="small")),
        WrongClaim("a small weight decay acts like a large one", partial(predicted, small="large")),
    ),
    slow=True,
)

CHECKS = (KERNEL, WIDTH, TWO_DESCENTS, REGIMES)
