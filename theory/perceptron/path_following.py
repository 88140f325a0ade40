"""Fixed points that no start leads to: they are followed along a line of problems, from one that is solved.

The places on the way do not depend on those that are asked for, but for where the way ends: so the answer at
one does not depend on the others.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from teacherstudent.theory.perceptron.newton import MOST, Step, fixed_points

FIRST, LONGEST, SHORTEST = 0.1, 0.7, 1e-3
"""Steps of the place: the first, the most, and the least, below which the way ends."""

TRIES = 60
"""Steps that a way takes; 35 lead over ten decades where nothing happens."""

LONGER, SHORTER = 1.5, 0.3
"""Factors after success and failure."""

FEW = 8
"""Steps of Newton's method from a predicted state."""


def continue_path(
    at: Callable[[np.ndarray], Step], first: float, start: np.ndarray, goals: np.ndarray, maps: Step
) -> tuple[np.ndarray, np.ndarray]:
    """States at `goals`, places (T,) from `first` on, (T, K), and where they are certified, (T,).

    at: the map at given places; maps: those at the goals, to all their digits. start: a guess of the fixed
    point at `first`, (1, K).
    """
    places, states = _way(at, first, start, float(goals.max()))
    if len(places) < 2:
        return np.full((goals.size, start.shape[1]), np.nan), np.zeros(goals.size, dtype=bool)
    left = np.clip(np.searchsorted(places, goals) - 1, 0, len(places) - 2)
    share = (goals - places[left]) / (places[left + 1] - places[left])
    guess = states[left] + share[:, None] * (states[left + 1] - states[left])
    return fixed_points(maps, guess, MOST)


def _way(
    at: Callable[[np.ndarray], Step], first: float, start: np.ndarray, last: float
) -> tuple[np.ndarray, np.ndarray]:
    """Places, (N,), beyond `last` if it goes on so far, and states there, (N, K)."""
    here, step, slope = first, FIRST, np.zeros_like(start)
    state, found = fixed_points(at(np.array([here])), start, MOST, np.inf)
    places, states = [here] * bool(found), [state] * bool(found)
    for _ in range(TRIES if found[0] else 0):
        if here >= last or step < SHORTEST:
            break
        tried, good = fixed_points(at(np.array([here + step])), state + step * slope, FEW, np.inf)
        if not good[0]:
            step *= SHORTER
            continue
        slope, state, here = (tried - state) / step, tried, here + step
        places.append(here)
        states.append(state)
        step = min(step * LONGER, LONGEST)
    return np.array(places), np.concatenate(states) if states else start[:0]
