"""What the data's modes see of a network: strengths, couplings and connectivity modes.

All are plain projections on the drawn left directions u_i and right directions v_i of Y X^T
(Eq. 2.2.8). Overflow gives infinities or NaN. Axes: S draws, T recorded times.
"""

from __future__ import annotations

import numpy as np

from teacherstudent.problems.linear_network import Draws


def mode_couplings(draws: Draws, maps: np.ndarray) -> np.ndarray:
    """U^T W V of networks `maps` (S, T, N_out, N_in): output mode i by input mode j, (S, T, mode, mode).

    With two layers the entry (i, j) is b^i . a^j, so off the diagonal it is what modes that
    never interact lack.
    """
    with np.errstate(over="ignore", invalid="ignore"):  # a diverged network may be anything
        return draws.left.swapaxes(-1, -2)[:, None] @ maps @ draws.right[:, None]


def mode_strengths(draws: Draws, maps: np.ndarray) -> np.ndarray:
    """Strength u_i = u_i^T W v_i of each mode, (S, T, mode): the diagonal of `mode_couplings`."""
    return np.diagonal(mode_couplings(draws, maps), axis1=-2, axis2=-1)


def connectivity_modes(draws: Draws, layers: tuple[np.ndarray, ...]) -> tuple[np.ndarray, np.ndarray]:
    """What each mode sees of the first and of the last layer, two arrays (S, T, mode, N_hid).

    Input connectivity modes a^i = W_1 v_i and output ones b^i = W_D^T u_i (before Eq. 2.2.11).
    `layers` are W_1, ..., W_D, each (S, T, N_l, N_l-1).
    """
    with np.errstate(over="ignore", invalid="ignore"):
        incoming = (layers[0] @ draws.right[:, None]).swapaxes(-1, -2)
        outgoing = draws.left.swapaxes(-1, -2)[:, None] @ layers[-1]
    return incoming, outgoing


def layer_strengths(draws: Draws, layers: tuple[np.ndarray, ...]) -> tuple[np.ndarray, np.ndarray]:
    """Strengths a = a^i . r^i and b = b^i . r^i of both layers in each mode, (S, T, mode) each.

    For two layers. r^i is the direction of a^i at time 0, which must not vanish (after
    Eq. 2.2.14); `layers` as in `connectivity_modes`.
    """
    first = draws.weights[0] @ draws.right
    directions = first / np.linalg.vector_norm(first, axis=-2, keepdims=True)
    with np.errstate(over="ignore", invalid="ignore"):
        a, b = (
            np.einsum("stmh,shm->stm", vectors, directions) for vectors in connectivity_modes(draws, layers)
        )
    return a, b
