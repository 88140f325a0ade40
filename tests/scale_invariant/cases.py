"""Single questions of scale-invariant weights: refused, lost, with one answer."""

from __future__ import annotations

import math

HINGE = {"loss": "hinge-kr"}
SQUARED = {"loss": "squared-correlation"}

REFUSED = [
    ("descent/theory", {"learning_rate": 2.0, "ridge": 0.5}, "--learning-rate"),
    ("descent/schedule", {"learning_rate": 2.0, "ridge": 0.6}, "--learning-rate"),
    ("flow/theory", {"learning_rate": 2.0, "ridge": 0.5}, "--learning-rate"),
    ("online/theory", {"learning_rate": 2.0, "ridge": 50.0}, "--learning-rate"),
    ("descent/theory", {"data": "stream"}, "--data"),
    ("descent/theory", {"scheme": "adam", "teacher": "random"}, "--teacher"),
    ("descent/theory", {"scheme": "adamw", "epsilon": 0.0}, "--epsilon"),
    ("descent/theory", {"scheme": "adamg", "ridge": 0.1}, "--ridge"),
    ("descent/theory", {"scheme": "adagradg", "radius0": 2.0}, "--radius0"),
    ("descent/theory", {"scheme": "adagradg", "beta2": 0.0}, "--beta2"),
    ("descent/theory", {"scheme": "adam-s", "beta2": 1.0}, "--beta2"),
    ("descent/flow", {"scheme": "adam"}, "--scheme"),
    ("descent/second-order", {"ridge": 0.1}, "--ridge"),
    ("descent/second-order", {"learning_rate": 2.5, "angle0": 0.3}, "--learning-rate"),
    ("descent/second-order", {**SQUARED, "learning_rate": 2.5, "angle0": 2.8}, "--learning-rate"),
    ("flow/theory", {"scheme": "sgd-momentum"}, "--scheme"),
    ("online/theory", {"scheme": "adam-s"}, "--scheme"),
    ("online/averaged", {"scheme": "sgd"}, "--scheme"),
    ("online/averaged", {"scheme": "adam"}, "--teacher"),
    ("online/equilibrium", {}, "--ridge"),
    ("online/equilibrium", {"scheme": "adagradg", "beta2": 1.0}, "--beta2"),
    ("descent/theory", {"times": [1e9]}, "--times"),
    ("descent/simulation", {"times": [1e12]}, "--times 1e"),
    ("descent/simulation", {"data": "minibatch", "n": 4, "batch": 5}, "--batch 5: must be at most"),
    ("descent/simulation", {"learning_rate": 2.0, "ridge": 0.5}, "--learning-rate 2.0: must be below 2"),
    ("online/simulation", {"learning_rate": 10.0, "ridge": 0.5, "d": 5}, "10.0: must be below 10"),
    ("flow/simulation", {"scheme": "adam"}, "--scheme adam: must be"),
    *(
        (route, {**HINGE, **values}, said)
        for route, values, said in (
            ("online/equilibrium", {"ridge": 0.1}, "--loss hinge-kr: must be one of correlation"),
            ("online/theory", {"noise": 0.5}, "--noise 0.5: must be 0 for loss hinge-kr"),
            ("online/averaged", {"noise": 0.5, "scheme": "adam-s"}, "--noise 0.5: must be 0"),
            ("online/simulation", {"noise": 0.5}, "--noise 0.5: must be 0"),
            ("descent/simulation", {"noise": 0.5, "data": "stream"}, "--noise 0.5: must be 0"),
            (
                "descent/second-order",
                {"learning_rate": 3.0, "angle0": 0.5},
                "--learning-rate 3.0: must be bel",
            ),
        )
    ),
]
EQUATOR = {**SQUARED, "angle0": math.pi / 2}
THREE = [1.0, 100.0, 1000.0]

LOST = [
    # alpha^(-2k-1) overflows at k of about 355/(eta lambda), and so does the rate of weights at rest
    (
        "descent/schedule",
        [1e3, 4e4],
        {"ridge": 0.5, "learning_rate": 0.02, "angle0": 0.0},
        "NaN",
        [False, True],
    ),
    # beyond the edge of stability descent is chaotic
    ("descent/theory", [1, 10_000], {"learning_rate": 1.0, "ridge": 0.5}, "rounding", [False, True]),
    (
        "descent/theory",
        [2000, 4000],
        {"learning_rate": 0.02, "ridge": 0.05, "angle0": 1.4},
        "",
        {"angle": [False, True]},
    ),
    ("descent/theory", [1, 2], {"radius0": 1e-200}, "NaN", [True, True]),
    ("descent/theory", [1, 2], {"scheme": "adam-s", "epsilon": 0.0, "angle0": 0.0}, "NaN", [True, True]),
    # without noise a student at the teacher has no gradient, and its radius shrinks to nothing
    ("online/theory", [1.0, 1e4], {"loss": "mse", "angle0": 0.0, "ridge": 0.3}, "NaN", [True, True]),
    # the given float leads to .15, the next one to pi - .15, and pi/2 itself to pi/2
    (
        "online/theory",
        THREE,
        EQUATOR,
        "rounding of angle0 .* from 1000 on; NaN at 1 of 3 times",
        [False, False, True],
    ),
    *(
        ("flow/theory", THREE, values, "rounding of angle0", {"angle": [False, True, True]})
        for values in (EQUATOR, {"angle0": math.pi})
    ),
    (
        "online/equilibrium",
        [1.0],
        {**EQUATOR, "ridge": 0.1},
        "rounding determines the direction",
        {"angle": [True], "radius": [False]},
    ),
    *(
        (
            f"descent/{route}",
            [1, 2, 6],
            {"learning_rate": 1 - 1e-11, "ridge": 1.0, "angle0": 0.7},
            "rounding of angle0 or the ridge",
            {"effective_learning_rate": [True, True, True]},
        )
        for route in ("theory", "schedule")
    ),
]
AT = {"angle0": 0.0}
SCHEMES = (
    *("sgd", "sgd-momentum", "sgd-mrt", "adam", "adamw", "adam-s", "adam-srt", "adamg"),
    *("adagradg", "adagradg-exact"),
)
KNOWN = [
    # a student at the teacher stays
    *(("descent/theory", [0, 5, 40], {**AT, "scheme": each}, {"angle": [0, 0, 0]}, 0.0) for each in SCHEMES),
    *(
        (f"descent/{route}", [0, 5], {**AT, **HINGE}, {"angle": [0, 0]}, 0.0)
        for route in ("theory", "flow", "second-order", "schedule", "adagradg")
    ),
]
FREE = {"ridge": 0.0, "learning_rate": 0.1}
STEPS = [0, 1, 10, 100, 300]
EDGE = {"ridge": 0.05, "learning_rate": 0.05, "angle0": 1.4}
WITHIN = {"hinge_weight": 2.0, "margin": 100.0}
"""A margin that every sample is inside."""

EQUAL = [
    # scaling x by c and the learning rate by c^2 is the same on the sphere
    (
        *("descent/theory", STEPS[:4], FREE),
        *("descent/theory", STEPS[:4], {**FREE, "learning_rate": 1.6, "radius0": 4.0}, 4e-13),
        ["angle", "effective_learning_rate"],
    ),
    # the mean squared error on the sphere is correlation
    ("descent/theory", [1, 30], {"loss": "mse"}, "descent/theory", [1, 30], {"loss": "correlation"}, 0.0),
    # the schedule is the ridge until the edge of stability
    ("descent/schedule", STEPS, EDGE, "descent/theory", STEPS, EDGE, 300 * 16 * 2.3e-16),
    # no ridge is the limit of a small one
    ("flow/theory", [0.0, 1, 9], {"ridge": 1e-15}, "flow/theory", [0.0, 1, 9], {}, 1e-13),
    # a constant pull, without a hinge or with all samples inside its margin, is correlation on another clock
    *(
        (
            *(route, times, {"learning_rate": 0.01, "class_mean": 1.5, **HINGE, **hinge}),
            *(route, [clock * time for time in times], {"learning_rate": rate}, 1e-9, ["angle", "radius"]),
        )
        for hinge, pull in (({"hinge_weight": 0.0}, 3.0), (WITHIN, 9.0))
        for route, times, clock, rate in (
            ("flow/theory", [0.0, 0.1, 2.0], pull, 0.01),
            ("descent/theory", [0, 1, 30], 1, pull * 0.01),
            ("descent/second-order", [0, 1, 30], 1, pull * 0.01),
            ("descent/schedule", [0, 1, 30], 1, pull * 0.01),
        )
    ),
]
