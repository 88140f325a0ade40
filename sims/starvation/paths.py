"""Feature responses along gradient descent on a loss, or gradient ascent on its dual.

Axes: P problems of one size, T recorded times, n examples and features.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Literal

import jax
import jax.numpy as jnp
import numpy as np

from teacherstudent.problems.starvation import Starvation
from teacherstudent.sims.arrays import nan_where_not_finite
from teacherstudent.sims.compilation import compiled
from teacherstudent.sims.starvation.dynamics import DYNAMICS
from teacherstudent.sims.starvation.objectives import Features
from teacherstudent.sims.starvation.small_steps import follow

Rate = float | Literal["auto"]
Answer = Mapping[str, np.ndarray]


def paths(
    problems: Sequence[Starvation],
    dynamics: str,
    times: np.ndarray,
    *,
    learning_rate: Rate = "auto",
    alpha0: float = 1e-8,
    shift: float = 0.0,
) -> np.ndarray:
    """Responses z = U^T y*yhat (Eq. 6.3.4) of each problem at each time, (P, T, n).

    The problems share one n and go together. `dynamics` is one that `problems.starvation` names, `times` (T,)
    increase on its clock, and `learning_rate` is the time that one step takes; "auto" steps are a small part
    of the inverse curvature at the current state. NaN, with an `UnconvergedWarning`, where steps overflow,
    leave (0, 1) in alpha, or are too many.
    """
    if dynamics.endswith("decoupled"):
        for problem in problems:
            problem.demand_full_rank()
    features = Features(
        jnp.stack([problem.U for problem in problems]),
        jnp.stack([problem.s for problem in problems]),
        jnp.array([problem.ridge for problem in problems]),
        jnp.full(len(problems), shift),
    )
    rate = None if learning_rate == "auto" else jnp.asarray(learning_rate)
    z = np.asarray(_responses(dynamics, features, alpha0, jnp.asarray(times, float), rate))
    why = (
        f"learning_rate {learning_rate}: weights overflow or leave their domain, or there are too many steps"
    )
    return nan_where_not_finite({"z": z}, why, of="problems")["z"]


@partial(compiled, by_draw=["features"], static_argnums=0)
@partial(jax.vmap, in_axes=(None, 0, None, None, None))
def _responses(
    name: str, features: Features, alpha0: jax.Array, times: jax.Array, learning_rate: jax.Array | None
) -> jax.Array:
    """One problem's responses, (T, n). Only a name, a shape or an automatic rate recompiles."""
    dynamics = DYNAMICS[name]
    initial = jnp.full_like(features.strengths, alpha0 if dynamics.dual else 0.0)
    states = follow(dynamics.motion, features, initial, times, learning_rate)
    return jax.vmap(lambda state: dynamics.margins(state, features) @ features.vectors)(states)  # U^T y*yhat


def _named(problem: Starvation, dynamics: str, times: np.ndarray, options: Mapping[str, Any]) -> Answer:
    return problem.named(paths([problem], dynamics, times, **options)[0])


# One function a route, so that whoever is asked for which is told by the function's name.


def dual(problem: Starvation, times: np.ndarray, **options: Any) -> Answer:
    """Responses along ascent on the dual of the ridge loss, as `paths`."""
    return _named(problem, "dual", times, options)


def mirror(problem: Starvation, times: np.ndarray, **options: Any) -> Answer:
    """Responses along the same ascent in the entropy metric, as `paths`."""
    return _named(problem, "mirror", times, options)


def primal(problem: Starvation, times: np.ndarray, **options: Any) -> Answer:
    """Responses along descent on the ridge loss, as `paths`."""
    return _named(problem, "primal", times, options)


def decoupled(problem: Starvation, times: np.ndarray, **options: Any) -> Answer:
    """Responses along ascent on the dual of the spectrally decoupled loss, as `paths`."""
    return _named(problem, "decoupled", times, options)


def primal_decoupled(problem: Starvation, times: np.ndarray, **options: Any) -> Answer:
    """Responses along descent on the spectrally decoupled loss, as `paths`."""
    return _named(problem, "primal-decoupled", times, options)
