"""The fixed point near the teacher at which training with label noise ends, with closed forms.

A student with K >= M units is the teacher where its first M units have the weights and the second layer of
the teacher and the others have no weights. Noise keeps it at a distance, an excess risk of the order of
noise^2. With two units more than the teacher this is a saddle for odd activations: extra units pair off as w,
-w, at a rate of the order of (eta noise)^2, and the excess risk falls below it; `ode.solve` follows that.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from scipy.optimize import root

from teacherstudent.house.errors import InputError
from teacherstudent.problems.committee.instance import Committee
from teacherstudent.problems.committee.overlaps import typed
from teacherstudent.theory.committee import ode
from teacherstudent.theory.committee.integration import fine_jacobian, jacobian
from teacherstudent.theory.committee.moments import of as moments_of
from teacherstudent.theory.committee.ode import State
from teacherstudent.theory.committee.plateau import near_perfect

STEP: dict[Any, float] = {"erf": 1e-5, "linear": 1e-5, "relu": 1e-9}
"""Of differences; moments of relu have a slope at the teacher, and beside it an error of the step's root."""


def perfect(problem: Committee) -> State:
    """The student that is the teacher. Raises `InputError` where it has too few units."""
    K, M = problem.width, problem.teacher_width
    if K < M:
        raise InputError("width", K, f"at least teacher_width {M}, so that the student can equal the teacher")
    T, Q = np.array(problem.T), np.zeros((K, K))
    Q[:M, :M] = T
    second = (*problem.teacher_second_layer, *problem.second_layer[M:])
    return State(Q[:, :M], Q, np.array(second))


def small_noise_floor(problem: Committee) -> float:
    """Excess risk/noise^2 near the teacher as noise goes to 0, from the linearised equations.

    First layers alone are trained. Raises `InputError` for a second layer that is not the teacher's, that is
    trained, and for weight decay: then the teacher is not a fixed point.
    """
    _demand_rest(problem)
    quiet, noisy = (replace(problem, noise=noise) for noise in (0.0, 1.0))
    system, step = ode.reduced(quiet, perfect(problem)), STEP.get(problem.activation, 1e-5)
    y = system.packed(system.begun)
    source = ode.reduced(noisy, system.begun).field(y) - system.field(y)
    # extra units may turn freely: of all solutions the smallest
    slopes = (
        jacobian(system.field, y, step) if problem.activation == "relu" else fine_jacobian(system.field, y)
    )
    moved, *_ = np.linalg.lstsq(slopes, -source, rcond=1e-7)

    def risk(along: float) -> float:
        return ode.unclipped_risk(problem, system.unpacked(y + along * moved))

    return (risk(step) - risk(-step)) / (2 * step)


def noise_floor(problem: Committee) -> float:
    """Excess risk of the fixed point near the teacher, at this noise.

    Raises as `small_noise_floor`, and `ArithmeticError` where no root is found.
    """
    _demand_rest(problem)
    system = ode.reduced(problem, perfect(problem))
    begun = system.packed(system.begun)
    found = root(system.field, begun, tol=1e-13)
    if not np.max(np.abs(system.field(found.x))) <= 1e-11 * np.max(np.abs(begun)):
        raise ArithmeticError(f"no fixed point was found near the teacher: {found.message}")
    return ode.excess_risk(problem, system.unpacked(found.x))


def erf_floor(width: int, learning_rate: float) -> float:
    """Excess risk/noise^2 as noise goes to 0, K = M, T = I, v = v* = 1, erf (`plateau.near_perfect`)."""
    A, B = near_perfect(width)
    pushed = np.array([0, 0, 2 / (np.sqrt(3) * np.pi), 1 / np.pi])
    r, s, q, c = np.linalg.solve(A + learning_rate * B, -learning_rate * pushed)
    return float(width / np.pi * ((q - 2 * r) / np.sqrt(3) + (width - 1) * (c - 2 * s) / 2))


def linear_floor(learning_rate: float, second_layer: np.ndarray) -> float:
    """Excess risk/noise^2 of linear units: the perceptron's, at the rate eta sum v^2."""
    rate = learning_rate * float(np.sum(np.square(second_layer)))
    return rate / (4 - 2 * rate)


def relu_floor(learning_rate: float) -> float:
    """Excess risk/noise^2 as noise goes to 0 of one unit max(x, 0) with a teacher of one, v = v* = 1."""
    return learning_rate / (8 - 4 * learning_rate)


def small_rate_floor(problem: Committee, state: State) -> float:
    """Excess risk/(noise^2 eta) near that state as eta goes to 0: sum_k v_k^2 E g'(k)^2/4."""
    units = np.arange(problem.width)
    slopes = moments_of(problem.activation).derivatives(ode.covariance(problem, state), units, units)
    return float(np.sum(state.second_layer**2 * slopes)) / 4


def _demand_rest(problem: Committee) -> None:
    for name in ("second_layer_learning_rate", "second_layer_weight_decay", "weight_decay"):
        if getattr(problem, name):
            raise InputError(name, getattr(problem, name), "0 for training that ends near the teacher")
    if problem.second_layer[: problem.teacher_width] != problem.teacher_second_layer:
        raise InputError(
            "initial_second_layer",
            typed((problem.second_layer,)),
            "equal to the teacher's weights, followed by those of any extra units",
        )
