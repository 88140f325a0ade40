r"""The two ends of training: the initial student, and least squares or the interpolator at late times.

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
from teacherstudent.paper_checks.judging.evidence import Seeds, Tooth, Verdict
from teacherstudent.paper_checks.judging.exactness import EPS
from teacherstudent.paper_checks.random_features import check
from teacherstudent.paper_checks.random_features.kit.asking import (
    ERF,
    RELU,
    SIGN,
    TANH,
    Nonlinearity,
    errors,
)
from teacherstudent.paper_checks.random_features.limits import CONTOUR

INPUTS = 10**9
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
        scales = tuple((round(m * INPUTS), sigma) for m, sigma in zip(self.shares, self.sigmas, strict=True))
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
    title="flow and descent at the start and at late times, without a ridge: closed forms",
    ref="E = min(psi1, psi2), and E = 0",
    evidence=trained,
    claim=closed_forms,
    judge=at_both_ends,
    teeth=(
        Tooth("tanh's coefficients for every nonlinearity", partial(closed_forms, own=TANH)),
        Tooth("teacher's nonlinear part dropped", partial(closed_forms, hidden=0.0)),
        Tooth("start off by 1e-6, in what no sample sees", partial(closed_forms, init=INIT * (1 + 1e-6))),
    ),
)

CHECKS = (ENDS,)
