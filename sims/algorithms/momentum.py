"""Heavy-ball momentum (Polyak 1964) on all examples."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from teacherstudent.sims.algorithms import State, Step


def take(state: State, gradient: Callable[[Any], Any], *, learning_rate: Any, momentum: Any) -> State:
    """w' = w + beta (w - w_previous) - eta g(w)."""
    weights, before = state
    return weights + momentum * (weights - before) - learning_rate * gradient(weights), weights


def begin(weights: Any) -> State:
    """The first step has no previous one: w_previous = w."""
    return weights, weights


STEP = Step(take, begin)
