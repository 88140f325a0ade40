"""A user's function as JAX traces it, so that simulations compile and differentiate it.

A function written with NumPy's or SciPy's elementwise functions is given an array that hands each of these
to the function of the same name in JAX. What cannot be traced so is refused with the cure.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import jax
import jax.numpy as jnp
import jax.scipy.special
import numpy as np

import teacherstudent.sims.precision  # noqa: F401  double precision
from teacherstudent.house.errors import InputError, in_short
from teacherstudent.house.functions import UserFunction
from teacherstudent.sims.compilation import compiled

Function = Callable[[jax.Array], jax.Array]

SAME = 1e-12
"""Relative difference of values by JAX and by NumPy that is rounding."""


class Traced(np.lib.mixins.NDArrayOperatorsMixin):
    """An array of JAX that NumPy's functions take."""

    def __init__(self, value: jax.Array) -> None:
        self.value = value
        self.shape, self.dtype, self.ndim, self.size = value.shape, value.dtype, value.ndim, value.size

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *given: Any, **named: Any) -> Traced:
        if method != "__call__" or named:
            return NotImplemented
        return _by_jax(ufunc.__name__, given, named)

    def __array_function__(self, function: Any, types: Any, given: Any, named: Any) -> Traced:
        return _by_jax(function.__name__, given, named)


def _by_jax(name: str, given: Any, named: Any) -> Any:
    """What the function of that name in JAX makes of the arrays."""
    homes = [home for home in (jnp, jax.scipy.special) if hasattr(home, name)]
    if not homes:
        raise TypeError(f"JAX has no function {name}")
    given, named = jax.tree.map(
        lambda each: each.value if isinstance(each, Traced) else each,
        (given, named),
        is_leaf=lambda each: isinstance(each, Traced),
    )
    found = getattr(homes[0], name)(*given, **named)
    return Traced(found) if isinstance(found, jax.Array) else found


@lru_cache(maxsize=32)
def traced(function: UserFunction, name: str) -> tuple[Function, Function]:
    """The function and its derivative, of arrays of JAX, for the parameter of that name.

    Raises `InputError` where it cannot be traced, or JAX and NumPy differ by more than rounding.
    """

    def value(x: jax.Array) -> jax.Array:
        try:
            found = function.function(x)  # as it is, if it is written with jax.numpy or operators
        except Exception:  # whatever NumPy raises of an array that has no numbers yet
            found = function.function(Traced(x))
        found = found.value if isinstance(found, Traced) else found
        return jnp.asarray(found, dtype=x.dtype)

    def slope(x: jax.Array) -> jax.Array:
        _, found = jax.jvp(value, (x,), (jnp.ones_like(x),))
        return found

    x = np.linspace(-6, 6, 241) + 1e-3
    hint = "give a function written with jax.numpy, with operators, or with NumPy's elementwise functions"
    try:
        found, steep = (np.asarray(each) for each in compiled(lambda x: (value(x), slope(x)))(x))
    except Exception as error:  # whatever the function raises when it is traced
        said = f"one that JAX can trace, for simulations ({type(error).__name__}: {in_short(str(error))})"
        raise InputError(name, function, said, hint) from None
    known = function(x)
    if not np.allclose(found, known, rtol=SAME, atol=SAME * np.max(np.abs(known))):
        raise InputError(name, function, "a function for which JAX and NumPy give the same values", hint)
    if not np.isfinite(steep).all():
        where = x[~np.isfinite(steep)][0]
        domain = f"differentiable everywhere; its derivative by jax.grad is not finite at {where:.3g}"
        raise InputError(name, function, domain, "jax.numpy.where differentiates both of its branches")
    return value, slope
