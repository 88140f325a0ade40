"""Features and their Gram matrix are one problem: every kind of theory is asked both ways."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from teacherstudent.paper_checks.judging.comparison import otherwise
from teacherstudent.paper_checks.judging.judges import Bound
from teacherstudent.paper_checks.measured_spectrum import compared
from teacherstudent.paper_checks.measured_spectrum.kit.asking import ERRORS
from teacherstudent.paper_checks.measured_spectrum.kit.tables import few_rows

TRAINED: dict[str, Any] = {**few_rows(), "n": 10, "noise": 0.3, "ridge": 0.2}
DESCENT = {"times": (1, 10, 100), "learning_rate": 0.02}
ROUTES = (
    "flow/asymptotic",
    "descent/asymptotic",
    "ridge/asymptotic",
    "flow/leverage",
    "ridge/per-row",
    "flow/instance",
)


def gram(shift: float = 0.0, nugget: float = 0.0) -> Callable[[dict[str, Any]], dict[str, Any]]:
    """The claim: the same by x.x'; wrong where rows are shifted, or each has something of its own."""
    rows = TRAINED["features"] + shift * np.arange(len(TRAINED["features"]))[:, None]
    return lambda asked: {**asked, "features": None, "gram": rows @ rows.T + nugget * np.eye(len(rows))}


CHECKS = (
    compared(
        id="own-gram",
        title="features and the Gram matrix of their rows are one problem, by every kind of route",
        ref="K = X X^T",
        clocks={"flow": {"times": (0.1, 1.0, 10.0)}},
        questions={
            route: {**TRAINED, "routes": (route, route), **(DESCENT if "descent" in route else {})}
            for route in ROUTES
        },
        routes=("asymptotic", "asymptotic"),
        observables=ERRORS,
        draws=1,
        stream="",
        judge=Bound(1e-8, "accuracy that the routes declare"),
        claim=otherwise(gram()),
        wrong={
            "rows shifted one by one, by 1e-6": otherwise(gram(shift=1e-6)),
            "a diagonal 1e-5 larger": otherwise(gram(nugget=1e-5)),
        },
    ),
)
