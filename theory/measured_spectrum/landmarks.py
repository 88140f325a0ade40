"""Landmarks of the test error over gradient flow: its extrema, and how often it descends."""

from __future__ import annotations

import numpy as np

from teacherstudent.problems.measured_spectrum import MeasuredSpectrum
from teacherstudent.theory import turning
from teacherstudent.theory.measured_spectrum.task import task_of
from teacherstudent.theory.spectral.compression import Smooth
from teacherstudent.theory.spectral.tasks import Task

NARROWEST = 1e-6
"""Least gap above zero that a spectrum's lower edge counts as having, in shares of the smallest strength."""


def error_curve(problem: MeasuredSpectrum, curve: str = "flow") -> turning.Curve:
    """The test error, label noise included, of gradient flow over log s."""
    task = task_of(problem)
    smooth, (low, high) = Smooth.of(task), np.log(time_range(task))
    return turning.Curve(lambda x: smooth.at(x).above(task.noise), low, min(high, smooth.whole.last))


def time_range(task: Task) -> tuple[float, float]:
    """Times between which everything happens: before the fastest mode, after the slowest, with a margin.

    Where the lower edge is 0 the slowest modes are those of a gap that closes. Initial weights
    that no row sees are left to the ridge alone.
    """
    spectrum = task.spectrum
    strengths = spectrum.strengths[spectrum.strengths > 0]
    slowest = max(spectrum.lower_edge() or NARROWEST * strengths.min(), task.ridge)
    if task.start.any() and task.ridge and spectrum.beyond < 0:
        slowest = task.ridge
    return 0.03 / (spectrum.upper_edge() + task.ridge), 1e3 / slowest


def extrema(problem: MeasuredSpectrum, curve: str = "flow") -> tuple[turning.Extremum, ...]:
    """Every minimum and maximum of the test error over time."""
    return turning.extrema(error_curve(problem, curve))


def descents(problem: MeasuredSpectrum, curve: str = "flow") -> int:
    """How often the test error descends over training."""
    return turning.descents(error_curve(problem, curve))
