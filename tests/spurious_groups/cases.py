"""Single questions of spurious groups: refused, lost, known, with one answer."""

from __future__ import annotations

ROUTE = "descent/max-margin"
MANY = {"n": 30, "noise_features": 40, "gamma_spurious": 2.0, "gamma_noise": 1.0, "minority": 0.2}

REFUSED = [
    ("", {"minority": 1e-3}, "--minority 0.001: must be at least 2 of the n = 1000 examples"),
    ("", {"groups": (5, 5, 5)}, "--groups 5,5,5: must be four counts"),
    ("", {"groups": (5, 5, 5, 5), "n": 20}, "--n 20: must be absent"),
    (ROUTE, {"weight_decay": 0.1}, r"--weight-decay 0\.1: must be 0 for route max-margin"),
    (
        "descent/simulation",
        {
            "law": "printed",
            "n": 8,
            "minority": 0.25,
            "noise_features": 1,
            "method": "subg",
            "seeds": range(50),
        },
        "a group is empty",
    ),
]
LOST = [
    (
        ROUTE,
        [1],
        {"feature_std": 2.0, "noise_features": 20},
        r"not separable: there are 0\.02 noise features per example, but",
        [True],
    ),
    ("normalised/simulation", [0, 100], {**MANY, "init": 0.0}, "weights are zero", [True, False]),
]
KNOWN = [
    (f"{each}/max-margin", [1, 5], {}, {"worst_group_accuracy": [0, 0]}, 1e-6)
    for each in ("descent", "normalised")
]
EQUAL = [
    # methods that keep every example end alike
    *(
        (
            f"{each}/max-margin",
            [1, 5],
            {"method": method},
            f"{each}/max-margin",
            [1, 5],
            {"method": "erm"},
            0.0,
        )
        for each in ("descent", "normalised")
        for method in ("rwy", "rwg", "gdro", "jtt")
    )
]
