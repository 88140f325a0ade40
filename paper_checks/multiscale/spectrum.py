"""Drawn spectra against the Marchenko-Pastur law: moments and Laplace transform of the spectrum.

Averages of smooth functions over one spectrum hardly fluctuate, and their bias falls like 1/d:
it is measured at three sizes and extrapolated to a fourth. (Counts of eigenvalues between two
ends do not follow a clean power: the ends of the bins meet the oscillations of the density.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from scipy import integrate

from teacherstudent.paper_checks.judging.agreement import within_bound
from teacherstudent.paper_checks.judging.cases import worst_of
from teacherstudent.paper_checks.judging.effects import Contrast
from teacherstudent.paper_checks.judging.evidence import Seeds, Tooth, Verdict
from teacherstudent.paper_checks.judging.exactness import EPS
from teacherstudent.paper_checks.judging.finite_size import agree_beyond_bias
from teacherstudent.paper_checks.multiscale import check
from teacherstudent.problems.multiscale import PROBLEM
from teacherstudent.problems.multiscale.data import draw
from teacherstudent.theory import marchenko_pastur

ALPHAS = (0.5, 1.0, 2.0)
SIZES = {20: 2600, 40: 1300, 80: 650}  # at 10 the next order, 1/d^2, still shows in the exponent
LARGE, LARGE_DRAWS = 160, 120
POWERS, TIMES = (1, 2, 3), (0.5, 2.0, 8.0)

Density = Callable[[float, np.ndarray], np.ndarray]


@dataclass(frozen=True)
class Spectra:
    """At each alpha: statistics of each draw at each size, (S, P), and zeros at the largest size, (S,)."""

    statistics: dict[float, dict[int, np.ndarray]]
    zeros: dict[float, np.ndarray]


@dataclass(frozen=True)
class Law:
    """At each alpha: the claimed statistics (P,) and share of zero eigenvalues."""

    statistics: dict[float, np.ndarray]
    zeros: dict[float, float]


def statistics_of(eigenvalues: np.ndarray) -> np.ndarray:
    """lambda^k and e^{-lambda t} of each eigenvalue, on a new last axis of length P."""
    powers = [eigenvalues**k for k in POWERS]
    return np.stack([*powers, *(np.exp(-eigenvalues * t) for t in TIMES)], axis=-1)


def drawn(seeds: Seeds) -> Spectra:
    """Eigenvalues of Z^T Z for the inputs that every simulation of this problem draws."""
    statistics: dict[float, dict[int, np.ndarray]] = {alpha: {} for alpha in ALPHAS}
    zeros = {}
    for alpha in ALPHAS:
        for d, count in {**SIZES, LARGE: LARGE_DRAWS}.items():
            problem = PROBLEM.instance(n=round(alpha * d), scales=((d, 1.0),))
            inputs = draw(problem, seeds(count, f"{alpha}/{d}")).inputs
            eigenvalues = np.linalg.eigvalsh(np.swapaxes(inputs, -1, -2) @ inputs)
            statistics[alpha][d] = statistics_of(eigenvalues).mean(axis=-2)
        rounding = LARGE * EPS * eigenvalues.max()
        zeros[alpha] = np.mean(eigenvalues < rounding, axis=-1)
    return Spectra(statistics, zeros)


def law(_: Spectra, density: Density = marchenko_pastur.density, zeros: float = 1.0) -> Law:
    """The same averages of Eq. 2.3.30 by adaptive integration over lambda, without the angle."""
    statistics, masses = {}, {}
    for alpha in ALPHAS:
        low, high = marchenko_pastur.edges(alpha)

        def integrand(x: float, alpha: float = alpha) -> np.ndarray:
            at = np.asarray(x)
            return density(alpha, at) * statistics_of(at)

        continuous, _ = integrate.quad_vec(integrand, low, high, epsabs=1e-7, limit=1000)
        masses[alpha] = zeros * max(1 - alpha, 0.0)
        statistics[alpha] = continuous + masses[alpha] * statistics_of(np.zeros(()))
    return Law(statistics, masses)


def inverse(alpha: float, x: np.ndarray) -> np.ndarray:
    """Wrong: alpha read as d/n."""
    return marchenko_pastur.density(1 / alpha, x)


def wide(alpha: float, x: np.ndarray) -> np.ndarray:
    """Wrong: eigenvalues one per cent too large."""
    return marchenko_pastur.density(alpha, x / 1.01) / 1.01


def semicircle(alpha: float, x: np.ndarray) -> np.ndarray:
    """Wrong: Wigner's law between the edges of this one."""
    inside = np.maximum(4 * alpha - (x - 1 - alpha) ** 2, 0)
    return min(1.0, alpha) * np.sqrt(inside) / (2 * np.pi * alpha)


def one_more(evidence: Spectra) -> Law:
    """Wrong: an eigenvalue at zero that is not there, as centring has it."""
    right = law(evidence)
    return replace(right, zeros={alpha: mass + 1 / LARGE for alpha, mass in right.zeros.items()})


@worst_of
def same_law(evidence: Spectra, claimed: Law) -> Iterator[Verdict]:
    """Judge: shares of eigenvalues beyond the finite-size bias, and the point mass exactly."""
    for alpha in ALPHAS:
        share = evidence.zeros[alpha] - claimed.zeros[alpha]
        yield agree_beyond_bias(evidence.statistics[alpha], claimed.statistics[alpha])
        yield within_bound(share, 4 * EPS, "a ratio of whole numbers: rounding", "share")


SPECTRUM = check(
    id="os-spectrum",
    title="sampled spectra of X X^T against the Marchenko-Pastur law",
    ref="Eq. 2.3.30",
    evidence=drawn,
    claim=law,
    judge=same_law,
    effect=Contrast("alpha read as d/n", "the difference between the laws at alpha and 1/alpha"),
    teeth=(
        Tooth("alpha read as d/n", partial(law, density=inverse)),
        Tooth("eigenvalues one per cent larger", partial(law, density=wide)),
        Tooth("no point mass", partial(law, zeros=0.0)),
        Tooth("a semicircle between the same edges", partial(law, density=semicircle)),
        Tooth("one eigenvalue more at zero", one_more),
    ),
    slow=True,
)

CHECKS = (SPECTRUM,)
