"""The law of what is drawn once of SGD with a fixed step, from the text of `problems/heavy_tails/`."""

from __future__ import annotations

import numpy as np
from scipy import stats

from teacherstudent.problems.heavy_tails import PROBLEM, HeavyTails
from teacherstudent.problems.heavy_tails.data import apart, rows, start
from tests.sampling import Drawn

SEEDS, MANY = range(8), 2**13


def _of(d: int, **values: object) -> HeavyTails:
    found: HeavyTails = PROBLEM.instance(d=d, **values)
    return found


def _strengths() -> np.ndarray:
    return rows(_of(2, p=1, kappa=2.0, n=MANY), SEEDS).inputs


DRAWN = (
    # a = diag(sigma) z, z ~ N(0, I_d): sigma^2 has the mean 1, here 1.6 and 0.4
    Drawn(rows, "inputs", stats.norm(), lambda: rows(_of(3, n=MANY), SEEDS).inputs),
    Drawn(rows, "inputs", stats.norm(0, np.sqrt(1.6)), lambda: _strengths()[..., 0]),
    Drawn(rows, "inputs", stats.norm(0, np.sqrt(0.4)), lambda: _strengths()[..., 1]),
    # the labels' noise is noise xi, xi ~ N(0, 1)
    Drawn(rows, "noise", stats.norm(0, 0.7), lambda: rows(_of(1, n=MANY, noise=0.7), SEEDS).noise),
    # v_0 ~ N(0, init^2 I_d), whatever the strengths
    Drawn(start, "start", stats.norm(0, 0.3), lambda: start(_of(MANY, p=10, kappa=2.0, init=0.3), SEEDS)),
    # uniform on the sphere of radius 1: for d = 3 each coordinate is uniform (Archimedes)
    Drawn(apart, "apart", stats.uniform(-1, 2), lambda: apart(_of(3), range(2**12))[:, 0]),
)
