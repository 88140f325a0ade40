"""Theory of random features: the exact limit of large sizes, and exact given drawn features and inputs."""

from teacherstudent.house.declarations import Count, Route, Spectrum, Turns
from teacherstudent.problems.random_features import ALWAYS

_WHERE = "teacherstudent.theory.random_features"
_SOURCE = "Gaussian equivalence and two-resolvent deterministic equivalents"

ROUTES = (
    Route(
        "random-features",
        "",
        "asymptotic",
        f"{_WHERE}.asymptotic",
        meaning="exact limit n, N, d -> infinity at fixed ratios",
        source=_SOURCE,
        exact_for="limit",
        accuracy=1e-10,
    ),
    Route(
        "random-features",
        "",
        "instance",
        f"{_WHERE}.instance",
        meaning="exact average over label noise, initial weights and a linear teacher, for each draw",
        source="linear dynamics in the basis of the drawn features; arc-sine and arc-cosine kernels",
        gives=ALWAYS,
        sampled=True,
        scheduled=True,
        averages="a linear teacher, label noise and initial weights",
        needs=f"{_WHERE}.needs:instance",
    ),
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
        curves=f"{_WHERE}.landmarks:risk_curves",
        limit=True,
    ),
)

SPECTRUM = Spectrum(
    "random-features",
    f"{_WHERE}.spectrum:limit",
    "the resolvent of Phi^T Phi, Phi the features of all samples",
)
