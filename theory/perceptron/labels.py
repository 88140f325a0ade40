r"""The law of labels as a student sees it.

With noise of variance Delta inside the sign, what a label is the sign of correlates by c = 1/sqrt(1 + Delta)
with the teacher's field u, of variance 1; random labels have c = 0. A student whose output h has correlation
R with u then has t = y h of density 2 phi(x) Phi(delta x), x = t/sqrt(Q), with
delta = c R/sqrt(1 - c^2 R^2): a skew normal.
"""

from __future__ import annotations

import math

import numpy as np
from scipy.special import ndtr, owens_t

from teacherstudent.problems.perceptron import Perceptron


def clean(problem: Perceptron) -> float:
    """c, the correlation of the teacher's field with what the label is the sign of."""
    return 0.0 if problem.labels == "random" else 1 / math.hypot(1.0, problem.noise)


def doubt(problem: Perceptron) -> float:
    """The standard deviation of the noise inside the sign; random labels are nothing else."""
    return math.inf if problem.labels == "random" else problem.noise


def linear(problem: Perceptron) -> float:
    """E y u = c sqrt(2/pi), the part of a label that is linear in the teacher's field."""
    return clean(problem) * math.sqrt(2 / math.pi)


def unclear(problem: Perceptron) -> float:
    """sqrt(1 - c^2), to all its digits."""
    return 1.0 if problem.labels == "random" else problem.noise / math.hypot(1.0, problem.noise)


def skew(problem: Perceptron, along: np.ndarray, across: np.ndarray) -> np.ndarray:
    """delta of a student, (T,): infinite where it answers every example right."""
    c, rest = clean(problem), unclear(problem)
    return np.asarray(c * along / np.hypot(across, rest * along))


def below(x: np.ndarray, delta: np.ndarray) -> np.ndarray:
    """The probability that a skew normal number is below x."""
    return np.maximum(ndtr(x) - 2 * owens_t(x, delta), 0.0)  # a difference of equal numbers rounds below 0


def inputs(problem: Perceptron) -> tuple[np.ndarray, np.ndarray]:
    """The share of inputs and their variance v = sigma^2, scale by scale, (K,) each."""
    return np.array(problem.counts) / problem.d, np.array(problem.strengths)
