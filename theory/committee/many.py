"""Paths of many committees in one integration: each step is that which the most demanding of them needs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from scipy.integrate import solve_ivp

from teacherstudent.problems.committee.instance import Committee
from teacherstudent.theory.committee import ode, routes
from teacherstudent.theory.committee.integration import ACCURACY, EXPLODED, NUDGE, Status

RELATIVE = 1e-11
"""Error of a step of the first path, ten times that of the second: far below that of a path by itself, since
it is a mean over all of them."""

TOGETHER = 64
"""Paths in one integration."""

MOST = 10_000
"""Slopes that are asked for, at most: where steps stay short though paths have come to rest, each path is
followed by itself."""

NUMBERS = ("learning_rate", "noise", "weight_decay")
"""In which committees of one integration differ."""


def asymptotic(
    instances: Sequence[Committee], times: np.ndarray, *, options: Sequence[Mapping[str, Any]], seeds: Any
) -> Iterator[routes.Arrays]:
    """The limit d -> infinity, as `routes.asymptotic` of each question in turn."""
    alike: dict[Any, list[int]] = defaultdict(list)
    none: Any = dict.fromkeys(NUMBERS, 0.0)
    for i, problem in enumerate(instances):
        if problem.activation == "erf" and not ode.trained(problem):
            alike[replace(problem, **none)].append(i)
    found: dict[int, ode.Path] = {}
    for group in alike.values():
        for first in range(0, len(group), TOGETHER):
            some = group[first : first + TOGETHER]
            if len(some) > 1:
                certain = paths([instances[i] for i in some], times)
                found |= {some[k]: path for k, path in certain.items()}
    for i, problem in enumerate(instances):
        yield routes.named(problem, found[i]) if i in found else routes.asymptotic(problem, times)


def paths(problems: Sequence[Committee], times: np.ndarray) -> dict[int, ode.Path]:
    """The paths of which two integrations agree, by place; none where these need too many slopes."""
    begun = ode.start(problems[0])
    system = ode.reduced(problems[0], begun)
    numbers: Any = {name: np.array([[getattr(each, name)] for each in problems]) for name in NUMBERS}
    whole, at, v = replace(problems[0], **numbers), system.at, begun.second_layer
    start = np.tile(system.packed(begun), (len(problems), 1))
    scale, r = max(1.0, float(np.abs(start).max())), len(at.R_at)

    base, apart = system.apart.base, system.apart.differences
    asked = 0

    def state_of(z: np.ndarray) -> ode.State:
        y = z + np.where(apart, z[..., base], 0)
        return ode.State(y[..., :r][..., at.R], y[..., r:][..., at.Q], v)

    def slopes(_: float, flat: np.ndarray) -> np.ndarray:
        nonlocal asked
        asked += 1
        if asked > 2 * MOST:
            raise ArithmeticError("too many slopes")
        y = flat.reshape(start.shape)
        kept = np.abs(y).max(axis=1, keepdims=True) < EXPLODED * scale  # what diverges is left standing
        R, Q, _v = ode.slopes(whole, ode.covariance(whole, state_of(np.where(kept, y, start))), v, at)
        found = np.concatenate([R, Q], axis=1)
        return np.where(kept, found - np.where(apart, found[:, base], 0), 0.0).ravel()

    def integrated(begin: np.ndarray, relative: float) -> np.ndarray:
        """The numbers, (B, T, n)."""
        found = solve_ivp(
            slopes,
            (0.0, float(times[-1])),
            begin.ravel(),
            method="DOP853",
            t_eval=times,
            rtol=relative,
            atol=relative * scale,
        )
        whole = np.full((start.size, times.size), np.nan)
        whole[:, : found.y.shape[1]] = found.y
        return np.moveaxis(whole.reshape(*start.shape, times.size), 2, 1)

    try:
        one, other = integrated(start, RELATIVE), integrated(start * (1 - NUDGE), 10 * RELATIVE)
    except ArithmeticError:
        return {}
    size = np.maximum.accumulate(np.abs(one).max(axis=2), axis=1)
    sure = np.all((np.abs(one - other).max(axis=2) <= ACCURACY * size) & (size < EXPLODED * scale), axis=1)
    found = {}
    for k in np.flatnonzero(sure).tolist():
        state = state_of(one[k])
        layers = np.tile(v, (times.size, 1))
        status = Status(np.zeros(times.size, dtype=bool))
        found[k] = ode.Path(state.R, state.Q, layers, ode.excess_risk(problems[k], state), status)
    return found
