"""What the limit of random features depends on, and what its equation says at points z."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from teacherstudent.problems.random_features import RandomFeatures
from teacherstudent.theory.random_features.nonlinearity import moments


@dataclass(frozen=True)
class Model:
    """What the limit depends on: ratios of n, N and the counts of inputs (K,), and u_k = mu1^2 s_k, (K,)."""

    samples: float
    width: float
    counts: np.ndarray
    u: np.ndarray
    rest: float
    """mustar^2: the variance of the features that is not linear in their input."""
    c1: float
    hidden: float
    """cstar^2: the variance of the teacher that is not linear in its input."""
    noise: float
    """Variance of the label noise."""
    init: float
    """Variance of the initial weights."""
    ridge: float

    @classmethod
    def of(cls, problem: RandomFeatures) -> Model:
        """That of the problem."""
        student, teacher = moments(problem.activation), moments(problem.teacher)
        return cls(
            samples=problem.n,
            width=problem.width,
            counts=np.array(problem.counts, dtype=float),
            u=student.linear**2 * np.array(problem.strengths),
            rest=student.rest,
            c1=teacher.linear,
            hidden=teacher.rest,
            noise=problem.noise**2,
            init=problem.init**2,
            ridge=problem.ridge,
        )

    @cached_property
    def inputs(self) -> float:
        """d."""
        return float(self.counts.sum())

    @cached_property
    def m(self) -> np.ndarray:
        """Shares of the inputs, (K,)."""
        return self.counts / self.inputs

    @cached_property
    def psi1(self) -> float:
        """N/d."""
        return self.width / self.inputs

    @cached_property
    def psi2(self) -> float:
        """n/d."""
        return self.samples / self.inputs

    @cached_property
    def gap(self) -> float:
        """|psi1 - psi2|."""
        return abs(self.width - self.samples) / self.inputs

    @cached_property
    def left(self) -> np.ndarray:
        """min(psi1, psi2) less the shares of the j strongest scales, (K + 1,); exact of whole sizes."""
        strongest = np.cumsum(self.counts[np.argsort(-self.u)])
        return (min(self.samples, self.width) - np.concatenate([[0.0], strongest])) / self.inputs

    @cached_property
    def beyond(self) -> float:
        """min(psi1, psi2) minus the limit of E as y grows, which may be infinite."""
        return -np.inf if self.rest else float(self.left[np.count_nonzero(self.u)])

    def differences(self, least: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """psi1 - E and psi2 - E from the smaller of them, (...)."""
        other = least + self.gap
        return (least, other) if self.width <= self.samples else (other, least)


@dataclass(frozen=True)
class Point:
    """The equivalent at points z (...), and a certificate, (...).

    y: (...), infinite at z = 0 where E stays below psi1 and psi2. eta: eta_k, (..., K); learned: 1 - eta_k to
    all its digits, (..., K); floor: y mustar^2, (...); features and samples: psi1 - E and psi2 - E, (...).
    """

    z: np.ndarray
    y: np.ndarray
    eta: np.ndarray
    learned: np.ndarray
    floor: np.ndarray
    features: np.ndarray
    samples: np.ndarray
    converged: np.ndarray

    @property
    def scales(self) -> int:
        """K."""
        return self.eta.shape[-1]
