r"""The version space of a teacher without noise: a random member of it (Gibbs), and its centre (Bayes).

A member has overlap R with the teacher, and as much with another member, for the teacher is one itself:

    R/sqrt(1 - R) = (alpha/pi) k(R),  k(q) = int Dt e^{-q t^2/2}/H(sqrt(q) t),        seung1992

and k lies between k(0) = 2 and k(1), which are so close that iterating k converges. The centre has overlap R
with each member and length sqrt(R). The entropy per weight is

    s = ln(1 - R)/2 + R/2 + 2 alpha int Dt H(gamma t) ln H(gamma t),  gamma = sqrt(R/(1 - R)).

All integrands are analytic and vanish at both ends, where the trapezoidal rule converges geometrically.
"""

from __future__ import annotations

import numpy as np
from scipy.special import erfcx, log_ndtr, ndtr

from teacherstudent.problems.perceptron import Perceptron
from teacherstudent.theory.perceptron.student_state import Student

POINTS = np.arange(-40, 41) / 4
"""Of the trapezoidal rule, at a quarter of the width of a normal law: zeros of H lie 2.8 beside them."""

MOST = 60
"""Iterations: each gains a digit or more."""

CLOSE = 1e-14


def gibbs(problem: Perceptron, alphas: np.ndarray) -> Student:
    """A random member: of length 1, and on all examples right."""
    R, rest, converged = overlap(alphas)
    across = np.sqrt(rest * (1 + R))
    return Student(R, across, np.zeros(R.size), converged, entropy=entropy(alphas, R, rest))


def bayes(problem: Perceptron, alphas: np.ndarray) -> Student:
    """The centre of mass: it lies in the version space, which is convex, and is on all examples right."""
    R, rest, converged = overlap(alphas)
    return Student(R, np.sqrt(R * rest), np.zeros(R.size), converged)


def overlap(alphas: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """R of two members, 1 - R to all its digits, and where it converged, (T,) each."""
    R = np.zeros(alphas.size)
    for _ in range(MOST):
        before = R
        y = alphas / np.pi * kernel(R)
        root = 2 / (y + np.sqrt(y * y + 4))  # sqrt(1 - R) of R/sqrt(1 - R) = y
        R = y * root
        if np.all(np.abs(R - before) <= CLOSE * R):
            break
    return R, root**2, np.abs(R - before) <= CLOSE * R


def kernel(q: np.ndarray) -> np.ndarray:
    """k(q) for q in [0, 1], (T,)."""
    return np.asarray(2 / erfcx(np.sqrt(q / 2)[:, None] * POINTS) @ _normal(POINTS))


def entropy(alphas: np.ndarray, R: np.ndarray, rest: np.ndarray) -> np.ndarray:
    """s at overlap R, rest = 1 - R."""
    return np.asarray(np.log(rest) / 2 + R / 2 + alphas * surprise(R / rest))


def surprise(odds: np.ndarray) -> np.ndarray:
    """2 int Dt H(gamma t) ln H(gamma t), gamma^2 = odds, (T,): minus the information of one more label."""
    gamma = np.sqrt(odds)[:, None]
    slow = np.maximum(gamma, 1)  # the narrower of both factors sets the step
    t, u = POINTS / slow, POINTS * (gamma / slow)
    return np.asarray(2 * np.sum(_normal(t) / slow * ndtr(-u) * log_ndtr(-u), axis=-1))


def _normal(t: np.ndarray) -> np.ndarray:
    """The rule's weights of a standard normal law at points t, before they are drawn together."""
    return np.asarray(np.exp(-(t**2) / 2) / np.sqrt(2 * np.pi) * (POINTS[1] - POINTS[0]))
