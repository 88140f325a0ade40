"""The output of a student at an input that it distinguishes from all others: the minimum of its loss there.

Where a share p of the labels there are +1, it minimises p log(1 + e^-f) + (1 - p) log(1 + e^f) + penalty f^2
(pezeshki2022 Eq. 6.3.17 with lambda/2 = penalty). That is convex, with slope 1/2 - p at 0: whatever the
penalty, f has the sign of p - 1/2. So no penalty of this kind changes the predicted class.
"""

from __future__ import annotations

import numpy as np
from scipy import special
from scipy.optimize import elementwise


def share(colour_flip: float, shape_flip: float) -> np.ndarray:
    """P(y = +1 | colour, shape), (2, 2), both in the order -1, +1.

    y is +1 or -1 with equal probability; given y, colour and shape equal y, independently flipped with these
    probabilities.
    """
    signs = np.array([-1, 1])
    colour = np.where(signs == 1, 1 - colour_flip, colour_flip)
    shape = np.where(signs == 1, 1 - shape_flip, shape_flip)
    positive = np.multiply.outer(colour, shape)
    return np.asarray(positive / (positive + np.multiply.outer(1 - colour, 1 - shape)))


def minimum(p: np.ndarray, penalty: float) -> np.ndarray:
    """f of shares p strictly between 0 and 1, at a penalty > 0, in the shape of p."""

    def slope(f: np.ndarray, p: np.ndarray) -> np.ndarray:
        return np.asarray(special.expit(f) - p + 2 * penalty * f)

    reach = np.abs(special.logit(p)) + 1
    return np.asarray(elementwise.find_root(slope, (-reach, reach), args=(p,)).x)
