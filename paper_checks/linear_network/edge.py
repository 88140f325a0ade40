"""Descent at a fixed rate cannot follow weights that grow without end: it stays at its edge."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np

from teacherstudent.house.running import run
from teacherstudent.paper_checks.judging.agreement import within_bound
from teacherstudent.paper_checks.judging.cases import per_case, worst_case
from teacherstudent.paper_checks.judging.effects import Contrast
from teacherstudent.paper_checks.judging.evidence import Seeds, Tooth, Verdict
from teacherstudent.paper_checks.linear_network import check
from teacherstudent.theory.linear_network import unattained

QUESTIONS = (((1.0, 1.0), 0.06), ((2.0, 1.0), 0.04))
"""Singular values and learning rate."""
LATE, DRAWS, INIT = np.array([3.0, 4.0]), 15, 1.0
"""Times, in units of that at which the law ends."""


@dataclass(frozen=True)
class Late:
    """A question, and the squared norm of its weights by then, the median over draws and times.

    Bursts, in which a draw leaves the edge for some steps, move a mean.
    """

    values: tuple[float, float]
    rate: float
    squared_norm: float

    @property
    def product(self) -> float:
        """s_1 s_2."""
        return self.values[0] * self.values[1]


def trained(seeds: Seeds) -> list[Late]:
    """Draws of every question, long after descent has left the law."""
    found = []
    for i, (values, rate) in enumerate(QUESTIONS):
        steps = np.rint(LATE * unattained.last_time(rate, values[0] * values[1]) / rate)
        question = {"support": "triangular", "singular_values": values, "init": INIT, "learning_rate": rate}
        drawn = seeds(DRAWS, str(i))
        answer = run("linear-network", "descent", "simulation", steps, seeds=drawn, **question)
        found.append(Late(values, rate, float(np.median(answer["squared_norm"]))))
    return found


@per_case
def at_the_edge(case: Late, curvature: float = 2.0) -> float:
    """|theta|^2 is the curvature of an edge: 2/learning rate. Wrong ones have another edge."""
    return curvature / case.rate


@per_case
def for_ever(case: Late) -> float:
    """Wrong: the law goes on, here at the earliest of these times."""
    end = unattained.last_time(case.rate, case.product)
    return float(unattained.squared_norm(unattained.residual(LATE[0] * end, case.product), case.product))


NEAR = 0.1
"""Of 2/eta, how far a median may be from it: edges that would be wrong lie at half of it and at twice."""


@worst_case
def relatively(case: Late, claimed: float) -> Verdict:
    """Near the edge, about which descent moves in bursts."""
    reason = "descent moves about the edge in bursts: a tenth of the distance to an edge of half the rate"
    return within_bound(case.squared_norm / claimed - 1, NEAR, reason, "relative")


EDGE = check(
    id="ln-edge",
    title="descent of triangular factors at a fixed rate ends where the squared norm of weights is 2/rate",
    paper="",
    ref="|theta|^2 = 2/eta, where the curvature is that of an edge, derived in the documentation",
    evidence=trained,
    claim=at_the_edge,
    judge=relatively,
    teeth=(
        Tooth("the law goes on", for_ever),
        Tooth("an edge of 1/eta", partial(at_the_edge, curvature=1.0)),
        Tooth("a curvature of half |theta|^2", partial(at_the_edge, curvature=4.0)),
    ),
    effect=Contrast("the law goes on", "growth that goes on"),
    functions=(
        "sims.linear_network.descent:descent",
        "theory.linear_network.unattained:last_time",
    ),
)

CHECKS = (EDGE,)
