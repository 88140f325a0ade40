"""Where the risk turns: every minimum and maximum over training, however brief."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from teacherstudent.api.onset import counts_of
from teacherstudent.house import catalogue
from teacherstudent.house.declarations import pick
from teacherstudent.house.domains import InputError

if TYPE_CHECKING:
    import xarray as xr


def turns(problem: str, *, curve: str | None = None, **values: Any) -> xr.Dataset:
    """Every minimum and maximum of the excess risk over training, exact for n, d -> infinity.

    problem: `multiscale`, whose parameters are the `values`. curve: `flow` (default; over flow time
    s), `ridge` or `printed` (over 1/added ridge), as in `teacherstudent.onset`, which finds where the
    number of turns changes.

    Returns over `turn`, numbered from 1 in the order of time, `time` (1/curvature, to a relative 1e-10),
    `excess_risk` (output^2) and `is_minimum`, with the values asked for as attributes; no turn where the
    risk falls throughout. Raises `InputError`.

    Examples:
        >>> import teacherstudent as ts
        >>> ts.turns("multiscale", n=110, d=100, p=70, kappa=30).is_minimum.values.tolist()
        [True, False]
    """
    import numpy as np
    import xarray as xr

    from teacherstudent.house.running import provenance
    from teacherstudent.problems.multiscale import PROBLEM
    from teacherstudent.theory.multiscale import landmarks

    instance = pick("problem", problem, {PROBLEM.id: PROBLEM}).instance(**values)
    counts = counts_of(problem)
    count = pick("curve", next(iter(counts)) if curve is None else curve, counts)
    try:
        found = landmarks.extrema(instance, count.name)
    except ArithmeticError as error:
        raise InputError("curve", count.name, f"one that is certain at these values ({error})") from None
    dynamics = "flow" if count.name == "flow" else "ridge"
    route = catalogue.find_route(PROBLEM, dynamics, "printed" if count.name == "printed" else "asymptotic")
    clock = PROBLEM.on_clock(dynamics).time
    time = {"units": clock.unit, "symbol": clock.symbol, "long_name": f"{clock.meaning} at a turn"}
    minimum = {"units": "1", "long_name": "whether the risk rises from there on"}
    risk = {"units": "output^2", "symbol": "E", "long_name": "excess risk where it turns"}
    return xr.Dataset(
        {
            "time": ("turn", [each.time for each in found], time),
            "excess_risk": ("turn", [each.value for each in found], risk),
            "is_minimum": ("turn", np.array([each.is_minimum for each in found], dtype=bool), minimum),
        },
        {"turn": ("turn", np.arange(1, len(found) + 1), {"units": "1", "long_name": "turn of the risk"})},
        provenance(PROBLEM, instance, curve=count.name, approximate=count.approximate, source=route.source),
    )
