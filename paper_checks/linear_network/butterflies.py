"""Butterflies: found level by level to rounding, unique but for scalings; cosine transforms in parts."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np
from scipy.fft import dct, dst
from scipy.linalg import hadamard

from teacherstudent.paper_checks.judging.agreement import none_wrong, within_bound
from teacherstudent.paper_checks.judging.claims import worst_case
from teacherstudent.paper_checks.judging.effects import WHOLE
from teacherstudent.paper_checks.judging.evidence import Seeds, Verdict, WrongClaim
from teacherstudent.paper_checks.judging.exactness import EPS, within_operations
from teacherstudent.paper_checks.linear_network import check
from teacherstudent.theory.linear_network import butterflies

Matrices = dict[str, np.ndarray]


def drawn(levels: int, rng: np.random.Generator) -> list[np.ndarray]:
    """Factors of a random butterfly: independent normal numbers on its supports."""
    return [where * rng.standard_normal(where.shape) for where in butterflies.supports(levels)]


# The algorithm -------------------------------------------------------------------------------------------

LEVELS = 8


def known(seeds: Seeds) -> Matrices:
    """Butterflies of size 256. The Fourier transform is that of the unit vectors, by scipy.fft."""
    size = 2**LEVELS
    fourier = np.fft.fft(np.eye(size))[:, butterflies.bit_reversal(size)]
    random = np.linalg.multi_dot(drawn(LEVELS, np.random.default_rng(seeds(1))))
    return {"Fourier, columns reversed": fourier, "Hadamard": hadamard(size).astype(float), "random": random}


def rebuilt(found: Matrices, columns: bool = False, rows: bool = False, without: int = 0) -> Matrices:
    """The product of the factors that are found, whatever the order of columns and rows; wrong ones leave out
    the off-diagonal numbers of that many last factors."""
    size = 2**LEVELS
    kept = np.arange(size)
    reversal = butterflies.bit_reversal(size) if rows or columns else kept
    order = np.ix_(reversal if rows else kept, reversal if columns else kept)  # each is its own inverse
    again = {}
    for name, matrix in found.items():
        factors = butterflies.factorise(matrix[order])
        for level in range(LEVELS - without, LEVELS):
            factors[level] = factors[level] * np.eye(size)
        again[name] = butterflies.product(factors)[order]
    return again


@worst_case
def to_rounding(matrix: np.ndarray, claimed: np.ndarray) -> Verdict:
    """The Frobenius norm of what is left, relative to the matrix."""
    error = np.linalg.norm(claimed - matrix) / np.linalg.norm(matrix)
    return within_operations(error, len(matrix), LEVELS, reason="one singular pair and one product per level")


BUTTERFLIES = check(
    id="ln-butterflies",
    title=(
        "hierarchical factorisation recovers Fourier, Hadamard and random butterfly matrices level by level"
    ),
    paper="isis2021",
    ref="Le and Zheng: hierarchical factorisation on butterfly supports",
    evidence=known,
    claim=rebuilt,
    judge=to_rounding,
    wrong=(
        WrongClaim("columns without bit reversal", partial(rebuilt, columns=True)),
        WrongClaim("supports in reverse order", partial(rebuilt, columns=True, rows=True)),
        WrongClaim("one level too few", partial(rebuilt, without=1)),
    ),
    effect=WHOLE,
    functions=(
        "theory.linear_network.butterflies:bit_reversal",
        "theory.linear_network.butterflies:factorise",
        "theory.linear_network.butterflies:product",
        "theory.linear_network.butterflies:supports",
    ),
    covers=("Le: tractable supports",),
)

# Uniqueness ----------------------------------------------------------------------------------------------

SMALL = (2, 3, 4)


def ranks(seeds: Seeds) -> dict[str, list[int]]:
    """Of the Jacobian of the product, at random butterflies and at the Fourier transform, at each size."""
    found: dict[str, list[int]] = {"random": [], "Fourier": []}
    for levels, seed in zip(SMALL, seeds(len(SMALL)), strict=True):
        size = 2**levels
        fourier = np.fft.fft(np.eye(size))[:, butterflies.bit_reversal(size)]
        factors = {
            "random": drawn(levels, np.random.default_rng(seed)),
            "Fourier": butterflies.factorise(fourier),
        }
        for name, each in factors.items():
            found[name].append(int(np.linalg.matrix_rank(butterflies.jacobian(each))))
    return found


def counted(found: dict[str, list[int]], fewer: int = 1) -> dict[str, list[int]]:
    """2 N J numbers, less N scalings between each two factors; negative controls count `fewer` N of them."""
    return {name: [2**J * (2 * J - (J - 1) * fewer) for J in SMALL] for name in found}


@worst_case
def equal(found: list[int], claimed: list[int]) -> Verdict:
    """No rank differs from its claim."""
    wrong = sum(one != other for one, other in zip(found, claimed, strict=True))
    return none_wrong(wrong, len(found), "ranks are integers", "ranks")


UNIQUE = check(
    id="ln-butterfly-unique",
    title="butterfly factors are locally unique, up to one diagonal scaling between neighbouring factors",
    paper="isis2021",
    ref="Zheng, the Fourier transform admits a unique factorisation on butterfly supports",
    evidence=ranks,
    claim=counted,
    judge=equal,
    wrong=(
        WrongClaim("no scaling between factors", partial(counted, fewer=0)),
        WrongClaim("two scalings between neighbouring factors", partial(counted, fewer=2)),
    ),
    functions=(
        "theory.linear_network.butterflies:bit_reversal",
        "theory.linear_network.butterflies:factorise",
        "theory.linear_network.butterflies:jacobian",
        "theory.linear_network.butterflies:supports",
    ),
    covers=("Zheng: DFT",),
)

# Cosines and sines -----------------------------------------------------------------------------------------

SIZES = (8, 64)


def trigonometric(seeds: Seeds) -> Matrices:
    """The second cosine and sine transforms of each size."""
    return {
        f"{name} {size}": transform(np.eye(size), type=2, axis=0)
        for name, transform in (("cosines", dct), ("sines", dst))
        for size in SIZES
    }


def mirrored(found: Matrices, beside: int = 0) -> dict[str, np.ndarray]:
    """Column pairs that make parts of rank one with every second row, (N/2, 2); wrong ones lie beside."""
    pairs = {}
    for name, matrix in found.items():
        first = np.arange(len(matrix) // 2)
        pairs[name] = np.stack([first, (len(matrix) - 1 - first + beside) % len(matrix)], axis=-1)
    return pairs


@worst_case
def of_rank_one(matrix: np.ndarray, pairs: np.ndarray) -> Iterator[Verdict]:
    """The second singular value of each part over its first, which is not 0."""
    for parity in (0, 1):
        parts = matrix[parity::2][:, pairs].swapaxes(0, 1)  # (N/2, N/2 rows, 2 columns)
        first, second = np.linalg.svd(parts, compute_uv=False).T
        reason = "rounding of cosines and of the singular values of N rows"
        yield within_bound(second / first, len(matrix) * EPS, reason, "relative", WHOLE)


MIRRORED = check(
    id="ln-cosines",
    title="cosine and sine transforms split into disjoint rank-one blocks of half the rows and two columns",
    paper="isis2021",
    ref="Zheng, the discrete cosine and sine transforms with N/2 and 2 numbers",
    evidence=trigonometric,
    claim=mirrored,
    judge=of_rank_one,
    wrong=(WrongClaim("columns next to the mirrored columns", partial(mirrored, beside=-1)),),
    effect=WHOLE,
    covers=("Zheng: DCT and DST",),
)

CHECKS = (BUTTERFLIES, UNIQUE, MIRRORED)
