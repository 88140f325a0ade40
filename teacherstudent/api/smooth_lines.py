"""Smooth lines: what a theory says between the few times at which a simulation was recorded."""

from __future__ import annotations

import json
import warnings
from typing import TYPE_CHECKING, Any

from teacherstudent.house import catalogue
from teacherstudent.house.errors import InputError, UnconvergedWarning, in_short

if TYPE_CHECKING:
    import numpy as np
    import xarray as xr

FEW, MANY = 100, 200
"""Recorded times below which lines have corners, and the number that shows none."""

MOST_MEMBERS = 20
"""Curves of a family that are asked again."""

SAME = 1e-6
"""Relative difference beyond which an answer is not the one that its attributes describe."""


def dense(answer: xr.Dataset) -> dict[str, xr.Dataset]:
    """Compute the routes without random draws at many times, as the group `dense`; or return no group.

    This is done only next to a sampled route, and only if the answer still matches the question in its
    attributes. A dataset that was changed, or of which a part was selected, is drawn as it is.
    """
    from teacherstudent.api.curve import curve
    from teacherstudent.api.sweep import sweep

    if "time" not in answer.dims or not 2 < answer.sizes["time"] < FEW or "route" not in answer.dims:
        return {}
    if any(str(name).endswith("_uncertainty") for name in answer.data_vars):
        return {}  # whose bands are known at the recorded times alone
    kind = catalogue.find_problem(answer.attrs["problem"])
    names = answer["route"].values.tolist()
    routes = [catalogue.find_route(kind, answer.attrs["dynamics"], name) for name in names]
    smooth = [route.name for route in routes if not route.sampled]
    swept = [dim for dim in answer.dims if dim in {each.name for each in kind.parameters}]
    if len(smooth) in (0, len(names)) or len(swept) > 1 or "point" in answer.dims:
        return {}
    if swept and answer.sizes[swept[0]] > MOST_MEMBERS:
        return {}
    own = {option.name for route in routes if route.name in smooth for option in route.options}
    others = {option.name for route in routes for option in route.options} - own
    asked = {"dynamics": answer.attrs["dynamics"], "route": smooth, "times": _between(answer["time"].values)}
    try:
        asked |= {name: value for name, value in fixed_of(answer).items() if name not in others}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UnconvergedWarning)  # said when the answer was computed
            if swept:
                found = sweep(kind.id, **asked, **{str(swept[0]): answer[swept[0]].values.tolist()})
            else:
                found = curve(kind.id, **asked)
    except InputError:
        return {}
    return {"dense": found} if _same(found, answer, smooth) else {}


def fixed_of(answer: xr.Dataset) -> dict[str, Any]:
    """The fixed values that an answer records; only parameters are accepted, for safety.

    Raises `InputError` if the answer names anything else, such as a scheduler.
    """
    fixed: dict[str, Any] = json.loads(answer.attrs["fixed"])
    for name in fixed.keys() - catalogue.parameter_names(catalogue.find_problem(answer.attrs["problem"])):
        raise InputError("answer", "(fixed)", f"without the name {in_short(name)}, which is no parameter")
    return fixed


def _between(times: np.ndarray) -> list[float]:
    """The recorded times and more between them, spaced as they are."""
    import numpy as np

    logarithmic = times[0] > 0 and times[-1] > 30 * times[0]
    spaced = np.geomspace if logarithmic else np.linspace
    return np.unique(np.concatenate([times, spaced(times[0], times[-1], MANY)[1:-1]])).tolist()


def _same(found: xr.Dataset, answer: xr.Dataset, routes: list[str]) -> bool:
    """Whether both hold the same numbers of these routes at the recorded times."""
    import numpy as np

    there = answer.sel(route=routes if len(routes) > 1 else routes[0])
    here = found.sel(time=answer["time"])
    names = [each.name for each in catalogue.find_problem(answer.attrs["problem"]).observables]
    return all(
        here[name].shape == there[name].shape
        and np.allclose(
            here[name], there[name], rtol=SAME, atol=SAME * float(abs(there[name]).max()), equal_nan=True
        )
        for name in names
        if name in here and name in there
    )
