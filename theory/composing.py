"""One function for all algorithms, as the routes of each of them."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from types import FunctionType
from typing import Any

from teacherstudent.house.declarations import Algorithm, load


@cache
def algorithm(name: str) -> Algorithm:
    """The algorithm of that name. Raises `ModuleNotFoundError`."""
    found: Algorithm = load(f"teacherstudent.theory.algorithms.{name}:ALGORITHM")
    return found


@cache
def by_algorithm(function: FunctionType, name: str) -> Callable[..., Any]:
    """`function` with the algorithm of that name in its argument `algorithm`.

    It is a copy named after the algorithm, so that tracebacks and profiles distinguish routes.
    Modules of a source end with `def __getattr__(name)` that calls this. Raises `AttributeError` for any
    other name.
    """
    try:
        chosen = algorithm(name)
    except ModuleNotFoundError:
        raise AttributeError(f"module {function.__module__} has no attribute {name}") from None
    code = function.__code__.replace(co_name=name, co_qualname=name)
    made = FunctionType(code, function.__globals__, name, function.__defaults__, function.__closure__)
    made.__kwdefaults__ = {**(function.__kwdefaults__ or {}), "algorithm": chosen}
    made.__doc__ = f"`{function.__name__}` by {chosen.meaning}.\n\n    {function.__doc__}"
    return made
