"""What the routes of this problem return, and which of the optional variables they keep."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from teacherstudent.house.errors import InputError
from teacherstudent.problems.multiscale import EXTRAS

Arrays = Mapping[str, np.ndarray]


def asked_for(answer: Arrays, observable: Sequence[str] | None) -> Arrays:
    """R, Q and excess_risk, and the variables of each group named in `observable`.

    Raises `InputError` where the route does not know a group.
    """
    known = [group for group, names in EXTRAS.items() if all(name in answer for name in names)]
    for group in observable or ():
        if group not in known:
            raise InputError("observable", group, f"one of {', '.join(known)} on this route")
    extra = [name for group in observable or () for name in EXTRAS[group]]
    return {name: answer[name] for name in ("R", "Q", "excess_risk", *extra)}
