"""Which layers can be orthogonal, by training many; and how slowly some kernels become it."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import numpy as np

from teacherstudent.paper_checks.judging.agreement import at_order, within_bound
from teacherstudent.paper_checks.judging.claims import constant_claim, worst_case
from teacherstudent.paper_checks.judging.effects import Effect
from teacherstudent.paper_checks.judging.evidence import Seeds, Verdict, WrongClaim
from teacherstudent.paper_checks.orthogonal_convolution import check, talk
from teacherstudent.paper_checks.orthogonal_convolution.kit.layers import EPS, SHAPE, layer
from teacherstudent.problems.orthogonal_convolution import PROBLEM, OrthogonalConvolution
from teacherstudent.theory.orthogonal_convolution.existence import least

# Existence ----------------------------------------------------------------------------------------------

SHAPES = tuple(product((2, 5), (1, 2), (1, 2, 3, 4), (1, 2, 3), (1,), (1,)))
"""(M, C, k, S, D, N), which the regulariser does not know: rows and columns that exist and that do not."""
STARTS = 3
STEPS, RATE = 500, 0.05
ONE = Effect(1.0, "the distance to the next integer")


def problem(shape: tuple[int, ...]) -> OrthogonalConvolution:
    """The layer of that shape."""
    found: OrthogonalConvolution = PROBLEM.instance(**dict(zip(SHAPE, shape, strict=True)))
    return found


def trained(seeds: Seeds) -> dict[tuple[int, ...], np.ndarray]:
    """Evidence: the regulariser where training from each of `STARTS` drawn kernels ends, by shape."""
    import jax
    import jax.numpy as jnp
    from scipy.optimize import least_squares

    from teacherstudent.sims.orthogonal_convolution.layer import overlaps, regulariser
    from teacherstudent.sims.orthogonal_convolution.training import descended

    found: dict[tuple[int, ...], np.ndarray] = {}
    for shape in SHAPES:
        M, C, k, S, _, _ = shape

        def missed(entries: jax.Array, M: int = M, C: int = C, k: int = k, S: int = S) -> jax.Array:
            products = overlaps(entries.reshape(M, C, k), S)
            return products.at[:, :, (k - 1) // S].add(-jnp.eye(M)).ravel()

        residual, jacobian = jax.jit(missed), jax.jit(jax.jacobian(missed))
        starts = np.stack([layer(shape, seed, init=0.3).kernel for seed in seeds(STARTS, str(shape))])
        kernels = descended(starts, np.array([STEPS]), RATE, S)[:, 0]
        ends = []
        for kernel in kernels:
            solved = least_squares(residual, kernel.ravel(), jacobian, ftol=EPS, xtol=EPS, gtol=EPS)
            ends.append(float(regulariser(solved.x.reshape(M, C, k), S)))
        found[shape] = np.array(ends)
    return found


Rule = Callable[[OrthogonalConvolution], int]


@worst_case
def reached(found: np.ndarray, claimed: tuple[OrthogonalConvolution, int]) -> Verdict:
    """From every start training ends at the claimed least value, up to rounding."""
    p, value = claimed
    terms = p.outputs**2 * (2 * p.kernel_size - 1) * p.inputs * p.kernel_size
    reason = "rounding of M^2 (2k - 1) squared products, each with C k terms of order 1"
    return within_bound(found - value, EPS * terms, reason, "loss", ONE)


def by(rule: Rule) -> Callable[[object], dict[tuple[int, ...], tuple[OrthogonalConvolution, int]]]:
    """The claim of that rule: the least value of each shape."""
    return constant_claim({shape: (problem(shape), rule(problem(shape))) for shape in SHAPES})


def always(p: OrthogonalConvolution) -> int:
    """Wrong: there is an orthogonal kernel of every shape."""
    return 0


def sizes_alone(p: OrthogonalConvolution) -> int:
    """Wrong: columns exist wherever the output has as many numbers as the input."""
    return least(p) if p.rows else 0


def enough_entries(p: OrthogonalConvolution) -> int:
    """Wrong: M <= C k for rows and columns alike."""
    return max(0, p.outputs - p.inputs * p.kernel_size)


EXISTENCE = talk(
    id="oc-existence",
    title="descent and least squares reach an orthogonal kernel if one exists, else the smallest regulariser",
    ref="El-Mehdi Achour; achour2022 on existence; the smallest values and the landscape are found here",
    evidence=trained,
    claim=by(least),
    judge=reached,
    wrong=(
        WrongClaim("orthogonal kernels for every shape", by(always)),
        WrongClaim("orthogonal columns if there are at least as many outputs as inputs", by(sizes_alone)),
        WrongClaim("M <= C k as the condition for rows and for columns", by(enough_entries)),
    ),
    functions=(
        "sims.orthogonal_convolution.training:descended",
        "sims.orthogonal_convolution.layer:overlaps",
        "sims.orthogonal_convolution.layer:regulariser",
        "theory.orthogonal_convolution.existence:least",
    ),
    covers=("Achour: existence", "Achour: landscape"),
    slow=True,
)

# A degenerate end ---------------------------------------------------------------------------------------

RECORDED = (4000, 8000, 16000, 32000)
TIMES = RATE * np.array(RECORDED)


def slowly(seeds: Seeds) -> list[np.ndarray]:
    """Evidence: 1/sqrt(L), (4,), in training from kernels (u, 1, -v), M = C = S = 1, by draw of u and v."""
    from teacherstudent.sims.orthogonal_convolution.layer import regulariser
    from teacherstudent.sims.orthogonal_convolution.training import descended

    u, v = np.transpose([np.random.default_rng(seed).uniform(0.2, 0.5, 2) for seed in seeds(2)])
    starts = np.stack([u, np.ones_like(u), -v], axis=-1)[:, None, None]
    trained = descended(starts, np.array(RECORDED), RATE, 1)
    return [np.array([float(regulariser(K, 1)) for K in each]) ** -0.5 for each in trained]


@worst_case
def nearing(found: np.ndarray, claimed: float) -> Verdict:
    """The slope of 1/sqrt(L) nears the claimed one like 1/t."""
    slopes = np.diff(found) / np.diff(TIMES)
    return at_order(np.sqrt(TIMES[1:] * TIMES[:-1]), np.abs(slopes - claimed), -1)


POWER = check(
    id="oc-power-law",
    title="where windows overlap, training approaches some orthogonal kernels only as L = 1/(32 t^2)",
    ref="flow along the direction with a quartic regulariser, for a kernel of three entries",
    evidence=slowly,
    claim=constant_claim([32**0.5] * 2),
    judge=nearing,
    wrong=(
        WrongClaim("1/(64 t^2) instead of 1/(32 t^2)", constant_claim([64**0.5] * 2)),
        WrongClaim("the denominator 10 % larger", constant_claim([(1.1 * 32) ** 0.5] * 2)),
        WrongClaim("decay slower than 1/t^2", constant_claim([0.0] * 2)),
    ),
    functions=(
        "sims.orthogonal_convolution.training:descended",
        "sims.orthogonal_convolution.layer:regulariser",
    ),
)

CHECKS = (EXISTENCE, POWER)
