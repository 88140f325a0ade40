"""Single questions of gradient starvation: refused, lost, known from elsewhere, with one answer."""

from __future__ import annotations

import numpy as np

REFUSED = [
    ("", {"vectors": [[1.0, 0.1], [0.0, 1.0]]}, "orthonormal"),
    ("", {"vectors": [[1.0, 0.0]]}, "square"),
    ("", {"vectors": np.eye(3)}, "3 numbers, one for each column"),
    ("", {"vectors": np.eye(2), "delta": 0.5}, "--delta 0.5: must be absent"),
    ("", {"strengths": (1.0, 2.0), "s1": 1.0}, "--s1 1.0: must be absent"),
    ("", {"strengths": (3.0, 2.0, 1.0)}, "2 numbers unless --vectors is given.*give --vectors"),
    *(
        (f"{dynamics}/{route}", {"s2": 0.0}, said)
        for dynamics in ("decoupled", "primal-decoupled")
        for route, said in (("theory", "rank n"), ("fixed-point", "rank n"), ("simulation", "strengths"))
    ),
]
OVERFLOWING = {"s1": 1e160, "s2": 1e160, "delta": 0.3, "ridge": 1e-300}

LOST = [
    ("primal/fixed-point", [1.0], OVERFLOWING, "not finite", [True]),
    ("dual/theory", [0.0, 1.0], {"alpha0": 1 - 1e-10}, "overflow", {"z1": [False, True]}),
    (
        "dual/simulation",
        [0.0, 0.25, 2.0],  # alpha is negative in half a step
        {"s1": 4.0, "s2": 2.0, "delta": 0.5, "ridge": 0.5, "alpha0": 0.2, "learning_rate": 0.5},
        r"learning_rate 0\.5: ",
        {"z1": [False, True, True]},
    ),
]
KNOWN = [  # six printed decimals, of the settings of App. Fig. 1: delta .5, s2 2, ridge .01
    ("dual/fixed-point", [1.0], {"s1": 2.0}, {"z1": [6.120438], "z2": [1.639967]}, 5.1e-7),
    ("dual/fixed-point", [1.0], {"s1": 4.0}, {"z1": [7.812049], "z2": [1.466814]}, 5.1e-7),
    ("dual/fixed-point", [1.0], {"s1": 6.0}, {"z1": [9.071019], "z2": [1.185344]}, 5.1e-7),
    ("decoupled/fixed-point", [1.0], {"ridge": 0.002}, {"z1": [6.372673], "z2": [1.707553]}, 5.1e-7),
    # the ridge loss does not need every feature
    ("dual/fixed-point", [1.0], {"s2": 0.0}, {"z2": [0.0]}, 0.0),
    # uncoupled features starve nothing, and decoupled margins do not know the features
    ("dual/fixed-point", [1.0], {"delta": 0.0}, {"dz1_ds2sq": [0.0], "dz2_ds1sq": [0.0]}, 0.0),
    ("decoupled/fixed-point", [1.0], {"shift": 1.5, "delta": 0.0}, {"dz2_ds1sq": [0.0]}, 0.0),
]
ENDS = {"s1": 4, "s2": 2, "delta": 0.5, "ridge": 0.01}
THREE = {
    "vectors": np.linalg.qr(np.random.default_rng(0).standard_normal((3, 3)))[0],
    "strengths": (3.0, 2.0, 1.0),
    "ridge": 0.1,
}
TWICE = {**THREE, "strengths": (6.0, 4.0, 2.0), "ridge": 0.4}
DYNAMICS = ("dual", "mirror", "primal", "decoupled", "primal-decoupled")

EQUAL = [
    # every dynamics ends at its fixed point
    *(
        (f"{each}/theory", [1e5], ENDS, f"{each}/fixed-point", [1e5], ENDS, 1e-9, ["z1", "z2"])
        for each in DYNAMICS
    ),
    # responses depend on strengths and ridge through their ratio only
    ("dual/fixed-point", [1.0], THREE, "dual/fixed-point", [1.0], TWICE, 1e-12, ["z"]),
    (
        *("decoupled/fixed-point", [1.0], {"s1": 2.0, "shift": 1.5, "delta": 0.0}),
        *("decoupled/fixed-point", [1.0], {"s1": 6.0, "shift": 1.5, "delta": 0.0}, 4e-15, ["z1"]),
    ),
]
