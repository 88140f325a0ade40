"""The law of the draws of measured spectra, from the text of `problems/measured_spectrum/`."""

from __future__ import annotations

from functools import cache

import numpy as np
from scipy import stats

from teacherstudent.problems.measured_spectrum import PROBLEM, MeasuredSpectrum
from teacherstudent.problems.measured_spectrum.data import draw
from tests.sampling import Drawn

MANY, NOISE, INIT, EIGENVALUE = 2**18, 0.7, 0.3, 0.25
POOL = 2**15
"""Rows of which so few are drawn that the places of those are as good as independent."""


def _law(n: int, modes: int) -> MeasuredSpectrum:
    found: MeasuredSpectrum = PROBLEM.instance(n=n, modes=((modes, EIGENVALUE, 1.0),), noise=NOISE, init=INIT)
    return found


@cache
def _rows(sampling: str, rows: int, n: int) -> MeasuredSpectrum:
    ramp = np.arange(float(rows))
    found: MeasuredSpectrum = PROBLEM.instance(n=n, features=ramp, targets=ramp, sampling=sampling)
    return found


def _places() -> np.ndarray:
    """Where in the pool the rows of each seed are, from 0 to 1."""
    chosen = draw(_rows("pool", POOL, 128), range(128)).chosen
    assert chosen is not None
    return (chosen + 0.5) / POOL


DRAWN = (
    # without replacement, every row as likely as another
    Drawn(draw, "chosen", stats.uniform(), _places),
    # a mixture of all rows with weights N(0, 1), where there are any, or else features of a law: one stream
    Drawn(
        draw,
        "rows",
        stats.norm(),
        lambda: draw(_rows("population", 256, MANY // 2**11), range(8)).mixtures,
    ),
    # features of a law ~ N(0, lambda_k), eps ~ N(0, noise^2), w_hat ~ N(0, init^2)
    Drawn(
        draw, "rows", stats.norm(0, np.sqrt(EIGENVALUE)), lambda: draw(_law(MANY // 32, 4), range(8)).inputs
    ),
    Drawn(draw, "noise", stats.norm(0, NOISE), lambda: draw(_law(MANY // 8, 2), range(8)).noise),
    Drawn(draw, "start", stats.norm(0, INIT), lambda: draw(_law(1, MANY // 8), range(8)).initial),
)
