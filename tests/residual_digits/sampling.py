"""The law of the draws of the residual network, from the text of `problems/residual_digits/`."""

from __future__ import annotations

import numpy as np
from scipy import stats

from teacherstudent.problems.residual_digits import PROBLEM
from teacherstudent.problems.residual_digits.data import draw
from tests.sampling import Drawn


def _first_image() -> np.ndarray:
    """Place of the first training image of each seed among all, as a number in (0, 1)."""
    drawn = draw(PROBLEM.instance(n=2), range(2**10))
    return (drawn.training[:, 0] + 1 / 2) / 1797


DRAWN = (Drawn(draw, "first image", stats.uniform(0, 1), _first_image),)
