"""Generalisation means unseen inputs: simulated students and drawn spectra decide the formula.

Advani and Saxe average (wbar - w) x over x that the student has not seen, which gives Eq. 2.3.14.
The thesis puts the training inputs' X X^T in the place of that average (Eqs. 2.3.19-2.3.22),
although w depends on it. Simulated students decide. Their steps are so small that descent and
flow differ by about eta lambda < 1e-4, far less than one standard error.

At alpha = 1 and late times one small eigenvalue makes the sample mean of simulated errors heavy-tailed: E_g
of a draw is of order 1/lambda_min, whose mean is infinite at finite N. So there the average over teacher,
noise and start is taken analytically for each drawn X, and times stay far below N^2.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from teacherstudent.house.running import run
from teacherstudent.paper_checks.judging.agreement import mean_within_errors
from teacherstudent.paper_checks.judging.comparison import (
    ABSENT,
    Found,
    Own,
    Values,
    flat,
    otherwise,
    scaled,
    then,
)
from teacherstudent.paper_checks.judging.effects import Contrast
from teacherstudent.paper_checks.judging.evidence import Verdict
from teacherstudent.paper_checks.judging.judges import AtSizes, InGroups
from teacherstudent.paper_checks.multiscale import compared, misprints
from teacherstudent.paper_checks.multiscale.kit.students import problem_of
from teacherstudent.problems.multiscale import MultiScale
from teacherstudent.theory import marchenko_pastur
from teacherstudent.theory.multiscale import one_scale

TIMES, RATE = np.array([1.0, 4.0, 16.0]), 1e-5
ERRORS = ("generalisation_error", "training_error")
SIZES = {20: 8000, 40: 4000, 60: 2000, 100: 300}


def by_alpha(alphas: tuple[float, ...], draws: Mapping[int, int]) -> dict[tuple[float, int], int]:
    """Draws by alpha and size."""
    return {(alpha, d): count for alpha in alphas for d, count in draws.items()}


def of_one_scale(noise: float, name: tuple[float, int]) -> dict[str, Any]:
    """The question at that alpha and size."""
    alpha, d = name
    return {"n": round(alpha * d), "scales": ((d, 1.0),), "noise": noise, "init": 0.5}


def seen_or_not(name: tuple[float, int]) -> dict[str, Any]:
    """Measured on examples at the largest size, at the others exact averages given each X."""
    first = "simulation" if name[1] == max(SIZES) else "instance"
    return {**of_one_scale(0.7, name), "routes": (first, "flow/quadrature")}


def printed_generalisation(problem: MultiScale, times: np.ndarray) -> np.ndarray:
    """The thesis's 'correction', Eq. 2.3.22: each mode weighed with lambda, (T,)."""
    scale = one_scale.one_scale(problem)
    spectrum = marchenko_pastur.quadrature(scale.alpha, max(1.0, times.max()))
    lam, p = spectrum.eigenvalues, np.exp(-spectrum.eigenvalues * times[:, None])
    modes = scale.mismatch * p**2 + scale.noise * (1 - p) ** 2 / lam  # Eq. 2.3.13, squared
    return (lam * modes) @ spectrum.weights + scale.noise  # Eqs. 2.3.15, 2.3.21-2.3.22


def as_printed(_: str, asked: dict[str, Any], __: list[int]) -> Values:
    """The training error of the quadrature route, and Eq. 2.3.22."""
    answer = run("multiscale", "flow", "quadrature", **asked)
    printed = printed_generalisation(problem_of(asked), np.array(asked["times"]))
    return {str(name): each.values for name, each in answer.items()} | {ERRORS[0]: printed}


PRINTED = otherwise({"route": Own(as_printed, sampled=False)})

FRESH = compared(
    id="os-fresh-inputs",
    title="simulated errors on unseen and on training examples agree with theory over time",
    ref="Eqs. 2.3.14-2.3.22, 2.3.29-2.3.30",
    clocks={
        "descent": {
            "times": TIMES / RATE,
            "learning_rate": RATE,
            "observable": ("generalisation", "training"),
        }
    },
    questions=seen_or_not,
    routes=("simulation", "flow/quadrature"),
    observables=ERRORS,
    draws=by_alpha((0.5, 1.0, 1.5), SIZES),
    stream="{0[0]}/{0[1]}",
    judge=InGroups(AtSizes(whole=True)),
    claimed={"times": TIMES, "learning_rate": ABSENT},
    effect=Contrast("os-lambda-correction", "the effect of the printed factor lambda_i"),
    wrong={
        "training error in place of generalisation error": then(
            lambda said: {**said, ERRORS[0]: said[ERRORS[1]]}
        ),
        "noise 5 % larger": {"noise": scaled(1.05)},
        "initial weights omitted": {"init": 0.0},
    },
    errata=misprints({"os-lambda-correction": PRINTED}),
    functions=("theory.multiscale.instance:descent",),
    slow=True,
)


def means_within_errors(found: Found, claimed: list[Values]) -> Verdict:
    """means agree within standard errors plus a third of the change between sizes N/4 and N"""
    small, large = found.along().values()
    bias = np.abs(small.mean(axis=0) - large.mean(axis=0)) / 3
    return mean_within_errors(large, flat(claimed[-1], False), bias=bias)


PEAK = compared(
    id="os-peak",
    title="the error grows with training time only if there are as many samples as parameters",
    ref="Eqs. 2.3.14-2.3.15, footnote; Ch. 2 Fig. 4 right",
    clocks={"flow": {"times": (3.0, 10.0, 30.0, 100.0, 300.0), "observable": ("generalisation",)}},
    questions=lambda name: of_one_scale(0.5, name),
    routes=("instance", "quadrature"),
    observables=ERRORS[:1],
    draws=by_alpha((0.8, 1.0, 1.25), {40: 1000, 160: 60}),
    stream="{0[0]}/{0[1]}",
    judge=InGroups(means_within_errors),
    effect=Contrast("os-interpretations", "the growth of the error, which the printed formula lacks"),
    wrong={"5 % more samples": {"n": lambda n: round(1.05 * n)}, "label noise omitted": {"noise": 0.0}},
    errata=misprints({"os-interpretations": PRINTED}),
    slow=True,
)

CHECKS = (FRESH, PEAK)
