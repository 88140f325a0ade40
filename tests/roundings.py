"""How closely a computed number is held: to a stated number of roundings, or exactly with the reason by name.

Processors round differently: they sum in another order, with or without fused products. So `==` between
computed numbers holds on one processor only, and `tests/test_exactness.py` refuses it.
"""

from __future__ import annotations

from typing import Any

import numpy as np


class Held:
    """Whether numbers were as near as they had to be, with the words that a failed assertion prints."""

    def __init__(self, passes: bool, words: str) -> None:
        self.passes, self.words = passes, words

    def __bool__(self) -> bool:
        return self.passes

    def __repr__(self) -> str:
        return self.words


def same(found: Any, expected: Any, roundings: float, of: Any = None) -> Held:
    """Whether numbers differ by that many roundings at most, and are NaN and infinite in the same places.

    A rounding is the spacing of the coarser type, relative to the larger of the two numbers, or to the size
    `of` what was added to make them.
    """
    a, b = np.asarray(found), np.asarray(expected)
    if a.shape != b.shape and b.ndim:
        return Held(False, f"shape {a.shape} for {b.shape}")
    eps = max([float(np.finfo(each.dtype).eps) for each in (a, b) if each.dtype.kind in "fc"], default=0.0)
    a, b = np.broadcast_arrays(a.astype(complex), b.astype(complex))
    size = np.maximum(np.abs(a), np.abs(b)) if of is None else np.abs(np.asarray(of, float))
    alike = (a == b) | (np.isnan(a) & np.isnan(b))
    with np.errstate(all="ignore"):
        off = np.broadcast_to(np.where(alike, 0.0, np.abs(a - b) / (eps * size)), a.shape)
    off = np.where(np.isnan(off), np.inf, off)
    if not np.any(off > roundings):
        return Held(True, f"within {roundings:g} roundings")
    at = np.unravel_index(int(np.argmax(off)), off.shape)
    where = f" at {tuple(int(i) for i in at)}" if at else ""
    wrong = f"{np.sum(off > roundings)} of {off.size} numbers differ by more than {roundings:g} roundings"
    one, other = (
        each.reshape(a.shape)[at] for each in (np.asarray(found), np.broadcast_to(expected, a.shape))
    )
    return Held(False, f"{wrong}: {float(off[at]):.4g} between {one!r} and {other!r}{where}")


def _exactly(found: Any, expected: Any) -> Held:
    if hasattr(found, "data_vars"):
        return Held(bool(found.identical(expected)), f"{found!r}\nis not\n{expected!r}")
    try:
        np.testing.assert_array_equal(np.asarray(found), np.asarray(expected))
    except AssertionError as error:
        return Held(False, str(error))
    return Held(True, "equal")


def repeated(found: Any, expected: Any) -> Held:
    """Whether the same operations on the same shapes, done twice by one processor, gave the same digits."""
    return _exactly(found, expected)


def copied(found: Any, expected: Any) -> Held:
    """Whether numbers that are only moved, stored, read or selected kept every digit (NaN is NaN)."""
    return _exactly(found, expected)


def unrounded(found: Any, expected: Any) -> Held:
    """Whether arithmetic that rounds nowhere (zeros, halves, whole numbers) gave these very numbers."""
    return _exactly(found, expected)
