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
