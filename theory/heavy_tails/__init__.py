"""Theory of heavy tails in SGD: tail index, Lyapunov exponent and mean squares at a fixed step."""

from teacherstudent.house.declarations import Route

_EXACT = "teacherstudent.theory.heavy_tails.exact"
_KESTEN = "kesten1973, gurbuzbalaban2021: h(alpha) = 1; law of one step by quadrature"

ROUTES = (
    Route(
        "heavy-tails",
        "stationary",
        "exact",
        f"{_EXACT}:stationary",
        meaning="exact at any size: inputs of one strength, new examples at each step",
        source=_KESTEN,
        gives=("lyapunov", "tail_index", "excess_risk"),
        accuracy=1e-12,
    ),
    Route(
        "heavy-tails",
        "sgd",
        "exact",
        f"{_EXACT}:sgd",
        meaning="exact at any size: inputs of one strength, new examples at each step",
        source=_KESTEN,
        gives=("excess_risk", "log_separation"),
        accuracy=1e-12,
    ),
    Route(
        "heavy-tails",
        "orders",
        "exact",
        f"{_EXACT}:orders",
        meaning="exact at any size: inputs of one strength, new examples at each step",
        source=_KESTEN,
        gives=("log_growth",),
        accuracy=1e-12,
    ),
)
