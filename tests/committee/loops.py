"""The equations of saad1995 as loops over the printed sums, for erf and linear units."""

from __future__ import annotations

import math
from itertools import product

import numpy as np

from teacherstudent.problems.committee.instance import Committee
from teacherstudent.theory.committee.ode import State

Indices = tuple[int, ...]


def i2(C: np.ndarray, a: int, b: int) -> float:
    return 2 / math.pi * math.asin(C[a, b] / math.sqrt((1 + C[a, a]) * (1 + C[b, b])))


def i3(C: np.ndarray, a: int, b: int, c: int) -> float:
    da = 1 + C[a, a]
    root = math.sqrt(da * (1 + C[c, c]) - C[a, c] ** 2)
    return 2 / math.pi * (C[b, c] * da - C[a, b] * C[a, c]) / (da * root)


def i4(C: np.ndarray, a: int, b: int, c: int, e: int) -> float:
    da, db = 1 + C[a, a], 1 + C[b, b]
    L4 = da * db - C[a, b] ** 2
    L0 = L4 * C[c, e] - C[b, c] * C[b, e] * da - C[a, c] * C[a, e] * db
    L0 += C[a, b] * (C[a, c] * C[b, e] + C[a, e] * C[b, c])
    L1, L2 = (
        L4 * (1 + C[x, x]) - C[b, x] ** 2 * da - C[a, x] ** 2 * db + 2 * C[a, b] * C[a, x] * C[b, x]
        for x in (c, e)
    )
    return 4 / math.pi**2 / math.sqrt(L4) * math.asin(L0 / math.sqrt(L1 * L2))


def slopes(problem: Committee, state: State) -> State:
    """Of R, Q and v."""
    K, M, eta = problem.width, problem.teacher_width, problem.learning_rate
    Q, R, v = state.Q, state.R, state.second_layer
    C = np.block([[Q, R], [R.T, np.array(problem.T)]])
    u = [*v, *(-each for each in problem.teacher_second_layer)]
    erf, fields = problem.activation == "erf", range(K + M)

    def second(a: int, b: int) -> float:
        return i2(C, a, b) if erf else C[a, b]

    def third(a: int, b: int) -> float:
        return sum(u[c] * (i3(C, a, b, c) if erf else C[b, c]) for c in fields)

    def squared(i: int, j: int) -> float:
        both = sum(
            u[c] * u[e] * (i4(C, i, j, c, e) if erf else C[c, e]) for c, e in product(fields, repeat=2)
        )
        slope = 2 / math.pi / math.sqrt((1 + C[i, i]) * (1 + C[j, j]) - C[i, j] ** 2) if erf else 1.0
        return eta**2 * v[i] * v[j] * (both + problem.noise**2 * slope)

    def drift(i: int, b: int) -> float:
        return -eta * v[i] * third(i, b)

    kappa = problem.weight_decay
    return State(
        np.array([[drift(i, K + m) - kappa * R[i, m] for m in range(M)] for i in range(K)]),
        np.array(
            [
                [drift(i, j) + drift(j, i) - 2 * kappa * Q[i, j] + squared(i, j) for j in range(K)]
                for i in range(K)
            ]
        ),
        np.array(
            [
                -problem.second_layer_learning_rate * sum(u[c] * second(i, c) for c in fields)
                - problem.second_layer_weight_decay * v[i]
                for i in range(K)
            ]
        ),
    )
