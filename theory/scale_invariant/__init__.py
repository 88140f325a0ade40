"""Theory of scale-invariant weights: image steps, equivalent schemes, angle laws, online laws, equilibria."""

from typing import Any

from teacherstudent.house.declarations import Route

ACCURACY = 1e-8
"""Of answers that rounding may grow into: where it has grown to this they are not given."""

_PAPER = "roburin2020"
_FLOW = ("closed forms of the angle and the radius; scheme sgd", "roburin2020 Theorem 2 as eta goes to 0")
_ROUTES: dict[tuple[str, str], tuple[str, str]] = {
    ("flow", "theory"): _FLOW,
    ("descent", "theory"): (
        "image of each step on the sphere, in the plane of student and teacher; data population",
        f"{_PAPER} Theorem 2",
    ),
    ("descent", "schedule"): (
        "sgd with L2 computed as sgd without L2 on an exponential schedule; data population",
        f"{_PAPER} Eq. 44",
    ),
    ("descent", "adagradg"): (
        "sgd with L2 computed as AdaGradG on the unit sphere; data population",
        f"{_PAPER} Theorem 4",
    ),
    ("descent", "flow"): _FLOW,
    ("descent", "second-order"): (
        "angle and radius of sgd without L2 from r^2 + eta L = const; data population",
        f"{_PAPER} Eqs. 12, 46 to order eta^2",
    ),
    ("online", "theory"): (
        "differential equations for alignment and radius at large d; schemes sgd, sgd-momentum, sgd-mrt",
        f"{_PAPER} Theorem 2 for one new sample a step",
    ),
    ("online", "averaged"): (
        "differential equations at large d for Adam's variants and adagradg",
        f"{_PAPER} Theorem 2 for one new sample a step",
    ),
    ("online", "equilibrium"): (
        "stationary alignment and radius under noise and ridge, the same at every time",
        f"{_PAPER} Theorem 2 for one new sample a step",
    ),
}
_MEMORY = "second moments replaced by their means; needs beta2 near 1 and 1/(1 - beta2) far below d steps"
_APPROXIMATE = {
    ("descent", "flow"): "gradient flow at s = eta k; the error is of order eta",
    ("descent", "adagradg"): "drops (eta |g|)^4/r^8 per step; the error is of order eta^3 at fixed eta k",
    ("descent", "second-order"): "the error is of order eta^2",
    ("online", "averaged"): _MEMORY,
    ("online", "equilibrium"): f"reached only at late times; for Adam's variants and adagradg {_MEMORY}",
}

_EXAMPLES: dict[str, dict[str, Any]] = {"averaged": {"scheme": "adam-s"}, "second-order": {"ridge": 0.0}}

ROUTES = tuple(
    Route(
        "scale-invariant",
        dynamics,
        name,
        "teacherstudent.theory.scale_invariant.routes:"
        + ("flow" if dynamics == "flow" else f"{name.replace('-', '_')}_{dynamics}"),
        meaning=meaning,
        source=source,
        approximate=_APPROXIMATE.get((dynamics, name), ""),
        example=_EXAMPLES.get(name, {}),
        accuracy=ACCURACY,
        version=2,
        exact_for="limit" if dynamics == "online" else "question",
    )
    for (dynamics, name), (meaning, source) in _ROUTES.items()
)
