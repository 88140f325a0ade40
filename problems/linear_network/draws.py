"""What is drawn of a linear network: whitened data, and the weights from which it is trained."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from teacherstudent.problems.linear_network.instance import LinearNetwork
from teacherstudent.problems.linear_network.supports import blocks, supports

if TYPE_CHECKING:
    import numpy as np


@dataclass(frozen=True)
class Draws:
    """Drawn data sets and initial networks, one a seed (leading axis S of every array).

    inputs: X, (S, N_in, P) with P = 2 N_in samples and X X^T = I. targets: Y, (S, N_out, P).
    left: U, (S, N_out, modes), and right: V, (S, N_in, modes), the modes' directions.
    weights: W_1, ..., W_D at time 0, (S, N_hid, N_in), (S, N_hid, N_hid)..., (S, N_out, N_hid).
    supports: where these may be other than 0, without the axis S; None: everywhere.
    """

    inputs: np.ndarray
    targets: np.ndarray
    left: np.ndarray
    right: np.ndarray
    weights: tuple[np.ndarray, ...]
    supports: tuple[np.ndarray, ...] | None = None


def draw(problem: LinearNetwork, seeds: Sequence[int]) -> Draws:
    """Draw one whitened data set and one initial network a seed (Eqs. 2.2.7-2.2.8).

    All frames are uniform on the orthonormal frames. Start "decoupled": W_l = sum_i g_li r_li r_(l-1)i^T with
    r_0i = v_i and r_Di = u_i, orthonormal hidden frames r_l and gains prod_l g_li = u0_i (after Eq. 2.2.14);
    "rotated": r_0 and r_D are independent frames; "random": entries N(0, init^2) where the support leaves
    them free.

    Under support "blocks" v_i, u_i and their like are uniform on the directions of block i, and r_1 are the
    hidden units. Under "triangular" Y X^T = [[0, s_2], [s_1, 0]].

    Every ingredient has a separate random stream, so two problems of equal shape see common random numbers.
    """
    import numpy as np

    def normal(stream: int, *shape: int) -> np.ndarray:
        return np.stack([np.random.default_rng([seed, stream]).standard_normal(shape) for seed in seeds])

    def frame(stream: int, size: int, count: int) -> np.ndarray:
        q, r = np.linalg.qr(normal(stream, size, count))
        return q * np.sign(np.diagonal(r, axis1=-2, axis2=-1))[..., None, :]  # uniform, by Haar

    def directions(stream: int, block: np.ndarray) -> np.ndarray:
        found = normal(stream, len(block))[..., None] * (block[:, None] == np.arange(modes))
        return found / np.linalg.vector_norm(found, axis=-2, keepdims=True)

    modes, depth, free = problem.modes, problem.depth, supports(problem)
    own_inputs, own_outputs = blocks(problem)

    def end(stream: int, block: np.ndarray) -> np.ndarray:
        return frame(stream, len(block), modes) if free is None else directions(stream, block)

    inputs = frame(0, 2 * problem.inputs, problem.inputs).swapaxes(-1, -2)
    if problem.support == "triangular":
        left, right = (np.tile(each, (len(seeds), 1, 1)) for each in (np.eye(2)[::-1], np.eye(2)))
    else:
        left, right = end(1, own_outputs), end(2, own_inputs)
    targets = (left * np.asarray(problem.singular_values)) @ right.swapaxes(-1, -2) @ inputs
    widths = [problem.inputs, *[problem.hidden] * (depth - 1), problem.outputs]
    if problem.start == "random":
        weights = [problem.init * normal(10 + i, widths[i + 1], widths[i]) for i in range(depth)]
        if free is not None:
            weights = [weight * where for weight, where in zip(weights, free, strict=True)]
    else:
        first, last = (
            (right, left) if problem.start == "decoupled" else (end(3, own_inputs), end(4, own_outputs))
        )
        hidden = (
            [frame(10 + i, problem.hidden, modes) for i in range(depth - 1)]
            if free is None
            else [np.eye(modes)]
        )
        frames, gains = [first, *hidden, last], initial_gains(problem)
        weights = [(frames[i + 1] * gains[i]) @ frames[i].swapaxes(-1, -2) for i in range(depth)]
    return Draws(inputs, targets, left, right, tuple(weights), free)


def initial_gains(problem: LinearNetwork) -> np.ndarray:
    """Strength g_li of each layer in each mode at time 0, (depth, modes), all positive.

    Their product over layers is u0. Two layers: g_1 = a, g_2 = b with a^2 - b^2 = balance;
    deeper: equal gains. Raises `ValueError` for start "random", which chooses no gains.
    """
    import numpy as np

    if problem.start == "random":
        raise ValueError("random weights have no gains")
    u0 = np.asarray(problem.u0)
    if problem.depth > 2:
        return np.tile(u0 ** (1 / problem.depth), (problem.depth, 1))
    larger = np.sqrt((abs(problem.balance) + np.hypot(problem.balance, 2 * u0)) / 2)
    smaller = u0 / larger
    return np.stack([larger, smaller] if problem.balance >= 0 else [smaller, larger])
