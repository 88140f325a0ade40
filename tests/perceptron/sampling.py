"""The law of the draws of the perceptron, from the text of `problems/perceptron/`."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import stats

from teacherstudent.problems.perceptron import PROBLEM
from teacherstudent.problems.perceptron.data import Draws, draw
from tests.sampling import Drawn

MANY, NOISE = 2**18, 0.7
SEEDS = range(8)


def _drawn(n: int, **values: Any) -> Draws:
    return draw(PROBLEM.instance(rule="hebb", **values), SEEDS, n)


def _signed(coins: np.ndarray, chance: int) -> np.ndarray:
    """Standard normal numbers, if each of these is a fair coin, -1 or 1."""
    return coins * np.abs(np.random.default_rng(chance).standard_normal(coins.shape))


def _flipped(draws: Draws) -> np.ndarray:
    """Uniform numbers, if labels of inputs of d = 1, where |w*| = 1, have the law that they must have.

    With u = w* x, y is the sign of u + noise xi. Given |u|, it is that of u with the probability
    Phi(|u|/noise): a uniform number put below or above that, by whether it is, is uniform again.
    """
    u = draws.inputs[..., 0] * draws.teacher
    agree = stats.norm.cdf(np.abs(u) / NOISE)
    chance = np.random.default_rng(6).random(u.shape)
    return np.where(draws.labels * u > 0, chance * agree, agree + chance * (1 - agree))


def _binary(seeds: range) -> np.ndarray:
    return draw(PROBLEM.instance(d=64, rule="gibbs", weights="binary"), seeds, 1).teacher


DRAWN = (
    # z ~ N(0, I_d/d), of strengths whose mean square is 1: here 1.6 and 0.4
    Drawn(draw, "inputs", stats.norm(0, 1 / 2), lambda: _drawn(MANY // 32, d=4).inputs),
    Drawn(
        draw,
        "inputs",
        stats.norm(0, np.sqrt(0.4 / 4)),
        lambda: _drawn(MANY // 32, d=4, kappa=2.0).inputs[..., 2:],
    ),
    # y = sign(w*.x + noise xi), xi ~ N(0, 1); fair coins where labels are random
    Drawn(draw, "labels", stats.uniform(), lambda: _flipped(_drawn(MANY // 8, d=1, noise=NOISE))),
    Drawn(
        draw,
        "labels",
        stats.norm(),
        lambda: _signed(_drawn(MANY // 8, d=1, labels="random").labels, chance=5),
    ),
    # w* is uniform on the sphere |w*|^2 = d: for d = 3 each coordinate is uniform (Archimedes)
    Drawn(
        draw,
        "teacher",
        stats.uniform(-np.sqrt(3), 2 * np.sqrt(3)),
        lambda: draw(PROBLEM.instance(d=3), range(2**12), 1).teacher[:, 0],
    ),
    # binary: fair coins
    Drawn(draw, "teacher", stats.norm(), lambda: _signed(_binary(range(2**10)), chance=7)),
)
