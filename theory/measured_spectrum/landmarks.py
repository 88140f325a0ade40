"""Landmarks of the test error over gradient flow: its extrema, and how often it descends."""

from __future__ import annotations

import numpy as np

from teacherstudent.problems.measured_spectrum import MeasuredSpectrum
from teacherstudent.theory import turning
from teacherstudent.theory.measured_spectrum.task import task_of
from teacherstudent.theory.measured_spectrum.window import everything
from teacherstudent.theory.spectral.compression import Smooth


def error_curve(problem: MeasuredSpectrum, curve: str = "flow") -> turning.Curve:
    """The test error, label noise included, of gradient flow over log s."""
    task = task_of(problem)
    smooth, (low, high) = Smooth.of(task), np.log(everything(task))
    return turning.Curve(lambda x: smooth.at(x).above(task.noise), low, min(high, smooth.whole.last))


def extrema(problem: MeasuredSpectrum, curve: str = "flow") -> tuple[turning.Extremum, ...]:
    """Every minimum and maximum of the test error over time."""
    return turning.extrema(error_curve(problem, curve))


def descents(problem: MeasuredSpectrum, curve: str = "flow") -> int:
    """How often the test error descends over training."""
    return turning.descents(error_curve(problem, curve))
