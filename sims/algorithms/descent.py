"""Gradient descent on all examples."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from teacherstudent.sims.algorithms import State, Step


def take(state: State, gradient: Callable[[Any], Any], *, learning_rate: Any) -> State:
    """w' = w - eta g(w)."""
    (weights,) = state
    return (weights - learning_rate * gradient(weights),)


STEP = Step(take)
