"""Theory of measured spectra: the exact limit, and exact dynamics given the drawn rows."""

from teacherstudent.house.declarations import Count, Route, Turns

_WHERE = "teacherstudent.theory.measured_spectrum"
_NAMES = ("descent", "flow", "ridge")

ROUTES = (
    *(
        Route(
            "measured-spectrum",
            name,
            "asymptotic",
            f"{_WHERE}.asymptotic:{name}",
            meaning="exact limit of many rows and modes, from spectrum and target's share alone",
            source="two-resolvent deterministic equivalents; of a pool for rotations drawn uniformly",
            gives=("generalisation_error", "training_error"),
            exact_for="limit",
            accuracy=1e-10,
        )
        for name in _NAMES
    ),
    *(
        Route(
            "measured-spectrum",
            name,
            "instance",
            f"{_WHERE}.instance:{name}",
            meaning="exact dynamics given each draw of rows, noise and start, by one eigendecomposition",
            source="linear dynamics in the eigenbasis of the drawn rows",
            sampled=True,
            needs=f"{_WHERE}.needs:instance",
        )
        for name in _NAMES
    ),
)

COUNTS = (
    Count(
        "measured-spectrum",
        "flow",
        f"{_WHERE}.landmarks:descents",
        "descents of the generalisation error",
        "over gradient flow, exact limit of many rows and modes",
    ),
)

TURNS = (
    Turns(
        "measured-spectrum",
        "flow",
        f"{_WHERE}.landmarks:extrema",
        "flow",
        "generalisation_error",
        "test error",
        "two-resolvent deterministic equivalents",
        route="asymptotic",
        curve=f"{_WHERE}.landmarks:error_curve",
    ),
)
