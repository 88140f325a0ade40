"""One pass over Gaussian rows of several spectra, exact at any size; batches of drawn rows, draw by draw.

One pass over real rows: how far the theory of Gaussian rows is off.

That theory knows the second moments of the rows. What batches of few rows add depends on fourth moments too,
which for real rows are larger than a Gaussian's. The numbers below are measured, not derived: after a tenth
of a pass the theory is right to some per cent, by the end of one it is a tenth too low for even rows, and for
standardised digits, where some pixels are seldom inked, far too low.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from teacherstudent.house.running import run
from teacherstudent.paper_checks.judging.agreement import above_zero, mean_within_errors
from teacherstudent.paper_checks.judging.claims import worst_of
from teacherstudent.paper_checks.judging.comparison import scaled
from teacherstudent.paper_checks.judging.effects import Contrast
from teacherstudent.paper_checks.judging.evidence import Seeds, Verdict, WrongClaim
from teacherstudent.paper_checks.judging.judges import PairedMeans
from teacherstudent.paper_checks.measured_spectrum import check, compared
from teacherstudent.paper_checks.measured_spectrum.kit.asking import permuted
from teacherstudent.paper_checks.measured_spectrum.kit.tables import bundled
from teacherstudent.paper_checks.measured_spectrum.real_rows import SHUFFLED, shuffled

MODES = ((3, 1.0, 0.3), (6, 0.3, 0.8), (12, 0.05, 0.2))
TRAINING: dict[str, Any] = {"noise": 0.4, "ridge": 0.2, "init": 0.2, "n": 20}


def rows_of(name: str) -> dict[str, Any]:
    """Centred rows of a bundled set."""
    features, targets = bundled(name)
    return {"features": features, "targets": targets, "intercept": "pool"}


def passes() -> dict[str, Any]:
    """Batches of 1, 4 and n; targets of more and less power in strong directions, and one with a residual."""
    wine = {**rows_of("wine"), "sampling": "population"}
    cases: list[tuple[dict[str, Any], int, float, tuple[int, ...]]] = [
        ({"modes": MODES}, 1, 0.006, (3, 20, 150)),
        ({"modes": MODES}, 20, 0.035, (2, 10, 80)),
        ({"size": 30, "source": 0.2}, 1, 0.015, (3, 20, 150)),
        ({"size": 30, "source": 1.0}, 4, 0.025, (3, 20, 150)),
        (wine, 4, 0.006, (2, 20, 80)),
    ]
    return {
        str(place): {**TRAINING, **own, "batch": batch, "learning_rate": rate, "times": times}
        for place, (own, batch, rate, times) in enumerate(cases)
    }


# Real rows -----------------------------------------------------------------------------------------------

Question = dict[str, Any]
DRAWS = 400


class Case(NamedTuple):
    """Rows of which n are seen once, one a step; the steps up to which the theory is near."""

    name: str
    n: int
    near: tuple[int, ...]


CASES = (
    Case("wine", 140, (10, 50, 140)),
    Case("breast_cancer", 450, (10, 50, 150, 450)),
    Case("digits", 1400, (10, 50, 140, 450)),
)
OFF = 0.2
"""Largest relative error there, as measured: .07, .12 and .18."""
LATE, SHORT = (CASES[-1], 1400), 0.25
"""At the end of the pass over digits the theory is too low by more than this share of itself (measured: .7
to .9)."""


@cache
def question(case: Case) -> Question:
    """At .3 of the learning rate 1/(n (largest eigenvalue + trace)) that "auto" takes."""
    features, targets = bundled(case.name)
    centred = features - features.mean(axis=0)
    powers = np.linalg.eigvalsh(centred.T @ centred / len(features))
    rate = 0.3 / (case.n * (powers.max() + powers.sum()))
    rows = {"features": features, "targets": targets, "intercept": "pool"}
    return {**rows, "n": case.n, "batch": 1, "learning_rate": float(rate)}


def asked(route: str, case: Case, given: Question, **more: Any) -> np.ndarray:
    """The error on rows not seen, (S, T) or (T,), at the times of the case."""
    times = [*case.near, LATE[1]] if case is LATE[0] else case.near
    return run("measured-spectrum", "sgd", route, times, **given, **more)["generalisation_error"].values


def single_passes(seeds: Seeds) -> list[np.ndarray]:
    """Evidence: students of drawn rows, each seen once."""
    return [asked("simulation", case, question(case), seeds=seeds(DRAWS, case.name)) for case in CASES]


def of_gaussian_rows(_: object, changed: Callable[[Question], Question] = dict) -> list[np.ndarray]:
    """The claim: exact for Gaussian rows of the same second moments. Of changed questions it is wrong."""
    return [asked("asymptotic", case, changed(question(case)), sampling="population") for case in CASES]


def twice_as_fast(given: Question) -> Question:
    """Wrong: a rate twice as high."""
    return {**given, "learning_rate": 2 * given["learning_rate"]}


@worst_of
def as_measured(evidence: list[np.ndarray], claimed: list[np.ndarray]) -> Iterator[Verdict]:
    """Near the theory where it is stated to be near, and above it where it is stated to be too low."""
    for case, sample, claim in zip(CASES, evidence, claimed, strict=True):
        some = slice(len(case.near))
        yield mean_within_errors(sample[:, some], claim[some], bias=OFF * claim[some])
    yield above_zero(evidence[-1][None, :, -1] - (1 + SHORT) * claimed[-1][-1], "excess over the theory")


REAL = check(
    id="sgd-real-rows",
    title="in one pass over real rows, the theory of Gaussian rows has the documented error",
    ref="measured, not derived",
    evidence=single_passes,
    claim=of_gaussian_rows,
    judge=as_measured,
    effect=Contrast(SHUFFLED, "the effect of the relation between target and features"),
    wrong=(
        WrongClaim(SHUFFLED, lambda evidence: of_gaussian_rows(evidence, shuffled)),
        WrongClaim("learning rate twice as high", lambda evidence: of_gaussian_rows(evidence, twice_as_fast)),
    ),
    slow=True,
)

CHECKS = (
    compared(
        id="sgd-spectra",
        title="the theory of one pass over Gaussian rows agrees with simulations, for three spectra",
        ref="second moments of Gaussian rows of any spectrum",
        clocks={"sgd": {}},
        questions=passes,
        routes=("simulation", "asymptotic"),
        observables=("generalisation_error",),
        draws=2000,
        effect=Contrast("batches without sampling noise", "the effect of batch noise"),
        wrong={
            "batches without sampling noise": {"batch": 10**9},
            "target power permuted among modes": {"modes": permuted},
            "learning rate 20 % higher": {"learning_rate": scaled(1.2)},
        },
        slow=True,
    ),
    compared(
        id="sgd-pool",
        title="for redrawn batches of real rows, test and training errors agree with the mean over batches",
        ref="second moments of batches without repetition",
        clocks={"sgd": {"times": (10, 60, 250), "batch": 2, "learning_rate": 0.003, "data": "replacement"}},
        questions=lambda: {"": {**rows_of("wine"), "n": 30, "noise": 0.3, "ridge": 0.2}},
        routes=("simulation", "instance"),
        observables=("generalisation_error", "training_error"),
        draws=600,
        judge=PairedMeans(),
        effect=Contrast("batches twice as large", "the effect of half the batch noise"),
        wrong={"batches twice as large": {"batch": 4}, "no ridge": {"ridge": 0.0}},
        slow=True,
    ),
    REAL,
)
