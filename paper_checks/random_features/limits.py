"""Where the limit is known by other means: fixed features as a spectrum, infinite width, linear features.

A spectrum's limit knows nothing of random features: no equation of theirs, and another contour.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from teacherstudent.house.running import run
from teacherstudent.paper_checks.judging.agreement import at_order, within_bound
from teacherstudent.paper_checks.judging.cases import per_case, worst_case
from teacherstudent.paper_checks.judging.evidence import Seeds, Tooth, Verdict
from teacherstudent.paper_checks.judging.exactness import EPS
from teacherstudent.paper_checks.random_features import check
from teacherstudent.paper_checks.random_features.kit.asking import (
    ERF,
    ERRORS,
    LINEAR,
    RELU,
    SIGN,
    TANH,
    Nonlinearity,
    errors,
)
from teacherstudent.theory.marchenko_pastur import quadrature

CONTOUR = 100 * np.exp(11) * EPS
"""The nodes of a contour weigh up to e^5.5 and enter in pairs, times a kernel whose own size, near the edge
of the spectrum, is below a hundred times its result."""
TRAINED: dict[str, Any] = {"noise": 0.5, "init": 0.5, "ridge": 0.02}
CLOCKS: dict[str, tuple[tuple[float, ...], dict[str, Any]]] = {
    "flow": ((0.3, 3.0, 300.0), {}),
    "descent": ((3, 100), {"learning_rate": 0.1}),
    "ridge": ((0.3, 30.0), {}),
}
DYNAMICS = ("flow", "descent", "ridge")


def at_all_clocks(**question: Any) -> np.ndarray:
    """Both errors of random features under every dynamics, (2, T)."""
    found = []
    for each in DYNAMICS:
        times, clock = CLOCKS[each]
        found.append(errors(each, "asymptotic", times, **clock, **question))
    return np.concatenate(found, axis=1)


def spectrum_at_all_clocks(problem: str, **question: Any) -> np.ndarray:
    """The same of another problem with the same clocks."""
    found = []
    for each in DYNAMICS:
        times, clock = CLOCKS[each]
        answer = run(problem, each, "asymptotic", times, **clock, **question)
        found.append([answer[name].values for name in ERRORS])
    return np.concatenate(found, axis=1)


FUNCTIONS = tuple(f"theory.random_features.asymptotic:{each}" for each in DYNAMICS)
SPECTRAL = tuple(f"theory.measured_spectrum.asymptotic:{each}" for each in DYNAMICS)

# Fixed features as a spectrum ---------------------------------------------------------------------------

INPUTS = 10**11
"""Of both problems: counts of eigenvalues are whole numbers."""
Case = tuple[float, float, str, Nonlinearity]
"""Both ratios, and the nonlinearity by name and by its moments."""
CASES: tuple[Case, ...] = (
    (1.5, 2.0, "erf", ERF), (3.0, 1.0, "relu", RELU), (0.4, 0.9, "relu", RELU), (3.0, 1.0, "linear", LINEAR),
)  # fmt: skip


def drawn_features(_: Seeds) -> list[tuple[Case, np.ndarray]]:
    """Evidence: both errors of every case, of a teacher that is not linear."""
    question: dict[str, Any] = {"d": INPUTS, "teacher": "sign", **TRAINED}
    return [
        (case, at_all_clocks(psi1=case[0], psi2=case[1], activation=case[2], **question)) for case in CASES
    ]


@per_case
def as_spectrum(
    found: tuple[Case, np.ndarray], own: Nonlinearity | None = None, rest: float = 1.0,
    hidden: float = SIGN.rest, outside: float = 1.0, share: float = 1.0,
) -> np.ndarray:  # fmt: skip
    """The claim: features of covariance (mu1^2 F F^T/d + mustar^2)/N, F F^T/d of Marchenko-Pastur's law.

    The target has power c1^2 mu1^2 e/(mu1^2 e + mustar^2) along an eigenvalue e of F F^T/d; the remainder
    of it, what is not linear in the inputs, and label noise are noise. Changes for the negative controls:
    another nonlinearity, factors on the variance of its rest and on the target's part outside the features.
    """
    psi1, psi2, _, right = found[0]
    used = own or right
    u, rest = used.mu1**2, rest * used.rest
    law = quadrature(psi1, 30.0)
    e = np.append(law.eigenvalues, 0.0)
    counts = np.append(law.weights, max(psi1 - 1, 0.0))  # F F^T has N - d zero eigenvalues, if any
    counts = np.rint(counts * INPUTS)
    power = counts / INPUTS * SIGN.mu1**2 * share * u * e / np.maximum(u * e + rest, 1e-300)
    missed = SIGN.mu1**2 - power.sum()
    modes = tuple(
        (int(count), value, t)
        for count, value, t in zip(counts, (u * e + rest) / (psi1 * INPUTS), power, strict=True)
        if count and value
    )
    noise = np.sqrt(TRAINED["noise"] ** 2 + hidden + outside * missed)
    question = {**TRAINED, "noise": noise, "n": round(psi2 * INPUTS), "modes": modes}
    return spectrum_at_all_clocks("measured-spectrum", **question)


@worst_case
def same_errors(found: tuple[Case, np.ndarray], claim: np.ndarray) -> Verdict:
    """Two sums over contours of their own."""
    return within_bound(
        (claim - found[1]) / found[1], CONTOUR, "cancellation on the double contour: 100 e^11 eps", "relative"
    )


FIXED = check(
    id="rf-fixed-features",
    title="fixed features are a spectrum: the limit of that spectrum, averaged over Marchenko-Pastur's law",
    ref="features of covariance (mu1^2 F F^T/d + mustar^2)/N",
    evidence=drawn_features,
    claim=as_spectrum,
    judge=same_errors,
    teeth=(
        Tooth("nonlinearity's own noise dropped", partial(as_spectrum, rest=0.0)),
        Tooth("nonlinearity's own noise off by 1e-6", partial(as_spectrum, rest=1 + 1e-6)),
        Tooth("tanh's coefficients for every nonlinearity", partial(as_spectrum, own=TANH)),
        Tooth("teacher's nonlinear part dropped", partial(as_spectrum, hidden=0.0)),
        Tooth("what no feature expresses dropped", partial(as_spectrum, outside=0.0)),
        Tooth("power off by 1e-6", partial(as_spectrum, share=1 + 1e-6)),
    ),
    functions=(*FUNCTIONS, *SPECTRAL, "theory.marchenko_pastur:quadrature"),
)

# Infinitely many features --------------------------------------------------------------------------------

SCALES = ((400, 1.4), (350, 0.7), (250, 0.42))
"""Of the inputs; strengths are rescaled to mean squares of 1."""
D = sum(count for count, _ in SCALES)
MEAN = sum(count * sigma**2 for count, sigma in SCALES) / D
STRENGTHS = tuple((count, sigma / MEAN**0.5) for count, sigma in SCALES)
SAMPLES = 600
WIDTHS = np.array([10**6, 3 * 10**7, 10**9])
MANY = 10**12
"""Features that share what is not linear in the inputs: so many that none is learned for itself."""


def by_width(activation: str, _: Seeds) -> list[np.ndarray]:
    """Evidence: both errors under every dynamics at each width, (2, T)."""
    question: dict[str, Any] = {"n": SAMPLES, "scales": SCALES, "activation": activation, **TRAINED}
    return [at_all_clocks(width=int(width), teacher="sign", **question) for width in WIDTHS]


def kernel(own: Nonlinearity, _: object, hidden: float = SIGN.rest, **changed: float) -> np.ndarray:
    """The claim: kernel regression, with eigenvalues mu1^2 s_k/d and mustar^2 spread over very many modes."""
    modes = [(count, own.mu1**2 * sigma**2 / D, SIGN.mu1**2 * count / D) for count, sigma in STRENGTHS]
    if own.rest:
        modes.append((MANY, own.rest / MANY, 0.0))
    question = {**TRAINED, "noise": np.sqrt(TRAINED["noise"] ** 2 + hidden), "n": SAMPLES, **changed}
    return spectrum_at_all_clocks("measured-spectrum", modes=tuple(modes), **question)


def linear_ridge(own: Nonlinearity, _: object) -> np.ndarray:
    """Wrong of the training error and what is left of the start: the nonlinearity as a ridge of mustar^2."""
    return kernel(Nonlinearity(own.mu1, 0.0), _, ridge=TRAINED["ridge"] + own.rest)


def scales(_: object, unlike: float = 1.0) -> np.ndarray:
    """The claim about linear features: feature scales. The teacher's output has variance c1^2, not 1."""
    noise = np.sqrt(TRAINED["noise"] ** 2 + SIGN.rest) / SIGN.mu1
    question: dict[str, Any] = {**TRAINED, "noise": noise, "init": TRAINED["init"] / SIGN.mu1}
    of_scales = tuple((count, sigma * unlike**at) for at, (count, sigma) in enumerate(STRENGTHS))
    observable = ("generalisation", "training")
    question |= {"n": SAMPLES, "scales": of_scales, "observable": observable}
    return SIGN.mu1**2 * spectrum_at_all_clocks("multiscale", **question)


def in_inverse_width(found: list[np.ndarray], claim: np.ndarray) -> Verdict:
    """Relative errors fall like 1/N."""
    return at_order(WIDTHS, [np.linalg.norm(claim / each - 1) for each in found], -1.0)


WIDE = check(
    id="rf-infinite-width",
    title="infinitely many features: kernel regression under every dynamics, approached like 1/N",
    ref="the kernel's spectrum: mu1^2 s_k/d, and mustar^2 over very many modes",
    evidence=partial(by_width, "relu"),
    claim=partial(kernel, RELU),
    judge=in_inverse_width,
    teeth=(
        Tooth("nonlinearity as a ridge, as in the test error from zero weights", partial(linear_ridge, RELU)),
        Tooth("tanh's coefficients", partial(kernel, TANH)),
        Tooth("teacher's nonlinear part dropped", partial(kernel, RELU, hidden=0.0)),
        Tooth("start forgotten", partial(kernel, RELU, init=0.0)),
    ),
    functions=(*FUNCTIONS, *SPECTRAL),
)

LINEAR_WIDE = check(
    id="rf-linear-scales",
    title="infinitely many linear features: feature scales, under every dynamics",
    ref="F^T F/N tends to the identity",
    evidence=partial(by_width, "linear"),
    claim=scales,
    judge=in_inverse_width,
    teeth=(Tooth("each scale weaker than the one before by 1e-4 more", partial(scales, unlike=1 - 1e-4)),),
    functions=(*FUNCTIONS, *(f"theory.multiscale.asymptotic:{each}" for each in DYNAMICS)),
)

CHECKS = (FIXED, WIDE, LINEAR_WIDE)
