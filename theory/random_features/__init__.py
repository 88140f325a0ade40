"""Theory of random features: the exact limit of large sizes, and exact given drawn features and inputs."""

from teacherstudent.house.declarations import Route
from teacherstudent.problems.random_features import ALWAYS

_WHERE = "teacherstudent.theory.random_features"
_NAMES = ("descent", "flow", "ridge")

ROUTES = (
    *(
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
        for name in _NAMES
    ),
    *(
        Route(
            "random-features",
            name,
            "instance",
            f"{_WHERE}.instance:{name}",
            meaning="exact average over noise, start and a linear teacher, given drawn features and inputs",
            source="linear dynamics in the basis of the drawn features; arc-sine and arc-cosine kernels",
            gives=ALWAYS,
            sampled=True,
            needs=f"{_WHERE}.needs:instance",
        )
        for name in _NAMES
    ),
)
