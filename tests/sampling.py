"""How a system says what its sampling law draws: `DRAWN` in `tests/<system>/sampling.py`.

Agreement of theory and simulation cannot reveal a wrong law, because both take it from `problems/`. So each
system writes its law down a second time, from the text of its problem, and `tests/test_sampling_laws.py`
holds every drawing function to that.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from scipy import stats


@dataclass(frozen=True)
class Drawn:
    """Numbers that a function of `problems/` draws, and the law that they must have.

    by: that function. what: a name; two with the same name may be drawn from the same random numbers. law:
    a continuous distribution of scipy.stats. values: draws them for seeds 0, 1, ...: (S, ...), independent.
    """

    by: Callable[..., Any]
    what: str
    law: Any
    values: Callable[[], np.ndarray]


@cache
def standard_normal(drawn: Drawn) -> np.ndarray:
    """The drawn numbers, (S, N), mapped so that they are standard normal if and only if the law is right."""
    values = drawn.values()
    values = values.reshape(len(values), -1)
    if drawn.law.dist.name == "norm":
        return (values - drawn.law.mean()) / drawn.law.std()
    lower = values < drawn.law.median()  # either tail from its own side, where it keeps its digits
    return np.where(lower, stats.norm.ppf(drawn.law.cdf(values)), stats.norm.isf(drawn.law.sf(values)))
