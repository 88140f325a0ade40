"""Gradient flow on features of one strength."""

from __future__ import annotations

from typing import Any

import numpy as np

import teacherstudent as ts
from tests.browser.kernels import Kernel


def _question(rng: np.random.Generator) -> dict[str, Any]:
    d = int(rng.choice([100, 1000]))
    alpha = 1.0 if rng.random() < 0.2 else float(np.exp(rng.uniform(np.log(0.1), np.log(10))))
    times = np.geomspace(10 ** rng.uniform(-2, 0), 10 ** rng.uniform(0.5, 4), 10)
    question: dict[str, Any] = {
        "alpha": max(1, round(alpha * d)) / d,
        "scales": [[d, 1.0 if rng.random() < 0.7 else float(10 ** rng.uniform(-1, 1))]],
        "noise": float(rng.uniform(0, 1)),
        "times": [0.0, *times.tolist()],
    }
    if rng.random() < 0.3:
        question |= {"ridge": float(10 ** rng.uniform(-4, 0)), "init": float(rng.uniform(0, 1))}
    return question


def _answer(**question: Any) -> dict[str, Any]:
    observable = ["generalisation", "training"]
    curve = ts.curve("multiscale", dynamics="flow", route="quadrature", observable=observable, **question)
    names = ("R", "Q", "excess_risk", "generalisation_error", "training_error")
    return {name: curve[name].values for name in names}


KERNELS = [Kernel("one_scale.flow", "theory/one_scale.js", _question, _answer)]
