"""Single questions of motion driven by stable noise: refused, lost, known, with one answer."""

from __future__ import annotations

import math

FEW = {"walkers": 6}

REFUSED = [
    ("exit/getoor", {}, r"^--drift 1\.0: must be 0 for route getoor.*spectral or small-noise"),
    ("exit/small-noise", {"drift": 0.0}, r"^--drift 0.*: must be above 0 for route small-noise.*getoor"),
    (
        "exit/small-noise",
        {"stability": 2.0},
        r"^--stability 2.*: must be below 2 for route small-noise.*spectral",
    ),
    (
        "exit/spectral",
        {"stability": 1.0},
        r"^--stability 1\.0: must be above 1 for route spectral with drift",
    ),
    *(
        (f"gap/{each}", {"times": [8], "drift": 0.0}, r"^--drift 0.*: must be above 0 for gap")
        for each in ("exact", "euler", "simulation")
    ),
    *(
        (
            f"gap/{each}",
            {"times": [8], "power": 1.5},
            r"^--power 1\.5: must be below stability 1\.5: other",
        )
        for each in ("exact", "euler", "simulation")
    ),
    (
        "gap/simulation",
        {"times": [4], "relative_step": 1e-7, "power": 0.4},
        r"^--relative-step 1e-07: must be from 2e-06 to 2 - 2e-06: at most",
    ),
    (
        "relaxation/simulation",
        {**FEW, "times": [2.0], "step": 1e-7},
        r"^--times 2: must be at most 1 at step 1e-07: 1e\+07 steps",
    ),
]
LOST = [
    (
        "relaxation/exact",
        [0.0, 1.0],
        {},
        "time 0: X is 0.*NaN at 1 of 2 times",
        {"mean_log": [True, False], "variance_log": [True, False], "characteristic": [False, False]},
    ),
    (
        "gap/exact",
        [1, 2, 3],
        {"power": 0.9, "stability": 1.0},
        "^a mean over fresh examples needs n > 2 power/stability = 1.8; NaN at 1 of 3 times",
        {"population_loss": [True, False, False], "training_loss": [False] * 3},
    ),
    (
        "gap/exact",
        [1],
        {"power": 0.94, "stability": 0.95},
        "training examples needs n > 2 power/stability - power = 1.03895",
        {"training_loss": [True]},
    ),
    (
        "relaxation/simulation",
        [1.0],
        {"walkers": 1, "step": 0.1},
        "^walkers 1: a single path has no variance; NaN in 2 of 2",
        {"variance_log": [True], "mean_log": [False]},
    ),
    (
        "relaxation/simulation",
        [10.0, 1000.0],
        {**FEW, "drift": 1e9, "step": 10.0},
        "^step 10: a path overflows; NaN in 2 of 2",
        {"mean_log": [False, True]},
    ),
]
FREE = {"drift": 0.0}
NEAR_ONE = [
    (1.003, 2.0, 0.0, 2.6657121, 5e-6),
    (1.05, 2.0, 0.0, 2.769199, 5e-6),
    (1.07, 2.0, 0.0, 2.8139746, 5e-6),
    (1.12, 3.0, 0.0, 4.9418124, 5e-6),
    (1.05, 1.5, 0.01, 1.960033, 1e-5),
    (1.05, 1.5, 0.5, 1.857697, 5e-6),
    (1.1, 2.0, 0.5, 2.757322, 5e-6),
    (1.3, 8.0, 0.01, 27.396431, 5e-6),
]
"""Stability, radius, start, and the time by 3200 polynomials without a cut, extrapolated, with its error."""
WELLS = [
    ("exit/spectral", [radius], {"stability": alpha, "start": start}, {"exit_time": [time]}, error * time)
    for alpha, radius, start, time, error in NEAR_ONE
]
KNOWN = [
    # Brownian motion, whose variance is 2 t, Cauchy motion, and Getoor's formula
    ("exit/getoor", [2.0], {**FREE, "stability": 2.0, "start": 0.5}, {"exit_time": [3 / 2]}, 1e-14),
    ("exit/getoor", [2.0], {**FREE, "stability": 1.0, "start": 0.5}, {"exit_time": [math.sqrt(3)]}, 1e-14),
    ("exit/getoor", [1.0], {**FREE, "stability": 1.2, "start": 0.3}, {"exit_time": [0.8577]}, 5e-5),
    # a scheme that diverges is answered at every step
    (
        "relaxation/euler",
        [1e9],
        {"step": 1.0, "drift": 10.0, "stability": 0.1},
        {"mean_log": [1e9 * math.log(9)], "characteristic": [0.0]},
        2e3,
    ),
    *WELLS,
]
EQUAL = [
    # without drift polynomials tell Getoor's time
    *(
        (
            *("exit/spectral", [1.3], {**FREE, "stability": alpha, "noise": 0.7, "start": 0.4}),
            *("exit/getoor", [1.3], {**FREE, "stability": alpha, "noise": 0.7, "start": 0.4}, 1e-12),
        )
        for alpha in (0.6, 1.0, 1.7, 2.0)
    ),
    # little noise leaves at any slope alike; Euler's steps are counted to the nearest, and from one on
    ("exit/small-noise", [20.0], {}, "exit/small-noise", [20.0], {"drift": 4.0}, 0.0),
    *(
        ("relaxation/euler", [time], {}, "relaxation/euler", [nearest], {}, 0.0)
        for time, nearest in ((0.0, 0.01), (0.004, 0.01), (0.014, 0.01), (0.016, 0.02))
    ),
]
