"""The law of the subsets of rows in groups, from the text of `problems/frozen_groups/`."""

from __future__ import annotations

import numpy as np
from scipy import stats

from teacherstudent.problems.frozen_groups import PROBLEM
from teacherstudent.problems.frozen_groups.data import kept
from tests.sampling import Drawn

LARGE = 1000


def _place_of_the_one_kept() -> np.ndarray:
    """Which of 1000 rows stays where the other groups have one each, as a number in (0, 1)."""
    rows = {"tr": [(0, 0)] * LARGE + [(0, 1), (1, 0), (1, 1)], "va": None, "te": None}
    arrays = {}
    for part, listed in rows.items():
        y, a = np.array(listed or [(0, 0), (0, 1), (1, 0), (1, 1)]).T
        arrays |= {f"x_{part}": np.arange(len(y))[:, None], f"y_{part}": y, f"a_{part}": a}
    stays = kept(PROBLEM.instance(features=arrays, method="subg"), range(2**10))
    return (np.argmax(stays[:, :LARGE], axis=1) + 1 / 2) / LARGE


DRAWN = (Drawn(kept, "subset", stats.uniform(0, 1), _place_of_the_one_kept),)
