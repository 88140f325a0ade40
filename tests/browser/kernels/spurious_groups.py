"""The pages' worst groups: the directions in which training begins and ends, and their accuracies."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

import teacherstudent as ts
from tests.browser.kernels import Kernel

SCRIPT = "theory/spurious_groups.js"
HALF = 10_000
"""Examples of a class: only shares matter in the limit."""


def question(rng: np.random.Generator) -> dict[str, Any]:
    """At least what the lesson's sliders offer; some examples cannot be separated."""
    return dict(
        method=str(rng.choice(["erm", "rwg", "subg"])),
        minority=round(HALF * np.exp(rng.uniform(np.log(0.005), np.log(0.5)))) / HALF,
        ratio=round(2 * HALF * np.exp(rng.uniform(-1.5, 1.5))) / (2 * HALF),
        gamma_spurious=float(np.exp(rng.uniform(-0.5, 2))),
        gamma_core=float(np.exp(rng.uniform(-0.5, 0.5))),
        gamma_noise=float(np.exp(rng.uniform(-2, 1.5))),
        feature_std=float(np.exp(rng.uniform(-2.5, -0.5))),
    )


def answer(route: str, *, minority: float, ratio: float, **question: Any) -> dict[str, np.ndarray]:
    """What the front door answers, of counts with these shares."""
    few = round(minority * HALF)
    found = ts.curve(
        "spurious-groups",
        dynamics="normalised",
        route=route,
        times=[1],
        groups=(HALF - few, few, few, HALF - few),
        noise_features=round(2 * HALF * ratio),
        test_noise="fresh",
        **question,
    ).isel(time=0)
    weights = np.array([found[f"{name}_weight"] for name in ("spurious", "core", "noise")])
    names = ["margin", "support_fraction"] if route == "max-margin" else []
    majority, minority = found["group_accuracy"].values[:2]
    told = {"weights": weights, "majority": majority, "minority": minority}
    return told | {name: found[name].values for name in names}


KERNELS = [
    Kernel(
        "spurious_groups.end",
        SCRIPT,
        question,
        partial(answer, "max-margin"),
        floor={"weights": 1e-3},
        why="that of the spurious feature is 0 where groups are balanced, but for rounding",
    ),
    Kernel("spurious_groups.begin", SCRIPT, question, partial(answer, "initial-gradient")),
]
