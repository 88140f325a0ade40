"""What the limit of random features depends on, and what its equation says at points z."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

import numpy as np

from teacherstudent.problems.random_features import RandomFeatures
from teacherstudent.theory.random_features.nonlinearity import moments


@dataclass(frozen=True)
class Model:
    """What the limit depends on: ratios of n, N and the counts of inputs (K,), and u_k = mu1^2 s_k, (K,).

    Of B questions numbers are (B,) and arrays (B, K).
    """

    samples: Any
    width: Any
    counts: np.ndarray
    u: np.ndarray
    rest: Any
    """mustar^2: the variance of the features that is not linear in their input."""
    c1: Any
    hidden: Any
    """cstar^2: the variance of the teacher that is not linear in its input."""
    noise: Any
    """Variance of the label noise."""
    init: Any
    """Variance of the initial weights."""
    ridge: Any

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

    @classmethod
    def stacked(cls, models: Sequence[Model]) -> Model:
        """One for all of these questions, of as many scales each."""
        return cls(*(np.array([getattr(each, one.name) for each in models]) for one in fields(cls)))

    def rows(self, which: np.ndarray) -> Model:
        """Those of some of the questions, (R,), which may come several times."""
        return Model(*(getattr(self, one.name)[which] for one in fields(self)))

    @property
    def many(self) -> bool:
        """Whether it is of B questions."""
        return self.u.ndim > 1

    @cached_property
    def inputs(self) -> Any:
        """d."""
        return self.counts.sum(axis=-1) if self.many else float(self.counts.sum())

    @cached_property
    def m(self) -> np.ndarray:
        """Shares of the inputs, (K,)."""
        return np.asarray(self.counts / self.counts.sum(axis=-1, keepdims=True))

    @cached_property
    def psi1(self) -> Any:
        """N/d."""
        return self.width / self.inputs

    @cached_property
    def psi2(self) -> Any:
        """n/d."""
        return self.samples / self.inputs

    @cached_property
    def gap(self) -> Any:
        """|psi1 - psi2|."""
        return abs(self.width - self.samples) / self.inputs

    @cached_property
    def left(self) -> np.ndarray:
        """min(psi1, psi2) less the shares of the j strongest scales, (K + 1,); exact of whole sizes."""
        strongest = np.take_along_axis(self.counts, np.argsort(-self.u, axis=-1), axis=-1)
        taken = np.cumsum(np.insert(strongest, 0, 0.0, axis=-1), axis=-1)
        smaller = np.minimum(self.samples, self.width)
        return np.asarray((smaller[..., None] - taken) / np.asarray(self.inputs)[..., None])

    @cached_property
    def beyond(self) -> Any:
        """min(psi1, psi2) minus the limit of E as y grows, which may be infinite."""
        seen = np.count_nonzero(self.u, axis=-1, keepdims=True)
        known = np.take_along_axis(self.left, np.asarray(seen), axis=-1)[..., 0]
        return np.where(self.rest, -np.inf, known)[()]

    def differences(self, least: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """psi1 - E and psi2 - E from the smaller of them, (...)."""
        other, narrow = least + over(self.gap, least), over(self.width <= self.samples, least)
        return np.where(narrow, least, other), np.where(narrow, other, least)


def over(numbers: Any, array: np.ndarray) -> np.ndarray:
    """The numbers of questions, or that of all, shaped to multiply an array whose first axis they are."""
    numbers = np.asarray(numbers)
    return numbers.reshape(numbers.shape + (1,) * (array.ndim - numbers.ndim)) if numbers.ndim else numbers


@dataclass(frozen=True)
class Columns:
    """A model for sums over scales at N points: arrays (K or K + 1, 1 or N), numbers (1 or N,)."""

    m: np.ndarray
    u: np.ndarray
    left: np.ndarray
    rest: np.ndarray
    gap: np.ndarray
    psi1: np.ndarray
    psi2: np.ndarray

    @classmethod
    def of(cls, model: Model) -> Columns:
        """That of a model; of many the points are its questions."""
        m, u, left = (np.atleast_2d(each).T for each in (model.m, model.u, model.left))
        return cls(
            m, u, left, *(np.atleast_1d(each) for each in (model.rest, model.gap, model.psi1, model.psi2))
        )

    def some(self, points: np.ndarray) -> Columns:
        """Those of some of the points."""
        if self.gap.size == 1:
            return self
        return Columns(*(getattr(self, one.name)[..., points] for one in fields(self)))

    @property
    def smaller(self) -> np.ndarray:
        """min(psi1, psi2)."""
        return np.minimum(self.psi1, self.psi2)

    def unsaturated(self, count: np.ndarray) -> np.ndarray:
        """`left` where this number of scales is saturated, (N,)."""
        if self.left.shape[1] == 1:
            return np.asarray(self.left[count, 0])
        return np.asarray(np.take_along_axis(self.left, count[None], axis=0)[0])

    def mean(self, each: np.ndarray) -> np.ndarray:
        """sum_k m_k of what is (K, N)."""
        if self.m.shape[1] == 1:
            return np.asarray(self.m[:, 0] @ each)
        return np.asarray((self.m * each).sum(axis=0))


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
