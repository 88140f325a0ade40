"""The closed form of the radius, and r^2 + eta L: what SGD keeps to second order."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from teacherstudent.paper_checks.judging.agreement import at_order, at_rate
from teacherstudent.paper_checks.judging.cases import stated
from teacherstudent.paper_checks.judging.evidence import Seeds, Tooth, Verdict
from teacherstudent.paper_checks.scale_invariant import check, misprints
from teacherstudent.paper_checks.scale_invariant.kit.tasks import Task, both_tasks, start
from teacherstudent.paper_checks.scale_invariant.kit.training import train

# The order-2 radius ------------------------------------------------------------------------------------

STEP = 0.3
"""eta |grad L(u)|."""
RADII = np.array([1.3, 1.7, 2.2, 2.9])


def one_step_errors(_: Seeds) -> np.ndarray:
    """Relative error of r'^2 = sqrt(r^4 + 2 (eta g)^2) after one step by Eq. 46, by radius, (T,)."""
    exact = RADII**2 + STEP**2 / RADII**2  # Eq. 46
    closed = np.sqrt(RADII**4 + 2 * STEP**2)
    return np.abs(closed / exact - 1)


Expansion = tuple[np.ndarray, float]
"""The variable of a Taylor expansion by radius, (T,), and the order at which it stops."""


def right_through_first_order(evidence: np.ndarray, claimed: Expansion) -> Verdict:
    """The error is of the next order in the variable; the one after is smaller by that variable."""
    variable, order = claimed
    return at_rate(variable, evidence, order, slack=float(np.max(variable)))


H = STEP**2 / RADII**4
"""h = (eta g)^2/r^4."""

EXPANSION = check(
    id="sphere-expansion",
    title="the closed form of SGD's radius drops h^2/2 a step, h = (eta |grad L(u)|)^2/r^4",
    ref="App. C.1.3-C.1.4",
    evidence=one_step_errors,
    claim=stated((H, 2.0)),
    judge=right_through_first_order,
    teeth=(
        Tooth("off at first order", stated((H, 1.0))),
        Tooth("off at third order", stated((H, 3.0))),
    ),
    errata=misprints({"sphere-expansion-variable": stated((STEP**2 / RADII**2, 2.0))}),
)


# r^2 + eta L -------------------------------------------------------------------------------------------

RATES = (0.08, 0.04, 0.02, 0.01)
SPAN = 8.0


@dataclass(frozen=True)
class Descent:
    """Squared radii and losses before and after gradient descent for a fixed time, by learning rate, (2,)."""

    squares: dict[float, np.ndarray]
    losses: dict[float, np.ndarray]


def loss_of(task: Task, x: np.ndarray) -> float:
    """L(x) on the batch of step 0."""
    chosen = task.batch(0)
    h = task.inputs[chosen] @ x
    hhat = (h - h.mean()) / h.std()
    return float(np.mean((np.logaddexp(0, hhat) - task.targets[chosen]) ** 2) / 2)


def descents(seeds: Seeds) -> Descent:
    """The batch-normalised neuron on one batch, without L2."""
    task = both_tasks(seeds)[1]
    squares, losses = {}, {}
    for eta in RATES:
        t = train(
            lambda _, x: task.gradient(0, x), "sgd", start(task.seed, 1.0), np.full(round(SPAN / eta), eta)
        )
        squares[eta] = t.r[[0, -1]] ** 2
        losses[eta] = np.array([loss_of(task, x) for x in t.x[[0, -1]]])
    return Descent(squares, losses)


def drifts_at_second_order(evidence: Descent, factor: float) -> Verdict:
    """The change of r^2 + factor eta L over the whole descent falls like eta^2."""
    sums = [evidence.squares[eta] + factor * eta * evidence.losses[eta] for eta in RATES]
    return at_order(RATES, [abs(float(after - before)) for before, after in sums], 2.0)


CONSERVED = check(
    id="sphere-conserved",
    title="gradient descent keeps r^2 + eta L to second order, on any radially invariant loss",
    ref="Eq. 46",
    evidence=descents,
    claim=stated(1.0),
    judge=drifts_at_second_order,
    teeth=(
        Tooth("r^2", stated(0.0)),
        Tooth("r^2 + 2 eta L", stated(2.0)),
        Tooth("r^2 + .98 eta L", stated(0.98)),
    ),
)

CHECKS = (EXPANSION, CONSERVED)
