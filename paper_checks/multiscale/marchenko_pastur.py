"""One scale by three derivations: a quadrature, two resolvents on a contour, 30 digits.

The quadrature averages each mode's error over the Marchenko-Pastur law; the contour knows no
density and no modes; the 30 digits integrate Eq. 2.3.30 over lambda, as printed. All three are
formulas, so the bounds are those of their arithmetic.

Drawn spectra against the Marchenko-Pastur law: moments and Laplace transform of the spectrum.

Averages of smooth functions over one spectrum hardly fluctuate, and their bias falls like 1/d:
it is measured at three sizes and extrapolated to a fourth. (Counts of eigenvalues between two
ends do not follow a clean power: the ends of the bins meet the oscillations of the density.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from scipy import integrate

from teacherstudent.house.extras import importing_extra
from teacherstudent.house.running import run
from teacherstudent.paper_checks.judging.agreement import within_bound
from teacherstudent.paper_checks.judging.claims import worst_of
from teacherstudent.paper_checks.judging.comparison import scaled
from teacherstudent.paper_checks.judging.effects import Contrast
from teacherstudent.paper_checks.judging.evidence import Seeds, Verdict, WrongClaim
from teacherstudent.paper_checks.judging.exactness import EPS
from teacherstudent.paper_checks.judging.finite_size import agree_beyond_bias
from teacherstudent.paper_checks.judging.judges import Bound
from teacherstudent.paper_checks.multiscale import check, compared
from teacherstudent.problems.multiscale import PROBLEM
from teacherstudent.problems.multiscale.data import draw
from teacherstudent.theory import marchenko_pastur

D = 1000
SETTING: dict[str, Any] = {"d": D, "p": 0, "kappa": 1.0, "noise": 0.5, "init": 0.5}
NAMES = ("R", "Q", "excess_risk", "generalisation_error", "training_error")


def answers(
    route: str, samples: tuple[int, ...], times: np.ndarray, names: tuple[str, ...], **values: float
) -> np.ndarray:
    """The named observables at each n and time, (n, names, T)."""
    question = {**SETTING, "observable": ["generalisation", "training"], **values}
    datasets = [run("multiscale", "flow", route, times, n=n, **question) for n in samples]
    return np.stack([[answer[name].values for name in names] for answer in datasets])


# Two routes -------------------------------------------------------------------------------------

ROUTES = compared(
    id="os-two-routes",
    title="one scale: Marchenko-Pastur quadrature agrees with two resolvent forms for alpha = .1 to 10",
    ref="Eqs. 2.3.13-2.3.14, 2.3.29-2.3.30",
    clocks={"flow": {"times": np.geomspace(1e-2, 1e6, 25)}},
    questions={
        f"n={n}, ridge={ridge}": {
            **SETTING,
            "observable": ("generalisation", "training"),
            "n": n,
            "ridge": ridge,
        }
        for n in (100, 300, 700, 999, 1000, 1001, 1500, 3000, 10000)
        for ridge in (0.0, 0.05)
    },
    routes=("asymptotic", "quadrature"),
    observables=NAMES,
    # The nodes of a contour weigh up to e^5.5 and enter in pairs: e^11 eps = 1.3e-11 times a kernel whose own
    # size, near the edge of the spectrum, is below a hundred times its result.
    judge=Bound(1e-9, "cancellation on the double contour: 100 e^11 eps", least=1.0),
    wrong={
        "time off by 1e-7": {"times": scaled(1 + 1e-7)},
        "noise off by 1e-7": {"noise": scaled(1 + 1e-7)},
        "initial weights omitted": {"init": 0.0},
    },
)


# Digits -----------------------------------------------------------------------------------------

FEW = (500, 999, 1000, 2000)
FEW_TIMES = np.array([0.1, 30.0, 1e6])
ERRORS = NAMES[3:]


def digits(_: Seeds) -> np.ndarray:
    """Both errors to 30 digits at the double alpha, (n, 2, T): integrals of 2.3.30 over lambda."""
    with importing_extra("a quadrature of many digits"):
        import mpmath as mp

    with mp.workdps(30):
        return np.array([np.transpose([_errors(mp, n / D, s) for s in FEW_TIMES]) for n in FEW])


def _errors(mp: Any, alpha: float, s: float) -> tuple[float, float]:
    a, s, noise, mismatch = mp.mpf(alpha), mp.mpf(s), mp.mpf("0.25"), mp.mpf("1.25")
    low, high = (1 - mp.sqrt(a)) ** 2, (1 + mp.sqrt(a)) ** 2

    def density(lam: Any) -> Any:  # Eq. 2.3.30, the product under the root factorised
        return mp.sqrt(abs((high - lam) * (lam - low))) / (2 * mp.pi * lam)

    def unlearned(lam: Any) -> Any:  # Eqs. 2.3.13-2.3.14
        return density(lam) * (mismatch * mp.exp(-2 * lam * s) + noise * mp.expm1(-lam * s) ** 2 / lam)

    def unfitted(lam: Any) -> Any:  # Eq. 2.3.29
        return density(lam) * (mismatch * lam + noise) * mp.exp(-2 * lam * s)

    far = high - low
    ends = [low + far * mp.mpf(4) ** -k for k in range(16, -1, -1)]  # tanh-sinh: a panel per factor of 4
    panels = [low, *(end for end in ends if end < high), high]
    zeros, beyond = max(1 - a, 0) * mismatch, max(1 - 1 / a, 0) * noise
    generalisation = mp.quad(unlearned, panels) + zeros + noise
    return float(generalisation), float(mp.quad(unfitted, panels) / a + beyond)


def floating(_: object, **factors: float) -> np.ndarray:
    """The quadrature route, with factors on the setting for the negative controls."""
    changed = {name: factor * SETTING[name] for name, factor in factors.items()}
    return answers("quadrature", FEW, FEW_TIMES, ERRORS, **changed)


def coarse(_: object) -> np.ndarray:
    """Wrong: panels that resolve the density but not the time."""
    spectra = [marchenko_pastur.quadrature(n / D, 1.0) for n in FEW]
    answer = []
    for n, spectrum in zip(FEW, spectra, strict=True):
        lam, s = spectrum.eigenvalues, FEW_TIMES[:, None]
        p = np.exp(-lam * s)
        unlearned = (1.25 * p**2 + 0.25 * (1 - p) ** 2 / lam) @ spectrum.weights
        unfitted = ((1.25 * lam + 0.25) * p**2) @ spectrum.weights
        beyond = 0.25 * max(1 - D / n, 0.0)
        answer.append([unlearned + 1.25 * spectrum.zeros + 0.25, unfitted * D / n + beyond])
    return np.array(answer)


def to_rounding(evidence: np.ndarray, claimed: np.ndarray) -> Verdict:
    """Relative for generalisation; a training error may vanish, so it counts against the noise."""
    error = (evidence - claimed) / np.maximum(np.abs(evidence), 0.25)
    return within_bound(error, 100 * EPS, "rounding of about 1000 positive terms: 100 eps", "relative")


DIGITS = check(
    id="os-digits",
    title="one scale: quadrature agrees with 30-digit results for 1 - alpha down to 1e-3 and times up to 1e6",
    ref="Eqs. 2.3.13-2.3.14, 2.3.29-2.3.30",
    evidence=digits,
    claim=floating,
    judge=to_rounding,
    wrong=(
        WrongClaim("quadrature panels too coarse for the time", coarse),
        WrongClaim("noise off by 1e-13", partial(floating, noise=1 + 1e-13)),
    ),
    slow=True,
)

# Drawn spectra -------------------------------------------------------------------------------------------

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
        yield within_bound(share, 4 * EPS, "rounding of a ratio of integers", "share")


SPECTRUM = check(
    id="os-spectrum",
    title="sampled spectra of X X^T follow the Marchenko-Pastur distribution",
    ref="Eq. 2.3.30",
    evidence=drawn,
    claim=law,
    judge=same_law,
    effect=Contrast("alpha read as d/n", "the difference between the distributions at alpha and 1/alpha"),
    wrong=(
        WrongClaim("alpha read as d/n", partial(law, density=inverse)),
        WrongClaim("eigenvalues 1 % larger", partial(law, density=wide)),
        WrongClaim("no point mass at zero", partial(law, zeros=0.0)),
        WrongClaim("a semicircle between the same edges", partial(law, density=semicircle)),
        WrongClaim("one eigenvalue too many at zero", one_more),
    ),
    slow=True,
)

CHECKS = (ROUTES, DIGITS, SPECTRUM)
