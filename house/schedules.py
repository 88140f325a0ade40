"""A learning rate that is a function of the step, given in Python: its values, and what is said of it.

Step k = 0, 1, ... leads from time k to time k + 1. A `Schedule` gives the rates of all steps at once, as an
array; algorithms read nothing else of it, so that other ways to give such an array need no others.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from teacherstudent.house.domains import OrWord
from teacherstudent.house.errors import InputError, Misread
from teacherstudent.house.functions import UserFunction, digest_of, name_of, values_of

if TYPE_CHECKING:
    import numpy as np

MOST_STEPS = 1_000_000
"""Steps that are answered for, each of which is taken; a function has a value at all of them."""

SAMPLED = 32
"""Curvatures, evenly spaced up to the largest, at which growth is looked at."""

GROWN = 1e8
"""Growth on the way with which rounding of 1e-16 becomes visible in weights that do not grow."""

EXAMPLE = "lambda k: 0.1 / (1 + k / 100), or with numpy.where and numpy.interp"

_EDGES: ContextVar[list[float] | None] = ContextVar("edges", default=None)


@dataclass(frozen=True, repr=False, eq=False)
class Schedule(UserFunction):
    """The learning rate of steps k, an array of float64; the digest is of its first `MOST_STEPS` values."""

    def rates(self, times: np.ndarray) -> np.ndarray:
        """Those of all steps up to the last of the times, (K,). Raises `InputError`."""
        import numpy as np

        count = int(times[-1])
        if count > MOST_STEPS:
            domain = f"at most {MOST_STEPS} if the learning rate is a function: it is called for every step"
            raise InputError("times", count, domain)
        found = self(np.arange(count, dtype=float))
        wrong = np.flatnonzero(~(np.isfinite(found) & (found >= 0)))
        if wrong.size:
            first = wrong[0]
            domain = f"finite and >= 0 at steps 0 to {count - 1}; at step {first} it is {found[first]:.6g}"
            raise InputError("learning_rate", self, domain)
        return found

    def meets(self, edge: float) -> None:
        """Let the answer state which rates are above an edge of stability (`edges_met`)."""
        if (edges := _EDGES.get()) is not None:
            edges.append(edge)

    def outgrown(self, times: np.ndarray, edge: float) -> np.ndarray:
        """At which times weights have grown `GROWN`-fold between any two steps before, (T,).

        edge: the rate from which on weights of the largest curvature grow, 2 over it.
        """
        import numpy as np

        rates, most = self.rates(times), np.zeros(len(times))
        for share in np.arange(1, SAMPLED + 1) / SAMPLED if (rates > edge).any() else ():
            x = share * 2 / edge * rates
            with np.errstate(divide="ignore"):
                log = np.maximum(np.log1p(-np.minimum(x, 2 - x)), -1e3)  # log |1 - x|
            path = np.concatenate([[0.0], np.cumsum(log)])
            grown = np.maximum.accumulate(path - np.minimum.accumulate(path))
            most = np.maximum(most, grown[times.astype(int)])
        return most > np.log(GROWN)


@dataclass(frozen=True)
class OrSchedule(OrWord):
    """A word, a number, or, in Python only, a function of the step."""

    def parse(self, text: str) -> Any:
        if text != self.word and re.search("[a-z]{4}|[(:*]", text):
            raise Misread('functions are given in Python: ts.curve("multiscale", learning_rate=f)')
        return super().parse(text)

    def check(self, value: Any) -> Any:
        if not callable(value):
            return super().check(value)
        return value if isinstance(value, Schedule) else as_schedule(value)

    def describe(self) -> str:
        return f"{super().describe()}, or in Python under descent a function of the step"


def as_schedule(function: Callable[[Any], Any]) -> Schedule:
    """A function of the step whose values were looked at. Raises `Misread` for what gives no rates."""
    import numpy as np

    steps = np.arange(MOST_STEPS, dtype=float)
    values = values_of(function, steps, EXAMPLE)
    some = slice(991, None, -7)
    if not np.allclose(values_of(function, steps[some]), values[some], rtol=1e-12, atol=0, equal_nan=True):
        raise Misread("its value at one step changes with the other steps or at random")
    known = np.where(np.isnan(values), np.nan, values)  # of one sign
    return Schedule(name_of(function), digest_of(known), function)


@contextmanager
def edges_met() -> Iterator[list[float]]:
    """A list that grows by each edge of stability that a schedule meets inside the block."""
    edges: list[float] = []
    before = _EDGES.set(edges)
    try:
        yield edges
    finally:
        _EDGES.reset(before)


def remark(options: Mapping[str, Any], times: np.ndarray, edges: Sequence[float]) -> str:
    """What the answer says of steps beyond the lowest edge that was met; "" where there are none."""
    for rates in (each.rates(times) for each in options.values() if isinstance(each, Schedule)):
        above = (rates > min(edges, default=math.inf)).nonzero()[0]
        if above.size:
            return (
                f"the learning rate is above the edge of stability, {min(edges):.4g}, at {above.size} of "
                f"{rates.size} steps, the last of them step {above[-1]}: there weights grow"
            )
    return ""
