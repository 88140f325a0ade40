"""Layers by their shapes, with their matrices and regularisers by the simulation, and questions to routes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from teacherstudent.paper_checks.judging.questions import Questions
from teacherstudent.problems.orthogonal_convolution import PROBLEM, OrthogonalConvolution
from teacherstudent.problems.orthogonal_convolution.data import kernels

EPS = float(np.finfo(float).eps)
SHAPE = ("outputs", "inputs", "kernel_size", "stride", "dimension", "size")
OBSERVED = ("regulariser", "orthogonality_error", "largest_singular_value", "smallest_singular_value")


@dataclass(frozen=True)
class Layer:
    """A problem with one kernel, (M, C, k^D)."""

    problem: OrthogonalConvolution
    kernel: np.ndarray

    @cached_property
    def _measured(self) -> tuple[np.ndarray, float]:
        from teacherstudent.sims.orthogonal_convolution.layer import measured

        return measured(self.kernel, self.problem.stride, self.problem.size)

    @property
    def matrix(self) -> np.ndarray:
        """A, by the responses to impulses."""
        return self._measured[0]

    @property
    def regulariser(self) -> float:
        """L, by a convolution of the kernel with itself."""
        return self._measured[1]

    @cached_property
    def missed(self) -> np.ndarray:
        """A A^T - I, or A^T A - I where columns are to be orthonormal."""
        products = self.matrix @ self.matrix.T if self.problem.rows else self.matrix.T @ self.matrix
        return np.asarray(products - np.eye(len(products)))

    @property
    def excess(self) -> int:
        """M - C S^D, or 0 where that is negative."""
        p = self.problem
        return max(0, p.outputs - p.inputs * p.stride**p.dimension)

    @property
    def rounding(self) -> float:
        """How far rounding may put two sums apart that are L each.

        Products of windows are sums of n terms, off by at most n eps |K_m| |K_n|. Of (2k - 1)^D shifts
        together their squared errors are at most n^2 eps^2 |K|^4 (2k - 1)^D. To the sum of squares they add
        2 sqrt(L) times the root of that, and each of its terms an eps of it.
        """
        p = self.problem
        k, D, whole = p.kernel_size, p.dimension, self.regulariser + self.excess
        terms = max(p.inputs * k**D, p.outputs * (-(-k // p.stride)) ** D)
        shifts = (2 * k - 1) ** D
        products = terms * EPS * float(np.sum(self.kernel**2)) * np.sqrt(shifts)
        summed = max(p.outputs, p.inputs * p.stride**D) ** 2 * shifts * EPS * whole
        return float(2 * (2 * np.sqrt(whole) * products + summed))


def layer(shape: Sequence[int], seed: int, init: float = 0.5) -> Layer:
    """One of shape (M, C, k, S, D, N) with a drawn kernel."""
    problem = PROBLEM.instance(**dict(zip(SHAPE, shape, strict=True)), init=init)
    return Layer(problem, kernels(problem, [seed])[0])


QUESTIONS = Questions(PROBLEM.id)
entry, accuracy = QUESTIONS.entry, QUESTIONS.accuracy


def ask(
    dynamics: str, route: str, times: Sequence[float], seeds: Sequence[int], **question: Any
) -> np.ndarray:
    """Its observables, (O, S, T)."""
    answer = QUESTIONS.answer(dynamics, route, times, seeds=seeds, **question)
    return np.stack([answer[name].values for name in OBSERVED])
