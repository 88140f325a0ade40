"""Theory of random features: the exact limit of many samples, features and inputs."""

from teacherstudent.house.declarations import Count, Route, Spectrum, Turns

_WHERE = "teacherstudent.theory.random_features"
_SOURCE = "Gaussian equivalence and two-resolvent deterministic equivalents"

ROUTES = tuple(
    Route(
        "random-features",
        name,
        "asymptotic",
        f"{_WHERE}.asymptotic:{name}",
        meaning="exact limit n, N, d -> infinity at fixed ratios",
        source=_SOURCE,
        exact_for="limit",
        accuracy=1e-10,
    )
    for name in ("descent", "flow", "ridge")
)

COUNTS = (
    Count(
        "random-features",
        "flow",
        f"{_WHERE}.landmarks:descents",
        "descents of the excess risk",
        "over gradient flow, exact limit n, N, d -> infinity",
        limit=True,
    ),
)

TURNS = (
    Turns(
        "random-features",
        "flow",
        f"{_WHERE}.landmarks:extrema",
        "flow",
        "excess_risk",
        "risk",
        _SOURCE,
        route="asymptotic",
        curve=f"{_WHERE}.landmarks:risk_curve",
        limit=True,
    ),
)

SPECTRUM = Spectrum(
    "random-features",
    f"{_WHERE}.spectrum:limit",
    "the resolvent of Phi^T Phi, Phi the features of all samples",
)
