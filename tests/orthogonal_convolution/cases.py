"""Single questions of orthogonal convolutions: refused, lost, with one answer."""

from __future__ import annotations

REFUSED = [
    (
        "flow/closed-form",
        {"kernel_size": 3},
        "^--kernel-size 3: must be at most 2, the stride, for route closed",
    ),
    (
        "descent/recursion",
        {"kernel_size": 3},
        "^--kernel-size 3: must be at most 2, the stride, for route recu",
    ),
    (
        "descent/recursion",
        {"learning_rate": 0.25},
        "^--learning-rate 0.25: must be below 0.25 for route recursi",
    ),
]
LATE = {"regulariser": [False, True]}

LOST = [
    (
        "descent/recursion",
        [0, 9],
        {"learning_rate": 0.1, "init": 5.0},
        "^learning_rate 0.1: steps diverge",
        LATE,
    ),
    (
        "flow/frequencies",
        [0.1, 4.0],
        {"seeds": [3, 4]},
        "^route frequencies: errors below 1e-11",
        {**LATE, "smallest_singular_value": [False, False]},
    ),
    (
        "descent/simulation",
        [0, 30],
        {"learning_rate": 5.0, "init": 1.0},
        "^learning_rate 5: training diverges; NaN in 2 of 2 draws",
        LATE,
    ),
]
SHAPES = (
    {},
    {"outputs": 5, "inputs": 2, "kernel_size": 2, "stride": 3},
    {"outputs": 6, "inputs": 1, "kernel_size": 1, "stride": 2, "dimension": 2, "size": 2},
)
"""Rows, too many rows, unseen pixels: where windows do not overlap."""
COLUMNS = {"outputs": 5, "inputs": 1, "kernel_size": 3, "stride": 2, "dimension": 2, "size": 2, "seeds": [5]}
TIMES = [0.05, 0.3, 0.6]

EQUAL = [
    *(("flow/closed-form", TIMES, each, "flow/frequencies", TIMES, each, 1e-6) for each in SHAPES),
    # where windows overlap: columns of an image
    ("flow/simulation", [0.1, 0.4], COLUMNS, "flow/frequencies", [0.1, 0.4], COLUMNS, 1e-7),
]
