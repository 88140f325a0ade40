"""Single questions of random features: refused, with one answer."""

from __future__ import annotations

import math

from teacherstudent.problems.random_features.parameters import COEFFICIENTS

REFUSED = [
    ("", {"psi1": 1e-4}, r"psi1 d, here 0.01, rounds to a number from 1 to 1e\+12"),
    ("", {"psi2": 1e300}, r"psi2 d, here 1e\+302, rounds to a number from 1 to 1e\+12"),
    ("", {"psi1": 1e308, "d": 10**12}, r"psi1 d, here inf, rounds to a number from 1 to 1e\+12"),
    ("", {"psi1": 2.0, "width": 3}, "--width 3: must be absent where --psi1 is given"),
    ("", {"psi2": 2.0, "n": 3}, "--n 3: must be absent where --psi2 is given"),
    ("", {"p": 101}, "--p 101: must be at most d = 100"),
    ("", {"p": 1, "scales": ((3, 1.0),)}, "--p 1: must be absent where --scales is given"),
    ("", {"activation": "ReLU"}, r"did you mean relu\?"),
    ("", {"activation": "erf", "hermite": (0.0, 1.0)}, "--activation erf: must be absent where --hermite"),
    (
        "",
        {"teacher": "erf", "teacher_hermite": (0.0, 1.0)},
        "must be absent where --teacher-hermite is given",
    ),
    ("", {"hermite": (1.0,)}, "--hermite 1: must be nonzero in a coefficient"),
    ("", {"hermite": (0.0, 0.0)}, "--hermite 0,0: must be nonzero"),
    ("", {"teacher_hermite": (3.0, 0.0)}, "--teacher-hermite 3,0: must be nonzero"),
    ("", {"hermite": (0.0, math.nan)}, "each a finite number"),
    (
        "",
        {"hermite": (0.0, 1e200, 1e200)},
        r"of norm 1e-100 to 1e\+100 without the first, not 1.41421e\+200",
    ),
    ("", {"hermite": (0.0, 1e-200)}, "not 1e-200"),
    ("", {"hermite": (0.0,) * COEFFICIENTS + (1.0,)}, f"at most {COEFFICIENTS} coefficients, not 65"),
]
ENDED = {"n": 12, "width": 7, "d": 5, "noise": 0.4}
RIDGED = ({**ENDED, "ridge": 0.5}, {**ENDED, "ridge": 0.25})
NOISY = {"noise": 0.5, "init": 0.5, "ridge": 0.02}
SMALL = {"n": 40, "width": 70, "scales": ((30, 1.0), (70, 0.1)), **NOISY}
LARGE = {"n": 40_000, "width": 70_000, "scales": ((30_000, 1.0), (70_000, 0.1)), **NOISY}

KNOWN = [  # ten digits of an independent program
    (
        "flow/asymptotic",
        [3, 300],
        {**NOISY, **question},
        {"generalisation_error": test, "training_error": training},
        6e-11,
    )
    for question, test, training in (
        (
            {"activation": "erf", "psi1": 1.5, "psi2": 2},
            [0.6889524371, 0.7538535930],
            [0.2805726911, 0.1306717566],
        ),
        (
            {"activation": "relu", "psi1": 3, "psi2": 1},
            [0.9224881507, 0.9158676176],
            [0.2295289610, 0.0125403739],
        ),
    )
]
EQUAL = [
    # ridge regression is where flow with that ridge ends
    ("flow/instance", [1e6], RIDGED[0], "ridge/instance", [4.0], RIDGED[1], 1e-12),
    # only ratios of sizes matter
    *(
        (f"{each}/asymptotic", [1, 30, 1e4], SMALL, f"{each}/asymptotic", [1, 30, 1e4], LARGE, 1e-11)
        for each in ("flow", "descent", "ridge")
    ),
]
