"""Several classes: the Legendre bound, the dual, and the margin of spectral decoupling (App. .5.1.1)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np
from scipy import optimize
from scipy.special import log_softmax, softmax

from teacherstudent.paper_checks.judging.agreement import within_bound
from teacherstudent.paper_checks.judging.cases import per_case, worst_case
from teacherstudent.paper_checks.judging.effects import Contrast
from teacherstudent.paper_checks.judging.evidence import Seeds, Tooth, Verdict
from teacherstudent.paper_checks.judging.exactness import EPS
from teacherstudent.paper_checks.starvation import check, misprints
from teacherstudent.theory.starvation import multiclass

GRADIENT = 1e-9
"""Gradient at which the optimisation stops; the loss is then within GRADIENT^2/(2 ridge) of its minimum."""


# Eq. .5.11 ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Classified:
    """Logits and one-hot targets, (n, C), and random distributions, (trials, n, C)."""

    logits: np.ndarray
    targets: np.ndarray
    tried: np.ndarray

    @property
    def losses(self) -> np.ndarray:
        """Cross-entropy, (n,)."""
        return -np.sum(self.targets * log_softmax(self.logits, axis=-1), axis=-1)


def classified(seeds: Seeds) -> list[Classified]:
    """Evidence: drawn logits, targets and dual points for several numbers of classes."""
    found = []
    for seed, classes in zip(seeds(4), (2, 3, 5, 10), strict=True):
        random = np.random.default_rng(seed)
        logits = 4 * random.standard_normal((50, classes))
        targets = np.eye(classes)[random.integers(classes, size=50)]
        found.append(Classified(logits, targets, random.dirichlet(np.ones(classes), size=(40, 50))))
    return found


Bound = Callable[[np.ndarray, Classified], np.ndarray]
"""alpha (..., n, C) -> a bound on each loss, (..., n)."""


def legendre(alpha: np.ndarray, given: Classified) -> np.ndarray:
    """The lower bound of the cross-entropy as printed in .5.11."""
    return multiclass.bound(alpha, given.logits, given.targets)


def signless(alpha: np.ndarray, given: Classified) -> np.ndarray:
    """With the sign of the binary form, -alpha times the logit of the class."""
    return multiclass.bound(alpha, -given.logits, given.targets)


def doubled(alpha: np.ndarray, given: Classified) -> np.ndarray:
    """Twice that bound."""
    return 2 * legendre(alpha, given)


@per_case
def claimed_bound(bound: Bound, case: Classified) -> tuple[np.ndarray, np.ndarray]:
    """The bound at softmax(logits), and its largest value over the trials, (n,) each."""
    return bound(softmax(case.logits, axis=-1), case), bound(case.tried, case).max(axis=0)


@worst_case
def touches_from_below(case: Classified, claim: tuple[np.ndarray, np.ndarray]) -> Iterator[Verdict]:
    """Judge: the bound touches the loss at its own point and exceeds it nowhere."""
    touching, best = claim
    rounding = 8 * EPS * case.logits.shape[1] * (1 + np.abs(case.logits).max(axis=-1))
    for error in (touching - case.losses, np.maximum(best - case.losses, 0)):
        yield within_bound(error, rounding, "rounding: 8 C eps |logits|", "loss")


LEGENDRE = check(
    id="gs-multiclass-legendre",
    title="the entropy bound on cross-entropy with several classes, tight at the softmax",
    ref="Eq. .5.11",
    evidence=classified,
    claim=partial(claimed_bound, legendre),
    judge=touches_from_below,
    effect=Contrast("bound doubled", "the bound itself"),
    teeth=(
        Tooth("logits of the other sign", partial(claimed_bound, signless)),
        Tooth("bound doubled", partial(claimed_bound, doubled)),
    ),
)


# Eq. .5.12 ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Shared:
    """Features Phi_c, (C, n, m), of one shared theta; the least loss and the softmax there, (n, C)."""

    features: np.ndarray
    targets: np.ndarray
    ridge: float
    loss: float
    softmax: np.ndarray


def shared(seeds: Seeds) -> list[Shared]:
    """Cross-entropy + ridge/2 |theta|^2 with logits_c = Phi_c theta, minimised by BFGS."""
    found = []
    for seed in seeds(4):
        random = np.random.default_rng(seed)
        classes, n, m, ridge = 3, 4, 6, 0.5
        features = random.standard_normal((classes, n, m))
        targets = np.eye(classes)[random.integers(classes, size=n)]

        def loss(theta: np.ndarray, Phi: np.ndarray, y: np.ndarray, ridge: float) -> tuple[float, np.ndarray]:
            logits = (Phi @ theta).T
            error = softmax(logits, axis=-1) - y
            value = -np.sum(y * log_softmax(logits, axis=-1)) + ridge / 2 * theta @ theta
            return float(value), np.einsum("cnm,nc->m", Phi, error) + ridge * theta

        result = optimize.minimize(
            loss, np.zeros(m), (features, targets, ridge), "BFGS", jac=True, options={"gtol": GRADIENT}
        )
        best = softmax((features @ result.x).T, axis=-1)
        found.append(Shared(features, targets, ridge, float(result.fun), best))
    return found


Dual = Callable[[np.ndarray, np.ndarray, np.ndarray, float], float]


@per_case
def dual_value(dual: Dual, case: Shared, ridge: float = 1.0) -> float:
    """The dual at alpha = softmax of the optimum, where it must equal the loss."""
    return dual(case.softmax, case.targets, case.features, ridge * case.ridge)


@worst_case
def no_gap(case: Shared, value: float) -> Verdict:
    """theta and alpha are off by gradient/curvature; the gap is that squared times the curvature."""
    curvature = np.linalg.norm(case.features) ** 2 / case.ridge + 1
    bound = len(case.features) * curvature * (100 * GRADIENT / case.ridge) ** 2 + 64 * EPS * case.loss
    return within_bound(value - case.loss, bound, "square of the stopping gradient", "loss")


DUAL = check(
    id="gs-multiclass-dual",
    title="the dual of several classes that share one parameter vector",
    ref="Eq. .5.12",
    evidence=shared,
    claim=partial(dual_value, multiclass.dual_shared),
    judge=no_gap,
    effect=Contrast("gs-multiclass-shared", "the cross terms of classes"),
    teeth=(
        Tooth("ridge one part in 1e6 large", partial(dual_value, multiclass.dual_shared, ridge=1 + 1e-6)),
    ),
    errata=misprints({"gs-multiclass-shared": partial(dual_value, multiclass.dual_per_class)}),
)


# The margin of spectral decoupling -------------------------------------------------------------------------

QUESTIONS = tuple((ridge, classes) for ridge in (1e-4, 1e-2, 1.0) for classes in (2, 3, 10))


def gaps(_: Seeds) -> np.ndarray:
    """Margin of logits a free parameter each: Newton on cross-entropy + ridge/2 |logits|^2, (Q,)."""
    found = []
    for ridge, classes in QUESTIONS:
        logits = np.zeros(classes)
        for _step in range(200):
            p = softmax(logits)
            gradient = p - np.eye(classes)[0] + ridge * logits
            step = np.linalg.solve(np.diag(p + ridge) - np.outer(p, p), gradient)
            logits = logits - step / max(1.0, np.abs(step).max())  # at most 1: the Hessian may vanish
        found.append(logits[0] - logits[1])
    return np.array(found)


def margin(_: np.ndarray, ridge: float = 1.0) -> np.ndarray:
    """The margin that spectral decoupling reaches, for each question."""
    return np.array([multiclass.decoupled_margin(ridge * own, classes) for own, classes in QUESTIONS])


def binary_margin(_: np.ndarray) -> np.ndarray:
    """ridge m = sigma(-m), as for two classes that share one logit: half the C = 2 right-hand side."""
    return np.array([multiclass.decoupled_margin(2 * ridge, 2) for ridge, _ in QUESTIONS])


def same_margin(evidence: np.ndarray, claimed: np.ndarray) -> Verdict:
    """Newton's rounding: eps |gradient terms| over the smallest curvature, the ridge."""
    rounding = np.array([16 * classes * EPS * (1 + 1 / ridge) for ridge, classes in QUESTIONS])
    return within_bound(claimed - evidence, rounding, "rounding over the smallest curvature", "margin")


MARGIN = check(
    id="gs-multiclass-margin",
    title="spectral decoupling of C logits ends at ridge m = C/(C - 1 + e^m)",
    ref="App. .5.1.1",
    evidence=gaps,
    claim=margin,
    judge=same_margin,
    effect=Contrast("sigma(-m), as for two classes", "the difference to the margin of two classes"),
    teeth=(
        Tooth("ridge one part in 1e7 large", partial(margin, ridge=1 + 1e-7)),
        Tooth("sigma(-m), as for two classes", binary_margin),
    ),
)

CHECKS = (LEGENDRE, DUAL, MARGIN)
