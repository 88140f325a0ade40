"""Margins under spectral decoupling: one number, whatever the features (Eqs. 6.3.17-6.3.18, .5.11-.5.12)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np
from scipy import optimize
from scipy.special import log_softmax, softmax

from teacherstudent.paper_checks.judging.agreement import within_bound
from teacherstudent.paper_checks.judging.claims import per_case, worst_case
from teacherstudent.paper_checks.judging.effects import Contrast
from teacherstudent.paper_checks.judging.evidence import Seeds, Verdict, WrongClaim
from teacherstudent.paper_checks.judging.exactness import EPS, FIXED_POINT, relatively_equal
from teacherstudent.paper_checks.starvation import check, misprints
from teacherstudent.paper_checks.starvation.kit.drawn import drawn_problems
from teacherstudent.paper_checks.starvation.kit.primal import Loss, decoupled_loss, response_slopes
from teacherstudent.problems.starvation import Starvation
from teacherstudent.theory.starvation import duality, ends, multiclass, starving


@dataclass(frozen=True)
class Decoupled:
    """A problem, labels, ridge and shift of each example, (n,), and the minimum's margins and slopes."""

    problem: Starvation
    labels: np.ndarray
    ridges: np.ndarray
    shifts: np.ndarray
    margins: np.ndarray
    slopes: np.ndarray


PRINTED = (0.012, 0.088), (2.5, 0.44)
"""Ridges and shifts of App. .4.5.1, of class 1 and of class 0 (label -1)."""


def decoupled(shifted: bool, seeds: Seeds) -> list[Decoupled]:
    """Minima of the loss with ridge/2 |yhat - shift|^2, as printed: labels +1 and -1 at random.

    shifted: each class has a ridge and a shift, in the first case those of `PRINTED`, else drawn.
    """
    own = seeds(15)
    found: list[Decoupled] = []
    for seed, problem in zip(own, drawn_problems(own), strict=True):
        random = np.random.default_rng([seed, 1])
        labels = random.choice([-1.0, 1.0], problem.n)
        labels[:2] = 1, -1
        ridge, shift = np.full(2, problem.ridge), np.zeros(2)
        if shifted:
            drawn = ridge * random.uniform(0.5, 2, 2), random.uniform(0.5, 3, 2)
            ridge, shift = drawn if found else map(np.array, PRINTED)
        ridges, shifts = (np.where(labels > 0, each[0], each[1]) for each in (ridge, shift))
        # |yhat - shift|^2 = |margin - label shift|^2, yhat = label margin
        z, slopes = response_slopes(problem, partial(at_strengths, problem, ridges, labels * shifts))
        found.append(Decoupled(problem, labels, ridges, shifts, problem.U @ z, slopes))
    return found


def at_strengths(problem: Starvation, ridges: np.ndarray, target: np.ndarray, s: np.ndarray) -> Loss:
    """The decoupled loss of a problem at other strengths."""
    return decoupled_loss(problem.U * s, ridges, target)


End = tuple[np.ndarray, np.ndarray]
"""Margins (n,), and dz_j/d(s_i^2), (n, n)."""


def by_theory(
    evidence: list[Decoupled], labelled: bool = True, factor: float = 1.0, classes: bool = True
) -> list[End]:
    """Margins with ridge (m - label shift) = sigma(-m); as no strength is in them, none moves a response.

    `labelled`: else without the label; `classes`: else one ridge for both.
    """
    claims = []
    for case in evidence:
        dual = duality.of_decoupling(case.problem, case.shifts * (case.labels if labelled else 1))
        ridges = case.ridges if classes else np.full(case.problem.n, case.ridges.mean())
        weighted = factor * dual.A * (case.problem.ridge / ridges)  # A is diagonal
        margins = ends.fixed_point(duality.Dual(weighted, dual.offset)).margins
        claims.append((margins, np.zeros_like(case.slopes)))
    return claims


def of_ridge(evidence: list[Decoupled]) -> list[End]:
    """Wrong: the end of the ridge loss, which does depend on the features."""
    alphas = [ends.fixed_point(duality.of_ridge(case.problem)) for case in evidence]
    return [
        (end.margins, starving.starvation_jacobian(case.problem, end.alpha))
        for case, end in zip(evidence, alphas, strict=True)
    ]


def starving_still(evidence: list[Decoupled]) -> list[End]:
    """Wrong: these margins, but responses that strengths move as under the ridge loss."""
    pairs = zip(by_theory(evidence), of_ridge(evidence), strict=True)
    return [(margins, slopes) for (margins, _), (_, slopes) in pairs]


@worst_case
def same_end(case: Decoupled, claim: End) -> Iterator[Verdict]:
    """The margins; and how strengths move the responses, in units of the largest margin."""
    margins, slopes = claim
    yield relatively_equal(case.margins, margins)
    moved = (case.slopes - slopes) * case.problem.s**2 / np.max(np.abs(case.margins))
    yield within_bound(moved, FIXED_POINT, "accuracy requested of fixed points", "relative")


MARGIN = check(
    id="gs-decoupled-margin",
    title="spectral decoupling ends at ridge m = sigma(-m) for every example, for any U and S",
    ref="Eqs. 6.3.17-6.3.18, App. .5.11",
    evidence=partial(decoupled, False),
    claim=by_theory,
    judge=same_end,
    wrong=(
        WrongClaim("ridge 1e-8 (relative) too small", partial(by_theory, factor=1 + 1e-8)),
        WrongClaim("the final margins of the ridge loss", of_ridge),
        WrongClaim("correct margins, but responses that depend on the strengths", starving_still),
    ),
    covers=("Eq. 6.3.18",),
)

SHIFTED = check(
    id="gs-shifted-margin",
    title="the shifted variant ends at ridge_y (m - y shift_y) = sigma(-m): one margin per class",
    ref="Sect. 6.4.4, App. .4.5",
    evidence=partial(decoupled, True),
    claim=by_theory,
    judge=same_end,
    wrong=(
        WrongClaim("ridge 1e-8 (relative) too small", partial(by_theory, factor=1 + 1e-8)),
        WrongClaim("correct margins, but responses that depend on the strengths", starving_still),
        WrongClaim(
            "every margin pulled to the shift, with the label ignored", partial(by_theory, labelled=False)
        ),
        WrongClaim("the same ridge for both classes", partial(by_theory, classes=False)),
    ),
)


# Several classes: the Legendre bound, the dual, and the margin of spectral decoupling (App. .5.1.-------

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
    title="the entropy bound on the multiclass cross-entropy, tight at the softmax",
    ref="Eq. .5.11",
    evidence=classified,
    claim=partial(claimed_bound, legendre),
    judge=touches_from_below,
    effect=Contrast("bound doubled", "the bound itself"),
    wrong=(
        WrongClaim("logits with the wrong sign", partial(claimed_bound, signless)),
        WrongClaim("bound doubled", partial(claimed_bound, doubled)),
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
    return within_bound(
        value - case.loss, bound, "square of the gradient at which the minimisation stops", "loss"
    )


DUAL = check(
    id="gs-multiclass-dual",
    title="the dual of several classes that share one parameter vector",
    ref="Eq. .5.12",
    evidence=shared,
    claim=partial(dual_value, multiclass.dual_shared),
    judge=no_gap,
    effect=Contrast("gs-multiclass-shared", "the cross terms between classes"),
    wrong=(
        WrongClaim(
            "ridge 1e-6 (relative) too large", partial(dual_value, multiclass.dual_shared, ridge=1 + 1e-6)
        ),
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


def same_margin(evidence: np.ndarray, claimed: np.ndarray) -> Verdict:
    """Newton's rounding: eps |gradient terms| over the smallest curvature, the ridge."""
    rounding = np.array([16 * classes * EPS * (1 + 1 / ridge) for ridge, classes in QUESTIONS])
    return within_bound(claimed - evidence, rounding, "rounding, divided by the smallest curvature", "margin")


CLASS_MARGIN = check(
    id="gs-multiclass-margin",
    title="spectral decoupling of C logits ends at ridge m = C/(C - 1 + e^m)",
    ref="App. .5.1.1",
    evidence=gaps,
    claim=margin,
    judge=same_margin,
    effect=Contrast("sigma(-m), as for two classes", "the difference from the margin of two classes"),
    wrong=(
        WrongClaim("ridge 1e-7 (relative) too large", partial(margin, ridge=1 + 1e-7)),
        WrongClaim(
            "sigma(-m), as for two classes",
            lambda _: np.array([multiclass.decoupled_margin(2 * ridge, 2) for ridge, _ in QUESTIONS]),
        ),
    ),
)

CHECKS = (MARGIN, SHIFTED, LEGENDRE, DUAL, CLASS_MARGIN)
