"""The limit is known by other means: feature scales, Marchenko-Pastur's law, published ridge formulas."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from scipy import optimize

from teacherstudent.paper_checks.judging.agreement import within_bound
from teacherstudent.paper_checks.judging.comparison import ABSENT, otherwise, scaled
from teacherstudent.paper_checks.judging.evidence import Seeds, Verdict, WrongClaim
from teacherstudent.paper_checks.judging.exactness import EPS
from teacherstudent.paper_checks.judging.judges import Bound
from teacherstudent.paper_checks.measured_spectrum import check, compared
from teacherstudent.paper_checks.measured_spectrum.kit.asking import ERRORS, WRONG_TARGETS, Modes, errors

CONTOUR = 100 * np.exp(11) * EPS
"""The nodes of a contour weigh up to e^5.5 and enter in pairs, times a kernel whose own size, near the edge
of the spectrum, is below a hundred times its result."""


BOTH = ("generalisation", "training")
CANCELLATION = Bound(CONTOUR, "cancellation on the double contour: 100 e^11 eps", least=1.0)
"""Of two sums over contours of their own."""

# Feature scales -----------------------------------------------------------------------------------

SCALES = ((40, 1.0), (35, 0.3), (25, 0.02))
"""Features of each scale, and its strength."""
D = sum(count for count, _ in SCALES)
AS_MODES: Modes = tuple((count, strength**2 / D, count / D) for count, strength in SCALES)
"""z.w with weights of unit variance and inputs of variance 1/d: eigenvalues s^2/d, power m/d."""


def later(question: dict[str, Any]) -> dict[str, Any]:
    """Wrong: times that are not steps are off by 1e-7."""
    late = 1.0 if "learning_rate" in question else 1 + 1e-7
    return {**question, "times": late * np.array(question["times"])}


SCALED = compared(
    id="own-multiscale",
    title="feature scales are one kind of spectrum: both limits agree for flow, descent and ridge regression",
    ref="eigenvalues s^2/d, power m/d",
    clocks={
        "flow": {"times": (0.0, 1.0, 30.0, 1e3)},
        "descent": {"times": (0, 3, 100, 1000), "learning_rate": 0.2},
        "ridge": {"times": (1.0, 30.0, 1e3)},
    },
    questions={
        f"n={n}": {"n": n, "scales": SCALES, "noise": 0.4, "ridge": 0.02, "init": 0.3, "observable": BOTH}
        for n in (60, 100, 150)
    },
    routes=("multiscale/*/asymptotic", "asymptotic"),
    observables=ERRORS,
    judge=CANCELLATION,
    claimed={"scales": ABSENT, "observable": ABSENT, "modes": AS_MODES},
    wrong={
        **{name: {"modes": wrong} for name, wrong in WRONG_TARGETS.items()},
        "times 1e-7 (relative) too large": otherwise(later),
        "label noise 1e-7 (relative) too large": {"noise": scaled(1 + 1e-7)},
        "initial weights omitted": {"init": 0.0},
        "no ridge": {"ridge": 0.0},
    },
)

# One scale: averages over Marchenko-Pastur's law, which know no resolvent -----------------------------

ONE_D = 1000
ONE = compared(
    id="own-one-scale",
    title="for one eigenvalue, the resolvents agree with a quadrature over the Marchenko-Pastur distribution",
    ref="n/d from 0.3 to 3",
    clocks={"flow": {"times": np.geomspace(1e-2, 1e6, 9)}},
    questions={
        f"n={n}": {"n": n, "d": ONE_D, "p": 0, "kappa": 1.0, "noise": 0.5, "init": 0.5, "observable": BOTH}
        for n in (300, 999, 1001, 3000)
    },
    routes=("multiscale/*/quadrature", "asymptotic"),
    observables=ERRORS,
    judge=CANCELLATION,
    claimed=dict.fromkeys(("d", "p", "kappa", "observable"), ABSENT) | {"modes": ((ONE_D, 1 / ONE_D, 1.0),)},
    wrong={
        "time 1e-7 (relative) too large": {"times": scaled(1 + 1e-7)},
        "ridge regression with ridge 1/s instead of training for time s": {"route": "ridge/asymptotic"},
        "target power 1e-7 (relative) too large": {"modes": ((ONE_D, 1 / ONE_D, 1 + 1e-7),)},
        "initial weights omitted": {"init": 0.0},
    },
)

# Published ridge formulas -------------------------------------------------------------------------------

RATIOS = (0.2, 0.9, 1.2, 5.0)
"""Features a row, gamma = p/n."""
ROWS = 1000
STRENGTH, NOISE = 0.7, 0.5
RIDGES = np.array([2.0, 0.1, 1e-3])
"""Of the mean loss 1/n |y - X b|^2 + lambda |b|^2."""
RIDGELESS = 1e-13

Formula = Callable[[float, float], float]
"""gamma and lambda -> risk without the noise of the label."""


def isotropic_risk(gamma: float, lam: float) -> float:
    """r^2 lambda^2 m'(-lambda) + sigma^2 gamma (m(-lambda) - lambda m'(-lambda)), m of Marchenko-Pastur."""
    root = np.sqrt((1 - gamma + lam) ** 2 + 4 * gamma * lam)
    m = 2 / (1 - gamma + lam + root)  # (root - (1 - gamma + lambda))/(2 gamma lambda), without cancellation
    slope = m * (1 + gamma * m) / root  # -dm/dlambda, from gamma lambda m^2 + (1 - gamma + lambda) m = 1
    return STRENGTH**2 * lam**2 * slope + NOISE**2 * gamma * (m - lam * slope)


def ridgeless_risk(gamma: float, _: float = 0.0) -> float:
    """sigma^2 gamma/(1 - gamma), or r^2 (1 - 1/gamma) + sigma^2/(gamma - 1) beyond interpolation."""
    if gamma < 1:
        return NOISE**2 * gamma / (1 - gamma)
    return STRENGTH**2 * (1 - 1 / gamma) + NOISE**2 / (gamma - 1)


def regressed(_: Seeds) -> np.ndarray:
    """Evidence: the ridge route at every gamma and ridge, ridgeless last, (G, L + 1)."""
    times = 1 / (ROWS * np.array([*RIDGES, RIDGELESS]))
    return np.stack(
        [
            errors("ridge", "asymptotic", times, modes=((round(g * ROWS), 1.0, STRENGTH**2),), n=ROWS,
                   noise=NOISE)[0]
            for g in RATIOS
        ]
    )  # fmt: skip


def published(_: object, formula: Formula = isotropic_risk, limit: Formula = ridgeless_risk) -> np.ndarray:
    """The formulas, and the noise of the label."""
    rows = [[*(formula(g, lam) for lam in RIDGES), limit(g, 0.0)] for g in RATIOS]
    return np.array(rows) + NOISE**2


def mean_loss(gamma: float, lam: float) -> float:
    """Wrong: the ridge of a mean loss with one half, twice that without."""
    return isotropic_risk(gamma, 2 * lam)


def bias_only(gamma: float, _: float) -> float:
    """Wrong: an interpolator without variance."""
    return STRENGTH**2 * max(1 - 1 / gamma, 0.0)


def near_ridgeless(evidence: np.ndarray, claimed: np.ndarray) -> Verdict:
    """The ridge that stands for none changes a risk by that over the gap of the spectrum, (1 - sqrt g)^2."""
    gap = min((1 - np.sqrt(g)) ** 2 for g in RATIOS)
    bound = 100 * RIDGELESS / gap
    return within_bound((evidence - claimed) / evidence, bound, "a ridge of 1e-13 over the gap", "relative")


ISOTROPIC = check(
    id="own-hastie",
    title="for one eigenvalue, ridge regression and the least-norm interpolator have the published risk",
    ref="isotropic features",
    paper="hastie2022",
    evidence=regressed,
    claim=published,
    judge=near_ridgeless,
    wrong=(
        WrongClaim("the ridge of a mean loss with a factor 1/2", partial(published, formula=mean_loss)),
        WrongClaim("no variance beyond interpolation", partial(published, limit=bias_only)),
    ),
)

LAW: dict[str, Any] = {"capacity": 1.4, "source": 0.6, "size": 300}
KERNEL_ROWS = (20, 150, 290, 600)
KERNEL_RIDGES = np.array([3.0, 1e-1, 1e-3])


def kernel_regressed(_: Seeds) -> np.ndarray:
    """Evidence: both errors of ridge regression for a power law, (N, 2, L)."""
    return np.stack(
        [errors("ridge", "asymptotic", 1 / KERNEL_RIDGES, n=n, noise=NOISE, **LAW) for n in KERNEL_ROWS]
    )


def eigenlearning(
    _: object, source: float = LAW["source"], outside: bool = False, squared: bool = True
) -> np.ndarray:
    """Learnabilities L_k = lambda_k/(lambda_k + kappa) with n = sum L_k + ridge/kappa, and what follows."""
    k = np.arange(1.0, LAW["size"] + 1)
    lam, power = k ** -LAW["capacity"], k ** -(1 + 2 * source * LAW["capacity"])
    found = []
    for n in KERNEL_ROWS:
        for ridge in KERNEL_RIDGES:

            def excess(log: float, n: int = n, ridge: float = ridge) -> float:
                return float(np.sum(lam / (lam + np.exp(log))) + ridge / np.exp(log) - n)

            kappa = np.exp(optimize.brentq(excess, -60.0, 20.0, xtol=1e-14, rtol=4 * EPS))
            learned = lam / (lam + kappa)
            overfitting = n / (n - np.sum(learned**2 if squared else learned))
            test = overfitting * (np.sum((1 - learned) ** 2 * power) + (0 if outside else NOISE**2))
            test += NOISE**2 if outside else 0.0
            found.append([test, test * (ridge / (n * kappa)) ** 2])
    return np.moveaxis(np.reshape(found, (len(KERNEL_ROWS), len(KERNEL_RIDGES), 2)), -1, 1)


def same_risks(evidence: np.ndarray, claimed: np.ndarray) -> Verdict:
    """Logarithms of kappa to 1e-14; a training error is that to the power two over n - sum L, small where
    the ridge is."""
    return within_bound(
        (evidence - claimed) / evidence,
        1e-9,
        "ln kappa to 1e-14, times n kappa/ridge",
        "relative",
    )


KERNEL = check(
    id="own-eigenlearning",
    title="for a power law, kernel ridge regression has the published test and training errors",
    ref="learnabilities and their sum",
    paper="simon2023",
    evidence=kernel_regressed,
    claim=eigenlearning,
    judge=same_risks,
    wrong=(
        WrongClaim("a target with another source exponent", partial(eigenlearning, source=0.6001)),
        WrongClaim("label noise not amplified", partial(eigenlearning, outside=True)),
        WrongClaim("h instead of h h'", partial(eigenlearning, squared=False)),
    ),
)

CHECKS = (SCALED, ONE, ISOTROPIC, KERNEL)
