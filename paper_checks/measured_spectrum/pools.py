"""Rows without replacement from a finite pool: 1/n - 1/P where an infinite population has 1/n."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from scipy import linalg

from teacherstudent.paper_checks.judging.comparison import scaled
from teacherstudent.paper_checks.judging.effects import Contrast
from teacherstudent.paper_checks.judging.evidence import Seeds, WrongClaim
from teacherstudent.paper_checks.judging.finite_size import agree_beyond_bias
from teacherstudent.paper_checks.judging.judges import Bound
from teacherstudent.paper_checks.measured_spectrum import check, compared
from teacherstudent.paper_checks.measured_spectrum.kit.asking import ERRORS, errors
from teacherstudent.paper_checks.measured_spectrum.kit.tables import (
    TARGETS,
    Target,
    as_it_is,
    curves_of,
    spread_target,
)

# Drawn subsets of drawn pools -----------------------------------------------------------------------

TIMES = np.array([0.3, 1.0, 3.0])
MODES = 13
ROWS_A_COPY, POOL_A_COPY = 9, 24
"""Training rows, and rows of the pool, for each copy of the 13 modes: most of the pool's room is free."""
RESIDUAL = 0.3
POOLS = {1: 1100, 2: 400, 4: 800, 8: 50}
SUBSETS = 3


def question(copies: int, target: Target = as_it_is, seed: int = 0) -> dict[str, Any]:
    """A pool with wine's spectrum in so many copies."""
    values, powers, _ = curves_of("wine")
    powers, residual = target(values, powers, RESIDUAL)
    rows = spread_target(
        np.repeat(values / copies, copies), np.repeat(powers / copies, copies), residual,
        rows=POOL_A_COPY * copies, seed=seed,
    )  # fmt: skip
    outputs = MODES * copies
    training = {"noise": 0.3 / outputs**0.5, "init": 0.3 / outputs**0.5, "ridge": 0.2}
    return {**rows, **training, "n": ROWS_A_COPY * copies}


def drawn(seeds: Seeds) -> dict[int, np.ndarray]:
    """Evidence: both errors of flow, means over a few subsets of each pool, (S, 2 T) by size."""
    found = {}
    for copies, pools in POOLS.items():
        own = seeds(pools, f"pools of {copies}")
        subsets = seeds(SUBSETS * pools, f"subsets of {copies}")
        found[copies] = np.stack(
            [
                errors("flow", "instance", TIMES, seeds=subsets[i::pools], **question(copies, seed=seed))
                .mean(axis=0)
                .ravel()
                for i, seed in enumerate(own)
            ]
        )
    return found


def limit(_: object, target: Target = as_it_is, dynamics: str = "flow", **changed: Any) -> np.ndarray:
    """The claim: the pool's limit, (2 T,), which any pool of that spectrum and target gives."""
    asked = {**question(max(POOLS), target), **changed}
    return errors(dynamics, "asymptotic", TIMES, **asked).ravel()


POPULATION = "1/n instead of 1/n - 1/pool"

POOL = check(
    id="own-pool",
    title="gradient flow on subsets of pools approaches the pool's limit, with a bias proportional to 1/size",
    ref="two-point formula of a finite pool",
    evidence=drawn,
    claim=limit,
    judge=agree_beyond_bias,
    effect=Contrast(POPULATION, "the effect of drawing without replacement from a finite pool"),
    wrong=(
        WrongClaim(POPULATION, partial(limit, sampling="population")),
        *(WrongClaim(name, partial(limit, target=target)) for name, target in TARGETS.items()),
        WrongClaim("no label noise", partial(limit, noise=0.0)),
        WrongClaim("initial weights omitted", partial(limit, init=0.0)),
        WrongClaim(
            "ridge regression with ridge 1/s instead of training to s", partial(limit, dynamics="ridge")
        ),
    ),
    slow=True,
)

# Equal leverages ---------------------------------------------------------------------------------------

EQUAL_ROWS, EQUAL_MODES = 64, 20
CLOCKS: dict[str, dict[str, Any]] = {
    "flow": {"times": (0.01, 0.1, 3.0)},
    "descent": {"times": (3, 30, 300), "learning_rate": 0.005},
    "ridge": {"times": (0.01, 0.1, 3.0)},
}


@dataclass(frozen=True)
class Equal:
    """Rows whose left singular vectors are +-1/sqrt(P), Hadamard's, and two outputs along all of them."""

    unequal: float = 0.0

    def question(self) -> dict[str, Any]:
        """The rows; wrong where the vectors are turned among each other, by so large an angle."""
        basis = linalg.hadamard(EQUAL_ROWS)[:, 1:].astype(float)
        turn = np.eye(EQUAL_ROWS - 1)
        first, last = 0, EQUAL_ROWS - 2
        turn[np.ix_([first, last], [first, last])] = [
            [np.cos(self.unequal), -np.sin(self.unequal)],
            [np.sin(self.unequal), np.cos(self.unequal)],
        ]
        k = np.arange(1.0, EQUAL_ROWS)
        targets = basis @ np.stack([np.cos(k**2) / k, np.sin(k**2) / k], axis=1)
        features = (basis @ turn)[:, :EQUAL_MODES] / k[:EQUAL_MODES] ** 0.5
        rows = {"features": features, "targets": targets, "intercept": "pool"}
        return {**rows, "n": 25, "noise": 0.2, "init": 0.3, "ridge": 0.1}


LEVERAGES = compared(
    id="own-equal-leverages",
    title="for rows of equal leverages, the row-by-row correction equals the pool's formula",
    ref="leverage correction",
    clocks=CLOCKS,
    questions=Equal().question(),
    routes=("leverage", "asymptotic"),
    observables=ERRORS,
    judge=Bound(1e-8, "accuracy of the leverage route, a double sum over a contour"),
    wrong={
        "singular vectors rotated by 1e-4": {"features": Equal(1e-4).question()["features"]},
        POPULATION: {"sampling": "population"},
        "label noise 1e-6 (relative) larger": {"noise": scaled(1 + 1e-6)},
    },
)

CHECKS = (POOL, LEVERAGES)
