"""Where the risk turns: every minimum and maximum over training, however brief."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from house.declarations import pick
from house.domains import InputError
from teacherstudent.finding import counts_of

if TYPE_CHECKING:
    import xarray as xr


def turns(problem: str, *, curve: str | None = None, **values: Any) -> xr.Dataset:
    """Every minimum and maximum of the excess risk over training, exact for n, d -> infinity.

    problem: `multiscale`, whose parameters are the `values`. curve: `flow` (default; over flow time
    s), `ridge` or `printed` (over 1/added ridge), as in `teacherstudent.onset`, which finds where the
    number of turns changes.

    Returns over `turn`, in the order of time, `time` (1/curvature, to a relative 1e-10), `excess_risk`
    and `is_minimum`; no turn where the risk falls throughout. Raises `InputError`.

    Examples:
        >>> import teacherstudent as ts
        >>> ts.turns("multiscale", n=110, d=100, p=70, kappa=30).is_minimum.values.tolist()
        [True, False]
    """
    import numpy as np
    import xarray as xr

    from problems.multiscale import PROBLEM
    from theory.multiscale import landmarks

    instance = pick("problem", problem, {PROBLEM.id: PROBLEM}).instance(**values)
    counts = counts_of(problem)
    count = pick("curve", next(iter(counts)) if curve is None else curve, counts)
    try:
        found = landmarks.extrema(instance, count.name)
    except ArithmeticError as error:
        raise InputError("curve", count.name, f"one that is certain at these values ({error})") from None
    time = {"units": "1/curvature", "symbol": "s", "long_name": "time at which the risk turns"}
    risk = {"units": "output^2", "symbol": "E", "long_name": "excess risk where it turns"}
    return xr.Dataset(
        {
            "time": ("turn", [each.time for each in found], time),
            "excess_risk": ("turn", [each.value for each in found], risk),
            "is_minimum": ("turn", np.array([each.is_minimum for each in found], dtype=bool)),
        },
        {"turn": np.arange(1, len(found) + 1)},
        {"problem": problem, "curve": count.name, "approximate": count.approximate},
    )
