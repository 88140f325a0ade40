r"""The excess risk of gradient flow and its derivatives by log time, from one set of resolvents.

With e^{us} the propagator and D = d/d log s, the derivatives of p = e^{us} are polynomials of us times p,
and the excess risk is a quadratic form F of p: E = F(p, p), DE = 2 F(p, Dp), D^2 E = 2 F(Dp, Dp) + 2 F(p,
D^2 p). Only the weights differ, so that one matrix of kernels at each time gives all of them without any
difference. Dp vanishes at the pole of the end, so that a slope keeps its digits however close that is.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from teacherstudent.problems.multiscale import MultiScale
from teacherstudent.theory import contours, turning
from teacherstudent.theory.multiscale.penalised import unpenalised
from teacherstudent.theory.multiscale.terms import (
    Filter,
    Kernels,
    Poles,
    on_contour,
    once,
    poles_of,
    spectrum_of,
    whole,
)

CONTOUR = 5e-11
"""Relative error of a slope's parts on a contour: the truncation and the rounding of a filter."""


MARGIN = 1e-3
"""Distance in log time from where the slope is no number any more: room for differences."""


@dataclass(frozen=True)
class Flow:
    """Gradient flow of one problem: what all its times share."""

    problem: MultiScale
    plain: MultiScale
    slowest: float
    poles: Poles

    @classmethod
    def of(cls, problem: MultiScale) -> Flow:
        """That of the problem; an output penalty speeds up and shrinks one without it."""
        plain = unpenalised(problem)
        return cls(problem, plain, spectrum_of(plain).lower_edge() + plain.ridge, poles_of(plain))

    @property
    def last(self) -> float:
        """The log time up to which slopes are numbers: beyond it the spectrum has no more to say.

        Infinite where initial weights that no example sees are left to the ridge alone.
        """
        if not self.slowest or len(self.poles) > 1:
            return np.inf
        return float(np.log(contours.GONE / self.slowest / (1 + self.problem.output_penalty)) - MARGIN)

    def at(self, x: np.ndarray) -> turning.Motion:
        """The excess risk and its derivatives at log times x, (T,); NaN where no root was certified."""
        clock = (1 + self.problem.output_penalty) * np.exp(x)
        by = on_contour(self.plain, contours.flow(clock, self.slowest), self.poles)
        us = clock[:, None] * (by.at.z - self.plain.ridge)
        rows = np.stack([np.ones_like(us), us, us + us**2])  # D^n e^{us} / e^{us}
        form, size = self._form(by, rows)
        certain = np.where(np.all(by.at.converged, axis=-1), 1.0, np.nan)
        return turning.Motion(
            value=certain * form[0, 0],
            slope=certain * 2 * form[0, 1],
            bend=certain * 2 * (form[1, 1] + form[0, 2]),
            size=2 * size,
            error=2 * CONTOUR * size,
        )

    def _form(self, by: Filter, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """F of every two derivatives, (N, N, T), and of p and Dp the sum of its parts' magnitudes, (T,)."""
        plain, at = self.plain, by.at
        spectrum = spectrum_of(plain)
        mu, s = spectrum.weights, spectrum.strengths
        share = 1 / (1 + self.problem.output_penalty)
        taken = s * at.qh
        kernels = Kernels.of(plain, at)
        overlap = (mu * taken) @ np.swapaxes(whole(taken), -1, -2)
        learning = [(overlap * (kernels.missed + plain.noise**2 * kernels.amplified), by.learning)]
        started = [(overlap * kernels.moved, by.over_z)] if plain.init else []

        # D of the error operator M = 1 - f C is that of -f C; an output penalty leaves some of the teacher.
        moved = [-once(by.learning * row, taken) for row in rows[1:]]
        errors = share * np.stack([once(by.over_v, at.h), *moved])
        errors[0] += 1 - share
        form = np.einsum("ntk,mtk,k->nmt", errors, errors, mu) / 2
        size = np.abs(errors[0] * errors[1]) @ mu / 2
        for matrix, weights in learning + [(plain.init**2 * m, w) for m, w in started]:
            left = rows * weights
            right = whole(left.swapaxes(0, 1).swapaxes(1, 2)).swapaxes(1, 2)  # (T, N, 2J)
            half = np.einsum(
                "tij,tnj->tni", np.broadcast_to(matrix, (right.shape[0], *matrix.shape[1:])), right
            )
            form += share**2 / spectrum.alpha * np.einsum("mti,tni->mnt", left, half).real
            size += share**2 / spectrum.alpha * np.einsum("ti,ti->t", np.abs(left[0]), np.abs(half[:, 1]))
        if plain.init:
            kept = [once(by.over_z * row, at.h) for row in rows]
            form += share**2 * plain.init**2 / 2 * np.einsum("ntk,mtk,k->nmt", kept, kept, mu * s)
        return form, size
