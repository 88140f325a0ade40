"""What the routes of this problem return, and which of the optional errors they keep."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from house.domains import InputError

Arrays = Mapping[str, np.ndarray]


def asked_for(answer: Arrays, observable: Sequence[str] | None) -> Arrays:
    """R, Q and excess_risk, and the errors named in `observable` (generalisation, training).

    Raises `InputError` where the route does not know an error.
    """
    names = [f"{each}_error" for each in observable or ()]
    for name in names:
        if name not in answer:
            known = [key.removesuffix("_error") for key in answer if key.endswith("_error")]
            raise InputError(
                "observable", name.removesuffix("_error"), f"one of {', '.join(known)} on this route"
            )
    return {name: answer[name] for name in ("R", "Q", "excess_risk", *names)}
