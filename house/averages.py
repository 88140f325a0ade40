"""Means over draws and their standard errors, whose squares may leave the range of numbers."""

from __future__ import annotations

import numpy as np


def mean_and_stderr(draws: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The mean over the first axis and one standard error of it, both (...) for draws (S, ...), S >= 2.

    Both are NaN where any draw is: a mean over the draws that went well would be biased.
    """
    largest = np.nanmax(np.abs(draws), axis=0, initial=0.0)  # of each point: one may lie 1e300 above another
    unit = np.ldexp(1.0, np.frexp(largest)[1] - 1)  # a power of two rounds nothing
    scaled = draws / unit
    return scaled.mean(axis=0) * unit, scaled.std(axis=0, ddof=1) / np.sqrt(len(draws)) * unit


def spread_and_stderr(draws: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The standard deviation over the first axis and one standard error of it, (...) for draws (S, ...).

    The error is the jackknife's, which takes no law of the draws for granted; NaN for S = 2. Both are NaN
    where any draw is.
    """
    count = len(draws)
    largest = np.nanmax(np.abs(draws), axis=0, initial=0.0)
    unit = np.ldexp(1.0, np.frexp(largest)[1] - 1)
    squares = (draws / unit - (draws / unit).mean(axis=0)) ** 2
    whole = squares.sum(axis=0)
    spread = np.sqrt(whole / (count - 1)) * unit
    if count < 3:
        return spread, np.full(spread.shape, np.nan)
    left = np.sqrt(np.maximum(whole - squares * (count / (count - 1)), 0.0) / (count - 2))  # without one draw
    return spread, np.sqrt((count - 1) * left.var(axis=0)) * unit
