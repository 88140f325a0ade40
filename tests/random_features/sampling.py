"""The law of the draws of random features, from the text of `problems/random_features/`."""

from __future__ import annotations

import numpy as np
from scipy import stats

from teacherstudent.problems.random_features import PROBLEM, RandomFeatures
from teacherstudent.problems.random_features.data import draw, fresh
from tests.sampling import Drawn

MANY, NOISE, INIT = 2**18, 0.7, 0.3
SEEDS = range(8)


def _of(n: int, width: int, d: int) -> RandomFeatures:
    found: RandomFeatures = PROBLEM.instance(n=n, width=width, d=d, noise=NOISE, init=INIT)
    return found


DRAWN = (
    # z ~ N(0, I_d/d), F_i ~ N(0, I_d), eps ~ N(0, noise^2), a ~ N(0, init^2); all anew in another copy
    Drawn(draw, "inputs", stats.norm(0, 1 / 2), lambda: draw(_of(MANY // 32, 1, 4), SEEDS).inputs),
    Drawn(draw, "features", stats.norm(), lambda: draw(_of(1, MANY // 32, 4), SEEDS).features),
    Drawn(draw, "noise", stats.norm(0, NOISE), lambda: draw(_of(MANY // 8, 1, 2), SEEDS).noise),
    Drawn(draw, "start", stats.norm(0, INIT), lambda: draw(_of(1, MANY // 8, 2), SEEDS).initial),
    Drawn(draw, "inputs anew", stats.norm(0, 1 / 2), lambda: draw(_of(MANY // 32, 1, 4), SEEDS, 1).inputs),
    Drawn(draw, "features anew", stats.norm(), lambda: draw(_of(1, MANY // 32, 4), SEEDS, 1).features),
    # w is uniform on the sphere |w|^2 = d: for d = 3 each coordinate is uniform (Archimedes)
    Drawn(
        draw,
        "teacher",
        stats.uniform(-np.sqrt(3), 2 * np.sqrt(3)),
        lambda: draw(_of(1, 1, 3), range(2**12)).teacher[:, 0],
    ),
    Drawn(fresh, "fresh inputs", stats.norm(0, 1 / 2), lambda: fresh(_of(1, 1, 4), SEEDS, MANY // 32)),
)
