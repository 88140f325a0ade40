"""Questions put to the routes of the perceptron."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from teacherstudent.house.running import run

ID, DYNAMICS = "perceptron", "examples"


def asked(
    route: str,
    names: Sequence[str],
    alphas: Sequence[float] | np.ndarray,
    seeds: Sequence[int] | None = None,
    **question: Any,
) -> np.ndarray:
    """Observables at these alpha side by side, (P,); of a sampled route one row a seed, (S, P)."""
    answer = run(ID, DYNAMICS, route, alphas, seeds=seeds, **question)
    leading = (len(seeds),) if seeds is not None else ()
    return np.concatenate([answer[name].values.reshape(*leading, -1) for name in names], axis=-1)


def limit(names: Sequence[str], alphas: Sequence[float] | np.ndarray, **question: Any) -> np.ndarray:
    """The same of the limit, (P,)."""
    return asked("asymptotic", names, alphas, **question)
