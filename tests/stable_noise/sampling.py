"""The law of the draws of motion driven by stable noise, from the text of `problems/stable_noise/`."""

from __future__ import annotations

from scipy import stats

from teacherstudent.problems.stable_noise.data import examples
from tests.sampling import Drawn

DRAWN = (
    # x_mu ~ N(0, s^2)
    Drawn(examples, "examples", stats.norm(0, 1.7), lambda: examples(1.7, range(8), 2**15)),
)
