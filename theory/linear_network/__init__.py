"""Theory of linear networks: one mode at a time, whole weight matrices, and sparse ones."""

from typing import Any

from teacherstudent.house.declarations import Route
from teacherstudent.problems.linear_network import OF_MODES, OF_TRIANGLES

ACCURACY = 1e-9
"""Of the closed forms at any depth: where the last digit of a time decides on more, they say so."""

_MEANING: dict[str, dict[str, Any]] = {
    "closed-form": dict(
        meaning="closed form: each mode moves along a hyperbola a^2 - b^2 = c; decoupled start, any depth",
        source="pezeshki2022 Eqs. 2.2.15-2.2.22, for any balance and depth",
        accuracy=ACCURACY,
        version=2,
    ),
    "riccati": dict(
        meaning="matrix Riccati equation for both weight matrices of each draw, or its blocks; two layers",
        source="pezeshki2022 Eqs. 2.2.9-2.2.10 for lambda-balanced weights",
        sampled=True,
        version=2,
    ),
    "effective": dict(
        meaning="both weight matrices, from the growing part of each draw's small random weights; two layers",
        source="pezeshki2022 Eqs. 2.2.9-2.2.13 as the weights go to 0",
        sampled=True,
        version=2,
    ),
    "power-law": dict(
        meaning="residual (s_1 s_2/(3 t))^(1/3) of triangular factors, whose weights grow without bound",
        source="derived here",
        gives=OF_TRIANGLES,
    ),
}
_SMALL = "exact only as the initial weights go to 0; the error is of order init^2"
_FLOW = "gradient flow at t/tau = eta k; the error is of order eta s"
_LATE = "holds at late times; the relative error is of order t^(-2/3)"
_APPROXIMATE = {
    ("flow", "power-law"): _LATE,
    ("descent", "power-law"): _LATE,
    ("flow", "effective"): _SMALL,
    ("descent", "closed-form"): _FLOW,
    ("descent", "riccati"): _FLOW,
    ("descent", "effective"): f"{_SMALL}; {_FLOW}",
}


def _route(dynamics: str, name: str) -> Route:
    entry = name.replace("-", "_")
    module = "unattained" if name == "power-law" else "routes"
    drawn = _MEANING[name].get("sampled")
    return Route(
        "linear-network",
        dynamics,
        name,
        f"teacherstudent.theory.linear_network.{module}:{entry}_{dynamics}",
        approximate=_APPROXIMATE.get((dynamics, name), ""),
        example={"init": 0.01} if name == "effective" else {},
        needs=f"teacherstudent.theory.linear_network.needs:{entry}" if drawn else "",
        **{"gives": OF_MODES, **_MEANING[name]},
    )


ROUTES = tuple(_route(dynamics, name) for dynamics in ("descent", "flow") for name in _MEANING)
