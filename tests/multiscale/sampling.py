"""The law of pezeshki2022 Eqs. 4.2.1-4.2.2, from the text of `problems/multiscale/`."""

from __future__ import annotations

import numpy as np
from scipy import stats

from teacherstudent.problems.multiscale import PROBLEM
from teacherstudent.problems.multiscale.data import Draws, draw, draw_inputs, fresh
from tests.sampling import Drawn

MANY, NOISE, INIT = 2**18, 0.7, 0.3


def _of(n: int, d: int):
    return PROBLEM.instance(n=n, d=d, p=1, noise=NOISE, init=INIT)


def _unseen() -> Draws:
    """Fresh examples of 8 seeds, beside the training set of one example."""
    problem = _of(1, 4)
    return fresh(problem, draw(problem, range(8)), range(8), MANY // 8)


DRAWN = (
    # z ~ N(0, I_d/d), eps ~ N(0, noise^2), w_hat ~ N(0, init^2)
    # those of draw_inputs, which draw takes
    Drawn(draw_inputs, "inputs", stats.norm(0, 1 / 2), lambda: draw(_of(MANY // 32, 4), range(8)).inputs),
    Drawn(draw, "noise", stats.norm(0, NOISE), lambda: draw(_of(MANY // 8, 2), range(8)).noise),
    Drawn(draw, "start", stats.norm(0, INIT), lambda: draw(_of(1, MANY // 8), range(8)).initial),
    # w is uniform on the sphere |w|^2 = d: for d = 3 each coordinate is uniform (Archimedes)
    Drawn(
        draw,
        "teacher",
        stats.uniform(-np.sqrt(3), 2 * np.sqrt(3)),
        lambda: draw(_of(1, 3), range(2**12)).teacher[:, 0],
    ),
    Drawn(fresh, "fresh inputs", stats.norm(0, 1 / 2), lambda: _unseen().inputs),
    Drawn(fresh, "fresh noise", stats.norm(0, NOISE), lambda: _unseen().noise),
)
