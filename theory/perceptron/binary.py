r"""Weights of -1 and 1 in replica symmetry: a teacher that is learned all at once, and storage.

Two members of a teacher's version space overlap by q, and each as much with the teacher (seung1992):

    q = int Dt tanh(qh + sqrt(qh) t),    qh = alpha k(q)/(pi sqrt(1 - q)),
    s = int Dt ln 2 cosh(qh + sqrt(qh) t) - qh (1 + q)/2 + 2 alpha int Dt H(g t) ln H(g t),

with k of `version_space` and g^2 = q/(1 - q). Besides, q = 1 with s = 0, the teacher alone, always solves.
Along qh both q and alpha are explicit. On the low branch, from qh = 0, alpha grows to the *spinodal*; s falls
and meets 0 at the *transition*, from which on the teacher is the only student there is. In between the low
branch is metastable. Random labels are stored up to where s = 0 (krauth1989):

    q = int Dt tanh^2(sqrt(qh) t),    qh = alpha/(1 - q) int Dt (phi(g t)/H(g t))^2,
    s = int Dt ln 2 cosh(sqrt(qh) t) - qh (1 - q)/2 + alpha int Dt ln H(g t).
"""

from __future__ import annotations

from functools import cache

import numpy as np
from scipy.optimize import brentq, elementwise, minimize_scalar
from scipy.special import erfcx, log_ndtr

from teacherstudent.house.errors import InputError
from teacherstudent.problems.perceptron import Perceptron
from teacherstudent.theory.perceptron.student_state import Student
from teacherstudent.theory.perceptron.version_space import kernel, surprise

POINTS = np.arange(-76, 77) / 8
"""Of the trapezoidal rule: poles of tanh lie pi/(2 sqrt(qh)) beside them, 0.6 or more on the branch."""

NORMAL = np.exp(-(POINTS**2) / 2) / np.sqrt(2 * np.pi) / 8

CLOSE = 1e-12
"""Relative error of alpha on the branch that counts as none."""

BEYOND = 6.0
"""qh that is beyond the spinodal, and beyond the end of storage."""


def gibbs(problem: Perceptron, alphas: np.ndarray) -> Student:
    """A random member of the version space in equilibrium: from the transition on, the teacher."""
    return member(*known_up_to(transition(), alphas))


def bayes(problem: Perceptron, alphas: np.ndarray) -> Student:
    """The centre of mass of the version space in equilibrium."""
    return centre(*known_up_to(transition(), alphas))


def member(q: np.ndarray, rest: np.ndarray, count: np.ndarray, converged: np.ndarray) -> Student:
    """One that overlaps with the teacher by q = 1 - rest, among exp(count d) like it, (T,) each."""
    across = np.sqrt(rest * (1 + q))
    return Student(q, across, np.zeros(q.size), converged, entropy=count - np.log(2))


def centre(q: np.ndarray, rest: np.ndarray, _: np.ndarray, converged: np.ndarray) -> Student:
    """The mean of such members."""
    return Student(q, np.sqrt(q * rest), np.zeros(q.size), converged)


def known_up_to(end: float, alphas: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """q, 1 - q, entropy and where they are certified, (T,): of the low branch, and 1, 0, 0 from `end` on."""
    q, rest, count = np.ones(alphas.size), np.zeros(alphas.size), np.zeros(alphas.size)
    converged = np.ones(alphas.size, dtype=bool)
    low = alphas < end
    q[low], rest[low], count[low], converged[low] = low_branch(alphas[low])
    return q, rest, count, converged


def low_branch(alphas: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """q, 1 - q, the logarithm of the number of students per weight, and where these are certified, (T,).

    alphas: above 0 and up to the spinodal; not certified beyond. From the transition on that is below 0.
    """
    end, last = _spinodal()
    there = alphas <= last
    asked = alphas[there]
    ends = (
        np.log(np.minimum(asked, 1.0) * 1e-3),
        np.full(asked.size, np.log(end)),
    )  # near 0 qh is 2 alpha/pi
    found = elementwise.find_root(_excess, ends, args=(asked,), tolerances={"xatol": 1e-15, "fatol": 0.0})
    qh = np.exp(found.x)
    q, rest, count = np.full((3, alphas.size), np.nan)
    q[there], rest[there] = taught(qh)
    count[there] = _entropy(qh)
    converged = there.copy()
    converged[there] = np.abs(_excess(found.x, asked)) <= CLOSE
    return q, rest, count, converged


def _excess(log_qh: np.ndarray, alphas: np.ndarray) -> np.ndarray:
    return np.asarray(load(np.exp(log_qh)) / alphas - 1)


def taught(qh: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """q and 1 - q at qh, (T,). tanh has the mean of its square, which keeps the digits of a small q."""
    fields = np.tanh(np.sqrt(qh)[:, None] * POINTS + qh[:, None])
    return fields**2 @ NORMAL, (1 - fields) @ NORMAL


def load(qh: np.ndarray) -> np.ndarray:
    """alpha at qh, (T,)."""
    q, rest = taught(qh)
    return np.asarray(np.pi * qh * np.sqrt(rest) / kernel(q))


def _entropy(qh: np.ndarray) -> np.ndarray:
    q, rest = taught(qh)
    inside = _cosh(np.sqrt(qh)[:, None] * POINTS + qh[:, None])
    return np.asarray(inside - qh * (1 + q) / 2 + load(qh) * surprise(q / rest))


def _cosh(fields: np.ndarray) -> np.ndarray:
    """The mean of ln 2 cosh, (T,)."""
    return np.asarray(np.logaddexp(fields, -fields) @ NORMAL)


def entropy(alpha: float) -> float:
    """That of the low branch, 0 < alpha <= the spinodal. Raises `InputError` elsewhere."""
    if not 0 < alpha <= spinodal():
        raise InputError("alpha", alpha, f"above 0 and at most {spinodal():.6f}, the spinodal")
    return float(low_branch(np.array([alpha]))[2][0])


@cache
def _spinodal() -> tuple[float, float]:
    """qh and alpha."""
    found = minimize_scalar(
        lambda qh: -load(np.array([qh]))[0], bounds=(0.1, BEYOND), method="bounded", options={"xatol": 1e-9}
    )
    return float(found.x), float(-found.fun)


def spinodal() -> float:
    """The alpha at which the low branch ends: from there on nothing is between a search and the teacher."""
    return _spinodal()[1]


@cache
def transition() -> float:
    """The alpha from which on the teacher is the only member of its version space."""
    qh = brentq(lambda each: _entropy(np.array([each]))[0], 0.1, _spinodal()[0], xtol=1e-14, rtol=1e-14)
    return float(load(np.array([qh]))[0])


@cache
def storage_capacity() -> float:
    """Random labels that students of weights -1 and 1 store, per weight."""
    qh = brentq(lambda each: _stored(each)[1], 0.1, BEYOND, xtol=1e-14, rtol=1e-14)
    return _stored(qh)[0]


def _stored(qh: float) -> tuple[float, float]:
    """alpha and s at qh."""
    fields = np.sqrt(qh) * POINTS
    q = float(np.tanh(fields) ** 2 @ NORMAL)
    rest = float(NORMAL @ (1 - np.tanh(fields) ** 2))
    t = np.sqrt(q / rest) * POINTS
    alpha = qh * rest / float(2 / np.pi / erfcx(t / np.sqrt(2)) ** 2 @ NORMAL)
    return alpha, float(_cosh(fields[None])[0]) - qh * rest / 2 + alpha * float(log_ndtr(-t) @ NORMAL)
