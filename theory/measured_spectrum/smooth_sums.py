r"""Sums over thousands of modes, whose terms are smooth in the eigenvalue, from a few hundred of them.

Formulas for rows sum U_ik^2, or U_ik c_k, times a function of the eigenvalue: 1/(1 + q v_k), or products of
such. Over one unit of log v that function is nearly a polynomial of degree `NODES` - 1, so its values at
`NODES` of the eigenvalues there give all others (barycentric interpolation, Berrut & Trefethen 2004). The
matrix is multiplied by the weights of interpolation once; each sum then takes its terms at the nodes only.
What interpolation misses is measured at all eigenvalues each time; where it is more than `MISSED`, all modes
are summed.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

NODES = 18
"""Eigenvalues of a panel, one unit of log v wide, that stand for the others."""

MANY = 4
"""Modes of a panel, over `NODES`, from which on few stand for all."""

MISSED = 1e-11
"""Largest error of an interpolated value, relative to the largest in its panel."""

CLOSE = 1e-3
"""Distance of nodes, over the width of their panel, below which one of them is left out."""


@dataclass(frozen=True)
class Panel:
    """Modes first to last of one unit of log v, places of their nodes, (m,), and their weights in each mode,
    (last - first, m)."""

    first: int
    last: int
    nodes: np.ndarray
    weights: np.ndarray


@dataclass(frozen=True)
class SmoothSums:
    """A real matrix (P, K) of rows and modes, ready to be multiplied by functions of the eigenvalue.

    The columns of the matrix are multiplied by `factors`, (K,), too. few: all that times the weights of the
    panels, (P, M), or None where not worth it; places: of the modes in it, (M,).
    """

    matrix: np.ndarray
    factors: np.ndarray
    panels: tuple[Panel, ...]
    places: np.ndarray
    few: np.ndarray | None

    def __matmul__(self, values: np.ndarray) -> np.ndarray:
        """The matrix times functions, perhaps complex, at all eigenvalues: (K, N) to (P, N), (K,) to (P,)."""
        if values.ndim == 1:
            return (self @ values[:, None])[:, 0]
        if self.few is None:
            return self._in_full(values)
        found = _times(self.few, values[self.places])
        rest = ~self._resolved(values)
        if rest.any():
            found[:, rest] = self._in_full(values[:, rest])
        return found

    def _in_full(self, values: np.ndarray) -> np.ndarray:
        return _times(self.matrix, self.factors[:, None] * values)

    def _resolved(self, values: np.ndarray) -> np.ndarray:
        """Which functions (K, N) are given by their values at the nodes, (N,)."""
        found = np.ones(values.shape[1], dtype=bool)
        for panel in self.panels:
            if panel.nodes.size < panel.last - panel.first:
                some = values[panel.first : panel.last]
                missed = np.abs(_times(panel.weights, values[panel.nodes]) - some).max(axis=0)
                found &= missed <= MISSED * np.abs(some).max(axis=0)
        return found


def smooth_sums(
    matrix: np.ndarray, factors: np.ndarray, panels: tuple[Panel, ...], together: int = 1
) -> SmoothSums:
    """The matrix (P, K) with these factors of its columns, (K,), multiplied by the weights of the panels.

    together: how many such matrices are held. All of them take a quarter of the memory of one, or none.
    """
    places = np.concatenate([panel.nodes for panel in panels])
    few = None
    if 4 * together * places.size <= factors.size:
        ranges = [(slice(panel.first, panel.last), panel.weights) for panel in panels]
        few = np.concatenate([matrix[:, at] @ (factors[at, None] * each) for at, each in ranges], axis=1)
    return SmoothSums(matrix, factors, panels, places, few)


def panels_of(eigenvalues: np.ndarray) -> tuple[Panel, ...]:
    """Panels of decreasing eigenvalues above 0, (K,). All modes are nodes where a panel has few."""
    x = np.log(eigenvalues / eigenvalues[0])
    starts = np.flatnonzero(np.diff(np.floor(-x), prepend=-1.0))
    ends = np.append(starts[1:], x.size)
    return tuple(_panel(x, int(first), int(last)) for first, last in zip(starts, ends, strict=True))


def _panel(x: np.ndarray, first: int, last: int) -> Panel:
    nodes = _nodes(x[first:last])
    if last - first < MANY * NODES or nodes.size < NODES:
        return Panel(first, last, np.arange(first, last), np.eye(last - first))
    return Panel(first, last, first + nodes, _barycentric(x[first:last], x[first + nodes]))


def _nodes(x: np.ndarray) -> np.ndarray:
    """Places of the points (n,), decreasing, that are nearest to Chebyshev's, without those that coincide."""
    middle, half = (x[0] + x[-1]) / 2, (x[0] - x[-1]) / 2
    wanted = middle + half * np.cos(np.pi * (np.arange(NODES) + 0.5) / NODES)
    found = np.unique(np.abs(x[:, None] - wanted).argmin(axis=0))
    apart = np.diff(x[found], prepend=np.inf)
    return found[np.abs(apart) > CLOSE * 2 * half]


def _barycentric(x: np.ndarray, nodes: np.ndarray) -> np.ndarray:
    """What values at the nodes (m,) weigh in the interpolated value at each point (n,): (n, m)."""
    scale = 4 / np.ptp(nodes)  # of products of distances neither overflows nor vanishes
    between = scale * (nodes[:, None] - nodes)
    np.fill_diagonal(between, 1.0)
    away = x[:, None] - nodes
    at_node = away == 0
    shares = 1 / np.prod(between, axis=1) / np.where(at_node, 1.0, away)
    weights: np.ndarray = shares / shares.sum(axis=1, keepdims=True)
    rows = at_node.any(axis=1)
    weights[rows] = at_node[rows]
    return weights


def _times(matrix: np.ndarray, points: np.ndarray) -> np.ndarray:
    """A real matrix times one that may be complex, of which BLAS would make both complex."""
    if not np.iscomplexobj(points):
        return matrix @ points
    return (matrix @ np.ascontiguousarray(points).view(float)).view(complex)
