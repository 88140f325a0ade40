"""Single questions of linear networks: refused, lost, with one answer."""

from __future__ import annotations

import numpy as np

BLOCKS = {"singular_values": (3.0, 1.0), "inputs": 5, "outputs": 3, "support": "blocks"}
RANDOM_BLOCKS = {**BLOCKS, "init": 0.4}
TRIANGULAR = {"singular_values": (2.0, 1.0), "init": 0.7, "support": "triangular"}
SIZES = {"singular_values": (3.0, 1.0), "inputs": 4, "outputs": 3, "hidden": 5}

REFUSED = [
    ("", {**BLOCKS, "depth": 3}, "^--depth 3: must be 2 with --support blocks"),
    ("", {**BLOCKS, "hidden": 3}, "^--hidden 3: must be left out with --support blocks"),
    ("", {**BLOCKS, "inputs": 1}, "^--inputs 1: must be at least the number of modes, 2"),
    (
        "",
        {**TRIANGULAR, "singular_values": (1.0,)},
        r"^--singular-values \(1 of them\): must be two values, s_",
    ),
    ("", {**TRIANGULAR, "outputs": 3}, "^--outputs 3: must be left out with --support triangular"),
    (
        "",
        {**TRIANGULAR, "init": None},
        r"^--init \(missing\): must be given with --support triangular",
    ),
    *(
        (f"{dynamics}/{route}", values, f"^--{name} ")
        for dynamics in ("flow", "descent")
        for route, values, name in (
            ("closed-form", TRIANGULAR, "support"),
            ("closed-form", RANDOM_BLOCKS, "init"),
            ("riccati", TRIANGULAR, "support"),
            ("effective", RANDOM_BLOCKS, "support"),
            ("effective", TRIANGULAR, "support"),
            ("power-law", BLOCKS, "support"),
            ("power-law", {}, "support"),
            ("closed-form", {"start": "rotated"}, "start"),
            ("closed-form", {"init": 0.1}, "init"),
            ("riccati", {"init": 0.1}, "init"),
            ("riccati", {"depth": 3}, "depth"),
            ("effective", {}, "init"),
            ("effective", {"init": 0.1, "depth": 3}, "depth"),
            ("closed-form", {"u0": (0.0,)}, "u0"),
            ("closed-form", {"depth": 3, "balance": 1.0}, "balance"),
        )
    ),
    ("descent/closed-form", {"learning_rate": 0.26}, "^--learning-rate "),
    ("descent/closed-form", {"u0": (1.5,)}, "^--u0 "),
    # long weights of one layer make the minimum steep
    (
        "descent/riccati",
        {**RANDOM_BLOCKS, "init": 3.0, "learning_rate": 0.1, "seeds": range(3)},
        r"^--learning-rate 0\.1: must be below 2/\(curvature",
    ),
    ("descent/simulation", {**SIZES, "times": [1.0, 1e10]}, r"--times 1e\+10: must be at most 1e\+09 steps"),
]
EDGE = 1666
"""The step from which descent of triangular factors at the rate .05 is unstable, but for its fraction."""

LOST = [
    (
        "descent/simulation",
        [0.0, 1.0, 30.0, 400.0],
        {**SIZES, "start": "rotated", "u0": (0.3,), "learning_rate": 2.0, "seeds": range(3)},
        r"learning_rate 2\.0: .* 3 of 3 draws",
        [False, False, True, True],
    ),
    ("flow/power-law", [0.0, 9.0], TRIANGULAR, "does not hold at early times; NaN at 1 of 2", [True, False]),
    (
        "descent/power-law",
        [EDGE - 1, EDGE + 2],
        {**TRIANGULAR, "learning_rate": 0.05},
        r"step 1\.67e\+03 on gradient descent at this rate is unstable",
        {"residual": [False, True]},
    ),
]
KNOWN = [
    ("flow/power-law", [9.0], TRIANGULAR, {"residual": [(2 / 27) ** (1 / 3)]}, 4e-16),
    # the default initial strength
    ("descent/simulation", [0], {**SIZES, "seeds": range(3)}, {"u": np.full((3, 1, 2), 0.01)}, 32 * 2.3e-16),
]
FRAMES = {"singular_values": (4.0, 2.5, 1.0), "balance": 0.7, "u0": (1e-6,), "inputs": 4}
LATE = [0.0, 0.5, 3.0, 200.0, 1e4]
STEPS = [0, 10, 1000]

EQUAL = [
    # matrices in the data's frames give the modes, also when very late
    ("flow/riccati", LATE, {**FRAMES, "hidden": 5}, "flow/closed-form", LATE, FRAMES, 7e-14),
    # descent is the flow at learning rate times steps
    (
        *("flow/closed-form", [0.2, 3.0], {"depth": 3}),
        *("descent/closed-form", [20, 300], {"depth": 3, "learning_rate": 0.01}, 4e-15),
    ),
    # as before there were supports
    (
        "descent/simulation",
        [3],
        {"support": "full", "init": 0.1},
        "descent/simulation",
        [3],
        {"init": 0.1},
        0.0,
    ),
]
