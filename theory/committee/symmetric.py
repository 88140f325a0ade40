"""As many units as the teacher, all equal: four numbers, at a cost independent of K.

K = M, T = I, v = v* = 1. R_im is always R for i = m and S otherwise; Q_ij is Q for i = j and C otherwise.
Sums over units become sums over four units of each network, each term as often as it occurs.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from teacherstudent.house.errors import InputError
from teacherstudent.problems.committee.instance import Committee
from teacherstudent.problems.committee.overlaps import typed
from teacherstudent.theory.committee import ode
from teacherstudent.theory.committee.log_differences import Apart
from teacherstudent.theory.committee.moments import of as moments_of

SIGN = np.repeat([1.0, -1.0], 4)
FIRST, OTHER = np.array([0, 0]), np.array([0, 1])
EQUAL = np.eye(4, dtype=bool)
PLACES = np.block(
    [[np.where(EQUAL, 2, 3), np.where(EQUAL, 0, 1)], [np.where(EQUAL, 0, 1), np.where(EQUAL, 5, 4)]]
)
"""Of each overlap of four units of the student and four of the teacher: in R, S, Q, C, 0, 1."""


@dataclass(frozen=True)
class Symmetric:
    """The equations of y = (R, S, Q, C), (4,), of `width` units, per unit of learning_rate t.

    learning_rate 0 is the limit of small rates, of which weight_decay is a multiple: it is decay/rate.
    """

    width: float
    learning_rate: float
    noise: float = 0.0
    weight_decay: float = 0.0
    activation: Any = "erf"

    @property
    def apart(self) -> Apart:
        """S is stored as its difference from R, by which units leave the plateau."""
        return Apart(np.array([0, 0 if self.width > 1 else 1, 2, 3]))

    def reach(self, y: np.ndarray) -> float:
        """The size of changes over which slopes bend: of relu Q, of the others 1 + Q."""
        return min(1.0, float(y[2])) if self.activation == "relu" else 1.0

    def slopes(self, y: np.ndarray) -> np.ndarray:
        """dy/d(learning_rate t), (4,)."""
        C, moments = self.covariance(y), moments_of(self.activation)
        once, twice = _signed_occurrences(self.width)
        # of R and S, of Q and C: pairs of one number, and of two
        along = moments.third(C, np.repeat(FIRST, 2), np.array([4, 0, 5, 1]))
        pull = -np.sum(along.reshape(2, 2, 8) * once[:, None], axis=-1)
        squares = np.sum(moments.fourth(C, FIRST, OTHER) * twice, axis=(1, 2))
        squares += self.noise**2 * moments.derivatives(C, FIRST, OTHER)
        R, Q = pull[:, 0], 2 * pull[:, 1] + self.learning_rate * squares
        found = np.concatenate([R, Q]) - self.weight_decay * np.array([1, 1, 2, 2]) * y
        return found * ([1, 0, 1, 0] if self.width == 1 else [1, 1, 1, 1])  # one unit has no other

    def excess_risk(self, y: np.ndarray) -> float:
        """1/2 E(phi - phi*)^2; rounding may leave it a little below 0 at the teacher."""
        I2, K = moments_of(self.activation).second(self.covariance(y)), self.width
        own, other = (I2[0, x] - 2 * I2[0, 4 + x] + I2[4, 4 + x] for x in (0, 1))
        return float(K * (own + (K - 1) * other) / 2)

    def covariance(self, y: np.ndarray) -> np.ndarray:
        """Overlaps of four units of the student and four of the teacher, (8, 8)."""
        return np.append(y, [0, 1])[PLACES]


@lru_cache(maxsize=32)
def _signed_occurrences(K: float) -> tuple[np.ndarray, np.ndarray]:
    """How often units numbered c, (2, 8), and c and e, (2, 8, 8), stand for others of K, with their signs.

    Beside a pair of one unit with itself, and of units 0 and 1.
    """
    once = np.array([[1, K - 1, 0, 0], [1, 1, K - 2, 0]])
    twice = np.zeros((2, 4, 4))
    for at, named in enumerate((1, 2)):
        rest = K - named
        twice[at, :named, :named] = 1
        twice[at, :named, named] = twice[at, named, :named] = twice[at, named, named] = rest
        twice[at, named, named + 1] = rest * (rest - 1)
    return SIGN * np.tile(once, 2), np.outer(SIGN, SIGN) * np.tile(twice, (2, 2))


def of(problem: Committee) -> tuple[Symmetric, np.ndarray]:
    """The equations and the start of a problem that is symmetric. Raises `InputError` for others."""
    K, M = problem.width, problem.teacher_width
    if M != K:
        raise InputError("teacher_width", M, f"{K}, equal to --width, for route symmetric")
    if not np.array_equal(problem.T, np.eye(K)):
        raise InputError("teacher_overlaps", typed(problem.T), "the identity for route symmetric")
    for name in ("second_layer_learning_rate", "second_layer_weight_decay"):
        if getattr(problem, name):
            raise InputError(name, getattr(problem, name), "0 for route symmetric: the second layer is fixed")
    for name, given in (
        ("initial_second_layer", problem.second_layer),
        ("teacher_second_layer", problem.teacher_second_layer),
    ):
        if set(given) != {1.0}:
            raise InputError(name, typed((given,)), "1 for all units for route symmetric")
    state, y = ode.start(problem), []
    for name, matrix in (("initial_overlaps", state.R), ("student_overlaps", state.Q)):
        own, other = matrix[0, 0], matrix[0, 1] if K > 1 else 0.0
        if not np.array_equal(matrix, np.where(np.eye(K, dtype=bool), own, other)):
            raise InputError(name, typed(matrix.tolist()), "one number on the diagonal and one off it")
        y += [own, other]
    rate = problem.learning_rate
    decay = problem.weight_decay / rate
    return Symmetric(K, rate, problem.noise, decay, problem.activation), np.array(y)
