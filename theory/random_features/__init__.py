"""Theory of random features: the exact limit of many samples, features and inputs."""

from teacherstudent.house.declarations import Route

_WHERE = "teacherstudent.theory.random_features"

ROUTES = tuple(
    Route(
        "random-features",
        name,
        "asymptotic",
        f"{_WHERE}.asymptotic:{name}",
        meaning="exact limit n, N, d -> infinity at fixed ratios",
        source="Gaussian equivalence and two-resolvent deterministic equivalents",
        exact_for="limit",
        accuracy=1e-9,
    )
    for name in ("descent", "flow", "ridge")
)
