"""Numbers that are not certain become NaN, with a warning that gives the reason.

An answer holds no infinity and no unexplained NaN. A route says itself what it is not certain of, by
`nan_where` or `nan_where_not_finite`; what it leaves unsaid the house says in its place
(`house.answers`), for `reasons` tells it what was said.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeVar

import numpy as np

from teacherstudent.house.domains import UnconvergedWarning

V = TypeVar("V", np.ndarray, dict[str, np.ndarray])

_GIVEN: ContextVar[list[str] | None] = ContextVar("given", default=None)


@contextmanager
def reasons() -> Iterator[list[str]]:
    """A list that grows by each reason given inside the block for a number that is not certain."""
    given: list[str] = []
    before = _GIVEN.set(given)
    try:
        yield given
    finally:
        _GIVEN.reset(before)


def nan_where(lost: np.ndarray | bool, reason: str, values: V, of: str = "") -> V:
    """The values with NaN at each point that is lost, and an `UnconvergedWarning` if any is.

    lost: truth values over points: of one answer, (); of times, (T,); of draws and times, (S, T).
    values: an array whose first axes are those of `lost`, or such arrays by name. The warning gives the
    `reason` and how many are concerned: times, or entries of the first axis, called `of` (draws).
    """
    lost = np.asarray(lost)
    if lost.any():
        _warn(f"{reason}; NaN {_extent(lost, of)}")
    found: Any
    if isinstance(values, dict):
        found = {name: _masked(lost, each) for name, each in values.items()}
    else:
        found = _masked(lost, values)
    return found


def nan_where_not_finite(
    values: Mapping[str, np.ndarray], reason: str, *, points: int = 2, of: str = ""
) -> dict[str, np.ndarray]:
    """The values with NaN at each point where any of them is infinite or NaN.

    values: arrays whose first `points` axes are those of the points, by default draws and times,
    (S, T, ...). `reason` and `of` as in `nan_where`. A point that is finite in all arrays is left as it is.
    """
    finite = [np.isfinite(each).all(axis=tuple(range(points, each.ndim))) for each in values.values()]
    return nan_where(~np.all(finite, axis=0), reason, dict(values), of)


def _warn(text: str) -> None:
    given = _GIVEN.get()
    if given is not None:
        given.append(text)
    warnings.warn(text, UnconvergedWarning, stacklevel=4)


def _extent(lost: np.ndarray, of: str) -> str:
    if lost.ndim == 0:
        return "everywhere"
    concerned = lost.reshape(len(lost), -1).any(axis=1)
    default, place = ("times", "at") if lost.ndim == 1 else ("draws", "in")
    return f"{place} {concerned.sum()} of {concerned.size} {of or default}"


def _masked(lost: np.ndarray, values: np.ndarray) -> np.ndarray:
    if not lost.any():
        return values
    own = tuple(range(lost.ndim, np.ndim(values)))
    return np.where(np.expand_dims(lost, own), np.nan, values)
