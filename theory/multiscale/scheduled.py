r"""Gradient descent whose learning rate is a function of the step, in the limit n, d -> infinity.

Without a closed form the filter is followed step by step on one contour for all times (`fading`). On it no
step of the largest rate grows p by more than e^{GROWTH/K}; one of a share r of it grows it by no more than
that to the power r, since 1 - r x lies between 1 and 1 - x. So K is the sum of all rates over the largest.
"""

from __future__ import annotations

import numpy as np

from teacherstudent.problems.multiscale import MultiScale
from teacherstudent.theory import rules
from teacherstudent.theory.multiscale.fading import oval
from teacherstudent.theory.multiscale.spectral_task import spectrum_of
from teacherstudent.theory.resolvents import resolvent
from teacherstudent.theory.spectral.filters import Filter


def descent(problem: MultiScale, steps: np.ndarray, rates: np.ndarray, upper_edge: float) -> Filter:
    """The filter after whole steps k >= 1, increasing, (T,), at rates (K,), not all 0, of steps 0 to K - 1.

    The largest rate must be stable. problem: without an output penalty.
    """
    largest = rates.max()
    c, weights = oval(problem.ridge, largest, 0.0, upper_edge, rates.sum() / largest)
    f, p, missed = rules.scheduled(c, steps, problem.ridge, learning_rate=1.0, rates=rates)
    z = -c[None]
    over_v = weights * missed / z
    early = upper_edge * np.cumsum(rates)[steps.astype(int) - 1] < 0.5  # f c is about that
    learning = np.where(early[:, None], weights * f, over_v)
    return Filter(resolvent(spectrum_of(problem), z), over_v, weights * p / z, learning)
