"""Theory of measured spectra: the exact limit, and exact dynamics given the drawn rows."""

from typing import Any

from teacherstudent.house.declarations import Count, Route, Spectrum, Turns, Window
from teacherstudent.problems.measured_spectrum.parameters import SCATTER

_WHERE = "teacherstudent.theory.measured_spectrum"
_POOL = {"features": "wine", "targets": "wine", "sampling": "pool", "modes": None}
"""What makes a question about a pool of any other, also of one about a law."""

_SLOW = {**_POOL, "kernel": "linear", "task": "auto", "n": 20, "noise": 0.1, "ridge": 0.1, "init": 0.0}
"""Of a slow route one question is enough: every example becomes this one."""

_NEW = {**_POOL, "sampling": "new-rows", "n": 300, "noise": 0.1, "ridge": 0.1, "init": 0.0}
_ESTIMATES = ("generalisation_error", "generalisation_error_leave_one_out")
_ERRORS = ("generalisation_error_stderr", "generalisation_error_scatter")

_BOTH = ("generalisation_error", "training_error")
_ASYMPTOTIC: dict[str, Any] = dict(
    meaning="exact limit of many rows and modes, from the spectrum and the target's power in each mode",
    source="two-resolvent deterministic equivalents; for a pool, equivalents of uniformly drawn rotations",
    exact_for="limit",
    assumes="Gaussian rows, or rows of a pool in general position",
    accuracy=1e-10,
    cautions=f"{_WHERE}.cautions:asymptotic",
)

ROUTES = (
    Route("measured-spectrum", "", "asymptotic", f"{_WHERE}.asymptotic", gives=_BOTH, **_ASYMPTOTIC),
    Route(
        "measured-spectrum",
        "ridge",
        "asymptotic",
        f"{_WHERE}.asymptotic:ridge",
        gives=(*_BOTH, "generalisation_error_scatter"),
        options=(SCATTER,),
        **_ASYMPTOTIC,
    ),
    Route(
        "measured-spectrum",
        "sgd",
        "asymptotic",
        f"{_WHERE}.sgd:asymptotic",
        meaning="fresh data: exact mean over batches, at any size; replacement: limit of many rows",
        source="second moments of Gaussian rows (Isserlis); Volterra equation of batches",
        gives=_BOTH,
        exact_for="limit",
        assumes="Gaussian rows, or rows of a pool in general position",
        accuracy=1e-10,
        needs=f"{_WHERE}.needs:sgd",
        cautions=f"{_WHERE}.cautions:asymptotic",
    ),
    Route(
        "measured-spectrum",
        "sgd",
        "instance",
        f"{_WHERE}.instance_sgd:sgd",
        meaning="new batch per step: exact average over batches, for each draw of rows, noise and start",
        source="second moments of batches without repetition in the eigenbasis of the drawn rows",
        sampled=True,
        averages="batches",
        gives=_BOTH,
        example={"data": "replacement", "batch": 2},
        needs=f"{_WHERE}.needs:instance_sgd",
    ),
    Route(
        "measured-spectrum",
        "",
        "instance",
        f"{_WHERE}.instance",
        meaning="exact dynamics for each draw of rows, noise and start, from one eigendecomposition",
        source="linear dynamics in the eigenbasis of the drawn rows",
        sampled=True,
        scheduled=True,
        needs=f"{_WHERE}.needs:instance",
    ),
    *(
        Route(
            "measured-spectrum",
            name,
            "leverage",
            f"{_WHERE}.leverage:{name}",
            meaning="the pool's formula, corrected for the leverages and errors of the measured rows",
            source="leave-one-out errors in the limit's resolvent, with the fluctuations of the pool",
            gives=("generalisation_error", "training_error", "error_rate"),
            approximate="corrects for the leverages of real rows, but is not exact",
            example=_POOL,
            accuracy=1e-8,
            cautions=f"{_WHERE}.cautions:of_leverage",
        )
        for name in ("descent", "flow", "ridge")
    ),
    *(
        Route(
            "measured-spectrum",
            name,
            "per-row",
            f"{_WHERE}.per_row:{name}",
            meaning="theory that treats each measured row separately; slow, useful if rows differ much",
            source="coherent-potential approximation for rows drawn without replacement",
            gives=("generalisation_error", "training_error", "error_rate"),
            approximate="fluctuations of single real rows in the mean field of the others",
            example=_SLOW,
            slow=True,
            accuracy=1e-8,
            cautions=f"{_WHERE}.cautions:of_per_row",
        )
        for name in ("flow", "ridge")
    ),
    *(
        Route(
            "measured-spectrum",
            name,
            "extrapolation",
            f"{_WHERE}.more_rows:{name}",
            meaning="any number of new rows, predicted from the measured rows if these suffice",
            source="two-point generalised cross-validation of all measured rows, at the matched ridge",
            gives=gives,
            approximate=f"an estimate from one sample, {error}",
            example=_NEW,
            accuracy=1e-8,
        )
        for name, gives, error in (
            ("flow", _ESTIMATES, "whose standard error is not known"),
            ("ridge", (*_ESTIMATES, *_ERRORS), "with its standard error for Gaussian rows"),
        )
    ),
)

COUNTS = (
    Count(
        "measured-spectrum",
        "flow",
        f"{_WHERE}.landmarks:descents",
        "descents of the generalisation error",
        "over gradient flow, exact limit of many rows and modes",
        limit=True,
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
        limit=True,
    ),
    *(
        Turns(
            "measured-spectrum",
            name,
            f"{_WHERE}.best_ridge:extrema",
            "ridge",
            "generalisation_error",
            "test error",
            source,
            approximate=approximate,
            limit=not approximate,
            over="ridge",
        )
        for name, source, approximate in (
            ("ridge", "two-resolvent deterministic equivalents, to the edge of the spectrum", ""),
            (
                "ridge-by-rows",
                "leave-one-out errors in the limit's resolvent",
                "corrects for the leverages of real rows, but is not exact",
            ),
        )
    ),
)

WINDOW = Window("measured-spectrum", f"{_WHERE}.window:chosen")

SPECTRUM = Spectrum(
    "measured-spectrum",
    f"{_WHERE}.spectrum:limit",
    "the resolvent of X^T X for rows of a population",
)
