"""Losses with a ridge where other theory knows them: a spectrum, Hebb's rule, and the largest margin."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

from teacherstudent.house.running import run
from teacherstudent.paper_checks.judging.agreement import at_order, within_bound
from teacherstudent.paper_checks.judging.claims import worst_of
from teacherstudent.paper_checks.judging.comparison import ABSENT, Found, Values, scaled
from teacherstudent.paper_checks.judging.evidence import Seeds, Verdict, WrongClaim
from teacherstudent.paper_checks.judging.exactness import relatively
from teacherstudent.paper_checks.judging.judges import Bound
from teacherstudent.paper_checks.perceptron import check, compared
from teacherstudent.paper_checks.perceptron.kit.asking import limit

EXAMPLES = ("theory.perceptron.asymptotic:examples",)

# The square loss as ridge regression on a spectrum ------------------------------------------------------

INPUTS = 10**6
NOISE = 0.4
SCALES = ((3 * INPUTS // 10, 2.0), (7 * INPUTS // 10, 0.5))
RIDGES = (0.01, 0.3, 5.0)
ALPHAS = (0.5, 1.0, 3.0)
REGRESSED = 1e-10
"""Two fixed points solved to 1e-11 or better, of numbers of order 1."""


def slope(noise: float) -> float:
    """c of the linear part c w*.x of the labels sign(w*.x + noise xi)."""
    return float(np.sqrt(2 / np.pi / (1 + noise**2)))


def squares(_: Seeds) -> np.ndarray:
    """Evidence: by ridge, excess E (w.x - c w*.x)^2 and mean square of the residuals, (ridges, 2, T)."""
    found = []
    for ridge in RIDGES:
        question = {"rule": "square", "ridge": ridge, "noise": NOISE, "scales": SCALES}
        R, Q, loss = limit(["R", "Q", "training_loss"], ALPHAS, **question).reshape(3, -1)
        c = slope(NOISE)
        found.append([Q - 2 * c * R * np.sqrt(Q) + c**2, 2 * loss])
    return np.array(found)


def regression(_: object, rest: float = 1.0, noise: float = NOISE, factor: float = 1.0) -> np.ndarray:
    """The claim: ridge regression on the spectrum of the inputs, with what is not linear as noise."""
    mean = sum(count * sigma**2 for count, sigma in SCALES) / INPUTS
    power = slope(noise) ** 2
    unlearned = rest * (1 - power)
    modes = tuple(
        (count, sigma**2 / mean / INPUTS, power * count * sigma**2 / mean / INPUTS) for count, sigma in SCALES
    )
    found = []
    for ridge in RIDGES:
        rows = []
        for a in ALPHAS:
            question: dict[str, Any] = {"modes": modes, "n": round(a * INPUTS), "noise": np.sqrt(unlearned)}
            answer = run("measured-spectrum", "ridge", "asymptotic", [1 / (factor * ridge)], **question)
            rows.append(
                [float(answer["generalisation_error"][0]) - unlearned, float(answer["training_error"][0])]
            )
        found.append(np.transpose(rows))
    return np.array(found)


SQUARE = check(
    id="pc-square-spectrum",
    title="square loss on labels is ridge regression, with the labels' nonlinear part as noise",
    ref="the labels' linear part has slope sqrt(2/(pi (1 + noise^2)))",
    evidence=squares,
    claim=regression,
    judge=lambda found, claimed: within_bound(
        claimed - found, REGRESSED, "fixed points solved to 1e-11", "relative"
    ),
    wrong=(
        WrongClaim("labels' nonlinear part 1e-8 (relative) too large", partial(regression, rest=1 + 1e-8)),
        WrongClaim("labels without noise", partial(regression, noise=0.0)),
        WrongClaim("ridge twice as large, as for a loss without 1/2", partial(regression, factor=2.0)),
    ),
    functions=(*EXAMPLES, "theory.measured_spectrum.asymptotic:ridge"),
)

CLOSED = 1e-9
CLOSELY = "a closed form, compared with a fixed point solved to 1e-10"

# Much ridge: Hebb's rule --------------------------------------------------------------------------------

LARGE = (1e3, 1e4, 1e5)


@worst_of
def at_first_order(found: Found, claimed: list[Values]) -> Iterator[Verdict]:
    """square and logistic loss differ in proportion to 1/ridge; hinge loss agrees to 1e-9"""
    missed = np.array([case.flat - claim["R"] for case, claim in zip(found.cases, claimed, strict=True)])
    square, logistic, _ = np.linalg.norm(missed, axis=1).reshape(3, -1)
    for each in (square, logistic):
        yield at_order(LARGE, each, -1.0)
    hinge = slice(-len(LARGE), None)
    off = missed[hinge] / [case.flat for case in found.cases[hinge]]
    yield within_bound(off, CLOSED, CLOSELY, "relative")


HEBB = compared(
    id="pc-infinite-ridge",
    title="square, logistic and hinge loss with a large ridge approach Hebb's rule, at least as 1/ridge",
    ref="the gradient at zero weights is minus the sum of labelled examples, times l'(0)",
    clocks={"examples": {"times": (0.5, 3.0), "noise": 0.5, "kappa": 3.0, "d": 1000}},
    questions={
        (rule, ridge): {"rule": rule, "ridge": ridge}
        for rule in ("square", "logistic", "hinge")
        for ridge in LARGE
    },
    routes=("asymptotic", "asymptotic"),
    observables=("R",),
    claimed={"rule": "hebb", "ridge": ABSENT},
    judge=at_first_order,
    wrong={"inputs of one strength": {"kappa": 1.0}, "label noise 10 % larger": {"noise": 0.55}},
)

# Hebb's rule and least squares: other labels and inputs --------------------------------------------------

LABELLED: tuple[dict[str, Any], ...] = (
    {"noise": 0.7, "scales": ((300, 2.0), (500, 1.0), (200, 0.2))},
    {"noise": 0.2, "scales": ((100, 5.0), (900, 1.0))},
)
MANY = (1.5, 4.0, 20.0)


def linear_rules(_: Seeds) -> np.ndarray:
    """Evidence: R and the error of Hebb's rule, then of least squares, (cases, rules, 2 P)."""
    return np.array(
        [[limit(["R"], MANY, rule=rule, **case) for rule in ("hebb", "pseudo-inverse")] for case in LABELLED]
    )


def of_labels(_: object, power: int = 0, noisy: float = 1.0) -> np.ndarray:
    """The claim. Hebb: R = c a m_2/sqrt(c^2 a^2 m_3 + a m_2), with the moments m_k of sigma^2, m_1 = 1.

    Least squares: R = c/sqrt(c^2 + (1 - c^2)/(a - 1)), whatever the strengths. Wrong: other powers of the
    strengths, and a factor on the noise.
    """
    a, found = np.array(MANY), []
    for case in LABELLED:
        counts, sigmas = (np.array(each, dtype=float) for each in zip(*case["scales"], strict=True))
        share = counts / counts.sum()
        squares = sigmas**2 / (share @ sigmas**2)
        m2, m3 = (share @ squares ** (k + power) for k in (2, 3))
        c = slope(noisy * case["noise"])
        hebb = c * a * m2 / np.sqrt(c**2 * a**2 * m3 + a * m2)
        found.append([hebb, c / np.sqrt(c**2 + (1 - c**2) / (a - 1))])
    return np.array(found)


LINEAR = check(
    id="pc-noise-strengths",
    title="Hebb's rule and least squares have closed forms for label noise and several input strengths",
    ref="first two moments of labelled examples",
    evidence=linear_rules,
    claim=of_labels,
    judge=relatively(CLOSED, CLOSELY),
    wrong=(
        WrongClaim("input strengths with a power lower by one", partial(of_labels, power=-1)),
        WrongClaim("label noise 1e-7 (relative) too large", partial(of_labels, noisy=1 + 1e-7)),
    ),
    functions=EXAMPLES,
)

# Little ridge: the largest margin ------------------------------------------------------------------------

MARGIN = {"rule": "max-stability", "ridge": ABSENT}
RULES = {
    "the centre of the version space": {"rule": "bayes"},
    "least squares": {"rule": "pseudo-inverse"},
}
SEPARABLE = {"examples": {"times": (0.5, 1.3, 2.0)}}

HINGE = compared(
    id="pc-hinge-margin",
    title="hinge loss with a vanishing ridge finds the largest margin",
    ref="a hard-margin support-vector machine",
    clocks=SEPARABLE,
    questions={"rule": "hinge", "ridge": 1e-4},  # more than 1 is pulled by fewer examples than the rounding
    routes=("asymptotic", "asymptotic"),
    observables=("R",),
    claimed=MARGIN,
    judge=Bound(1e-9, "two fixed points solved to 1e-10"),
    wrong={**RULES, "1e-4 (relative) more examples": {"times": scaled(1 + 1e-4)}},
)


@worst_of
def in_inverse_length(found: Found, claimed: list[Values]) -> Iterator[Verdict]:
    """the difference is proportional to 1/|w|, where |w| grows logarithmically with 1/ridge"""
    pairs = zip(found.cases, claimed, strict=True)
    missed = np.array([np.abs(case.values["R"] - claim["R"]) for case, claim in pairs])
    lengths = np.sqrt([case.values["Q"] for case in found.cases])
    for length, each in zip(lengths.T, missed.T, strict=True):
        yield at_order(length, each, -1.0)


LOGISTIC = compared(
    id="pc-logistic-margin",
    title="with a vanishing ridge, logistic loss approaches the largest margin at the rate 1/|w|",
    ref="the smallest margin has the largest loss",
    clocks=SEPARABLE,
    questions={ridge: {"rule": "logistic", "ridge": ridge} for ridge in (1e-6, 1e-8, 1e-10, 1e-12)},
    routes=("asymptotic", "asymptotic"),
    observables=("R", "Q"),
    claimed=MARGIN,
    judge=in_inverse_length,
    wrong={**RULES, "5 % fewer examples": {"times": scaled(0.95)}},
)

CHECKS = (SQUARE, HEBB, LINEAR, HINGE, LOGISTIC)
