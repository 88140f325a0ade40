r"""Many eigenvalues taken together, so that every sum over them stays the same to some eleven digits.

All that is asked of a spectrum are sums of 1/(1 + q v), and of products of two such, with weights that are not
negative. As functions of log v they are analytic up to a distance pi - |arg q|, so that over a short panel of
log v Gauss's rule for those weights converges geometrically. There is one rule for the features, one for the
target's power and one for the start's. A panel of few eigenvalues keeps them all: those that stand alone stay
where they are. What is left of each sum is measured on the whole spectrum, at every point that is used.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from scipy import linalg

from teacherstudent.theory.resolvents import Resolvent, Spectrum
from teacherstudent.theory.spectral.tasks import Task

PANEL = 1.0
"""Width of a panel in log v."""

NODES = 10
"""Of each rule in a panel."""

FAITHFUL = 1e-11
"""Largest relative difference of a sum."""

ROWS = 16
"""Points whose sums over the whole spectrum are taken at once: what fits a cache."""


@dataclass(frozen=True)
class Thinned(Spectrum):
    """Few strengths that stand for a whole spectrum, whose rank and edges are its own."""

    whole: Spectrum | None = None

    @cached_property
    def beyond(self) -> float:
        """(n - rank)/d."""
        return self._whole.beyond

    def upper_edge(self) -> float:
        """Largest eigenvalue of C."""
        return self._whole.upper_edge()

    def lower_edge(self) -> float:
        """Smallest eigenvalue of C other than zero."""
        return self._whole.lower_edge()

    @property
    def _whole(self) -> Spectrum:
        assert self.whole is not None
        return self.whole


def thinned(task: Task) -> Task:
    """The task on few strengths; the task itself where that would not shorten it, or has products with signs."""
    whole = task.spectrum
    measures = np.stack([whole.features, task.power, task.start])
    measures = measures[measures.any(axis=1) | [True, True, False]]
    if task.cross is not None:
        return task
    blocks = []
    for group in _panels(whole.strengths):
        if group.size <= NODES * len(measures) or whole.strengths[group[0]] == 0:
            blocks.append(np.stack([whole.strengths[group], *measures[:, group]]))
            continue
        points = np.log(whole.strengths[group])
        for row, weights in enumerate(measures[:, group]):
            nodes, share = _gauss(points, weights)
            block = np.zeros((1 + len(measures), nodes.size))
            block[0], block[1 + row] = np.exp(nodes), share
            blocks.append(block)
    table = np.concatenate(blocks, axis=1)
    start = table[3] if len(table) > 3 else np.zeros(table.shape[1])
    few = Thinned(whole.samples, table[1], table[0], whole.pool, whole)
    return replace(task, spectrum=few, power=table[2], start=start)


def _panels(strengths: np.ndarray) -> list[np.ndarray]:
    """Places of the strengths, panel by panel from the strongest; those of strength 0 have one of their own."""
    with np.errstate(divide="ignore"):
        depth = (np.log(strengths.max()) - np.log(strengths)) / PANEL
    panel = np.floor(depth)
    order = np.argsort(panel, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(panel[order], append=np.nan) != 0)[:-1] + 1)


def _gauss(points: np.ndarray, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Gauss's rule for sums of weights at points: Lanczos's process on the points, from the weights' roots."""
    total = weights.sum()
    if not total:
        return np.zeros(0), np.zeros(0)
    basis, diagonal, beside = [np.sqrt(weights / total)], [], []
    while True:
        moved = points * basis[-1]
        diagonal.append(basis[-1] @ moved)
        for each in (*basis, *basis):  # twice: orthogonal to rounding
            moved = moved - (each @ moved) * each
        norm = np.linalg.norm(moved)
        if len(basis) == NODES or norm <= np.finfo(float).eps * PANEL * points.size:
            break
        beside.append(norm)
        basis.append(moved / norm)
    nodes, vectors = linalg.eigh_tridiagonal(diagonal, beside)
    return nodes, total * vectors[0] ** 2


def faithful(whole: Task, few: Task, at: Resolvent) -> np.ndarray:
    """Where all sums over the few strengths are, at each point, those over the whole spectrum, (T,).

    at: of the few, at points (T, J).
    """
    strongest = few.spectrum.strengths.argmax()
    h = at.h[..., strongest]
    finite = h != 0  # elsewhere q is infinite
    q = np.where(finite, at.learned[..., strongest], 0.0) / np.where(finite, h, 1.0)
    q = q / few.spectrum.strengths[strongest]
    differs = np.zeros(q.shape)
    for place in np.ndindex(q.shape[:1]):
        mine, others = _sums(few, q[place]), _sums(whole, q[place])
        with np.errstate(invalid="ignore"):
            off = np.abs(mine - others) / np.abs(others)
        differs[place] = np.nanmax(np.where(others == mine, 0.0, off), axis=0)
    return np.all(differs <= FAITHFUL, axis=-1)


def _sums(task: Task, q: np.ndarray) -> np.ndarray:
    """Sums of mu h, mu v h, power h and start h at points q, (J,): (4, J).

    With h = (1 + v q*)/|1 + q v|^2 all of them are sums over real numbers.
    """
    v, mu = task.spectrum.strengths, task.spectrum.weights
    weights = np.stack(
        [mu, mu * v, mu * v**2, task.power, task.power * v, task.start, task.start * v], axis=1
    )
    damped = 1 / ((1 + np.multiply.outer(q.real, v)) ** 2 + np.multiply.outer(q.imag, v) ** 2)
    found = (damped @ weights).T
    return found[[0, 1, 3, 5]] + np.conj(q) * found[[1, 2, 4, 6]]
