"""Training on the regulariser: theory of drawn kernels against small steps, and step by step."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from teacherstudent.paper_checks.judging.agreement import first_order, within_bound
from teacherstudent.paper_checks.judging.claims import worst_case, worst_of
from teacherstudent.paper_checks.judging.comparison import Found, Values, in_flow_time, otherwise, scaled
from teacherstudent.paper_checks.judging.effects import WHOLE
from teacherstudent.paper_checks.judging.evidence import Seeds, Verdict, WrongClaim
from teacherstudent.paper_checks.orthogonal_convolution import check, compared
from teacherstudent.paper_checks.orthogonal_convolution.kit.layers import OBSERVED, accuracy, ask, entry
from teacherstudent.problems.orthogonal_convolution import PROBLEM
from teacherstudent.problems.orthogonal_convolution.data import kernels
from teacherstudent.theory.orthogonal_convolution import disjoint

DRAWS = 2


def relative(found: np.ndarray, claimed: np.ndarray) -> np.ndarray:
    """Differences of observables, (O, S, T), relative to the largest magnitude of each, and at least to 1.

    1 is what singular values are to be. Where no kernel is orthogonal the smallest is 0.
    """
    size = np.abs(found).max(axis=(1, 2), keepdims=True)
    return np.asarray((found - claimed) / np.maximum(size, 1.0))


# Small steps --------------------------------------------------------------------------------------------

SYSTEMS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("closed-form", {"outputs": 3, "inputs": 2, "kernel_size": 2, "stride": 2, "size": 3}),
    ("frequencies", {"outputs": 2, "inputs": 2, "kernel_size": 3, "stride": 1, "size": 4}),
    ("frequencies", {"outputs": 5, "inputs": 1, "kernel_size": 3, "stride": 2, "size": 2, "dimension": 2}),
)
"""Routes of theory and what is asked of them: rows without overlap and with it, columns of an image."""
TIMES = (0.1, 0.3)
RATES = (0.01, 0.005, 0.0025)
CURVATURE = 8.0
"""Of the regulariser across the orthogonal kernels where windows do not overlap; elsewhere it is less."""


@dataclass(frozen=True)
class Trained:
    """A system's observables, (O, S, T), by Runge-Kutta steps and by gradient descent of falling rate."""

    seeds: list[int]
    flow: np.ndarray = field(repr=False)
    descent: Mapping[float, np.ndarray] = field(repr=False)


def trained(seeds: Seeds) -> list[Trained]:
    """Evidence: each system from the same draws."""
    found = []
    for i, (_, system) in enumerate(SYSTEMS):
        drawn = seeds(DRAWS, str(i))
        descents = {
            rate: ask(
                "descent", "simulation", [round(t / rate) for t in TIMES], drawn, learning_rate=rate, **system
            )
            for rate in RATES
        }
        found.append(Trained(drawn, ask("flow", "simulation", TIMES, drawn, **system), descents))
    return found


@worst_case
def followed(found: Trained, claimed: np.ndarray) -> Iterator[Verdict]:
    """Runge-Kutta steps are as near as both declare, descent in proportion to its rate."""
    bound = accuracy("flow", "simulation", "frequencies")
    yield within_bound(
        relative(found.flow, claimed), bound, "sum of the declared errors of both routes", "relative", WHOLE
    )
    yield first_order(found.descent, claimed, CURVATURE)


def theory(found: list[Trained], clock: float = 1.0) -> list[np.ndarray]:
    """The claim, (O, S, T) by system; wrong on another clock."""
    times = [clock * t for t in TIMES]
    return [
        ask("flow", route, times, each.seeds, **system)
        for each, (route, system) in zip(found, SYSTEMS, strict=True)
    ]


def never_overlapping(found: list[Trained]) -> list[np.ndarray]:
    """Wrong: each singular value of the kernel as a matrix on its own, though windows overlap."""
    claimed = theory(found)
    for i, (each, (route, system)) in enumerate(zip(found, SYSTEMS, strict=True)):
        if route == "frequencies":
            start = disjoint.start(kernels(PROBLEM.instance(**system), each.seeds))
            s = disjoint.flowed(start, np.array(TIMES))
            claimed[i] = np.stack(
                [np.sum((s**2 - 1) ** 2, axis=-1)] * 2 + [s.max(axis=-1), s.min(axis=-1)]
            )  # fmt: skip
    return claimed


FLOW = check(
    id="oc-flow",
    title="in training, 1/s^2 - 1 of singular values s decays as e^(-8t), by frequency if windows overlap",
    ref="gradient flow on the regulariser",
    evidence=trained,
    claim=theory,
    judge=followed,
    wrong=(
        WrongClaim("gradient flow on half the regulariser", partial(theory, clock=0.5)),
        WrongClaim("training 1 % too fast", partial(theory, clock=1.01)),
        WrongClaim("overlapping windows treated as if they did not overlap", never_overlapping),
    ),
    functions=(
        entry("flow", "simulation"),
        entry("descent", "simulation"),
        entry("flow", "closed-form"),
        entry("flow", "frequencies"),
    ),
)

# Step by step -------------------------------------------------------------------------------------------

LARGE = (0.05, 0.24)
"""Learning rates, the second one near 1/4, from where on steps no longer settle."""
STEPS = (1, 4, 10)
APART: tuple[dict[str, Any], ...] = (
    SYSTEMS[0][1],
    {"outputs": 7, "inputs": 2, "kernel_size": 2, "stride": 3, "size": 2},
)
"""Rows that can be orthonormal, and columns that cannot."""


@worst_of
def equal(found: Found, claimed: list[Values]) -> Iterator[Verdict]:
    """both routes take the same steps, up to the declared rounding"""
    bound = accuracy("descent", "simulation", "recursion")
    reason = "sum of the declared errors of both routes"
    for case, claim in zip(found.cases, claimed, strict=True):
        one, other = (np.stack([each[name] for name in OBSERVED]) for each in (case.values, claim))
        yield within_bound(relative(one, other), bound, reason, "relative", WHOLE)


DESCENT = compared(
    id="oc-descent",
    title="at learning rates up to 1/4, gradient descent changes each singular value independently",
    ref="gradient descent on the regulariser where windows do not overlap",
    clocks={"descent": {"times": STEPS}},
    questions={
        f"{i} {rate}": {**system, "learning_rate": rate} for i, system in enumerate(APART) for rate in LARGE
    },
    routes=("simulation", "recursion"),
    observables=OBSERVED,
    draws=DRAWS,
    judge=equal,
    wrong={
        "steps half as large": {"learning_rate": scaled(0.5)},
        "gradient flow at the same times": otherwise(in_flow_time("flow/closed-form")),
    },
)

CHECKS = (FLOW, DESCENT)
