"""Numbers that are not certain become NaN, with a warning that gives the reason.

An answer holds no infinity and no unexplained NaN. A route says itself what it is not certain of, by
`nan_where` or `nan_where_not_finite`; what it leaves unsaid the house says in its place
(`house.answers`), for `reasons` tells it what was said of which points. A thread that a route starts says
nothing unless it runs in a copy of the route's context (`contextvars.copy_context`).
"""

from __future__ import annotations

import warnings
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from teacherstudent.house.errors import UnconvergedWarning

V = TypeVar("V", np.ndarray, dict[str, np.ndarray])


@dataclass(frozen=True)
class Reason:
    """Why numbers are NaN: the `text` that is said, the points that it is about, and the arrays by name."""

    text: str
    lost: np.ndarray
    names: tuple[str, ...] = ()

    def covers(self, name: str, owed: Collection[str], leading: tuple[int, ...]) -> np.ndarray:
        """At which points of an answer, of shape `leading` (draws, where any, and times), it explains `name`.

        owed: names of all observables. Of arrays that are none of these, and at points that are not the
        answer's own, a route speaks of its means: that explains whatever it leads to.
        """
        own = set(self.names).intersection(owed)
        if own and name not in own:
            return np.zeros(leading, dtype=bool)
        shape = self.lost.shape
        if shape == leading:
            return self.lost
        found = np.zeros(leading, dtype=bool)
        if shape == leading[-1:]:
            found |= self.lost
        if shape == leading[:1]:
            found |= self.lost.reshape(-1, *[1] * (len(leading) - 1))
        return found if shape in (leading[-1:], leading[:1]) else np.ones(leading, dtype=bool)


_GIVEN: ContextVar[list[Reason] | None] = ContextVar("given", default=None)
_RECORDED: ContextVar[list[str] | None] = ContextVar("recorded", default=None)
_TALLIES: ContextVar[dict[tuple[str, str, int], list[np.ndarray]] | None] = ContextVar(
    "tallies", default=None
)


@contextmanager
def reasons() -> Iterator[list[Reason]]:
    """A list that grows by each reason given inside the block for numbers that are not certain."""
    given: list[Reason] = []
    before = _GIVEN.set(given)
    try:
        yield given
    finally:
        _GIVEN.reset(before)


@contextmanager
def together() -> Iterator[None]:
    """Warns of each reason given inside the block once, at its end: of all draws, which come in groups."""
    tallies: dict[tuple[str, str, int], list[np.ndarray]] = {}
    before = _TALLIES.set(tallies)
    try:
        yield
    finally:
        _TALLIES.reset(before)
    for (reason, of, _), losses in tallies.items():
        lost = np.concatenate(losses) if losses[0].ndim > 1 or of else np.any(losses, axis=0)
        if lost.any():
            _warn(f"{reason}; NaN {_extent(lost, of)}", stacklevel=4)


def nan_where(lost: np.ndarray | bool, reason: str, values: V, of: str = "") -> V:
    """The values with NaN at each point that is lost, and an `UnconvergedWarning` if any is.

    lost: truth values over points: of one answer, (); of times, (T,); of draws and times, (S, T).
    values: an array whose first axes are those of `lost`, or such arrays by name. The warning gives the
    `reason` and how many are concerned: times, or entries of the first axis, called `of` (draws).
    """
    lost = np.asarray(lost)
    _say(reason, lost, tuple(values) if isinstance(values, dict) else (), of)
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


def not_negative(values: np.ndarray, allowed: np.ndarray | float) -> np.ndarray:
    """Numbers that cannot be negative: 0 where they are by no more than `allowed`, NaN where by more.

    allowed: what rounding and truncation explain; nothing else may be taken for 0, and nothing where that is
    not finite.
    """
    explained = np.isfinite(allowed) & (values >= -allowed)
    return np.where((values >= 0) | explained, np.maximum(values, 0.0), np.nan)


def _say(text: str, lost: np.ndarray, names: tuple[str, ...], of: str) -> None:
    tallies = _TALLIES.get()
    if tallies is not None:
        tallies.setdefault((text, of, lost.ndim), []).append(lost)
    if lost.any():
        reason = Reason(f"{text}; NaN {_extent(lost, of)}", lost, names)
        if (given := _GIVEN.get()) is not None:
            given.append(reason)
        if tallies is None:
            _warn(reason.text, stacklevel=5)


def _warn(text: str, stacklevel: int) -> None:
    if (said := _RECORDED.get()) is None:
        warnings.warn(text, UnconvergedWarning, stacklevel=stacklevel)
    else:
        said.append(" ".join(text.split()))


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


@contextmanager
def recorded_doubts() -> Iterator[list[str]]:
    """Collects what would be warned of as `UnconvergedWarning` in the block, one line each.

    Unlike `warnings.catch_warnings` it leaves other threads as they are.
    """
    said: list[str] = []
    before = _RECORDED.set(said)
    try:
        yield said
    finally:
        _RECORDED.reset(before)
