"""Single questions of the perceptron: refused, lost, known from elsewhere, with one answer."""

from __future__ import annotations

import math

BINARY = {"rule": "bayes", "weights": "binary"}
COINS = {"rule": "max-stability", "labels": "random"}

REFUSED = [
    ("", {"rule": "hinge", "ridge": 0}, "--ridge 0.0: must be above 0 for rule hinge"),
    (
        "",
        {"labels": "random", "noise": 0.1},
        "--noise 0.1: must be 0 with labels random, which have no teacher",
    ),
    (
        "",
        {"weights": "binary"},
        "--weights binary: must be spherical for rule logistic; binary for gibbs and",
    ),
    ("", {"rule": "gibbs", "noise": 0.1}, "--noise 0.1: must be 0 for rule gibbs"),
    ("", {"rule": "bayes", "labels": "random"}, "--labels random: must be teacher for rule bayes"),
    ("", {"rule": "gibbs", "kappa": 2.0}, "--kappa 2.0: must be of a single strength for rule gibbs"),
    ("", {"rule": "bayes", "scales": ((2, 1.0), (3, 2.0))}, "must be of a single strength for rule bayes"),
    ("", {"rule": "adatron"}, "--rule adatron: must be one of square, logistic, hinge, hebb, pseudo-inverse"),
    ("", {"rule": "svm"}, "did you mean hinge"),
    ("", {"d": 10, "p": 11}, "--p 11: must be at most d = 10"),
    *(
        ("", {"rule": rule, "ridge": 0.5}, rf"^--ridge 0\.5: must be left out for rule {rule}")
        for rule in ("hebb", "pseudo-inverse", "max-stability", "gibbs", "bayes")
    ),
    ("examples/message-passing", {"rule": "bayes", "d": 20}, "--weights spherical: must be binary"),
    ("examples/message-passing", {**BINARY, "rule": "gibbs", "d": 20}, "--rule gibbs: must be bayes"),
    ("examples/metastable", {"rule": "bayes"}, "weights"),
    (
        "examples/simulation",
        {"times": [101.0], "rule": "gibbs", "d": 10},
        "^--times 101: must be at most 100 for rule gibbs at d = 10: its chain",
    ),
    ("examples/simulation", {**BINARY, "d": 21}, "^--d 21: must be at most 20 for binary weights"),
    (
        "examples/simulation",
        {"times": [1e12], "rule": "hebb", "d": 10},
        r"--times 1e\+12: must be such that alpha d \(here 1e\+13 examples\)",
    ),
]
LOST = [
    # half the inputs give nearly nothing: at alpha = 1 the margin falls to that of what they give
    (
        "examples/asymptotic",
        [0.999, 1.0, 1.001],
        {**COINS, "scales": ((1, 1.0), (1, 1e-30))},
        "rounding hides its digits; NaN at 1 of 3",
        {"margin": [False, True, False]},
    ),
    ("examples/asymptotic", [2.0, 2.5], COINS, "", {"margin": [True, True]}),
    # an infinite student has a direction and no size
    (
        "examples/asymptotic",
        [1.0, 2.0],
        {"rule": "pseudo-inverse"},
        "norm is unbounded; NaN at 1 of 2",
        {"Q": [True, False], "generalisation_error": [False, False], "R": [False, False]},
    ),
    (
        "examples/simulation",
        [0.5, 3.0],
        {"rule": "square", "ridge": 0, "d": 6, "seeds": [3, 8]},
        "rounding hides the solution; NaN in 2 of 2 draws",
        {"R": [True, False]},
    ),
]
ALPHAS = [0.5, 1, 2, 4, 10]
PRINTED = {
    "hebb": [0.49138, 0.62369, 0.74840, 0.84737, 0.92965],
    "pseudo-inverse": [0.48319, 0, 0.79788, 0.91660, 0.96972],
    "gibbs": [0.28033, 0.48626, 0.72830, 0.90026, 0.98138],
    "bayes": [0.52946, 0.69733, 0.85340, 0.94882, 0.99065],
    "max-stability": [0.51215, 0.67136, 0.82976, 0.93693, 0.98809],
}
MARGINS = [1.25638, 0.78655, 0.45458, 0.24329, 0.09989]
HEBB = [math.sqrt(2 * a / (2 * a + math.pi)) for a in (0.2, 0.7, 1.3, 50.0)]
LEAST_SQUARES = [
    *(math.sqrt(2 * a * (1 - a) / (math.pi - 2 * a)) for a in (0.2, 0.7)),
    *(math.sqrt(2 * (a - 1) / (math.pi + 2 * a - 4)) for a in (1.3, 50.0)),
]
KNOWN = [
    *(("examples/asymptotic", ALPHAS, {"rule": rule}, {"R": R}, 5.1e-6) for rule, R in PRINTED.items()),
    ("examples/asymptotic", ALPHAS, {"rule": "max-stability"}, {"margin": MARGINS}, 5.1e-6),
    ("examples/asymptotic", [0.2, 0.7, 1.3, 50.0], {"rule": "hebb"}, {"R": HEBB}, 1e-14),
    ("examples/asymptotic", [0.2, 0.7, 1.3, 50.0], {"rule": "pseudo-inverse"}, {"R": LEAST_SQUARES}, 1e-13),
    ("examples/asymptotic", [0.2, 0.7], {"rule": "pseudo-inverse"}, {"training_error": [0, 0]}, 0.0),
]
NOISY = ("square", "logistic", "hinge", "hebb", "pseudo-inverse", "max-stability")
EQUAL = [
    # noise without end makes labels random
    *(
        (
            *("examples/asymptotic", [0.5, 1.5, 3.0], {"rule": rule, "noise": 1e12}),
            *("examples/asymptotic", [0.5, 1.5, 3.0], {"rule": rule, "labels": "random"}, 1e-9),
        )
        for rule in NOISY
    ),
    # a large ridge leaves Hebb's direction
    *(
        (
            *("examples/asymptotic", ALPHAS, {"rule": rule, "ridge": ridge, "kappa": 8.0, "noise": 0.4}),
            *("examples/asymptotic", ALPHAS, {"rule": "hebb", "kappa": 8.0, "noise": 0.4}, 1e-7, ["R"]),
        )
        for rule in ("square", "logistic", "hinge")
        for ridge in (1e9, 1e150)
    ),
    # few examples tell of binary weights as of any
    (
        *("examples/asymptotic", [1e-6, 1e-4], {"rule": "gibbs", "weights": "binary"}),
        *("examples/asymptotic", [1e-6, 1e-4], {"rule": "gibbs"}, 1e-3, ["R", "entropy"]),
    ),
]
