"""When gradient descent with L2 leaves its stable range: it never settles on a scale-invariant loss.

L2 shrinks the radius by alpha = 1 - eta lambda a step once the student points at the teacher, so that the
effective learning rate grows until a step overshoots by more than it came from, at eta^e = 2/L''.
"""

from __future__ import annotations

import math

import numpy as np

from teacherstudent.house.errors import InputError
from teacherstudent.problems.scale_invariant import ScaleInvariant
from teacherstudent.theory.scale_invariant.losses import FREE, LossLaw, law


def edge_rate(loss: LossLaw) -> float:
    """Effective learning rate at the edge of stability of sgd at the teacher, 2/L''."""
    return 2 / loss.curvature


def steps_to_edge(problem: ScaleInvariant) -> float:
    """Steps (a real number) in which sgd with a ridge reaches the edge of stability, up to O(eta) steps.

    From eta/(r_inf^2 alpha^(2k+1)) = 2/L''. Without L2 descent would end at r_inf^2 = r_0^2 + eta D, D the
    loss lost (`angle_laws.second_order_radius`); with it at r_0^2 + eta D + 2 eta lambda r_0^2 E more, as
    the equivalent schedule (Eq. 44) has grown by the time that loss is lost: E is the integral of
    L - L_inf over the flow on the unit sphere. To leading order ln(2 r_inf^2/(eta L''))/(2 eta lambda).
    Raises `InputError` for another scheme, without a ridge, and where descent starts beyond the edge.
    """
    problem.demand_scheme("sgd")
    problem.demand_loss(*FREE, why="hinge-kr has no closed form of the lost time")
    if problem.ridge == 0:
        raise InputError("ridge", 0, "> 0: descent without L2 never reaches the edge of stability")
    problem.demand_positive_shrinkage(problem.learning_rate)
    loss, eta, start = problem.loss, problem.learning_rate, problem.angle0
    if loss == "squared-correlation":
        start = min(start, math.pi - start)
        excess = -math.log(math.cos(start)) / 2
    else:
        excess = -2 * math.log(math.cos(start / 2))
    lost = float(law(problem).drop(start, np.zeros(())))
    end = problem.radius0**2 * (1 + 2 * eta * problem.ridge * excess) + eta * lost
    shrinking = -math.log1p(-eta * problem.ridge)
    steps = (math.log(edge_rate(law(problem)) * end / eta) / shrinking - 1) / 2
    if steps < 0:
        raise InputError("learning_rate", eta, "smaller: at this rate already the first step is unstable")
    return steps
