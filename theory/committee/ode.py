"""The order parameters of online learning as d -> infinity (saad1995, biehl1995).

C holds all overlaps, students first: [[Q, R], [R^T, T]]; u = (v, -v*), so that phi - phi* = sum_c u_c g(c).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from teacherstudent.house.certainty import not_negative
from teacherstudent.house.errors import InputError
from teacherstudent.problems.committee.instance import Committee
from teacherstudent.theory.committee.integration import Patience, Status, integrate
from teacherstudent.theory.committee.log_differences import Apart, Field
from teacherstudent.theory.committee.moments import of as moments_of
from teacherstudent.theory.committee.orbits import Orbits, orbits
from teacherstudent.theory.committee.quadrature import Followed, certain_path

PATIENCE: dict[Any, Patience] = {
    "erf": Patience(1e-10, 10_000),
    "linear": Patience(1e-10, 10_000),
    "relu": Patience(1e-9, 2_500),  # rounding of its fourth moments grows where the student is the teacher
}
ANY_PATIENCE = Patience(1e-10, 4_000)
"""Of a user's function, whose moments take milliseconds."""
MOST_NUMBERS: dict[Any, int] = {"erf": 200, "linear": 1_000, "relu": 60}
"""That a path may have: twice as many units cost up to sixty times as much time."""
ANY_NUMBERS = 60
ALMOST = 0.01
"""Of the largest overlap: units of less difference begin almost alike."""
ROUNDING = 1e-12
"""Relative size below which a direction is one of rounding."""
ROUNDED = 1e-8
"""Share of its parts by which integration may leave a risk below 0 at the teacher."""
TOGETHER = 1 << 18
"""Fourth moments computed at once, at most."""


@dataclass(frozen=True)
class State:
    """R, (..., K, M), Q, (..., K, K), and second_layer v, (..., K)."""

    R: np.ndarray
    Q: np.ndarray
    second_layer: np.ndarray


@dataclass(frozen=True)
class Path(State):
    """States at times, (T, ...), with the excess risk, (T,), and how far the solver came."""

    excess_risk: np.ndarray
    status: Status


def start(problem: Committee) -> State:
    """At time 0; with start random what draws concentrate at: R = 0 and Q = init^2 I."""
    K, M = problem.width, problem.teacher_width
    v = np.array(problem.second_layer)
    if problem.R0 is None or problem.Q0 is None:
        return State(np.zeros((K, M)), problem.init**2 * np.eye(K), v)
    return State(np.array(problem.R0), np.array(problem.Q0), v)


def right_hand_side(problem: Committee, state: State) -> State:
    """Slopes of R, Q and v over t = steps/d."""
    K, M = state.R.shape
    rows = np.arange(K)
    each = Orbits(
        np.arange(K * M).reshape(K, M),
        np.arange(K * K).reshape(K, K),
        rows,
        np.argwhere(np.ones((K, M))),
        np.argwhere(np.ones((K, K))),
        rows,
    )
    R, Q, v = slopes(problem, covariance(problem, state), state.second_layer, each)
    return State(R.reshape(K, M), Q.reshape(K, K), v)


def covariance(problem: Committee, state: State) -> np.ndarray:
    """All overlaps C, (..., K + M, K + M)."""
    K, M = state.R.shape[-2:]
    C = np.empty((*state.R.shape[:-2], K + M, K + M))
    C[..., :K, :K], C[..., :K, K:] = state.Q, state.R
    C[..., K:, :K], C[..., K:, K:] = np.swapaxes(state.R, -1, -2), problem.T
    return C


def excess_risk(problem: Committee, state: State) -> Any:
    """1/2 E(phi - phi*)^2, (...); NaN where it is below 0 by more than rounding."""
    each = _products(problem, state)
    return not_negative(each.sum(axis=(-2, -1)), ROUNDED * np.abs(each).sum(axis=(-2, -1)))


def unclipped_risk(problem: Committee, state: State) -> float:
    """1/2 sum_ce u_c u_e I2(c, e); rounding may leave it a little below 0 at the teacher."""
    return float(_products(problem, state).sum())


def _products(problem: Committee, state: State) -> np.ndarray:
    """u_c u_e I2(c, e)/2, (K + M, K + M)."""
    u = np.concatenate([state.second_layer, -np.array(problem.teacher_second_layer)])
    found: np.ndarray = np.outer(u, u) * moments_of(problem.activation).second(covariance(problem, state)) / 2
    return found


def slopes(
    problem: Committee, C: np.ndarray, v: np.ndarray, at: Orbits
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Of the representatives of R, Q and v; of many overlaps, (B, N, N), with numbers of the problem that are
    (B, 1) where the second layer is fixed."""
    K, moments = problem.width, moments_of(problem.activation)
    u = np.concatenate([v, -np.array(problem.teacher_second_layer)])
    (i, m), (j, k) = at.R_at.T, at.Q_at.T
    a, b = np.concatenate([i, j, k]), np.concatenate([K + m, k, j])
    G = -problem.learning_rate * v[a] * (moments.third(C, a, b) @ u)  # of w_a . w_b, by the step of w_a
    of_R, one, other = np.split(G, [i.size, i.size + j.size], axis=-1)
    noise = problem.noise**2 * moments.derivatives(C, j, k)
    squares = problem.learning_rate**2 * v[j] * v[k] * (_twice(problem, C, u, j, k) + noise)
    dR = of_R - problem.weight_decay * C[..., i, K + m]
    dQ = one + other - 2 * problem.weight_decay * C[..., j, k] + squares
    dv = np.zeros(at.v_at.size)
    if trained(problem):
        pull = moments.second(C)[at.v_at] @ u
        dv = -problem.second_layer_learning_rate * pull - problem.second_layer_weight_decay * v[at.v_at]
    return dR, dQ, dv


def _twice(problem: Committee, C: np.ndarray, u: np.ndarray, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """E g'(a) g'(b) (phi - phi*)^2, (..., P), in parts that fit."""
    most = max(1, TOGETHER // C.size)
    found = [
        moments_of(problem.activation).fourth(C, a[at : at + most], b[at : at + most]) @ u @ u
        for at in range(0, a.size, most)
    ]
    return np.concatenate(found, axis=-1)


def trained(problem: Committee) -> bool:
    """Whether the second layer moves."""
    return problem.second_layer_learning_rate > 0 or problem.second_layer_weight_decay > 0


@dataclass(frozen=True)
class Reduced:
    """The equations in one number for each orbit of a state, which all states of its path have.

    Numbers of units that begin almost equal are stored as differences, so they leave a plateau in time.
    """

    problem: Committee
    begun: State
    at: Orbits
    apart: Apart

    def packed(self, state: State) -> np.ndarray:
        """The numbers, (n,): of R, of Q and, where it is trained, of v."""
        return self.apart.told(_together(self.problem, state, self.at))

    def unpacked(self, y: np.ndarray) -> State:
        """The state of those numbers."""
        return self._state(self.apart.numbers(y))

    @cached_property
    def field(self) -> Field:
        """Slopes of the numbers."""
        bends = self.problem.activation == "relu"  # over correlations; else over 1 + Q

        def reach(numbers: np.ndarray) -> float:
            C = covariance(self.problem, self._state(numbers))
            return min(1.0, float(np.min(np.diagonal(C)))) if bends else 1.0

        return self.apart.field(self._slopes, reach)

    def _state(self, numbers: np.ndarray) -> State:
        r, q = len(self.at.R_at), len(self.at.Q_at)
        R, Q, v = numbers[:r], numbers[r : r + q], numbers[r + q :]
        moving = trained(self.problem)
        return State(R[self.at.R], Q[self.at.Q], v[self.at.v] if moving else self.begun.second_layer)

    @cached_property
    def _directions(self) -> list[np.ndarray]:
        """The directions in which R and in which Q can move, as orthonormal columns; [] where that is in any.

        Without weight decay linear units with a fixed second layer all move along one vector, by v_i: R
        changes by v a^T and Q by v b^T + b v^T. In other directions computed slopes are rounding. Late in
        training that forces the steps of an integrator down to about its tolerance over rounding.
        """
        problem, v, (K, M) = self.problem, self.begun.second_layer, self.begun.R.shape
        if problem.activation != "linear" or trained(problem) or problem.weight_decay > 0:
            return []
        of_R = [_means(np.outer(v, each), self.at.R) for each in np.eye(M)]
        of_Q = [_means(np.outer(v, each) + np.outer(each, v), self.at.Q) for each in np.eye(K)]
        return [_span(of_R), _span(of_Q)]

    def _slopes(self, numbers: np.ndarray) -> np.ndarray:
        state = self._state(numbers)
        R, Q, v = slopes(self.problem, covariance(self.problem, state), state.second_layer, self.at)
        if self._directions:
            R, Q = (way @ (way.T @ each) for way, each in zip(self._directions, (R, Q), strict=True))
        return np.concatenate([R, Q, *([v] if trained(self.problem) else [])])


def _span(vectors: list[np.ndarray]) -> np.ndarray:
    """Orthonormal columns that span the vectors."""
    left, sizes, _ = np.linalg.svd(np.stack(vectors, axis=1), full_matrices=False)
    found: np.ndarray = left[:, sizes > ROUNDING * sizes[0]]
    return found


def _means(matrix: np.ndarray, orbit: np.ndarray) -> np.ndarray:
    """The mean of a matrix over each orbit of its entries."""
    found: np.ndarray = np.bincount(orbit.ravel(), matrix.ravel()) / np.bincount(orbit.ravel())
    return found


def _together(problem: Committee, state: State, at: Orbits) -> np.ndarray:
    """Those of R, of Q and, where it is trained, of v, in one row."""
    v = [state.second_layer[at.v_at]] if trained(problem) else []
    return np.concatenate([state.R[tuple(at.R_at.T)], state.Q[tuple(at.Q_at.T)], *v])


def reduced(problem: Committee, begun: State) -> Reduced:
    """The equations for paths from `begun`."""
    C, v, teacher = covariance(problem, begun), begun.second_layer, np.array(problem.teacher_second_layer)
    at = orbits(C, v, teacher)
    wide = orbits(C, v, teacher, ALMOST * float(np.max(np.diagonal(C))), trained(problem))
    # the wide orbit of each number; those of R, Q and v are others
    K, M = begun.R.shape
    labels = _together(problem, State(wide.R, wide.Q + K * M, wide.v + K * M + K * K), at)
    _, first, which = np.unique(labels, return_index=True, return_inverse=True)
    return Reduced(problem, begun, at, Apart(first[which]))


def solve(problem: Committee, times: np.ndarray, begun: State | None = None) -> Path:
    """States at increasing times t >= 0, (T,), from `begun` or the problem's own start.

    Equal units stay equal to the last digit (`orbits`). NaN from where `status` says. Raises `InputError`
    where more overlaps differ than can be followed.
    """
    first = begun or start(problem)
    system = reduced(problem, first)
    numbers, most = system.packed(first).size, MOST_NUMBERS.get(problem.activation, ANY_NUMBERS)
    if numbers > most:
        domain = (
            f"smaller, or with more equal units: {numbers} overlaps differ, but theory can compute "
            f"only {most}"
        )
        raise InputError("width", problem.width, domain)
    patience, differences = PATIENCE.get(problem.activation, ANY_PATIENCE), system.apart.differences

    def follow(one: Committee, other: Committee | None) -> Followed:
        beside = reduced(other, first).field if other else None
        field, begun = reduced(one, first).field, system.packed(first)
        return integrate(field, begun, times, patience, differences, beside)

    found, status = certain_path(problem, follow)
    states = [system.unpacked(y) for y in found]
    return Path(
        np.stack([each.R for each in states]),
        np.stack([each.Q for each in states]),
        np.stack([each.second_layer for each in states]),
        np.array(
            [
                np.nan if lost else excess_risk(problem, each)
                for each, lost in zip(states, status.lost, strict=True)
            ]
        ),
        status,
    )
