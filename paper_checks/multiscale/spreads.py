"""What makes one answer differ from another: inputs that are not known exactly, and the data that is drawn.

Inputs: each draw has its own label noise and condition number, and two data sets, which are solved at these
and at the means of the inputs. The covariance of the two differences over draws is the variance of the mean
over data sets, without bias. Data sets: the variance of the excess risk of ridge regression, times d.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from teacherstudent.house.catalogue import find_problem, find_route
from teacherstudent.house.running import Question, instance_and_options, run
from teacherstudent.house.sensitivity import derivatives, read_input
from teacherstudent.house.uncertainty import bars
from teacherstudent.paper_checks.judging.comparison import Own, Values
from teacherstudent.paper_checks.judging.effects import Contrast
from teacherstudent.paper_checks.judging.judges import AtSizes
from teacherstudent.paper_checks.multiscale import compared
from teacherstudent.problems.multiscale import PROBLEM, MultiScale
from teacherstudent.problems.multiscale.data import Draws
from teacherstudent.theory.multiscale import scatter

# Inputs --------------------------------------------------------------------------------------------------

INPUTS = {"noise": (0.5, 0.12), "kappa": (3.0, 0.6)}
"""Mean and standard deviation of each."""

TIMES = np.array([1.0, 12.0])


def of_size(d: int) -> dict[str, Any]:
    """A third of the features are fast, and there are half as many rows again as features."""
    return {"n": 3 * d // 2, "d": d, "p": d // 3, "times": TIMES, **INPUTS}


def shape_of(asked: dict[str, Any]) -> MultiScale:
    """The problem at the means of the inputs."""
    means = {name: value[0] for name, value in asked.items() if name in INPUTS}
    found: MultiScale = PROBLEM.instance(**{name: asked[name] for name in ("n", "d", "p")}, **means)
    return found


def drawn_spread(_: str, asked: dict[str, Any], seeds: list[int]) -> Values:
    """Products of the differences of two data sets, of their means over draws, (S, T)."""
    problem = shape_of(asked)
    random = np.random.default_rng(seeds)
    noise, kappa = (mean + sd * random.standard_normal(len(seeds)) for mean, sd in INPUTS.values())
    slow = np.arange(problem.d) >= problem.counts[0]
    strengths = np.where(slow, 1 / kappa[:, None, None], 1.0)
    moved = []
    for _place in range(2):
        here = drawn(problem, random, len(seeds))
        there = replace(here, strengths=strengths, noise=here.noise * (noise / problem.noise)[:, None])
        moved.append(risk(there) - risk(here))
    one, other = (each - each.mean(axis=0) for each in moved)
    return {"variance": one * other * len(seeds) / (len(seeds) - 1)}


def drawn(problem: MultiScale, random: np.random.Generator, count: int) -> Draws:
    """So many data sets, from one stream of random numbers."""
    n, d = problem.n, problem.d
    teacher = random.standard_normal((count, d))
    return Draws(
        inputs=random.standard_normal((count, n, d)) / np.sqrt(d),
        strengths=np.repeat(problem.sigmas, problem.counts),
        teacher=teacher * np.sqrt(d) / np.linalg.norm(teacher, axis=1, keepdims=True),
        noise=problem.noise * random.standard_normal((count, n)),
        initial=np.zeros((count, d)),
    )


def risk(draws: Draws) -> np.ndarray:
    """Excess risk of ridge regression, (S, T)."""
    from teacherstudent.sims.multiscale.data import observables
    from teacherstudent.sims.multiscale.ridge import ridge_students

    return observables(draws, ridge_students(draws, 1 / TIMES))["excess_risk"]


def predicted_spread(_: str, asked: dict[str, Any], __: list[int], how: str = "") -> Values:
    """The variance that theory states, (T,). Wrong: `slopes`, to first order; `sum`, standard deviations
    added in place of their squares."""
    kind = find_problem("multiscale")
    clock, route = kind.on_clock("ridge"), find_route(kind, "ridge", "asymptotic")
    inputs = {name: value for name, value in asked.items() if name in INPUTS}
    means = {name: each[0] for name, each in inputs.items()}
    values = {**{name: asked[name] for name in ("n", "d", "p")}, **means}
    question = Question(kind, clock, route, *instance_and_options(kind, clock, route, values), TIMES, values)
    moving = [read_input(question, "uncertain", name) for name in inputs]
    spreads = [sd for _, sd in inputs.values()]
    bar = bars(question, moving, spreads)["excess_risk"]
    if how == "slopes":
        return {"variance": bar.first_order**2}
    if how == "sum":
        slopes = [derivatives(question, each)["excess_risk"].value for each in moving]
        parts = [abs(slope) * sd for slope, sd in zip(slopes, spreads, strict=True)]
        return {"variance": np.sum(parts, axis=0) ** 2}
    return {"variance": bar.spread**2}


UNCERTAIN = compared(
    id="ms-uncertain",
    title="error bars for uncertain noise and condition number agree with students trained on drawn inputs",
    ref="standard deviation over normal inputs, by quadrature",
    paper="",
    clocks={"ridge": {}},
    questions=of_size,
    routes=(Own(drawn_spread), Own(predicted_spread, sampled=False)),
    draws={15: 5000, 30: 4000},
    stream="size {}",
    judge=AtSizes(extrapolated=True),
    effect=Contrast("the condition number known exactly", "the contribution of the condition number"),
    wrong={
        "the condition number known exactly": {"kappa": (3.0, 1e-9)},
        "the noise known exactly": {"noise": (0.5, 1e-9)},
        "standard deviations added": {"route": Own(partial(predicted_spread, how="sum"), sampled=False)},
        "half the standard deviation": {"noise": (0.5, 0.06), "kappa": (3.0, 0.3)},
    },
)

# Data sets -----------------------------------------------------------------------------------------------

RIDGES = np.array([1.0, 0.1])


def two_scales(d: int) -> dict[str, Any]:
    """Half of the features are fast, and there are 3/4 as many rows as features."""
    return {"n": 3 * d // 4, "d": d, "p": d // 2, "kappa": 3.0, "noise": 0.5, "times": 1 / RIDGES}


def variance_of_draws(_: str, asked: dict[str, Any], seeds: list[int]) -> Values:
    """Squared differences of the excess risk from its mean over draws, times d, (S, T)."""
    risk = run("multiscale", "ridge", "simulation", seeds=seeds, **asked)["excess_risk"].values
    return {"variance": asked["d"] * (risk - risk.mean(axis=0)) ** 2 * len(risk) / (len(risk) - 1)}


def predicted_variance(_: str, asked: dict[str, Any], __: list[int], how: str = "") -> Values:
    """The variance of the limit, times d, (T,). Wrong: one `pairing` of the two that make a covariance; the
    `teacher` is the same in all data sets; its weights are `normal`, of no fixed norm."""
    told = {**asked, "observable": ("scatter",)}
    scatter_of = run("multiscale", "ridge", "asymptotic", **told)["excess_risk_scatter"].values
    shape = {name: each for name, each in asked.items() if name != "times"}
    data, teachers, _certain = scatter.variances(PROBLEM.instance(**shape), 1 / asked["times"])
    if how == "pairing":
        return {"variance": asked["d"] * (data / 2 + teachers) / 4}
    if how == "teacher":
        return {"variance": asked["d"] * data / 4}
    return {"variance": asked["d"] * scatter_of**2}


SCATTER = compared(
    id="ms-scatter",
    title="the variance of the excess risk between data sets, at four sizes, approaches the limit",
    ref="two-point formula for minima of the loss; teachers on a sphere",
    paper="",
    clocks={"ridge": {}},
    questions=two_scales,
    routes=(Own(variance_of_draws), Own(predicted_variance, sampled=False)),
    draws={8: 80000, 16: 120000, 32: 80000, 96: 4000},
    stream="size {}",
    judge=AtSizes(whole=True),
    effect=Contrast("one pairing instead of two", "half of the variance between data sets"),
    wrong={
        "one pairing instead of two": {
            "route": Own(partial(predicted_variance, how="pairing"), sampled=False)
        },
        "the same teacher for all data sets": {
            "route": Own(partial(predicted_variance, how="teacher"), sampled=False)
        },
        "no label noise": {"noise": 0.0},
    },
    slow=True,
)

CHECKS = (UNCERTAIN, SCATTER)
