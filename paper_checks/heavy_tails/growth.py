"""Products of steps, and students of one history: simulated against the law of one step."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from teacherstudent.paper_checks.heavy_tails import check
from teacherstudent.paper_checks.heavy_tails.kit.asking import ask, entry
from teacherstudent.paper_checks.judging.agreement import mean_within_errors
from teacherstudent.paper_checks.judging.cases import worst_case
from teacherstudent.paper_checks.judging.effects import Contrast
from teacherstudent.paper_checks.judging.evidence import Seeds, Tooth

CASES = ((1.2, 1, 1), (0.7124, 2, 3), (0.5, 3, 5))
"""Step size, batch, dimension."""

ORDERS = (0.5, 1.0, 2.0)
DRAWS = 12


def products(seeds: Seeds) -> list[np.ndarray]:
    """Evidence: ln h at the orders, and rho, one row a draw."""
    asked: dict[str, Any] = {"seeds": seeds(DRAWS), "chains": 400}
    found = []
    for c, b, d in CASES:
        grown = ask(
            "orders", "simulation", "log_growth", ORDERS, learning_rate=c, batch=b, d=d, factors=40, **asked
        )
        rho = ask("stationary", "simulation", "lyapunov", c, batch=b, d=d, burn_in=40, **asked)
        found.append(np.hstack([grown, rho]))
    return found


def of_one_step(_: object, more: int = 0, batch: int = 0) -> list[np.ndarray]:
    """The claim: of V = (1 - kX)^2 + k^2 XY; wrong with so many inputs more, or examples."""
    found = []
    for c, b, d in CASES:
        of: dict[str, Any] = {"batch": b + batch, "d": d + more}
        grown = ask("orders", "exact", "log_growth", ORDERS, learning_rate=c, **of)
        found.append(np.append(grown, ask("stationary", "exact", "lyapunov", c, **of)))
    return found


GROWTH = check(
    id="ht-growth",
    title="moments and logarithms of products of steps, against the law of one step",
    ref="h(s) and rho as averages over two chi-square variables",
    paper="gurbuzbalaban2021",
    evidence=products,
    claim=of_one_step,
    judge=worst_case(mean_within_errors),
    teeth=(
        Tooth("Y with d degrees of freedom", partial(of_one_step, more=1)),
        Tooth("one example more", partial(of_one_step, batch=1)),
    ),
    effect=Contrast("Y with d degrees of freedom", "what one input changes"),
    functions=(
        entry("orders", "exact"),
        entry("orders", "simulation"),
        entry("stationary", "exact"),
        entry("stationary", "simulation"),
    ),
    covers=("Moments of a step",),
)

# Two students of the same batches ----------------------------------------------------------------------

QUESTION: dict[str, Any] = {"batch": 2, "d": 3, "learning_rate": 0.7124}
STEPS = (2, 10, 30)
STUDENTS = 1000
MOMENT = 0.5


def separations(seeds: Seeds) -> np.ndarray:
    """Evidence: ln |v - v'| and |v - v'|^(1/2) over steps, one row a draw."""
    found = ask("sgd", "simulation", "log_separation", STEPS, seeds=seeds(STUDENTS), **QUESTION)
    return np.hstack([found, np.exp(MOMENT * found)])


def of_products(_: object, more: int = 0, jensen: bool = False) -> np.ndarray:
    """The claim: k rho, and h(1/2)^k. Wrong after so many steps more, or with exp(k rho/2)."""
    k = np.array(STEPS) + more
    rho = ask("sgd", "exact", "log_separation", tuple(k), **QUESTION)
    grown = ask("orders", "exact", "log_growth", MOMENT, **QUESTION)
    return np.append(rho, np.exp(MOMENT * rho) if jensen else np.exp(k * grown))


SEPARATION = check(
    id="ht-separation",
    title="two students of the same batches meet at rate rho, and in the mean of order s at rate h(s)",
    ref="convergence to the stationary law in Wasserstein distances",
    paper="gurbuzbalaban2021",
    evidence=separations,
    claim=of_products,
    judge=mean_within_errors,
    teeth=(
        Tooth("two steps more", partial(of_products, more=2)),
        Tooth("the mean of a power as the power of the mean", partial(of_products, jensen=True)),
    ),
    effect=Contrast("two steps more", "what two steps change"),
    functions=(entry("sgd", "exact"), entry("sgd", "simulation"), entry("orders", "exact")),
    covers=("Wasserstein convergence",),
    slow=True,
)

CHECKS = (GROWTH, SEPARATION)
