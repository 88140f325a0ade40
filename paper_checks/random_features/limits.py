r"""Where the limit is known by other means: fixed features as a spectrum, infinite width, linear features.

A spectrum's limit knows nothing of random features: no equation of theirs, and another contour.

The two ends of training: the initial student, and least squares or the interpolator at late times.

Without a ridge E tends to min(psi1, psi2), which fixes y: mustar^2 y + sum_k m_k (1 - eta_k) = E,
eta_k = 1/(1 + mu1^2 s_k y). With N2 = c_*^2 + noise^2, P = sum_k m_k (1 - eta_k)^2 and <.> = c_1^2 sum_k m_k:

    psi1 < psi2:  E_g = psi2 (<eta> + N2)/(psi2 - psi1), E_t = (1 - psi1/psi2)^2 E_g
    psi1 > psi2:  E_g = psi2 ((psi2 - P) <eta> + (psi1 - psi2) <eta^2> + (psi1 - P) N2)
                        /((psi1 - psi2)(psi2 - P)) + E_0, E_t = 0,
                  E_0 = init^2 psi2 (psi1 - psi2)(mustar^2 + mu1^2 sum_k m_k s_k eta_k^2)/(psi1 (psi2 - P)).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from scipy import optimize

from teacherstudent.paper_checks.judging.agreement import within_bound
from teacherstudent.paper_checks.judging.comparison import ABSENT, Question, Values, otherwise, then
from teacherstudent.paper_checks.judging.evidence import Claim, Seeds, Verdict, WrongClaim
from teacherstudent.paper_checks.judging.exactness import EPS
from teacherstudent.paper_checks.judging.judges import AtOrder, Bound
from teacherstudent.paper_checks.random_features import check, compared
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

ROUTES = ("asymptotic", "measured-spectrum/*/asymptotic")
CONTOUR = 100 * np.exp(11) * EPS
"""The nodes of a contour weigh up to e^5.5 and enter in pairs, times a kernel whose own size, near the edge
of the spectrum, is below a hundred times its result."""
TRAINED: dict[str, Any] = {"noise": 0.5, "init": 0.5, "ridge": 0.02}
CLOCKS: dict[str, dict[str, Any]] = {
    "flow": {"times": (0.3, 3.0, 300.0)},
    "descent": {"times": (3, 100), "learning_rate": 0.1},
    "ridge": {"times": (0.3, 30.0)},
}


def clock_of(question: Question) -> dict[str, Any]:
    """What of a question belongs to its dynamics."""
    return {name: question[name] for name in ("times", "learning_rate") if name in question}


# Fixed features as a spectrum ---------------------------------------------------------------------------

INPUTS = 10**11
"""Of both problems: counts of eigenvalues are whole numbers."""
NAMED = {"erf": ERF, "relu": RELU, "linear": LINEAR}


def as_spectrum(
    own: Nonlinearity | None = None, rest: float = 1.0,
    hidden: float = SIGN.rest, outside: float = 1.0, share: float = 1.0,
) -> Claim:  # fmt: skip
    """The claim: features of covariance (mu1^2 F F^T/d + mustar^2)/N, F F^T/d of Marchenko-Pastur's law.

    The target has power c1^2 mu1^2 e/(mu1^2 e + mustar^2) along an eigenvalue e of F F^T/d; the remainder
    of it, what is not linear in the inputs, and label noise are noise. Changes for the negative controls:
    another nonlinearity, factors on the variance of its rest and on the target's part outside the features.
    """

    def converted(question: dict[str, Any]) -> dict[str, Any]:
        psi1, psi2, used = question["psi1"], question["psi2"], own or NAMED[question["activation"]]
        u, varied = used.mu1**2, rest * used.rest
        law = quadrature(psi1, 30.0)
        e = np.append(law.eigenvalues, 0.0)
        counts = np.append(law.weights, max(psi1 - 1, 0.0))  # F F^T has N - d zero eigenvalues, if any
        counts = np.rint(counts * INPUTS)
        power = counts / INPUTS * SIGN.mu1**2 * share * u * e / np.maximum(u * e + varied, 1e-300)
        missed = SIGN.mu1**2 - power.sum()
        modes = tuple(
            (int(count), value, t)
            for count, value, t in zip(counts, (u * e + varied) / (psi1 * INPUTS), power, strict=True)
            if count and value
        )
        noise = np.sqrt(TRAINED["noise"] ** 2 + hidden + outside * missed)
        return {**clock_of(question), **TRAINED, "noise": noise, "n": round(psi2 * INPUTS), "modes": modes}

    return otherwise(converted)


FIXED = compared(
    id="rf-fixed-features",
    title="fixed features act like a spectrum, averaged over the Marchenko-Pastur distribution",
    ref="features of covariance (mu1^2 F F^T/d + mustar^2)/N",
    clocks=CLOCKS,
    questions={
        f"{name}, {psi1}": {
            "psi1": psi1,
            "psi2": psi2,
            "activation": name,
            "d": INPUTS,
            "teacher": "sign",
            **TRAINED,
        }
        for psi1, psi2, name in (
            (1.5, 2.0, "erf"),
            (3.0, 1.0, "relu"),
            (0.4, 0.9, "relu"),
            (3.0, 1.0, "linear"),
        )
    },
    routes=ROUTES,
    observables=ERRORS,
    judge=Bound(CONTOUR, "cancellation on the double contour: 100 e^11 eps"),
    wrong={
        "the nonlinearity's effective noise omitted": as_spectrum(rest=0.0),
        "the nonlinearity's effective noise 1e-6 (relative) too large": as_spectrum(rest=1 + 1e-6),
        "coefficients of tanh for every nonlinearity": as_spectrum(own=TANH),
        "the teacher's nonlinear part omitted": as_spectrum(hidden=0.0),
        "the target's part outside the features omitted": as_spectrum(outside=0.0),
        "target power 1e-6 (relative) too large": as_spectrum(share=1 + 1e-6),
    },
    claim=as_spectrum(),
    functions=("theory.marchenko_pastur:quadrature",),
)

# Infinitely many features --------------------------------------------------------------------------------

SCALES = ((400, 1.4), (350, 0.7), (250, 0.42))
"""Of the inputs; strengths are rescaled to mean squares of 1."""
D = sum(count for count, _ in SCALES)
MEAN = sum(count * sigma**2 for count, sigma in SCALES) / D
STRENGTHS = tuple((count, sigma / MEAN**0.5) for count, sigma in SCALES)
SAMPLES = 600
WIDTHS = (1e6, 3e7, 1e9)
MANY = 10**12
"""Features that share what is not linear in the inputs: so many that none is learned for itself."""


def kernel(own: Nonlinearity, hidden: float = SIGN.rest) -> dict[str, Any]:
    """The claim: kernel regression, with eigenvalues mu1^2 s_k/d and mustar^2 spread over very many modes."""
    modes = [(count, own.mu1**2 * sigma**2 / D, SIGN.mu1**2 * count / D) for count, sigma in STRENGTHS]
    if own.rest:
        modes.append((MANY, own.rest / MANY, 0.0))
    return {**AS_MODES, "noise": np.sqrt(TRAINED["noise"] ** 2 + hidden), "modes": tuple(modes)}


LEFT_OUT = dict.fromkeys(("width", "scales", "activation", "teacher"), ABSENT)
AS_MODES = LEFT_OUT | {"n": SAMPLES, **TRAINED}


def scales(unlike: float = 1.0) -> dict[str, Any]:
    """The claim about linear features: feature scales. The teacher's output has variance c1^2, not 1."""
    noise = np.sqrt(TRAINED["noise"] ** 2 + SIGN.rest) / SIGN.mu1
    of_scales = tuple((count, sigma * unlike**at) for at, (count, sigma) in enumerate(STRENGTHS))
    observable = ("generalisation", "training")
    return {
        **AS_MODES,
        "noise": noise,
        "init": TRAINED["init"] / SIGN.mu1,
        "scales": of_scales,
        "observable": observable,
    }


def with_variance(errors: Values) -> Values:
    """Errors of a teacher whose output has variance c1^2."""
    return {name: SIGN.mu1**2 * each for name, each in errors.items()}


def by_width(activation: str, width: float) -> dict[str, Any]:
    """Both errors at each width."""
    return {
        "n": SAMPLES,
        "scales": SCALES,
        "activation": activation,
        "width": int(width),
        "teacher": "sign",
        **TRAINED,
    }


wide = partial(
    compared,
    clocks=CLOCKS,
    draws=dict.fromkeys(WIDTHS, 0),
    observables=ERRORS,
    judge=AtOrder(-1.0, relative=True),
)

WIDE = wide(
    id="rf-infinite-width",
    title="as the number N of features grows, every dynamics approaches kernel regression, like 1/N",
    ref="the kernel's spectrum: mu1^2 s_k/d, and mustar^2 spread over very many modes",
    questions=partial(by_width, "relu"),
    routes=ROUTES,
    claimed=kernel(RELU),
    wrong={
        # wrong of the training error and what is left of the start: the nonlinearity as a ridge of mustar^2
        "nonlinearity treated as a ridge, as in the test error from zero weights": {
            **kernel(Nonlinearity(RELU.mu1, 0.0)),
            "ridge": TRAINED["ridge"] + RELU.rest,
        },
        "coefficients of tanh": kernel(TANH),
        "the teacher's nonlinear part omitted": kernel(RELU, hidden=0.0),
        "initial weights omitted": {"init": 0.0},
    },
)

LINEAR_WIDE = wide(
    id="rf-linear-scales",
    title="with infinitely many linear features, every dynamics approaches the model of feature scales",
    ref="F^T F/N approaches the identity",
    questions=partial(by_width, "linear"),
    routes=("asymptotic", "multiscale/*/asymptotic"),
    claim=then(with_variance, scales()),
    wrong={"each scale weakened by a further 1e-4 (relative)": then(with_variance, scales(1 - 1e-4))},
)

# Both ends of training -----------------------------------------------------------------------------------

AT_ENDS = 10**9
NOISE, INIT = 0.5, 0.6
LATE = 1e7
"""Times the smallest eigenvalue of every case this is more than a thousand."""
RATE = 0.05


@dataclass(frozen=True)
class Case:
    """Ratios, a nonlinearity, and strengths sigma_k with their shares."""

    psi1: float
    psi2: float
    activation: str
    own: Nonlinearity
    shares: tuple[float, ...] = (1.0,)
    sigmas: tuple[float, ...] = (1.0,)

    def answers(self) -> np.ndarray:
        """Both errors at the start of flow, late in flow, and late in descent, (2, 3)."""
        scales = tuple((round(m * AT_ENDS), sigma) for m, sigma in zip(self.shares, self.sigmas, strict=True))
        question: dict[str, Any] = {"psi1": self.psi1, "psi2": self.psi2, "scales": scales, "noise": NOISE}
        question |= {"init": INIT, "activation": self.activation, "teacher": "sign"}
        flow = errors("flow", "asymptotic", (0.0, LATE), **question)
        descent = errors("descent", "asymptotic", (round(LATE / RATE),), learning_rate=RATE, **question)
        return np.concatenate([flow, descent], axis=1)

    def ends(self, own: Nonlinearity, hidden: float, init: float) -> np.ndarray:
        """The same by the formulas."""
        m, strengths = np.array(self.shares), np.array(self.sigmas) ** 2
        u = own.mu1**2 * strengths / (m @ strengths)
        below, above, noise = min(self.psi1, self.psi2), max(self.psi1, self.psi2), hidden + NOISE**2

        def missing(log: float) -> float:
            y = np.exp(log)
            return float(own.rest * y + m @ (u * y / (1 + u * y)) - below)

        eta = 1 / (1 + u * np.exp(optimize.brentq(missing, -50.0, 50.0, xtol=1e-15, rtol=4 * EPS)))
        start = SIGN.mu1**2 + noise + init**2 * (own.mu1**2 + own.rest)
        missed, left, P = SIGN.mu1**2 * (m @ eta), SIGN.mu1**2 * (m @ eta**2), m @ (1 - eta) ** 2
        if self.psi1 < self.psi2:
            late = self.psi2 * (missed + noise) / (self.psi2 - self.psi1)
            trained = (1 - self.psi1 / self.psi2) ** 2 * late
        else:
            learned = (below - P) * missed + (above - below) * left + (above - P) * noise
            kept = init**2 * (above - below) ** 2 * (own.rest + m @ (u * eta**2)) / above
            late = below * (learned + kept) / ((above - below) * (below - P))
            trained = 0.0
        return np.array([[start, late, late], [start, trained, trained]])


CASES = (
    Case(0.5, 2.0, "relu", RELU),
    Case(2.0, 0.5, "relu", RELU),
    Case(3.0, 1.2, "erf", ERF, (0.3, 0.7), (1.0, 0.2)),
    Case(0.7, 1.1, "erf", ERF, (0.3, 0.7), (1.0, 0.2)),
    Case(4.0, 2.5, "sign", SIGN, (0.2, 0.5, 0.3), (3.0, 1.0, 0.3)),
)


def trained(_: Seeds) -> np.ndarray:
    """Evidence: both ends of every case, (cases, 2, 3)."""
    return np.array([case.answers() for case in CASES])


def closed_forms(
    _: object, own: Nonlinearity | None = None, hidden: float = SIGN.rest, init: float = INIT
) -> np.ndarray:
    """The claim; wrong with another nonlinearity, or without the teacher's nonlinear part or the start."""
    return np.array([case.ends(own or case.own, hidden, init) for case in CASES])


def at_both_ends(evidence: np.ndarray, claimed: np.ndarray) -> Verdict:
    """To the accuracy of a contour, relative to the test error of the same end."""
    scale = np.maximum(evidence[:, :1], 1.0)
    reason = "cancellation on the double contour: 100 e^11 eps"
    return within_bound((claimed - evidence) / scale, CONTOUR, reason, "relative")


ENDS = check(
    id="rf-ends",
    title="without a ridge, flow and descent have closed forms at the start and at late times",
    ref="E = min(psi1, psi2), and E = 0",
    evidence=trained,
    claim=closed_forms,
    judge=at_both_ends,
    wrong=(
        WrongClaim("coefficients of tanh for every nonlinearity", partial(closed_forms, own=TANH)),
        WrongClaim("the teacher's nonlinear part omitted", partial(closed_forms, hidden=0.0)),
        WrongClaim("unseen initial weights 1e-6 too large", partial(closed_forms, init=INIT * (1 + 1e-6))),
    ),
)

CHECKS = (
    FIXED,
    WIDE,
    LINEAR_WIDE,
    ENDS,
)
