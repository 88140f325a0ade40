"""Single questions of generators and discriminators: refused, lost, with one answer."""

from __future__ import annotations

KINDS = ("relu", "fourier")
CLOUD = {"target": "gaussian", "n": 4, "particles": 3, "spread": 0.5}
SLOW = {"learning_rate": 0.25, "discriminator_time": 0.6, "discriminator_rate": 0.2}

REFUSED = [
    ("generator/closed-form", {"target": "ring", "n": 3}, "^--target .*: must be "),
    ("generator/closed-form", {"target": "gaussian"}, "^--target .*: must be "),
    ("generator/closed-form", {"spread": 0.1}, "^--spread .*: must be "),
    ("generator/kernel", {"bias": 0.0}, "^--bias .*: must be "),
    ("", {"target": "ring", "d": 1}, r"^--d 1: must be at least 2 for target ring"),
    (
        "discriminator/simulation",
        {"times": [1e6], "discriminator_rate": 0.1},
        r"^--times 1e\+06: must be at most 100000 at discriminator_rate 0.1: 1e\+06",
    ),
    (
        "generator/simulation",
        {"discriminator_time": 500.0, "discriminator_rate": 1e-4},
        r"^--discriminator-time 500.*: must be at most 100 at discriminator_rate 0.0001: 1",
    ),
    (
        "generator/simulation",
        {"times": [1e6], **SLOW},
        r"^--times 1e\+06: must be at most 83333 at learning_rate 0.25: 1e\+06 steps of ascent, 3 for",
    ),
]
LOST = [
    ("discriminator/instance", [1.0], {"width": 8}, "has jumps", {"slope": [True], "separation": [False]}),
    (
        "discriminator/simulation",
        [5e3, 1e6],
        {
            "target": "gaussian",
            "n": 3,
            "particles": 2,
            "d": 2,
            "width": 5,
            "discriminator_rate": 5e3,
            "seeds": [3, 8],
            "bias": 0.8,
            "spread": 0.7,
            "distance": 1.5,
        },
        r"^discriminator_rate 5000: training diverges; NaN in 2 of 2",
        {"separation": [False, True]},
    ),
    (
        "generator/steps",
        [0.5, 2000.0],
        {"bias": 0.0, "discriminator_time": 0.3},
        "more than 10000 steps",
        {"distance_of_means": [False, True]},
    ),
    ("generator/steps", [100.0], {"discriminator_time": 30.0}, "the steps diverge", {"separation": [True]}),
]
NAMES = ["separation", "slope", "distance_of_means"]
EQUAL = [
    # points at one place move as one: in any number, against any number of data points, in any dimension
    *(
        (
            *(f"generator/{route}", [0.5, 2.0], {"d": 1, "discriminator_time": 0.7, "discriminator": kind}),
            *(f"generator/{route}", [0.5, 2.0]),
            {"d": 3, "n": 3, "particles": 5, "discriminator_time": 0.7, "discriminator": kind},
            *(1e-6, NAMES),
        )
        for route in ("closed-form", "kernel")
        for kind in KINDS
    )
]
