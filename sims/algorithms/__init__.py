"""How students that are linear in their features are trained, step by step: one module an algorithm.

A module announces its `STEP`, and has the name of the algorithm's declaration. All are imported to list
routes: they hold plain arithmetic and import neither NumPy nor JAX.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from types import FunctionType
from typing import Any

from teacherstudent.house.declarations import load

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


@cache
def step_of(algorithm: str) -> Step:
    """What the module of that name announces. Raises `ModuleNotFoundError`."""
    step: Step = load(f"{__name__}.{algorithm}:STEP")
    return step


@cache
def by_algorithm(function: FunctionType, name: str) -> Callable[..., Any]:
    """`function` with the step of the algorithm of that name in its argument `how`.

    It is a copy that is called like the algorithm, so that tracebacks and profiles distinguish routes.
    Modules of a source end with `def __getattr__(name)` that calls this. Raises `AttributeError` for any
    other name.
    """
    try:
        how = step_of(name)
    except ModuleNotFoundError:
        raise AttributeError(f"module {function.__module__} has no attribute {name}") from None
    code = function.__code__.replace(co_name=name, co_qualname=name)
    made = FunctionType(code, function.__globals__, name, function.__defaults__, function.__closure__)
    made.__kwdefaults__ = {**(function.__kwdefaults__ or {}), "how": how}
    made.__doc__ = f"`{function.__name__}` by {name}.\n\n    {function.__doc__}"
    return made
