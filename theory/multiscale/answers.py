"""What the routes of this problem return, and which of the optional variables they keep."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from teacherstudent.problems.extras import demand_given
from teacherstudent.problems.multiscale import GROUPS

Arrays = Mapping[str, np.ndarray]


def asked_for(answer: Arrays, observable: Sequence[str] | None) -> Arrays:
    """R, Q and excess_risk, and the variables of each group named in `observable`.

    Raises `InputError` where the route does not know a group.
    """
    demand_given(GROUPS, observable, answer)
    extra = [name for group in observable or () for name in GROUPS[group]]
    return {name: answer[name] for name in ("R", "Q", "excess_risk", *extra)}
