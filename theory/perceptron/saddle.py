r"""Students that minimise a convex loss with ridge: state evolution (loureiro2021, thrampoulidis2018).

For alpha d examples of inputs of variances v_k the student is, input by input, that of a quadratic problem,

    w_k = (c mu v_k w*_k + sqrt(q v_k) xi_k)/(ridge + s v_k),    V = <v_k/(ridge + s v_k)>,

whose constants are what the examples exert: mu = alpha sqrt(2/pi) E_doubtful F, q = alpha E F^2 and
s = -alpha E F' with the means of `fields`. Both together are a fixed point for along, across and V, which is
unique, for the problem is convex. It is solved for their logarithms, along in units of c, which random labels
do not have.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from teacherstudent.problems.perceptron import Perceptron
from teacherstudent.theory.perceptron import labels
from teacherstudent.theory.perceptron.fields import Means, means
from teacherstudent.theory.perceptron.losses import Loss


@dataclass(frozen=True)
class Saddle:
    """The equations of one problem."""

    loss: Loss
    clean: float
    unclear: float
    weights: np.ndarray
    v: np.ndarray

    @classmethod
    def of(cls, problem: Perceptron, loss: Loss) -> Saddle:
        """Those of a problem with this loss."""
        weights, v = labels.inputs(problem)
        return cls(loss, labels.clean(problem), labels.unclear(problem), weights, v)

    def means(self, state: np.ndarray, unit: np.ndarray) -> Means:
        """At logarithms of along/c, across and unit V, (T, 3), of forces in units of `unit`, (T,)."""
        along, across = self.clean * np.exp(state[:, 0]), np.exp(state[:, 1])
        size, rest = np.hypot(along, across), np.hypot(across, self.unclear * along)
        V = np.exp(state[:, 2]) / unit
        return means(self.loss, size, rest / size, self.clean * along / rest, V, unit)

    def step(self, alphas: np.ndarray, ridges: np.ndarray, state: np.ndarray) -> np.ndarray:
        """What the equations make of it at these alphas and ridges, (T,): (T, 3)."""
        unit = unit_of(ridges)
        mu, force, stiffness = self.exerted(alphas, self.means(state, unit))
        kept = 1 / ((ridges / unit)[:, None] + stiffness[:, None] * self.v)
        response = np.log(kept @ (self.weights * self.v))
        return np.concatenate([self.answered(kept, mu, force), response[:, None]], axis=1)

    def exerted(self, alphas: np.ndarray, found: Means) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """mu, q and s, (T,)."""
        return alphas * np.sqrt(2 / np.pi) * found.turning, alphas * found.force, alphas * found.stiffness

    def answered(self, kept: np.ndarray, mu: np.ndarray, force: np.ndarray) -> np.ndarray:
        """Logarithms of along/c and across of the student that gives way by kept, (T, K), (T, 2)."""
        pv, unit = self.weights * self.v, kept.max(axis=1)
        kept = kept / unit[:, None]
        taught = kept * self.v * mu[:, None]  # per unit of the teacher's own weight, and of c
        mean = taught @ pv
        spread = (taught - mean[:, None]) ** 2 @ pv
        across = self.clean**2 * spread + force * (kept**2 @ (pv * self.v))
        return np.stack([np.log(mean) + np.log(unit), np.log(across) / 2 + np.log(unit)], axis=1)


def unit_of(ridges: np.ndarray) -> np.ndarray:
    """The unit of forces and of 1/V, (T,): a small ridge, as which they are small if separable."""
    return np.where(ridges > 0, np.minimum(ridges, 1.0), 1.0)
