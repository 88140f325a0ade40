"""Theory of heavy tails in SGD: tail index, Lyapunov exponent and mean squares at a fixed step."""

from typing import Any

from teacherstudent.house.declarations import Route

_EXACT = "teacherstudent.theory.heavy_tails.exact"
_MOMENTS = "teacherstudent.theory.heavy_tails.moments"
_ISSERLIS = "gurbuzbalaban2021: second moments of a step, for inputs of any strengths"
_TRANSFER = "teacherstudent.theory.heavy_tails.transfer"
_LIMITS = "teacherstudent.theory.heavy_tails.limits"
_FINITE = "teacherstudent.theory.heavy_tails.finite"
_NEEDS = "teacherstudent.theory.heavy_tails.needs:finite"
_SET: dict[str, Any] = {"n": 12, "d": 1, "batch": 1, "p": None, "kappa": 1.0}
_KESTEN = "kesten1973, gurbuzbalaban2021: h(alpha) = 1; distribution of one step by quadrature"

ROUTES = (
    Route(
        "heavy-tails",
        "stationary",
        "exact",
        f"{_EXACT}:stationary",
        meaning="exact at any size: inputs of a single strength, new examples at each step",
        source=_KESTEN,
        gives=("lyapunov", "tail_index", "excess_risk"),
        accuracy=1e-12,
    ),
    Route(
        "heavy-tails",
        "sgd",
        "exact",
        f"{_EXACT}:sgd",
        meaning="exact at any size: inputs of a single strength, new examples at each step",
        source=_KESTEN,
        gives=("excess_risk", "log_separation"),
        accuracy=1e-12,
    ),
    Route(
        "heavy-tails",
        "orders",
        "exact",
        f"{_EXACT}:orders",
        meaning="exact at any size: inputs of a single strength, new examples at each step",
        source=_KESTEN,
        gives=("log_growth",),
        accuracy=1e-12,
    ),
    Route(
        "heavy-tails",
        "stationary",
        "moments",
        f"{_MOMENTS}:stationary",
        meaning="exact at any size: second moments for inputs of any strengths, new examples at each step",
        source=_ISSERLIS,
        gives=("excess_risk",),
        accuracy=1e-11,
    ),
    Route(
        "heavy-tails",
        "sgd",
        "moments",
        f"{_MOMENTS}:sgd",
        meaning="exact at any size: second moments for inputs of any strengths, new examples at each step",
        source=_ISSERLIS,
        gives=("excess_risk",),
        accuracy=1e-11,
    ),
    Route(
        "heavy-tails",
        "stationary",
        "transfer",
        f"{_TRANSFER}:stationary",
        meaning="inputs of one or two strengths: products of steps, by the transfer operator of one angle",
        source="kesten1973: h(alpha) = 1, h an eigenvalue; distribution of one step given a direction",
        gives=("lyapunov", "tail_index"),
        accuracy=1e-5,
        slow=True,
    ),
    Route(
        "heavy-tails",
        "orders",
        "transfer",
        f"{_TRANSFER}:orders",
        meaning="inputs of one or two strengths: products of steps, by the transfer operator of one angle",
        source="kesten1973: h an eigenvalue; distribution of one step given a direction",
        gives=("log_growth",),
        accuracy=1e-5,
        slow=True,
    ),
    Route(
        "heavy-tails",
        "stationary",
        "diffusive",
        f"{_LIMITS}:large_dimension",
        meaning="large d, for step sizes with infinite variance but a stationary distribution",
        source="mean and variance of |M u|^2, to second order in h(s)",
        gives=("lyapunov", "tail_index"),
        approximate="holds for large d near the step size at which the variance becomes infinite",
    ),
    Route(
        "heavy-tails",
        "stationary",
        "small-step",
        f"{_LIMITS}:small_step",
        meaning="small steps: alpha eta/b is the same constant for all batch sizes and dimensions",
        source="h(alpha) = 1, dominated by the most likely large steps, as eta/b goes to 0",
        gives=("tail_index",),
        approximate="holds where eta d/b is small",
    ),
    Route(
        "heavy-tails",
        "stationary",
        "instance",
        f"{_FINITE}:stationary",
        meaning="a finite set of examples with one input, for each draw: averages over all batches",
        source="kesten1973: h(alpha) = 1; all batches of a draw are equally likely",
        sampled=True,
        averages="batches",
        gives=("lyapunov", "tail_index", "excess_risk"),
        accuracy=1e-11,
        example=_SET,
        needs=_NEEDS,
    ),
    Route(
        "heavy-tails",
        "orders",
        "instance",
        f"{_FINITE}:orders",
        meaning="a finite set of examples with one input, for each draw: averages over all batches",
        source="kesten1973; all batches of a draw are equally likely",
        sampled=True,
        averages="batches",
        gives=("log_growth",),
        accuracy=1e-11,
        example=_SET,
        needs=_NEEDS,
    ),
)
