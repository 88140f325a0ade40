"""Single questions of measured spectra: refused, lost, with one answer."""

from __future__ import annotations

import numpy as np
from scipy.linalg import hadamard

DRAW = np.random.default_rng(11)
EVEN = hadamard(64)[:, 1:20] * np.geomspace(1, 0.2, 19)
TARGETS = DRAW.standard_normal((64, 2))
ROWS = {"features": EVEN, "targets": TARGETS, "n": 10}
X, Y = DRAW.standard_normal((24, 5)) + 3.0, DRAW.standard_normal((24, 2)) + 1.0
RAW = {"features": X, "targets": Y, "n": 9}
WINE = {"features": "wine", "targets": "wine"}
NO_POOL = "^--sampling population: must be pool on this route"
NEW = {"features": X, "targets": Y, "n": 9, "sampling": "new-rows", "times": [0.1]}
TWO_ROUTES = "--sampling new-rows: must be pool or population on this route"

REFUSED = [
    *(
        (f"ridge/{route}", values, NO_POOL)
        for route in ("leverage", "per-row")
        for values in ({"n": 5, "size": 10}, {**ROWS, "sampling": "population"})
    ),
    ("descent/leverage", {**ROWS, "learning_rate": 10.0}, "^--learning-rate 10.0: must be below 2/"),
    (
        "descent/asymptotic",
        {"features": "breast_cancer", "targets": "breast_cancer", "n": 20, "learning_rate": 1.0},
        r"--learning-rate 1.0: must be below 2/\(upper edge of the spectrum \+ ridge\) =",
    ),
    ("sgd/asymptotic", {**WINE, "n": 20}, "^--sampling pool: must be population "),
    # the intercept
    ("", {**RAW, "bias_column": True, "intercept": "trained"}, "^--bias-column yes: must be left out w"),
    ("", {**RAW, "bias_column": True, "sampling": "population"}, "^--bias-column yes: must be left out f"),
    (
        "",
        {**RAW, "intercept": "none", "sampling": "population"},
        "^--intercept none: must be trained or pool",
    ),
    ("", {"n": 9, "size": 5, "intercept": "pool"}, "^--intercept pool: must be trained or none for a law"),
    ("", {**RAW, "n": 1}, "^--n 1: must be at least 2 for a trained intercept; --intercept pool"),
    ("", {**RAW, "bias_column": 1}, "^--bias-column 1: must be True or False"),
    # more rows than there are
    ("ridge/asymptotic", NEW, f"^{TWO_ROUTES}; use --route extrapolation"),
    ("ridge/instance", NEW, "^--sampling new-rows: must be pool or population"),
    ("ridge/leverage", NEW, "^--sampling new-rows: must be pool on this route"),
    ("ridge/extrapolation", {**NEW, "sampling": "pool"}, "^--sampling pool: must be new-rows on this route"),
    ("flow/extrapolation", {**NEW, "init": 0.1}, "^--init 0.1: must be 0 on this route"),
    (
        "ridge/extrapolation",
        {"n": 9, "sampling": "new-rows", "times": [0.1]},
        "^--sampling new-rows: must be population",
    ),
    (
        "ridge/asymptotic",
        {**NEW, "sampling": "pool", "observable": ("scatter",)},
        "^--observable scatter: must be left out",
    ),
    ("ridge/extrapolation", {**NEW, "n": 1}, "^--n 1: must be at least 2 for a trained intercept"),
]
LABELS = np.repeat([4, 7, 9], 8)

LOST = [
    # an answer of 1e39 would look like one; the limit refuses the same rate
    *(
        (
            f"descent/{route}",
            [0, 1000, 10**6],
            {"features": X, "targets": LABELS, "n": 9, "task": "classification", "learning_rate": 1.0},
            "learning_rate 1: .*2 of 2",
            {"generalisation_error": [False, True, True], "error_rate": [False, True, True]},
        )
        for route in ("instance", "simulation")
    )
]
PEAK = {**WINE, "kernel": "ntk"}
LINEAR = DRAW.standard_normal((60, 5))
NOISY = {"targets": LINEAR @ np.ones((5, 1)) + DRAW.standard_normal((60, 1)), "n": 20}
MOVED = {"features": X + 2.0, "targets": Y - 7.0, "n": 9}
TEST = ["generalisation_error"]

EQUAL = [
    # late flow of a kernel ends at the least norm
    *(
        (
            *("flow/asymptotic", [late], {**PEAK, "n": n}),
            *("ridge/asymptotic", [1e12], {**PEAK, "n": n}, 1e-8, TEST),
        )
        for n, late in ((120, 3.17), (120, 1e8), (172, 1e4), (172, 1e8), (176, 1e5), (176, 1e8), (176, 1e12))
    ),
    # the end of least squares does not know the scales of columns
    (
        *("flow/asymptotic", [1e40], {**NOISY, "features": LINEAR}),
        *("flow/asymptotic", [1e40], {**NOISY, "features": LINEAR * np.geomspace(1, 1e-8, 5)}, 1e-7, TEST),
    ),
    # moving the origin changes nothing
    *(
        (route, [0.1, 10.0], {**RAW, "kernel": kernel}, route, [0.1, 10.0], {**MOVED, "kernel": kernel}, 1e-8)
        for route in ("flow/asymptotic", "flow/instance")
        for kernel in ("linear", "rbf")
    ),
]
