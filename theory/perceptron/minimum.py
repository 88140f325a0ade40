"""The student of least loss with ridge: the fixed point of `saddle`, wherever it is.

Newton's method finds it from one start where the ridge is large or examples contradict each other. A smaller
ridge is approached from there, in steps of its logarithm as long as a straight line predicts the next state.
Students of many examples are approached from those of fewer.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from teacherstudent.house.functions import UserFunction
from teacherstudent.problems.perceptron import Perceptron
from teacherstudent.theory.perceptron import labels
from teacherstudent.theory.perceptron.given_loss import Given, given
from teacherstudent.theory.perceptron.losses import LOSSES, Hard
from teacherstudent.theory.perceptron.newton import MOST, Step, fixed_points
from teacherstudent.theory.perceptron.path_following import continue_path
from teacherstudent.theory.perceptron.saddle import Saddle, unit_of
from teacherstudent.theory.perceptron.separability import threshold
from teacherstudent.theory.perceptron.stability import stable
from teacherstudent.theory.perceptron.student_state import Student

LARGE = 1e40
"""A ridge beyond which the student shrinks, and nothing else happens."""

EASY, HARD = 1.0, 1e-12
"""Ridges from which on the one start is good, and from which Newton's method finds that without any."""

MANY = 100.0
"""Examples per input up to which these starts are good. Beyond, of several strengths, they need not be."""

FIRST, LONGER, SHORTER, SHORTEST = 1.0, 3.0, 0.2, 1e-2
"""Steps in the logarithm of the ridge: the first, factors after success and failure, the least."""

ROUNDS = 40
"""Such steps."""

FEW = 8
"""Steps of Newton's method from a predicted state."""


def minimiser(problem: Perceptron, alphas: np.ndarray) -> Student:
    """The student of the rule's loss with the problem's ridge.

    Without any it is, where examples are separable, the limit of a small one: that of largest stability. A
    hinge then holds it at margin 1, and under the logistic loss it grows without bound.
    """
    loss = given(problem.rule) if isinstance(problem.rule, UserFunction) else LOSSES[problem.rule]
    saddle, ridge = Saddle.of(problem, loss), min(problem.ridge, LARGE)
    along, across, wrong, remaining, unit = np.zeros((5, alphas.size))
    converged = np.zeros(alphas.size, dtype=bool)
    free = (alphas < threshold(labels.doubt(problem))) & (not ridge)
    along[free], across[free], converged[free] = stable(replace(saddle, loss=Hard()), alphas[free])
    unit[:] = np.where(free & (problem.rule == "logistic"), np.inf, ridge / problem.ridge if ridge else 1.0)
    rows = np.flatnonzero(~free)
    state, converged[rows] = solve_minimum(saddle, alphas[rows], ridge)
    forces = unit_of(np.full(rows.size, ridge))
    along[rows], across[rows] = saddle.clean * np.exp(state[:, 0]), np.exp(state[:, 1])
    if isinstance(loss, Given):
        converged[rows] &= loss.covers(np.hypot(along, across)[rows], np.exp(state[:, 2]) / forces)
    own = -loss.push * np.exp(state[:, 2]) / forces / np.hypot(along, across)[rows]
    wrong[rows] = labels.below(own, labels.skew(problem, along, across)[rows])
    remaining[rows] = saddle.means(state, forces).loss
    return Student(along, across, wrong, converged, unit, training_loss=remaining)


def solve_minimum(saddle: Saddle, alphas: np.ndarray, ridge: float) -> tuple[np.ndarray, np.ndarray]:
    """States, (T, 3), and where they are certified, (T,)."""
    state, converged = _from(saddle, alphas, np.full(alphas.size, ridge), np.zeros((alphas.size, 3)))
    if saddle.v.min() < saddle.v.max():
        rest = np.flatnonzero(~converged & (alphas > MANY))
        if rest.size:
            state[rest], converged[rest] = _far(saddle, alphas[rest], ridge)
    rest = np.flatnonzero(~converged)
    if rest.size and ridge < EASY:
        state[rest], converged[rest] = _approached(saddle, alphas[rest], ridge)
    return state, converged


def _far(saddle: Saddle, alphas: np.ndarray, ridge: float) -> tuple[np.ndarray, np.ndarray]:
    """The same from `MANY` examples per input upwards."""

    def at(places: np.ndarray) -> Step:
        return lambda rows, state: saddle.step(np.exp(places[rows]), np.full(rows.size, ridge), state)

    def maps(rows: np.ndarray, state: np.ndarray) -> np.ndarray:
        return saddle.step(alphas[rows], np.full(rows.size, ridge), state)

    start, _ = solve_minimum(saddle, np.array([MANY]), ridge)
    return continue_path(at, float(np.log(MANY)), start, np.log(alphas), maps)


def _approached(saddle: Saddle, alphas: np.ndarray, ridge: float) -> tuple[np.ndarray, np.ndarray]:
    """The same from `EASY` downwards."""
    count, goal = alphas.size, np.log(ridge or HARD)
    here, step = np.full(count, np.log(EASY)), np.full(count, FIRST)
    state, found = _from(saddle, alphas, np.exp(here), np.zeros((count, 3)))
    slope = np.zeros((count, 3))
    for _ in range(ROUNDS):
        rows = np.flatnonzero(found & (here > goal) & (step > SHORTEST))
        if not rows.size:
            break
        there = np.maximum(here[rows] - step[rows], goal)
        moved = (there - here[rows])[:, None]
        guess = state[rows] + slope[rows] * moved
        tried, good = _from(saddle, alphas[rows], np.exp(there), guess, FEW)
        slope[rows[good]] = (tried[good] - state[rows[good]]) / moved[good]
        state[rows[good]], here[rows[good]] = tried[good], there[good]
        step[rows] *= np.where(good, LONGER, SHORTER)
    found &= here <= goal
    if not ridge:
        last = state[found] + [0, 0, -np.log(HARD)]
        state[found], found[found] = _from(saddle, alphas[found], np.zeros(found.sum()), last)
    return state, found


def _from(
    saddle: Saddle, alphas: np.ndarray, ridges: np.ndarray, start: np.ndarray, most: int = MOST
) -> tuple[np.ndarray, np.ndarray]:
    return fixed_points(lambda rows, at: saddle.step(alphas[rows], ridges[rows], at), start, most)
