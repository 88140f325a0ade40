"""Theory of the multi-scale model: instance-exact, asymptotic and as printed."""

from typing import Any

from teacherstudent.house.declarations import Count, Route, Spectrum, Turns
from teacherstudent.problems.multiscale import EXTRAS, THERMAL, TRAINED

CONTOUR = 1e-11
"""What quadrature on a contour leaves of an observable's digits."""

_NEEDS = "teacherstudent.theory.multiscale.needs"

_INSTANCE: dict[str, Any] = dict(
    meaning="exact average over teacher, label noise and initial weights, for each drawn X",
    source="pezeshki2022 Eqs. 4.2.9-4.2.10, .2.18-.2.20",
    sampled=True,
    averages="teacher, label noise and initial weights",
    gives=TRAINED,
    needs=f"{_NEEDS}:instance",
    scheduled=True,
)
_ASYMPTOTIC: dict[str, Any] = dict(
    meaning="exact limit n, d -> infinity at fixed ratios",
    source="two-resolvent deterministic equivalents; pezeshki2022 App. .2 corrected",
    exact_for="limit",
    accuracy=CONTOUR,
    needs=_NEEDS,
)
_PRINTED: dict[str, Any] = dict(
    meaning="replica formulas exactly as printed",
    source="pezeshki2022 Eqs. 4.2.11-4.2.16",
    gives=("R", "Q", "excess_risk", "generalisation_error"),
    example={"init": 0.0},
    approximate="gives each scale a separate susceptibility; a ridge replaces time",
)


_WHERE = "teacherstudent.theory.multiscale"
_COMPOSED = (
    Route("multiscale", "", "instance", f"{_WHERE}.instance", **_INSTANCE),
    Route(
        "multiscale", "", "asymptotic", f"{_WHERE}.asymptotic", gives=TRAINED, scheduled=True, **_ASYMPTOTIC
    ),
    *(
        Route(
            "multiscale",
            name,
            "asymptotic",
            f"{_WHERE}.asymptotic:{name}",
            gives=(*TRAINED, *more),
            scheduled=name == "descent",
            batch=f"{_WHERE}.many:{name}",
            **{**_ASYMPTOTIC, "needs": f"{_NEEDS}:{name}"},
        )
        for name, more in (("descent", ()), ("flow", ()), ("ridge", ("excess_risk_scatter",)))
    ),
    *(
        Route("multiscale", name, "printed", f"{_WHERE}.printed:{name}", **_PRINTED)
        for name in ("descent", "flow", "ridge")
    ),
)

_QUADRATURE = Route(
    "multiscale",
    "flow",
    "quadrature",
    "teacherstudent.theory.multiscale.one_scale:flow",
    meaning="exact limit for features of one strength: average over the Marchenko-Pastur distribution",
    source="pezeshki2022 Eqs. 2.3.13-2.3.14, 2.3.29 corrected, 2.3.30",
    gives=("R", "Q", "excess_risk", "generalisation_error", "training_error"),
    example={"kappa": 1.0},
    exact_for="limit",
    accuracy=CONTOUR,
    needs=f"{_NEEDS}:quadrature",
)

_LANGEVIN = (
    Route(
        "multiscale",
        "langevin",
        "instance",
        "teacherstudent.theory.multiscale.thermal:instance",
        meaning="exact average over teacher, label noise, start and thermal noise, for each drawn X",
        source="pezeshki2022 Eqs. 4.2.4, .2.15-.2.20",
        sampled=True,
        averages="teacher, label noise, initial weights and thermal noise",
        gives=THERMAL,
        needs=f"{_NEEDS}:instance",
    ),
    Route(
        "multiscale",
        "langevin",
        "asymptotic",
        "teacherstudent.theory.multiscale.thermal:asymptotic",
        meaning=_ASYMPTOTIC["meaning"],
        source="resolvents on a contour for pezeshki2022 Eq. 4.2.4",
        gives=THERMAL,
        exact_for="limit",
        accuracy=CONTOUR,
        needs=f"{_NEEDS}:contours",
    ),
)

_SGD = (
    Route(
        "multiscale",
        "sgd",
        "asymptotic",
        "teacherstudent.theory.multiscale.sgd:asymptotic",
        meaning="fresh data: exact mean over batches, at any size; replacement: limit of many rows",
        source="second moments of Gaussian rows (Isserlis); Volterra equation of batches",
        gives=TRAINED,
        exact_for="limit",
        accuracy=1e-10,
        needs=f"{_NEEDS}:sgd",
    ),
    Route(
        "multiscale",
        "sgd",
        "instance",
        "teacherstudent.theory.multiscale.instance_sgd:sgd",
        meaning="new batch per step: exact average over batches, teacher, noise and start, for each drawn X",
        source="second moments of batches without repetition; pezeshki2022 Eqs. 4.2.9-4.2.10",
        sampled=True,
        averages="batches, teacher, label noise and initial weights",
        gives=tuple(name for name in TRAINED if name not in EXTRAS["parts"]),
        example={"data": "replacement", "batch": 2},
        needs=f"{_NEEDS}:instance_sgd",
    ),
)

ROUTES = (*_COMPOSED, *_SGD, *_LANGEVIN, _QUADRATURE)


def _count(name: str, meaning: str, approximate: str = "") -> Count:
    entry = "teacherstudent.theory.multiscale.landmarks:descents"
    return Count("multiscale", name, entry, "descents of the excess risk", meaning, approximate, limit=True)


COUNTS = (
    _count("flow", "over gradient flow, exact limit n, d -> infinity"),
    _count("ridge", "over 1/ridge of ridge regression, exact limit n, d -> infinity"),
    _count("printed", "over 1/ridge by the formulas exactly as printed", _PRINTED["approximate"]),
)


def _turns(name: str, dynamics: str, route: str, origin: dict[str, Any]) -> Turns:
    entry = "teacherstudent.theory.multiscale.landmarks:extrema"
    return Turns(
        "multiscale",
        name,
        entry,
        dynamics,
        "excess_risk",
        "risk",
        origin["source"],
        origin.get("approximate", ""),
        route=route,
        curve="teacherstudent.theory.multiscale.landmarks:risk_curve",
        limit=True,
    )


TURNS = (
    _turns("flow", "flow", "asymptotic", _ASYMPTOTIC),
    _turns("ridge", "ridge", "asymptotic", _ASYMPTOTIC),
    _turns("printed", "ridge", "printed", _PRINTED),
)

SPECTRUM = Spectrum(
    "multiscale",
    "teacherstudent.theory.multiscale.spectrum:limit",
    "the resolvent of X^T X; for a single strength pezeshki2022 Eq. 2.3.30",
)
