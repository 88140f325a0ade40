"""The routes' entries: problems in, mode strengths `u` out, on both clocks.

Gradient descent is answered by the flow at t/tau = eta k; where descent would not converge there is
no answer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from teacherstudent.house.certainty import nan_where
from teacherstudent.house.errors import InputError
from teacherstudent.problems.linear_network import Draws, LinearNetwork, draw
from teacherstudent.problems.linear_network.supports import blocks
from teacherstudent.theory.linear_network import deep, effective, modes, riccati

Arrays = Mapping[str, np.ndarray]


def closed_form_flow(problem: LinearNetwork, times: np.ndarray) -> Arrays:
    """u, (T, modes), of decoupled modes: of all weights, or of blocks, which are modes by themselves."""
    _demand_modes(problem, "closed-form")
    if problem.start != "decoupled":
        _refuse(problem, "closed-form", "decoupled")
    s, u0 = np.asarray(problem.singular_values), np.asarray(problem.u0)
    if problem.depth == 2:
        return {"u": modes.strength(times[:, None], s, u0, problem.balance)}
    each = [deep.strength(times, *mode, problem.depth) for mode in zip(s, u0, strict=True)]
    return {"u": np.stack(each, axis=-1)}


def riccati_flow(problem: LinearNetwork, times: np.ndarray, *, seeds: Sequence[int]) -> Arrays:
    """u, (S, T, modes), of each draw's two weight matrices; start decoupled or rotated, of blocks any."""
    _demand_balanced(problem)
    draws = draw(problem, seeds)
    u = (_of_blocks if problem.support == "blocks" else _of_matrices)(problem, draws, times)
    lost = np.isnan(u).any(axis=-1)
    if not lost.any():
        return {"u": u}
    since = times[lost.any(axis=0)][0]
    why = (
        f"riccati route: from t/tau = {since:g} on rounding errors dominate the result (escape from a "
        "saddle, weights much smaller than others, or too late a time)"
    )
    return {"u": nan_where(lost, why, u)}


def _of_matrices(problem: LinearNetwork, draws: Draws, times: np.ndarray) -> np.ndarray:
    """u, (S, T, modes), of whole matrices."""
    correlation = draws.targets @ draws.inputs.swapaxes(-1, -2)
    end_to_end = np.stack(
        [
            riccati.network(first, second, C, times, problem.balance, problem.modes)
            for first, second, C in zip(*draws.weights, correlation, strict=True)
        ]
    )
    return np.einsum("som,stoi,sim->stm", draws.left, end_to_end, draws.right, optimize=True)


def _of_blocks(problem: LinearNetwork, draws: Draws, times: np.ndarray) -> np.ndarray:
    """u, (S, T, modes): each hidden unit and its block are a network of their own, balanced at its own c."""
    u = np.empty((len(draws.inputs), len(times), problem.modes))
    correlation = draws.targets @ draws.inputs.swapaxes(-1, -2)
    balance, (inputs, outputs) = _balances(draws), blocks(problem)
    for i in range(problem.modes):
        into, out = inputs == i, outputs == i
        for s, (first, second) in enumerate(zip(*draws.weights, strict=True)):
            own = first[i : i + 1, into], second[out, i : i + 1], correlation[s][np.ix_(out, into)]
            network = riccati.network(*own, times, balance[s, i], 1)
            u[s, :, i] = draws.left[s, out, i] @ network @ draws.right[s, into, i]
    return u


def _balances(draws: Draws) -> np.ndarray:
    """c = |row of W_1|^2 - |column of W_2|^2 of each hidden unit, (S, N_hid)."""
    first, second = draws.weights
    return np.asarray(np.sum(first**2, axis=-1) - np.sum(second**2, axis=-2))


def effective_flow(problem: LinearNetwork, times: np.ndarray, *, seeds: Sequence[int]) -> Arrays:
    """u, (S, T, modes), from the growing part of each draw's small weights; start random."""
    if problem.support != "full":
        raise InputError("support", problem.support, "full for route effective", "use route riccati")
    if problem.start != "random":
        raise InputError("init", "(missing)", "given: route effective assumes small random weights")
    _two_layers(problem, "effective")
    draws = draw(problem, seeds)
    first, second = draws.weights
    s = np.asarray(problem.singular_values)
    a, b = first @ draws.right, second.swapaxes(-1, -2) @ draws.left
    return {"u": effective.strength(times, a, b, s)}


def closed_form_descent(problem: LinearNetwork, times: np.ndarray, *, learning_rate: float) -> Arrays:
    """`closed_form_flow` at t/tau = learning_rate k."""
    return closed_form_flow(problem, _stable(problem, learning_rate) * times)


def riccati_descent(
    problem: LinearNetwork, times: np.ndarray, *, learning_rate: float, seeds: Sequence[int]
) -> Arrays:
    """`riccati_flow` at t/tau = learning_rate k."""
    _demand_balanced(problem)
    own = float(np.abs(_balances(draw(problem, seeds))).max()) if problem.support == "blocks" else None
    return riccati_flow(problem, _stable(problem, learning_rate, own) * times, seeds=seeds)


def effective_descent(
    problem: LinearNetwork, times: np.ndarray, *, learning_rate: float, seeds: Sequence[int]
) -> Arrays:
    """`effective_flow` at t/tau = learning_rate k."""
    return effective_flow(problem, _stable(problem, learning_rate) * times, seeds=seeds)


def curvature(problem: LinearNetwork, balance: float | None = None) -> float:
    """Largest eigenvalue of the loss's Hessian within a mode at its minimum, where the gains' product is s.

    a^2 + b^2 = sqrt(c^2 + 4 s^2) for two layers, c the problem's `balance` unless given; D s^(2-2/D) for D
    equal ones.
    """
    s, depth = max(problem.singular_values), problem.depth
    c = problem.balance if balance is None else balance
    return float(np.hypot(c, 2 * s)) if depth == 2 else depth * s ** (2 - 2 / depth)


def _stable(problem: LinearNetwork, learning_rate: float, balance: float | None = None) -> float:
    edge = 2 / curvature(problem, balance)
    if learning_rate >= edge:
        raise InputError("learning_rate", learning_rate, f"below 2/(curvature at the minimum) = {edge:g}")
    return learning_rate


def _demand_balanced(problem: LinearNetwork) -> None:
    """Raise `InputError` unless each network, or each block of it, is balanced on its hidden units."""
    _demand_modes(problem, "riccati")
    if problem.start == "random" and problem.support == "full":
        _refuse(problem, "riccati", "decoupled or rotated")
    _two_layers(problem, "riccati")


def _demand_modes(problem: LinearNetwork, route: str) -> None:
    if problem.support == "triangular":
        raise InputError("support", "triangular", f"full or blocks for route {route}", "use route power-law")


def _refuse(problem: LinearNetwork, route: str, starts: str) -> None:
    if problem.start == "random":
        raise InputError("init", problem.init, f"left out for route {route} (start {starts})")
    raise InputError("start", problem.start, f"{starts} for route {route}")


def _two_layers(problem: LinearNetwork, route: str) -> None:
    if problem.depth != 2:
        raise InputError("depth", problem.depth, f"2 for route {route}")
