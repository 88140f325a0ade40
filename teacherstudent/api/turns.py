"""Where the risk turns: every minimum and maximum over training, however brief."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from teacherstudent.house import catalogue
from teacherstudent.house.errors import InputError
from teacherstudent.house.parameters import pick
from teacherstudent.house.provenance import provenance, recorded, values_as_json

if TYPE_CHECKING:
    import xarray as xr


@recorded
def turns(problem: str, *, curve: str | None = None, **values: Any) -> xr.Dataset:
    """Find every minimum and maximum of the risk over training, exact for n, d -> infinity.

    Args:
        problem: Id of a problem whose theory has turns, such as `"multiscale"`.
        curve: Name of a curve of that theory (default: its first). For `"multiscale"`: `"flow"`
            over flow time, `"ridge"` or `"printed"` over 1/added ridge. For `"measured-spectrum"` there are
            also `"ridge"` and `"ridge-by-rows"` over the ridge, which may be negative.
        **values: Parameters of the problem, as in `teacherstudent.curve`.

    Returns:
        Dataset over `turn`, numbered from 1 in the order of time: `time` in 1/curvature, to a relative 1e-10
            (or `ridge`), the risk under its name (such as `excess_risk`, in output^2) and `is_minimum`. The
            dataset is empty if the risk only falls or only rises. Parameters are attributes.

    Raises:
        InputError: If the theory of the problem has no turns, and as in `curve`.

    Examples:
        >>> import teacherstudent as ts
        >>> ts.turns("multiscale", n=110, d=100, p=70, kappa=30).is_minimum.values.tolist()
        [True, False]
    """
    import numpy as np
    import xarray as xr

    from teacherstudent.house.cautions import of_curve
    from teacherstudent.house.rounding import describe_rounding, rounded_values
    from teacherstudent.house.running import given_values
    from teacherstudent.house.theory_queries import ask_turns

    curves = catalogue.of_problem(problem, catalogue.turns())
    kind = catalogue.find_problem(problem)
    instance = kind.instance(**values)
    fixed = given_values(kind.parameters, values)
    chosen = pick("curve", next(iter(curves)) if curve is None else curve, curves)
    try:
        found = ask_turns(chosen, instance)
    except ArithmeticError as error:
        raise InputError(
            "curve", chosen.name, f"a curve whose turns are certain at these values ({error})"
        ) from None
    axis = kind.on_clock(chosen.dynamics).time
    if chosen.over:
        axis = next(each for each in kind.parameters if each.name == chosen.over)
    risk = next(each for each in kind.observables if each.name == chosen.observable)
    name = risk.name.replace("_", " ")
    return xr.Dataset(
        {
            axis.name: (
                "turn",
                [each.time for each in found],
                {"units": axis.unit, "symbol": axis.symbol, "long_name": f"{axis.meaning} at a turn"},
            ),
            risk.name: (
                "turn",
                [each.value for each in found],
                {"units": risk.unit, "symbol": risk.symbol, "long_name": f"{name} where it turns"},
            ),
            "is_minimum": (
                "turn",
                np.array([each.is_minimum for each in found], dtype=bool),
                {"units": "1", "long_name": f"whether the {chosen.quantity} rises from there on"},
            ),
        },
        {
            "turn": (
                "turn",
                np.arange(1, len(found) + 1),
                {"units": "1", "long_name": f"turn of the {chosen.quantity}"},
            )
        },
        provenance(
            kind,
            [chosen.entry],
            instance=values_as_json(vars(instance)),
            curve=chosen.name,
            approximate=chosen.approximate,
            source=chosen.source,
            dynamics=chosen.dynamics,
            route=chosen.route,
            fixed=values_as_json(fixed),
            rounded=describe_rounding([rounded_values(kind, fixed, instance)]),
            remarks=kind.remarks(instance),
            caution=of_curve(kind.id, chosen.name, instance, (each.time for each in found)),
        ),
    ).assign_attrs(kind="turns")
