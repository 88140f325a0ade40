"""How students that are linear in their features are trained, step by step: one module an algorithm.

A module announces its `STEP`, and has the name of the algorithm's declaration. All are imported to list
routes: they hold plain arithmetic and import neither NumPy nor JAX.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

State = tuple[Any, ...]
"""What a step changes; the first of it are the weights."""


def alone(weights: Any) -> State:
    """A state that is the weights, and nothing else."""
    return (weights,)


@dataclass(frozen=True)
class Step:
    """One step of training.

    `take(state, gradient, *, learning_rate, **options)` gives the next state. It calls gradient(weights)
    once, and is linear in the state and in what that returns: then steps can be composed
    (`sims.linear_students.training`). `begin(weights)` is the state at time 0.
    """

    take: Callable[..., State]
    begin: Callable[[Any], State] = alone


def step_of(algorithm: str) -> Step:
    """What the module of that name announces."""
    step: Step = importlib.import_module(f"{__name__}.{algorithm}").STEP
    return step
