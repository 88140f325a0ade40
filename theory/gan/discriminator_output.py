"""The output of a discriminator at points, linear in its training time t.

Ascent of J(f) = mean_x f - mean_y f over all weights moves the output by f_t' = mean_x k - mean_y k, whatever
f_t is by then, for J is linear in f. So f_t = t (mean_x k - mean_y k), the unnormalised witness function of
the kernel's maximum mean discrepancy (MMD), and J(f_t) = t MMD^2 (franceschi2022).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from teacherstudent.theory.gan.kernels import Kernel, Values


@dataclass(frozen=True)
class Masses:
    """Distinct points, (N, d), and the share of all points at each, (N,)."""

    points: np.ndarray
    share: np.ndarray


def distinct(points: np.ndarray) -> tuple[Masses, np.ndarray]:
    """Points (m, d), with coinciding points merged, and the place of each, (m,)."""
    places, which, counts = np.unique(points, axis=0, return_inverse=True, return_counts=True)
    return Masses(places, counts / len(points)), np.ravel(which)


def discrepancy(kernel: Values, x: np.ndarray, at: np.ndarray, data: Masses) -> np.ndarray:
    """MMD^2 of points x, (..., N, d), with shares (N,), and the data: (...), in units of the kernel."""
    y, weight = data.points, data.share
    own = np.einsum("...ij,i,j->...", kernel.values(x, x), at, at)
    across = np.einsum("...ij,i,j->...", kernel.values(x, y), at, weight)
    return own - 2 * across + weight @ kernel.values(y, y) @ weight


def slopes(kernel: Kernel, x: np.ndarray, at: np.ndarray, data: Masses) -> np.ndarray:
    """grad f/t at points x, (..., N, d), with shares (N,): (..., N, d), at kinks the mean of both sides."""
    fixed = np.broadcast_to(data.points, (*x.shape[:-2], *data.points.shape))
    sources, signed = np.concatenate([x, fixed], axis=-2), np.concatenate([at, -data.share])
    return np.einsum("...ijk,j->...ik", kernel.slopes(x, sources), signed)


def slope(kernel: Kernel, x: np.ndarray, at: np.ndarray, data: Masses) -> np.ndarray:
    """Root mean square of |grad f|/t over all points at x, (..., N, d), with shares (N,): (...)."""
    return np.sqrt(np.sum(slopes(kernel, x, at, data) ** 2, axis=-1) @ at)


def distance_of_means(x: np.ndarray, at: np.ndarray, data: Masses) -> np.ndarray:
    """(...) of points x, (..., N, d), with shares (N,)."""
    return np.linalg.norm(np.einsum("...ik,i->...k", x, at) - data.share @ data.points, axis=-1)
