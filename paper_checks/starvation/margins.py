"""Margins under spectral decoupling: one number, whatever the features (Eqs. 6.3.17-6.3.18, .5.11-.5.12)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np

from teacherstudent.paper_checks.judging.agreement import within_bound
from teacherstudent.paper_checks.judging.evidence import Check, Erratum, Seeds, Tooth, Verdict, worst
from teacherstudent.paper_checks.starvation.primal import (
    COMPLEX_STEP,
    decoupled_loss,
    drawn_problems,
    minimum,
    polished,
)
from teacherstudent.problems.starvation import Starvation
from teacherstudent.theory.starvation import duality, ends

ASKED = 1e-10
"""Accuracy asked of fixed points, relative to the largest entry."""


@dataclass(frozen=True)
class Decoupled:
    """A problem, the margins pulled to, (n,), and margins (n,) and dz_j/d(s_i^2), (n, n), of the minimum."""

    problem: Starvation
    labels: np.ndarray
    shift: float
    margins: np.ndarray
    slopes: np.ndarray


def decoupled(shifted: bool, seeds: Seeds) -> list[Decoupled]:
    """Minima of the loss with ridge/2 |yhat - shift|^2, as printed: labels +1 and -1 at random."""
    own, found = seeds(15), []
    for seed, problem in zip(own, drawn_problems(own), strict=True):
        random = np.random.default_rng([seed, 1])
        labels = random.choice([-1.0, 1.0], problem.n)
        labels[:2] = 1, -1
        shift = float(random.uniform(0.5, 3)) if shifted else 0.0
        target = labels * shift  # |yhat - shift|^2 = |margin - label shift|^2, yhat = label margin
        theta = minimum(decoupled_loss(problem.U * problem.s, problem.ridge, target))
        slopes = np.empty((problem.n, problem.n))
        for i in range(problem.n):
            s = problem.s.astype(complex)
            s[i] += 1j * COMPLEX_STEP / (2 * problem.s[i])
            loss = decoupled_loss(problem.U * s, problem.ridge, target)
            slopes[:, i] = (s * polished(loss, theta.astype(complex))).imag / COMPLEX_STEP
        margins = problem.U @ (problem.s * theta)
        found.append(Decoupled(problem, labels, shift, margins, slopes))
    return found


def by_theory(evidence: list[Decoupled], labelled: bool = True, factor: float = 1.0) -> list[np.ndarray]:
    """Margins with ridge (m - label shift) = sigma(-m), (n,); `labelled`: else without the label."""
    answers = []
    for each in evidence:
        pulled = each.shift * (each.labels if labelled else np.ones(each.problem.n))
        dual = duality.of_decoupling(each.problem, pulled)
        answers.append(ends.fixed_point(duality.Dual(factor * dual.A, dual.offset)).margins)
    return answers


def ridge_margins(evidence: list[Decoupled]) -> list[np.ndarray]:
    """Of the ridge loss, which do depend on the features."""
    return [ends.fixed_point(duality.of_ridge(each.problem)).margins for each in evidence]


def margins_and_silence(evidence: list[Decoupled], claimed: list[np.ndarray]) -> Verdict:
    """The margins; and, since no strength is in them, that strengths move no response."""
    verdicts = []
    for each, claim in zip(evidence, claimed, strict=True):
        error = np.max(np.abs(claim - each.margins)) / np.max(np.abs(each.margins))
        verdicts.append(within_bound(error, ASKED, "accuracy asked of fixed points", "relative"))
        moved = each.slopes * each.problem.s**2 / np.max(np.abs(each.margins))
        verdicts.append(within_bound(moved, ASKED, "accuracy asked of fixed points", "relative"))
    return worst(*verdicts)


MARGIN = Check(
    id="gs-decoupled-margin",
    problem="starvation",
    title="spectral decoupling ends at ridge m = sigma(-m) for every example, whatever U and S",
    paper="pezeshki2022",
    ref="Eqs. 6.3.17-6.3.18, App. .5.11",
    evidence=partial(decoupled, False),
    claim=by_theory,
    judge=margins_and_silence,
    teeth=(
        Tooth("ridge one part in 1e8 small", partial(by_theory, factor=1 + 1e-8)),
        Tooth("margins of the ridge loss", ridge_margins),
    ),
    covers=("Eq. 6.3.17", "Eq. 6.3.18", "App. .3 decoupling"),
)

SHIFTED = Check(
    id="gs-shifted-margin",
    problem="starvation",
    title="the shifted variant ends at ridge (m - y shift) = sigma(-m): two margins, one a class",
    paper="pezeshki2022",
    ref="App. .4.5",
    evidence=partial(decoupled, True),
    claim=by_theory,
    judge=margins_and_silence,
    teeth=(Tooth("ridge one part in 1e8 small", partial(by_theory, factor=1 + 1e-8)),),
    errata=(
        Erratum(
            "gs-shifted-labels",
            "pezeshki2022",
            "App. .4.5",
            "ridge/2 |yhat - shift|^2, read as pulling every margin to the shift",
            "it pulls class y to margin y shift; for equal margins use yhat - shift y",
            partial(by_theory, labelled=False),
        ),
    ),
    covers=("App. .4.5 variant",),
)

CHECKS = (MARGIN, SHIFTED)
